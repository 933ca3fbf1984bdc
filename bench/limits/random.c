/*
 * random.c - how fast the machine can reach random lines of a table,
 * and hash keys: what batches are measured against.
 *
 * The loop takes the same hashes as the library, turns each into a line of the
 * library's own table, fetches it `depth` keys ahead and touches one word of
 * it: reads it, or reads it and writes it back (the same value, so the table
 * stays what it was). It stores one byte a key and does nothing else. The best
 * of several depths is the limit, lines being fetched into the first-level
 * cache or into the second. Depth 0, no prefetch, is measured as well: in a
 * cache the processor looks far enough ahead by itself.
 */
#include "bench.h"

#include <string.h>

#include "hash/xxh3.h"
#include "set/set.h"

/* How many lines are in flight; what the library's answer is measured by. */
static const size_t depths_l1[] = {0, 16, 24, 32, 48, 64};
static const size_t depths_l2[] = {32, 48, 64, 96, 128};

/* Fetches into a cache: a prefetch names it by a constant. */
static SS_ALWAYS_INLINE void fetch(const uint64_t *line, bool is_first_level)
{
    if (is_first_level)
        __builtin_prefetch(line, 0, 3);
    else
        __builtin_prefetch(line, 0, 2);
}

/* The hashes are read in order. Among random lines the processor's own
 * prefetcher loses sight of them, so they are asked for as well. */
static SS_ALWAYS_INLINE void fetch_hashes(const uint64_t *hashes, size_t count,
                                          size_t i)
{
    enum {
        HASHES_AHEAD = 160
    };
    if (i + HASHES_AHEAD < count)
        __builtin_prefetch(hashes + i + HASHES_AHEAD);
}

static inline uint64_t *line_of(uint64_t *words, uint64_t range, uint64_t hash)
{
    return words + ss_hash_range(hash, range) * SS_LINE_WORDS;
}

static SS_ALWAYS_INLINE void
read_lines(uint64_t *restrict words, uint64_t range,
           const uint64_t *restrict hashes, size_t count, size_t depth,
           bool is_first_level, uint8_t *restrict answers)
{
    size_t ahead = depth < count ? depth : count;
    size_t i = 0;
    for (size_t j = 0; j < ahead; j++)
        fetch(line_of(words, range, hashes[j]), is_first_level);
    while (i + SS_LINE_WORDS <= count - ahead) {
        fetch_hashes(hashes, count, i);
        for (size_t end = i + SS_LINE_WORDS; i < end; i++) {
            fetch(line_of(words, range, hashes[i + ahead]), is_first_level);
            answers[i] = (uint8_t)*line_of(words, range, hashes[i]);
        }
    }
    for (; i < count; i++)
        answers[i] = (uint8_t)*line_of(words, range, hashes[i]);
}

static void read_lines_plainly(uint64_t *restrict words, uint64_t range,
                               const uint64_t *restrict hashes, size_t count,
                               uint8_t *restrict answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)*line_of(words, range, hashes[i]);
}

/*
 * Reads the word once, writes it once. What is written depends on the hash,
 * though never_set is 0 and the value stays: a loop that stores what it loaded
 * and nothing else takes 5.0 ns in the cache here, this one 1.9.
 */
static inline uint8_t touch(uint64_t *word, uint64_t hash, uint64_t never_set)
{
    uint64_t value = *word;
    *word = value | (hash & never_set);
    return (uint8_t)value;
}

/* Zero, but the compiler cannot know. */
static uint64_t zero(void)
{
    volatile uint64_t value = 0;
    return value;
}

