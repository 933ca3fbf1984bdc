/*
 * set_batch.c - see set_batch.h.
 */
#include "sets/set_batch.h"

#include <errno.h>
#include <string.h>

#include "text/layouts.h"

#define GROUP_KEYS ((size_t)512) /* that are on the stack at once */

/* The set itself says whether it takes hashes: it is asked for one. */
bool set_batch_wants_keys(const seenset *set)
{
    const uint64_t hash = 0;
    uint8_t is_seen;
    return seenset_has_hash_many(set, &hash, 1, &is_seen) ==
           SEENSET_EUNSUPPORTED;
}

static void extract(batch *keys)
{
    batch_extract(keys);
    batch_take_shard(keys);
    batch_hash_widely(keys);
}

static void extract_and_hash(batch *keys)
{
    extract(keys);
    batch_hash(keys);
}

static void extract_and_normalise(batch *keys)
{
    batch_extract(keys);
    batch_normalise(keys);
    batch_take_shard(keys);
    batch_hash_widely(keys);
}

static void normalise_and_hash(batch *keys)
{
    extract_and_normalise(keys);
    batch_hash(keys);
}

uint64_t set_batch_full_count(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (layouts_words(info.layout)->has_slots)
        return SEENSET_MAX_COPIES;
    return info.counter_bits == 0 ? UINT64_MAX
                                  : (UINT64_C(1) << info.counter_bits) - 1;
}

set_batch_preparer *set_batch_prepare(bool wants_keys, bool normalises)
{
    if (normalises)
        return wants_keys ? extract_and_normalise : normalise_and_hash;
    return wants_keys ? extract : extract_and_hash;
}

/* Lists keys from number `first` on. Returns how many. */
static size_t take_group(const batch_keys *from, size_t first,
                         seenset_key group[GROUP_KEYS])
{
    size_t left = from->count - first;
    size_t count = left < GROUP_KEYS ? left : GROUP_KEYS;
    for (size_t i = 0; i < count; i++) {
        size_t start = batch_key_start(from, first + i);
        group[i].data = from->text + start;
        group[i].len = from->ends[first + i] - start;
    }
    return count;
}

/* After the first refused key the library refuses all others. */
static int add_keys(seenset *set, batch *keys)
{
    seenset_key group[GROUP_KEYS];
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return SEENSET_EIO;
    memset(keys->answers, SEENSET_ANSWER_REFUSED, from.count);
    for (size_t done = 0; done < from.count;) {
        size_t count = take_group(&from, done, group);
        int error = seenset_add_many(set, group, count, keys->answers + done);
        if (error != 0)
            return error;
        done += count;
    }
    return 0;
}

static int ask_groups(batch *keys, set_batch_questions *ask, void *context)
{
    seenset_key group[GROUP_KEYS];
    batch_keys from = batch_keys_of(keys);
    int error = from.text == NULL ? SEENSET_EIO : 0;
    for (size_t done = 0; error == 0 && done < from.count;) {
        size_t count = take_group(&from, done, group);
        error = ask(context, group, count, keys->answers + done);
        done += count;
    }
    return error;
}

/* The context is a set. */
static int has_group(void *context, const seenset_key *keys, size_t count,
                     uint8_t *answers)
{
    return seenset_has_many(context, keys, count, answers);
}

/* From one answer for each key to one for each line. Keys are in the order of
 * their lines, and none has a number over its line's. */
static void answer_lines(batch *keys)
{
    size_t line = keys->count;
    for (size_t i = batch_key_count(keys); keys->forms != NULL && i > 0; i--) {
        size_t mine = batch_line(keys, i - 1);
        uint8_t answer = keys->answers[i - 1];
        while (line > mine + 1)
            keys->answers[--line] = SEENSET_ANSWER_NOT_A_URL;
        keys->answers[--line] = answer;
    }
    while (keys->forms != NULL && line > 0)
        keys->answers[--line] = SEENSET_ANSWER_NOT_A_URL;
}

static int check(const batch *keys)
{
    errno = keys->error;
    return keys->error == 0 ? 0 : SEENSET_EIO;
}

int set_batch_add(seenset *set, bool wants_keys, batch *keys)
{
    int error = check(keys);
    if (error == 0 && wants_keys)
        error = add_keys(set, keys);
    else if (error == 0)
        error = seenset_add_hash_many(set, keys->hashes, batch_key_count(keys),
                                      keys->answers);
    answer_lines(keys);
    return error;
}

/* Adds one key, unless there are so many copies. Returns an answer or an
 * error. */
static int add_copy(seenset *set, uint32_t times, const char *key, size_t len)
{
    uint64_t count = 0;
    int error = seenset_count(set, key, len, &count);
    if (error != 0)
        return error;
    if (count >= times)
        return SEENSET_ANSWER_SEEN;
    int added = seenset_add(set, key, len);
    return added < 0 ? added : SEENSET_ANSWER_NEW;
}

typedef struct copies {
    seenset *set;
    uint32_t times;
} copies;

static int add_one_copy(void *context, const char *key, size_t len)
{
    const copies *to = context;
    return add_copy(to->set, to->times, key, len);
}

static int ask_keys(batch *keys, set_batch_question *ask, void *context)
{
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return SEENSET_EIO;
    memset(keys->answers, SEENSET_ANSWER_REFUSED, from.count);
    for (size_t i = 0; i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        int answer = ask(context, from.text + start, from.ends[i] - start);
        if (answer < 0)
            return answer;
        keys->answers[i] = (uint8_t)answer;
    }
    return 0;
}

int set_batch_ask(batch *keys, set_batch_question *ask, void *context)
{
    int error = check(keys);
    if (error == 0)
        error = ask_keys(keys, ask, context);
    answer_lines(keys);
    return error;
}

int set_batch_ask_many(batch *keys, set_batch_questions *ask, void *context)
{
    int error = check(keys);
    if (error == 0)
        error = ask_groups(keys, ask, context);
    answer_lines(keys);
    return error;
}

int set_batch_add_times(seenset *set, uint32_t times, batch *keys)
{
    copies to = {.set = set, .times = times};
    return set_batch_ask(keys, add_one_copy, &to);
}

int set_batch_has(const seenset *set, bool wants_keys, batch *keys)
{
    int error = check(keys);
    if (error == 0 && wants_keys)
        error = ask_groups(keys, has_group, (void *)(uintptr_t)set);
    else if (error == 0)
        error = seenset_has_hash_many(set, keys->hashes, batch_key_count(keys),
                                      keys->answers);
    answer_lines(keys);
    return error;
}
