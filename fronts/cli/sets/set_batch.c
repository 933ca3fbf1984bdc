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

/* ---- keys of one time ---- */

static uint64_t time_of(const batch *keys, size_t i)
{
    return keys->times[batch_line(keys, i)];
}

/* The end of the keys from `first` on that have the same time, which the set is
 * told; without times, of all. Returns 0 or the library's error. */
static int begin_time(seenset *set, const batch *keys, size_t first,
                      size_t *end)
{
    *end = batch_key_count(keys);
    if (keys->times == NULL || first == *end)
        return 0;
    size_t next = first + 1;
    while (next < *end && time_of(keys, next) == time_of(keys, first))
        next++;
    *end = next;
    return seenset_set_time(set, time_of(keys, first));
}

/* ---- keys ---- */

/* Lists keys from number `first` on. Returns how many. */
static size_t take_group(const batch_keys *from, size_t first, size_t end,
                         seenset_key group[GROUP_KEYS])
{
    size_t left = end - first;
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
    int error = 0;
    for (size_t done = 0, end = 0; error == 0 && done < from.count;) {
        if (done == end)
            error = begin_time(set, keys, done, &end);
        size_t count = take_group(&from, done, end, group);
        if (error == 0)
            error = seenset_add_many(set, group, count, keys->answers + done);
        done += count;
    }
    return error;
}

/* The same of their hashes. */
static int add_hashes(seenset *set, batch *keys)
{
    size_t count = batch_key_count(keys);
    int error = 0;
    if (keys->times == NULL)
        return seenset_add_hash_many(set, keys->hashes, count, keys->answers);
    memset(keys->answers, SEENSET_ANSWER_REFUSED, count);
    for (size_t done = 0, end; error == 0 && done < count; done = end) {
        error = begin_time(set, keys, done, &end);
        if (error == 0)
            error = seenset_add_hash_many(set, keys->hashes + done, end - done,
                                          keys->answers + done);
    }
    return error;
}

static int ask_groups(batch *keys, set_batch_questions *ask, void *context)
{
    seenset_key group[GROUP_KEYS];
    batch_keys from = batch_keys_of(keys);
    int error = from.text == NULL ? SEENSET_EIO : 0;
    for (size_t done = 0; error == 0 && done < from.count;) {
        size_t count = take_group(&from, done, from.count, group);
        error = ask(context, group, count, keys->answers + done);
        done += count;
    }
    return error;
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
        error = add_hashes(set, keys);
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

/* Looks up keys first, ..., end - 1, by their text. */
static int has_keys(const seenset *set, batch *keys, size_t first, size_t end)
{
    seenset_key group[GROUP_KEYS];
    batch_keys from = batch_keys_of(keys);
    int error = from.text == NULL ? SEENSET_EIO : 0;
    while (error == 0 && first < end) {
        size_t count = take_group(&from, first, end, group);
        error = seenset_has_many(set, group, count, keys->answers + first);
        first += count;
    }
    return error;
}

int set_batch_has(seenset *set, bool wants_keys, batch *keys)
{
    size_t count = batch_key_count(keys);
    int error = check(keys);
    for (size_t done = 0, end; error == 0 && done < count; done = end) {
        error = begin_time(set, keys, done, &end);
        if (error == 0 && wants_keys)
            error = has_keys(set, keys, done, end);
        else if (error == 0)
            error = seenset_has_hash_many(set, keys->hashes + done, end - done,
                                          keys->answers + done);
    }
    answer_lines(keys);
    return error;
}
