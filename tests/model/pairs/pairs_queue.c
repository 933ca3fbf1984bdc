/*
 * pairs_queue.c - the calls on a queue; the idea is in pairs.h.
 *
 * Each thread pushes URLs of its own, and some that are the other's too. It
 * holds a few leases, which no other call of its may end. At the end all that
 * was pushed is acked, or is handed out once more.
 */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    URL_BYTES = 24,
    OLD_URLS = 256
};

static size_t url_of(uint32_t n, char text[URL_BYTES])
{
    return (size_t)snprintf(text, URL_BYTES, "http://a/%u", (unsigned)n);
}

static uint32_t number_of(const seenset_queue_item *item)
{
    char text[URL_BYTES] = "";
    unsigned number = 0;
    if (item->url_len < URL_BYTES)
        memcpy(text, item->url, item->url_len);
    return sscanf(text, "http://a/%u", &number) == 1 && number < PAIR_URLS
               ? number
               : UINT32_MAX;
}

/* A URL of both threads, which is pushed again and forgotten. */
static const char again_url[] = "http://again/";

static bool is_again(const seenset_queue_item *item)
{
    return item->url_len == sizeof again_url - 1 &&
           memcmp(item->url, again_url, item->url_len) == 0;
}

/* ---- pushing ---- */

static uint32_t next_url(pair_turn *turn)
{
    enum {
        SHARE = (PAIR_URLS - OLD_URLS) * 2 / 3
    };
    uint32_t n = turn->next++ % SHARE;
    return OLD_URLS + turn->number * (SHARE / 2) + n;
}

static void note_pushed(pair_scene *scene, uint32_t n)
{
    __atomic_store_n(&scene->pushed[n], 1, __ATOMIC_RELEASE);
}

static const char *call_push(pair_turn *turn)
{
    char text[URL_BYTES];
    uint32_t n = next_url(turn);
    if (seenset_queue_push(turn->scene->queue, text, url_of(n, text), NULL, 0) <
        0)
        return "push fails";
    note_pushed(turn->scene, n);
    return NULL;
}

/* With a priority, or without options. */
static const char *call_push_many(pair_turn *turn)
{
    char texts[PAIR_BATCH][URL_BYTES];
    uint32_t chosen[PAIR_BATCH];
    seenset_queue_entry pushes[PAIR_BATCH];
    uint8_t is_new[PAIR_BATCH];
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        chosen[i] = next_url(turn);
        pushes[i] = (seenset_queue_entry){
            .url = texts[i], .url_len = url_of(chosen[i], texts[i])};
    }
    const seenset_queue_push_options options = {.priority = chosen[0] % 10};
    if (seenset_queue_push_many(turn->scene->queue, pushes, PAIR_BATCH,
                                chosen[0] % 2 == 0 ? &options : NULL,
                                is_new) != SEENSET_OK)
        return "push_many fails";
    for (size_t i = 0; i < PAIR_BATCH; i++)
        note_pushed(turn->scene, chosen[i]);
    return NULL;
}

static const char *call_push_again(pair_turn *turn)
{
    return seenset_queue_push_again(turn->scene->queue, again_url,
                                    sizeof again_url - 1, NULL, 0) == 1
               ? NULL
               : "push_again drops a URL";
}

static const char *call_forget(pair_turn *turn)
{
    int answer = seenset_queue_forget(turn->scene->queue, again_url,
                                      sizeof again_url - 1);
    return answer == 0 || answer == 1 ? NULL : "forget fails";
}

/* ---- leases ---- */

/* As a delivery, or as none. */
static const char *nack_last(pair_turn *turn)
{
    const seenset_queue_nack_options untried = {.flags = SEENSET_QUEUE_UNTRIED};
    turn->lease_count--;
    return seenset_queue_nack(
               turn->scene->queue, turn->leases[turn->lease_count],
               turn->leases[turn->lease_count] % 2 == 0 ? &untried : NULL) ==
                   SEENSET_OK
               ? NULL
               : "nack of a lease that is held fails";
}

/* What was popped is held by this thread, or acked if it is the URL of all. */
static const char *take(pair_turn *turn, const seenset_queue_item *item)
{
    if (is_again(item))
        return seenset_queue_ack(turn->scene->queue, item->lease) == SEENSET_OK
                   ? NULL
                   : "ack of a lease that is held fails";
    uint32_t n = number_of(item);
    if (n == UINT32_MAX)
        return "pop hands out what was not pushed";
    if (__atomic_load_n(&turn->scene->acked[n], __ATOMIC_ACQUIRE))
        return "pop hands out what was acked";
    turn->leases[turn->lease_count] = item->lease;
    turn->leased[turn->lease_count++] = n;
    return NULL;
}

