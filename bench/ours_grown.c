/*
 * ours_grown.c - what a lookup costs once a set has grown: the same keys in one
 * table and in 6, 11 and 21 of them.
 *
 * A key that was never added is asked of every table. Half of all keys are in
 * the newest one, so a key that was added is found after a look at the older
 * ones, which a batch does table by table.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"

enum {
    BATCH = 4096
};

typedef struct grown {
    seenset *set;
    uint64_t *hashes;
    uint8_t *answers;
} grown;

static void ask_batches(const task *work)
{
    const grown *from = work->subject;
    for (size_t done = 0; done < work->operations; done += BATCH) {
        size_t left = work->operations - done;
        (void)seenset_has_hash_many(from->set, from->hashes + done,
                                    left < BATCH ? left : BATCH,
                                    from->answers + done);
    }
}

static void ask_singles(const task *work)
{
    const grown *from = work->subject;
    for (size_t i = 0; i < work->operations; i++)
        from->answers[i] =
            (uint8_t)seenset_has_hash(from->set, from->hashes[i]);
}

/* A set of `items` keys that doubled `doublings` times to hold them. */
static seenset *grow(const uint64_t *hashes, size_t items, unsigned doublings)
{
    seenset *set;
    seenset_stats stats;
    uint64_t firsts = (UINT64_C(2) << doublings) - 1; /* in all tables */
    seenset_options options = {.capacity_items = (items + firsts - 1) / firsts,
                               .fp_rate = 0.01};
    require(seenset_new(&set, &options) == 0, "no memory for a set");
    require(seenset_add_hash_many(set, hashes, items, NULL) == 0,
            "adding failed");
    seenset_get_stats(set, &stats, sizeof stats);
    require(stats.table_count == doublings + 1, "it grew otherwise");
    require(stats.current_fp_rate <= 0.0101, "it did not keep its promise");
    return set;
}

void ours_grown(bench *to)
{
    static const unsigned doublings[] = {0, 5, 10, 20};
    enum {
        SETS = sizeof doublings / sizeof *doublings,
        ITEMS = 4194302
    };
    static task_list list;
    static char names[SETS][32];
    grown sets[SETS][2]; /* asked what it has, and what it has not */
    list.count = 0;
    uint64_t *hashes = take(2 * ITEMS, sizeof *hashes);
    uint8_t *answers = take(ITEMS, 1);
    for (uint64_t i = 0; i < 2 * ITEMS; i++) {
        uint64_t number = workload_mix(i);
        hashes[i] = ss_hash_key(&number, sizeof number);
    }
    for (size_t i = 0; i < SETS; i++) {
        seenset *set = grow(hashes, ITEMS, doublings[i]);
        snprintf(names[i], sizeof names[i], "grown, %u tables",
                 doublings[i] + 1);
        for (int never = 0; never < 2; never++) {
            sets[i][never] =
                (grown){set, hashes + (never ? ITEMS : 0), answers};
            task model = {.label = {.subject = names[i],
                                    .keys = "hash",
                                    .answer = never ? "never" : "seen",
                                    .items = ITEMS,
                                    .fp_rate = 0.01},
                          .subject = &sets[i][never],
                          .operations = ITEMS};
            model.label.operation = "has_hash_many";
            model.label.batch = BATCH;
            model.run = ask_batches;
            task_add(&list, &model);
            model.label.operation = "has_hash";
            model.label.batch = 1;
            model.run = ask_singles;
            task_add(&list, &model);
        }
    }
    rounds_run(to, &list);
    for (size_t i = 0; i < SETS; i++) {
        (void)seenset_has_hash_many(sets[i][0].set, hashes, ITEMS, answers);
        require(memchr(answers, 0, ITEMS) == NULL, "a grown set forgot a key");
        seenset_free(sets[i][0].set);
    }
    free(hashes);
    free(answers);
}
