/*
 * none.c - there are no paths, so there is no journal: append.c, save.c and
 * what they need are not compiled. The promises are in append.h and journal.h.
 *
 * A page shows one file (base/wasi/io.c), and nothing is beside it; a program
 * without files (base/none) shows none. A set whose header says that it has a
 * journal is refused.
 */
#include "file/append.h"
#include "file/journal/journal.h"

bool ss_append_is_possible(const ss_header *header)
{
    (void)header;
    return false;
}

int ss_append_start(seenset *set, const ss_header *header,
                    const seenset_open_options *options)
{
    (void)set;
    (void)header;
    (void)options;
    return SEENSET_EUNSUPPORTED;
}

int ss_journal_find(const ss_io *io, const char *path, ss_header *header,
                    seenset_file_report *report)
{
    (void)io;
    (void)path;
    (void)header;
    (void)report;
    return SEENSET_OK;
}

int ss_journal_load(const ss_io *io, const char *path, int fd,
                    const ss_header *header, bool is_needed, seenset *set,
                    seenset_file_report *report)
{
    (void)io;
    (void)path;
    (void)fd;
    return ss_journal_miss(header, is_needed, set, report);
}
