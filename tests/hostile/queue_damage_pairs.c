/*
 * queue_damage_pairs.c - no two damages of the catalogue do harm together.
 *
 * One number that is off is often caught by another that is not; two that are
 * off together may agree. Either the open says no, or the queue that comes out
 * is safe: it hands out and takes in, counts no more items than it has, can be
 * closed and, unless the log no longer fits, opened again. And the repair comes
 * to its end, and what it leaves is sound, opens, and hands out as many items
 * as it says; unless there is no log any more, or no MANIFEST.
 *
 *     test_queue_damage_pairs [N]    so many pairs of each queue; 500 by
 * default
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_damage_rows.h"
#include "queue_model.h"

enum {
    MOST_ITEMS = 4 * MODEL_PAST_ITEMS /* that come out, twice included */
};

static size_t most_pairs = 500;

/* ---- is an open queue safe? ---- */

static bool are_stats_sane(seenset_queue *queue)
{
    seenset_queue_stats stats;
    return seenset_queue_get_stats(queue, &stats, sizeof stats) == SEENSET_OK &&
           stats.pending_items <= stats.pushed_items &&
           stats.leased_items <= stats.pushed_items &&
           stats.acked_items <= stats.pushed_items && stats.wrong_items >= 0.0;
}

/* Pops whatever there is: NULL, or what is wrong with it. */
static const char *pop_all(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    seenset_queue_stats before;
    int count = 0;
    assert_int_equal(seenset_queue_get_stats(queue, &before, sizeof before),
                     SEENSET_OK);
    while (count < MOST_ITEMS && seenset_queue_pop(queue, &item) == 1) {
        if (count < 12 && count % 5 == 0)
            (void)seenset_queue_ack(queue, item.lease);
        count++;
    }
    seenset_queue_item_free(&item);
    if (count >= MOST_ITEMS)
        return "items come without end";
    return (uint64_t)count > before.pending_items + before.leased_items
               ? "items come that it does not count"
               : NULL;
}

static const char *use(seenset_queue *queue)
{
    char url[32];
    if (!are_stats_sane(queue))
        return "the statistics contradict each other";
    const char *wrong = pop_all(queue);
    if (wrong != NULL)
        return wrong;
    for (int i = 0; i < 12; i++) {
        model_url(MODEL_PAST_ITEMS + i, url);
        int answer = seenset_queue_push(queue, url, strlen(url), NULL, 0);
        if (answer < 0 && answer != SEENSET_EFULL && answer != SEENSET_EURL &&
            answer != SEENSET_EBUDGET && answer != SEENSET_ENOMEM)
            return "a push failed";
    }
    return are_stats_sane(queue)
               ? NULL
               : "the statistics contradict each other afterwards";
}

/* Opens, uses, closes and opens again; what is wrong with it, or NULL. */
static const char *judge_use(const damage_queue *of, disk *on, int *error)
{
    test_memory memory;
    seenset_queue *queue;
    *error = damage_open(of, on, &memory, &queue, NULL);
    bool is_odd = *error > 0 || *error == SEENSET_EINUSE ||
                  (*error == SEENSET_EIO && disk_name(on, "MANIFEST", 0));
    if (*error != SEENSET_OK)
        return is_odd                    ? "the open failed in an odd way"
               : queue != NULL           ? "an open that failed has a queue"
               : memory.live_blocks != 0 ? "memory was kept"
                                         : NULL;
    const char *wrong = use(queue);
    if (seenset_queue_close(queue) != SEENSET_OK)
        return wrong != NULL ? wrong : "it cannot be closed";
    if (wrong != NULL)
        return wrong;
    int again = damage_open(of, on, &memory, &queue, NULL);
    if (again != SEENSET_OK && again != SEENSET_EDAMAGED)
        return "it cannot be opened again";
    if (again == SEENSET_OK)
        (void)seenset_queue_close(queue);
    return memory.live_blocks == 0 ? NULL : "memory was kept";
}

/* ---- is it repaired? ---- */

/* NULL, or what is wrong with a queue that was repaired. */
static const char *judge_repaired(const damage_queue *of, disk *on)
{
    test_memory memory;
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    seenset_queue_stats stats;
    const seenset_options given = damage_given(of);
    const seenset_queue_options options = {.set = &given, .report = &report};
    if (ss_queue_verify(disk_io(on), DISK_FOLDER, &options) != SEENSET_OK)
        return "it is damaged";
    if (damage_open(of, on, &memory, &queue, NULL) != SEENSET_OK)
        return "it does not open";
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    int count = model_drain(queue, NULL);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    if (count < 0 || (uint64_t)count > stats.pending_items)
        return "it has more items than it says";
    /* some may be delayed, if that goes on */
    return (uint64_t)count < stats.pending_items && !of->keeps_leases
               ? "it has fewer items than it says"
               : NULL;
}