static const char *call_pop(pair_turn *turn)
{
    const char *wrong = NULL;
    if (turn->lease_count == PAIR_LEASES)
        wrong = nack_last(turn);
    int answer = seenset_queue_pop(turn->scene->queue, &turn->item);
    if (answer < 0)
        return "pop fails";
    if (answer == 0 || wrong != NULL)
        return wrong;
    return take(turn, &turn->item);
}

static const char *call_pop_many(pair_turn *turn)
{
    seenset_queue_item items[2] = {{0}};
    const char *wrong = NULL;
    void *memory = malloc(SEENSET_QUEUE_POP_BYTES);
    while (wrong == NULL && turn->lease_count > PAIR_LEASES - 2)
        wrong = nack_last(turn);
    int64_t popped = seenset_queue_pop_many(
        turn->scene->queue, items, 2, memory, SEENSET_QUEUE_POP_BYTES, NULL);
    if (popped < 0)
        wrong = "pop_many fails";
    for (int64_t i = 0; i < popped && wrong == NULL; i++)
        wrong = take(turn, &items[i]);
    free(memory);
    return wrong;
}

/* The other thread may take it after that. */
static const char *call_peek(pair_turn *turn)
{
    seenset_queue_item item = {0};
    int answer = seenset_queue_peek(turn->scene->queue, &item);
    bool is_known =
        answer != 1 || is_again(&item) || number_of(&item) != UINT32_MAX;
    seenset_queue_item_free(&item);
    return answer >= 0 && is_known ? NULL : "peek shows what was not pushed";
}

/* Holds at least so many leases, if the queue has items. */
static const char *hold(pair_turn *turn, size_t count)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < count && wrong == NULL; i++) {
        if (turn->lease_count < count)
            wrong = call_pop(turn);
    }
    return wrong;
}

static const char *ack_some(pair_turn *turn, size_t most)
{
    const char *wrong = hold(turn, most);
    size_t count = turn->lease_count < most ? turn->lease_count : most;
    if (wrong != NULL || count == 0)
        return wrong;
    turn->lease_count -= count;
    const uint64_t *leases = turn->leases + turn->lease_count;
    int error = most == 1
                    ? seenset_queue_ack(turn->scene->queue, leases[0])
                    : seenset_queue_ack_many(turn->scene->queue, leases, count);
    if (error != SEENSET_OK)
        return "ack of leases that are held fails";
    for (size_t i = 0; i < count; i++)
        __atomic_store_n(
            &turn->scene->acked[turn->leased[turn->lease_count + i]], 1,
            __ATOMIC_RELEASE);
    return NULL;
}

static const char *call_ack(pair_turn *turn)
{
    return ack_some(turn, 1);
}

static const char *call_ack_many(pair_turn *turn)
{
    return ack_some(turn, 3);
}

static const char *call_nack(pair_turn *turn)
{
    const char *wrong = hold(turn, 2);
    return wrong == NULL && turn->lease_count > 0 ? nack_last(turn) : wrong;
}

static const char *call_extend(pair_turn *turn)
{
    const char *wrong = hold(turn, 1);
    if (wrong != NULL || turn->lease_count == 0)
        return wrong;
    return seenset_queue_extend(turn->scene->queue, turn->leases[0], 5000) ==
                   SEENSET_OK
               ? NULL
               : "extend of a lease that is held fails";
}

static const char *call_get_leased(pair_turn *turn)
{
    seenset_queue_item item = {0};
    const char *wrong = hold(turn, 1);
    if (wrong != NULL || turn->lease_count == 0)
        return wrong;
    if (seenset_queue_get_leased(turn->scene->queue, turn->leases[0], &item) !=
            SEENSET_OK ||
        number_of(&item) != turn->leased[0])
        wrong = "get_leased shows another item";
    seenset_queue_item_free(&item);
    return wrong;
}

static int count_listed(void *context, const seenset_queue_listed *item)
{
    uint64_t *count = context;
    *count += item->url_len > 0;
    return 0;
}

/* The leases that this thread holds are shown, all the while. */
static const char *call_list(pair_turn *turn)
{
    uint64_t count = 0;
    const char *wrong = hold(turn, 2);
    if (wrong != NULL)
        return wrong;
    if (seenset_queue_list(turn->scene->queue, count_listed, &count) !=
        SEENSET_OK)
        return "list fails";
    return count >= turn->lease_count ? NULL : "list has too few items";
}

