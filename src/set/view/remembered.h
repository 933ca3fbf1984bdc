/*
 * remembered.h - a mapped set that keys are added to: it remembers what it
 * added.
 *
 *     the file   | header | block | block | block | block | ... | sums |
 *     the set             | block | *own* | block | *own* | ...
 *     remembered    { hash, hash, hash }
 *
 * The file is mapped so that the file does not see a change: a block that is
 * written becomes the set's own, and all others are read from the file, each
 * checked when it is first touched (checks.h). So one key is added without
 * reading the rest of the set. The hashes of the keys that changed the set are
 * remembered, for the journal beside the file (file/journal/journal.h).
 *
 * A newest table that grows in place is not written. Its keys stay beside it as
 * hashes (overlay.h), which are in the journal's order: those of the file's
 * journal, those that other processes appended meanwhile, and at the end those
 * that are remembered here. There a key is new if neither the tables nor these
 * hashes have it, so added_items counts keys that a whole table would have
 * taken for others of them: fewer than one in all, as expected.
 *
 * That lasts while keys go to the newest table as it is, and while the journal
 * takes them. A table that is full, a window whose time has come, or too many
 * keys make the set an ordinary one, in memory of its own, that is whole: it
 * remembers nothing and has to be saved whole.
 *
 * One thread at a time may use such a set, also to ask.
 */
#ifndef SS_SET_VIEW_REMEMBERED_H
#define SS_SET_VIEW_REMEMBERED_H

#include "base/export.h"
#include "set/set.h"

enum {
    /* Of a set that is asked while it is mapped, and never appended to: they
     * take up to 48 MiB. */
    SS_REMEMBERED_MOST_BESIDE = 1 << 20
};

typedef struct ss_remembered {
    bool is_whole;       /* an ordinary set: nothing is remembered */
    uint64_t count;      /* hashes that are remembered, */
    uint64_t room_count; /* of at most so many; 0: they are counted only */
    uint64_t *hashes;
    ss_capacity_function *at_capacity; /* once it is whole */
    void *at_capacity_context;
    /* of the file, for the room above */
    bool can_journal;
    uint64_t set_checksum; /* which set the journal belongs to */
    uint64_t most_items;   /* that the journal may hold */
    uint64_t journal_end;  /* what is before it is in the set; 0: nothing */
    bool is_identified;    /* no other set has that checksum */
    bool is_incomplete;    /* it was opened without its journal */
} ss_remembered;

/* Gives a set, mapped or whole, what it needs to remember room_count hashes; or
 * to have keys beside its tables only, for none. 0 or SEENSET_ENOMEM. */
int ss_remembered_start(seenset *set, uint64_t room_count);
void ss_remembered_end(seenset *set);

/* Adds to a mapped set, as seenset_add_hash and seenset_add_many. SEENSET_EFULL
 * as those; SEENSET_ECORRUPT: a block that the key, or any key once the set
 * becomes whole, touches is damaged; SEENSET_ENOMEM: it cannot become whole. */
int ss_remembered_add(seenset *set, uint64_t hash);
int ss_remembered_add_many(seenset *set, const ss_batch *batch,
                           uint8_t *is_new);

/* As ss_hashed_renews, of a sliding window. */
bool ss_remembered_renews(const seenset *set, uint64_t hash);

/* Makes it an ordinary set, after all of it was checked. 0, SEENSET_ECORRUPT
 * or SEENSET_ENOMEM; then it is as it was. */
int ss_remembered_make_whole(seenset *set);

/* Adds a record's hashes, of 8 bytes each, to the newest table, as they were
 * added when they were remembered: so every process that reads the journal
 * gets the same set, bit by bit. A block of a mapped set gets them when it is
 * first touched (checks.h). Blocks that they touch count as checked if they
 * were sound. 0; or SEENSET_ENOMEM, and some may have been added: only where
 * the newest table grows in place. */
int ss_remembered_replay(seenset *set, const uint8_t *hashes, uint64_t count);

#endif
