/*
 * journal_name.h - what is beside a set file under the name of its journal.
 *
 * A set whose journal was moved away is refused, and one that was moved away
 * from its journal leaves it behind. The library keeps such a journal under
 * another name, FILE.log.of- and the checksum of its set (docs/format.md). Here
 * these names are found, so that messages can tell people.
 */
#ifndef JOURNAL_NAME_H
#define JOURNAL_NAME_H

/* The journal's name, FILE.log, to be freed. NULL: no memory, or a loop of
 * links. */
char *journal_name_of(const char *set_path);

/* A message: the set at that path was refused for that reason, as its journal
 * is missing. Names the file to bring along. */
void journal_name_complain(const char *set_path, const char *reason);

/* What the journal of another set would be called once it is set aside, before
 * the set is saved at that path; NULL: there is no journal, or it is there
 * already. Then, after that: a message, if it is there now; frees the name. */
char *journal_name_before(const char *set_path);
void journal_name_after(const char *set_path, char *aside);

#endif