static const char *call_look_list(pair_turn *turn)
{
    uint64_t count = 0;
    return seenset_queue_look_list(turn->scene->path, NULL, count_listed,
                                   &count) == SEENSET_OK
               ? NULL
               : "look_list fails";
}

/* ---- the whole ---- */

static const char *call_sync(pair_turn *turn)
{
    return seenset_queue_sync(turn->scene->queue) == SEENSET_OK ? NULL
                                                                : "sync fails";
}

static const char *call_checkpoint(pair_turn *turn)
{
    return seenset_queue_checkpoint(turn->scene->queue) == SEENSET_OK
               ? NULL
               : "checkpoint fails";
}

static const char *call_save_leases(pair_turn *turn)
{
    const char *wrong = hold(turn, 2);
    if (wrong != NULL)
        return wrong;
    return seenset_queue_save_leases(turn->scene->queue) == SEENSET_OK
               ? NULL
               : "save_leases fails";
}

static const char *call_get_stats(pair_turn *turn)
{
    seenset_queue_stats stats;
    uint64_t pushed = 0, acked = 0;
    for (uint32_t i = 0; i < PAIR_URLS; i++) {
        pushed +=
            __atomic_load_n(&turn->scene->pushed[i], __ATOMIC_ACQUIRE) != 0;
        acked += __atomic_load_n(&turn->scene->acked[i], __ATOMIC_ACQUIRE) != 0;
    }
    if (seenset_queue_get_stats(turn->scene->queue, &stats, sizeof stats) !=
        SEENSET_OK)
        return "get_stats fails";
    /* URLs that the set takes for seen were not pushed: 1e-9 says none */
    if (stats.pushed_items < pushed || stats.acked_items < acked)
        return "get_stats has too few items";
    return stats.pending_items + stats.leased_items + stats.acked_items ==
                   stats.pushed_items
               ? NULL
               : "get_stats does not add up";
}

/* Each URL that was pushed is in the set, which holds no other. */
static const char *call_get_set_stats(pair_turn *turn)
{
    seenset_stats stats;
    if (seenset_queue_get_set_stats(turn->scene->queue, &stats, sizeof stats) !=
        SEENSET_OK)
        return "get_set_stats fails";
    return stats.added_items <= PAIR_URLS && stats.set_bits <= stats.size_bits
               ? NULL
               : "get_set_stats counts too many keys";
}

static const char *call_get_set_estimate(pair_turn *turn)
{
    seenset_estimate estimate;
    if (seenset_queue_get_set_estimate(turn->scene->queue, &estimate,
                                       sizeof estimate) != SEENSET_OK)
        return "get_set_estimate fails";
    return estimate.added_items <= PAIR_URLS &&
                   estimate.set_bits <= estimate.size_bits
               ? NULL
               : "get_set_estimate counts too many keys";
}

static const char *call_get_set_info(pair_turn *turn)
{
    seenset_info info;
    if (seenset_queue_get_set_info(turn->scene->queue, &info, sizeof info) !=
        SEENSET_OK)
        return "get_set_info fails";
    return info.added_items <= PAIR_URLS && info.fp_rate == 1e-9
               ? NULL
               : "get_set_info is of another set";
}

/* ---- the scene ---- */

/* Hosts take turns, and none waits. */
static seenset_queue_options options_of(seenset_queue_durability durability,
                                        bool is_polite)
{
    static const seenset_options set = {.fp_rate = 1e-9};
    static const seenset_queue_politeness at_once = {
        .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES};
    return (seenset_queue_options){.set = &set,
                                   .politeness = is_polite ? &at_once : NULL,
                                   .durability = durability,
                                   .interval_seconds = 0.001,
                                   .lease_seconds = 5000,
                                   .segment_bytes = 16384,
                                   .snapshot_bytes = 32768};
}

void pair_open_queue(pair_scene *scene, seenset_queue_durability durability,
                     bool is_polite)
{
    seenset_queue_options options = options_of(durability, is_polite);
    scene->is_polite = is_polite;
    scene->is_durable = durability == SEENSET_QUEUE_DURABILITY_EACH;
    seenset_queue_entry pushes[OLD_URLS];
    char texts[OLD_URLS][URL_BYTES];
    assert_int_equal(seenset_queue_open(&scene->queue, scene->path, &options),
                     SEENSET_OK);
    for (uint32_t i = 0; i < OLD_URLS; i++) {
        pushes[i] = (seenset_queue_entry){.url = texts[i],
                                          .url_len = url_of(i, texts[i])};
        scene->pushed[i] = 1;
    }
    assert_int_equal(
        seenset_queue_push_many(scene->queue, pushes, OLD_URLS, NULL, NULL),
        SEENSET_OK);
}

