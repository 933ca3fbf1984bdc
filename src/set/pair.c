/* pair.c - see pair.h */
#include "set/pair.h"

#include "set/batch_hashes.h"

enum {
    CHUNK_KEYS = 1024
};

/* Hashes that one table does not have, on their way to the other. */
typedef struct unseen {
    uint64_t hashes[CHUNK_KEYS];
    uint16_t places[CHUNK_KEYS];
    uint8_t is_seen[CHUNK_KEYS];
    size_t count;
} unseen;

/* Whether a key is seen nobody can predict: so none of that is a branch. */
static void pick(unseen *to, const uint64_t *hashes, size_t count,
                 const uint8_t *is_seen)
{
    size_t picked = 0;
    for (size_t i = 0; i < count; i++) {
        to->hashes[picked] = hashes[i];
        to->places[picked] = (uint16_t)i;
        picked += !is_seen[i];
    }
    to->count = picked;
}

static size_t ask(const ss_table *table, const uint64_t *hashes, size_t count,
                  uint8_t *is_seen)
{
    ss_batch batch = {.hashes = hashes, .count = count};
    return table->layout->has_many(table, &batch, is_seen);
}

static void ask_both(const ss_table *one, const ss_table *other,
                     const uint64_t *hashes, size_t count, uint8_t *is_seen)
{
    unseen left;
    size_t seen = ask(one, hashes, count, is_seen);
    if (seen == count)
        return;
    if (count - seen > count / 8 * 7) {
        (void)ask(other, hashes, count, left.is_seen);
        for (size_t i = 0; i < count; i++)
            is_seen[i] |= left.is_seen[i];
        return;
    }
    pick(&left, hashes, count, is_seen);
    (void)ask(other, left.hashes, left.count, left.is_seen);
    for (size_t i = 0; i < left.count; i++)
        is_seen[left.places[i]] = left.is_seen[i];
}

void ss_pair_has_many(const seenset *set, const ss_batch *batch,
                      uint8_t *is_seen)
{
    uint64_t made[CHUNK_KEYS];
    const ss_table *first = &set->generations[0].table;
    const ss_table *second = &set->generations[1].table;
    bool is_grown = ss_pair_is_grown(set);
    for (size_t done = 0, count; done < batch->count; done += count) {
        const uint64_t *hashes = made;
        count = batch->count - done;
        count = count < CHUNK_KEYS ? count : CHUNK_KEYS;
        if (batch->hashes != NULL)
            hashes = batch->hashes + done;
        else
            ss_batch_hashes_make(&set->identity, batch, done, count, made);
        ask_both(is_grown ? second : first, is_grown ? first : second, hashes,
                 count, is_seen + done);
    }
}