/* Is there nothing to repair: no log, or not what a queue is? */
static bool is_hopeless(const damage_queue *of, disk *on)
{
    return disk_name(on, "log-", 0) == NULL ||
           damage_try_manifest(of, on) != SEENSET_OK;
}

static const char *judge_repair(const damage_queue *of, disk *on, bool may_stop)
{
    seenset_queue_report report;
    const seenset_options given = damage_given(of);
    const seenset_queue_options options = {.set = &given, .report = &report};
    (void)ss_queue_verify(disk_io(on), DISK_FOLDER, &options);
    if (damage_is_large(of, on, &report))
        return NULL;
    int error = ss_queue_repair(disk_io(on), DISK_FOLDER, &options);
    if (is_hopeless(of, on))
        return error == SEENSET_OK ? "it was repaired out of nothing" : NULL;
    if (may_stop)
        return NULL;
    return error == SEENSET_OK ? judge_repaired(of, on) : "it was not repaired";
}

/* ---- pairs ---- */

typedef struct tally {
    const damage_queue *queue;
    disk *made;
    int tried, opened, wrong;
} tally;

static void try_pair(tally *of, const damage *first, const damage *second)
{
    disk *on = disk_copy(of->made);
    int error;
    first->make(first, on);
    second->make(second, on);
    disk *copy = disk_copy(on);
    const char *wrong = judge_use(of->queue, copy, &error);
    if (wrong == NULL && error == SEENSET_OK &&
        (first->never_opens || second->never_opens))
        wrong = "a number was believed that must not differ";
    if (wrong == NULL)
        wrong = judge_repair(of->queue, on,
                             first->stops_repair || second->stops_repair);
    if (wrong != NULL && of->wrong++ < 10)
        print_message("%s: %s %s; %s %s: %s\n", of->queue->name, first->what,
                      first->where, second->what, second->where, wrong);
    of->tried++;
    of->opened += error == SEENSET_OK;
    disk_free(copy);
    disk_free(on);
}

/* Would the second undo the first? */
static bool is_same_number(const damage *a, const damage *b)
{
    return a->size_bytes > 0 && b->size_bytes > 0 && a->at == b->at &&
           strcmp(a->file, b->file) == 0;
}

/* So many of the pairs, evenly. */
static void try_pairs(tally *of, const damage_list *list)
{
    size_t total = list->count * (list->count - 1) / 2, sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            sum += most_pairs;
            if (sum < total || is_same_number(&list->rows[i], &list->rows[j]))
                continue;
            sum = most_pairs < total ? sum - total : 0;
            try_pair(of, &list->rows[i], &list->rows[j]);
        }
    }
}

static void no_two_damages_do_harm(void **state)
{
    (void)state;
    if (!test_has_urls())
        skip();
    for (size_t i = 0; i < damage_queue_count; i++) {
        tally of = {.queue = &damage_queues[i],
                    .made = damage_queues[i].make()};
        damage_list list = damage_list_all(of.queue, of.made);
        try_pairs(&of, &list);
        print_message("%s: %d pairs, %d open\n", of.queue->name, of.tried,
                      of.opened);
        assert_true(of.tried > 0);
        assert_int_equal(of.wrong, 0);
        damage_list_free(&list);
        disk_free(of.made);
    }
}

/* ---- planted ---- */

/* Nobody repairs. */
static void damage_that_stays_is_seen(void **state)
{
    (void)state;
    damage_list list = {0};
    disk *on = damage_queues[1].make();
    assert_null(judge_repaired(&damage_queues[1], on));
    damage_add_changed(&list, "log-0000000000000000", 40);
    list.rows[0].make(&list.rows[0], on);
    assert_string_equal(judge_repaired(&damage_queues[1], on), "it is damaged");
    damage_list_free(&list);
    disk_free(on);
}

/* A queue that counts items which never were, one that hands out the same ones
 * without end, and one that does not count what it hands out. */
static void unsafe_queues_are_caught(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        disk *on = damage_queues[1].make();
        test_memory memory;
        seenset_queue *queue;
        assert_int_equal(
            damage_open(&damage_queues[1], on, &memory, &queue, NULL),
            SEENSET_OK);
        queue->items.lanes[0].unacked_items += i == 1 ? 12 : 0;
        queue->items.lanes[0].unacked_items -= i == 3 ? 2 : 0;
        queue->items.lease_ns = i == 2 ? 0 : queue->items.lease_ns;
        const char *wrong = use(queue);
        assert_true((wrong != NULL) == (i > 0));
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_damages_do_harm),
        cmocka_unit_test(damage_that_stays_is_seen),
        cmocka_unit_test(unsafe_queues_are_caught),
    };
    if (argc > 1)
        most_pairs = strtoul(argv[1], NULL, 10);
    return most_pairs < 1 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
