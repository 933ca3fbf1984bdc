/*
 * set_batch.c - see set_batch.h.
 */
#include "sets/set_batch.h"

#include <string.h>

#define GROUP_KEYS ((size_t)512) /* as many as lie on the stack at once */

bool set_batch_wants_keys(const seenset *set)
{
    return seenset_has_hash_many(set, NULL, 0, NULL) == SEENSET_EUNSUPPORTED;
}

void set_batch_hash_nothing(batch *some)
{
    (void)some;
}

/* The keys of `text` from line `first` on. Returns how many. */
static size_t take_group(const batch *some, const char *text, size_t first,
                         seenset_key group[GROUP_KEYS])
{
    size_t left = some->count - first;
    size_t count = left < GROUP_KEYS ? left : GROUP_KEYS;
    for (size_t i = 0; i < count; i++) {
        size_t start = batch_start(some, first + i);
        group[i].data = text + start;
        group[i].len = some->ends[first + i] - start;
    }
    return count;
}

/* After the first that was refused, all are. */
static int add_keys(seenset *set, batch *some)
{
    seenset_key group[GROUP_KEYS];
    const char *text = batch_text(some);
    if (text == NULL)
        return SEENSET_EIO;
    memset(some->answers, SEENSET_ANSWER_REFUSED, some->count);
    for (size_t done = 0; done < some->count;) {
        size_t count = take_group(some, text, done, group);
        int error = seenset_add_many(set, group, count, some->answers + done);
        if (error != 0)
            return error;
        done += count;
    }
    return 0;
}

static int has_keys(const seenset *set, batch *some)
{
    seenset_key group[GROUP_KEYS];
    const char *text = batch_text(some);
    int error = text == NULL ? SEENSET_EIO : 0;
    for (size_t done = 0; error == 0 && done < some->count;) {
        size_t count = take_group(some, text, done, group);
        error = seenset_has_many(set, group, count, some->answers + done);
        done += count;
    }
    return error;
}

int set_batch_add(seenset *set, bool wants_keys, batch *some)
{
    if (wants_keys)
        return add_keys(set, some);
    return seenset_add_hash_many(set, some->hashes, some->count, some->answers);
}

int set_batch_has(const seenset *set, bool wants_keys, batch *some)
{
    if (wants_keys)
        return has_keys(set, some);
    return seenset_has_hash_many(set, some->hashes, some->count, some->answers);
}