void pair_leave_queue(pair_turn *turn)
{
    const char *wrong = NULL;
    while (turn->lease_count > 0 && wrong == NULL)
        wrong = nack_last(turn);
    if (wrong != NULL)
        pair_blame(turn->scene, wrong);
    seenset_queue_item_free(&turn->item);
}

/* Pops all that is left; what is handed out counts as acked. */
static void drain(pair_scene *scene)
{
    seenset_queue_item item = {0};
    int answer;
    while ((answer = seenset_queue_pop(scene->queue, &item)) == 1) {
        if (is_again(&item))
            continue;
        uint32_t n = number_of(&item);
        if (n == UINT32_MAX || !scene->pushed[n] || scene->acked[n])
            pair_blame(scene, "an item is handed out that is done, or none");
        else
            scene->acked[n] = 1;
    }
    if (answer != 0)
        pair_blame(scene, "pop fails at the end");
    seenset_queue_item_free(&item);
}

void pair_close_queue(pair_scene *scene)
{
    drain(scene);
    for (uint32_t i = 0; i < PAIR_URLS; i++) {
        if (scene->pushed[i] && !scene->acked[i])
            pair_blame(scene, "an item is lost");
    }
    if (seenset_queue_close(scene->queue) != SEENSET_OK)
        pair_blame(scene, "close fails");
    if (seenset_queue_verify(scene->path, NULL) != SEENSET_OK)
        pair_blame(scene, "the queue is damaged");
}

const pair_row pair_queue_rows[] = {
    {"seenset_queue_push", PAIR_QUEUES, call_push},
    {"seenset_queue_push_many", PAIR_QUEUES, call_push_many},
    {"seenset_queue_push_again", PAIR_QUEUES, call_push_again},
    {"seenset_queue_forget", PAIR_QUEUES, call_forget},
    {"seenset_queue_pop", PAIR_QUEUES, call_pop},
    {"seenset_queue_pop_many", PAIR_QUEUES, call_pop_many},
    {"seenset_queue_peek", PAIR_QUEUES, call_peek},
    {"seenset_queue_get_leased", PAIR_QUEUES, call_get_leased},
    {"seenset_queue_list", PAIR_QUEUES, call_list},
    {"seenset_queue_ack", PAIR_QUEUES, call_ack},
    {"seenset_queue_ack_many", PAIR_QUEUES, call_ack_many},
    {"seenset_queue_nack", PAIR_QUEUES, call_nack},
    {"seenset_queue_extend", PAIR_QUEUES, call_extend},
    {"seenset_queue_save_leases", PAIR_QUEUES, call_save_leases},
    {"seenset_queue_sync", PAIR_QUEUES, call_sync},
    {"seenset_queue_checkpoint", PAIR_QUEUES, call_checkpoint},
    {"seenset_queue_get_stats", PAIR_QUEUES, call_get_stats},
    {"seenset_queue_get_set_stats", PAIR_QUEUES, call_get_set_stats},
    {"seenset_queue_get_set_estimate", PAIR_QUEUES, call_get_set_estimate},
    {"seenset_queue_get_set_info", PAIR_QUEUES, call_get_set_info},
    {"seenset_queue_set_host", PAIR_QUEUES, pair_call_set_host},
    {"seenset_queue_get_host", PAIR_QUEUES, pair_call_get_host},
    {"seenset_queue_list_hosts", PAIR_QUEUES, pair_call_list_hosts},
    {"seenset_queue_open", PAIR_FOLDER, pair_call_open},
    {"seenset_queue_verify", PAIR_FOLDER, pair_call_verify},
    {"seenset_queue_repair", PAIR_FOLDER, pair_call_repair},
    {"seenset_queue_look", PAIR_FOLDER, pair_call_look},
    {"seenset_queue_look_list", PAIR_FOLDER, call_look_list},
    {"seenset_queue_remake", PAIR_FOLDER, pair_call_remake},
    {"seenset_queue_close", PAIR_ENDS_QUEUE, NULL},
};
const size_t pair_queue_row_count = TEST_COUNT(pair_queue_rows);