static SS_ALWAYS_INLINE void
write_lines(uint64_t *restrict words, uint64_t range,
            const uint64_t *restrict hashes, size_t count, size_t depth,
            bool is_first_level, uint8_t *restrict answers)
{
    uint64_t never = zero();
    size_t ahead = depth < count ? depth : count;
    size_t i = 0;
    for (size_t j = 0; j < ahead; j++)
        fetch(line_of(words, range, hashes[j]), is_first_level);
    while (i + SS_LINE_WORDS <= count - ahead) {
        fetch_hashes(hashes, count, i);
        for (size_t end = i + SS_LINE_WORDS; i < end; i++) {
            fetch(line_of(words, range, hashes[i + ahead]), is_first_level);
            answers[i] =
                touch(line_of(words, range, hashes[i]), hashes[i], never);
        }
    }
    for (; i < count; i++)
        answers[i] = touch(line_of(words, range, hashes[i]), hashes[i], never);
}

static void write_lines_plainly(uint64_t *restrict words, uint64_t range,
                                const uint64_t *restrict hashes, size_t count,
                                uint8_t *restrict answers)
{
    uint64_t never = zero();
    for (size_t i = 0; i < count; i++)
        answers[i] = touch(line_of(words, range, hashes[i]), hashes[i], never);
}

static bool is_first_level(const task *work)
{
    return strcmp(work->label.answer, "L1") == 0;
}

static void run_read(const task *work)
{
    const ss_table *table = &ss_set_newest(work->subject)->table;
    const uint64_t *hashes = work->keys->number_hashes;
    uint8_t *answers = work->load->answers;
    size_t count = work->keys->count, depth = work->label.batch;
    if (depth == 0)
        read_lines_plainly(table->words, table->range, hashes, count, answers);
    else if (is_first_level(work))
        read_lines(table->words, table->range, hashes, count, depth, true,
                   answers);
    else
        read_lines(table->words, table->range, hashes, count, depth, false,
                   answers);
}

static void run_write(const task *work)
{
    const ss_table *table = &ss_set_newest(work->subject)->table;
    const uint64_t *hashes = work->keys->number_hashes;
    uint8_t *answers = work->load->answers;
    size_t count = work->keys->count, depth = work->label.batch;
    if (depth == 0)
        write_lines_plainly(table->words, table->range, hashes, count, answers);
    else if (is_first_level(work))
        write_lines(table->words, table->range, hashes, count, depth, true,
                    answers);
    else
        write_lines(table->words, table->range, hashes, count, depth, false,
                    answers);
}

static void push_rings(task_list *list, task model, const char *level,
                       const size_t *depths, size_t depth_count)
{
    model.label.answer = level;
    for (size_t i = 0; i < depth_count; i++) {
        model.label.batch = depths[i];
        model.label.operation = "read";
        model.run = run_read;
        task_add(list, &model);
        model.label.operation = "read_write";
        model.run = run_write;
        task_add(list, &model);
    }
}

void limits_random(task_list *list, workload *load, const seenset *set)
{
    task model = {.label = {.subject = "limit", .items = load->items},
                  .subject = (void *)(uintptr_t)set,
                  .keys = &load->hits,
                  .load = load,
                  .operations = load->hits.count,
                  .most = SIZE_MAX};
    push_rings(list, model, "L1", depths_l1,
               sizeof depths_l1 / sizeof *depths_l1);
    push_rings(list, model, "L2", depths_l2,
               sizeof depths_l2 / sizeof *depths_l2);
}

static void run_hash(const task *work)
{
    const seenset_key *keys = work->subject;
    uint64_t *hashes = work->load->scratch;
    for (size_t i = 0; i < work->operations; i++)
        hashes[i] = ss_hash_key(keys[i].data, keys[i].len);
}

/* XXH3-64 of each key, stored. */
void limits_hash(task_list *list, workload *load)
{
    task model = {.label = {.subject = "limit",
                            .operation = "hash",
                            .items = load->items},
                  .run = run_hash,
                  .load = load,
                  .operations = load->hits.count,
                  .most = SIZE_MAX};
    model.label.keys = "number";
    model.subject = load->hits.number_keys;
    task_add(list, &model);
    model.label.keys = load->url_name;
    model.subject = load->hits.url_keys;
    task_add(list, &model);
}
