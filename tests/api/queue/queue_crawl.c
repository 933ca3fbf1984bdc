/*
 * queue_crawl.c - calls at random on each kind of queue, beside a twin that
 * knows exactly what each answer has to be.
 */
#include <stdio.h>
#include <string.h>

#include "queue_kinds.h"

enum {
    URLS = 400, /* of this world */
    STEPS = 1500
};

typedef enum url_state {
    NEVER,   /* pushed */
    WAITING, /* to be handed out */
    HELD,    /* under a lease that does not end */
    DELAYED, /* given back for a time that does not end */
    DONE
} url_state;

typedef struct url {
    url_state is;
    uint64_t number, lease;
    uint32_t deliveries; /* since it was opened without its leases */
    bool was_out;        /* ever */
    int data;
} url;

typedef struct twin {
    test_random random;
    queue_place *at;
    url urls[URLS];
    uint64_t pushed, acked, dropped;
    uint64_t oldest; /* number of the next item that was never handed out */
} twin;

static int below(twin *of, int limit)
{
    return (int)test_random_below(&of->random, (uint64_t)limit);
}

/* A URL in this state, or NULL. */
static url *pick(twin *of, url_state is)
{
    int first = below(of, URLS);
    for (int i = 0; i < URLS; i++) {
        url *picked = &of->urls[(first + i) % URLS];
        if (picked->is == is)
            return picked;
    }
    return NULL;
}

/* ---- calls, and what they have to answer ---- */

static void expect_push(twin *of, int number, int data, int answer)
{
    url *pushed = &of->urls[number];
    bool is_new = pushed->is == NEVER;
    assert_int_equal(answer, is_new);
    of->dropped += !is_new;
    if (is_new)
        *pushed = (url){.is = WAITING, .number = of->pushed++, .data = data};
}

static void push_one(twin *of)
{
    char text[QUEUE_URL_BYTES], data[QUEUE_URL_BYTES];
    int number = below(of, URLS), value = below(of, 1000000);
    queue_url(number, text);
    int length = snprintf(data, sizeof data, "%d", value);
    expect_push(of, number, value,
                seenset_queue_push(of->at->queue, text, strlen(text), data,
                                   (size_t)length));
}

static void push_some(twin *of)
{
    enum {
        MOST = 9
    };
    char texts[MOST][QUEUE_URL_BYTES], data[MOST][QUEUE_URL_BYTES];
    seenset_queue_entry entries[MOST];
    uint8_t answers[MOST];
    int numbers[MOST], values[MOST], count = below(of, MOST + 1);
    for (int i = 0; i < count; i++) {
        numbers[i] = below(of, URLS);
        values[i] = below(of, 1000000);
        queue_url(numbers[i], texts[i]);
        int length = snprintf(data[i], sizeof data[i], "%d", values[i]);
        entries[i] = (seenset_queue_entry){.url = texts[i],
                                           .url_len = strlen(texts[i]),
                                           .data = data[i],
                                           .data_len = (size_t)length};
    }
    assert_int_equal(seenset_queue_push_many(of->at->queue, entries,
                                             (size_t)count, NULL, answers),
                     SEENSET_OK);
    for (int i = 0; i < count; i++)
        expect_push(of, numbers[i], values[i], answers[i]);
}

/* What came may come: NULL, or what is wrong with it. */
static const char *check_item(const twin *of, const seenset_queue_item *item)
{
    char data[QUEUE_URL_BYTES];
    int number = queue_url_number(item);
    if (number < 0 || number >= URLS)
        return "no URL of these";
    const url *popped = &of->urls[number];
    snprintf(data, sizeof data, "%d", popped->data);
    if (popped->is != WAITING)
        return "not waiting";
    if (item->number != popped->number)
        return "another number";
    if (item->deliveries != popped->deliveries + 1)
        return "another count of deliveries";
    if (strcmp(item->data, data) != 0)
        return "other data";
    if (!popped->was_out && popped->number < of->oldest)
        return "not the oldest";
    return NULL;
}

static void pop_one(twin *of)
{
    seenset_queue_item item = {0};
    int result = seenset_queue_pop(of->at->queue, &item);
    assert_int_equal(result, pick(of, WAITING) != NULL);
    if (result == 1) {
        const char *wrong = check_item(of, &item);
        if (wrong != NULL)
            fail_msg("%s: %s", (const char *)item.url, wrong);
        url *popped = &of->urls[queue_url_number(&item)];
        if (!popped->was_out)
            of->oldest = popped->number + 1;
        popped->was_out = true;
        popped->is = HELD;
        popped->deliveries++;
        popped->lease = item.lease;
    }
    seenset_queue_item_free(&item);
}

static void end_lease(twin *of)
{
    seenset_queue *queue = of->at->queue;
    url *held = pick(of, HELD);
    if (held == NULL)
        return;
    switch (below(of, 6)) {
    case 0:
        assert_int_equal(seenset_queue_nack(queue, held->lease, NULL), 0);
        held->is = WAITING;
        break;
    case 1:
        assert_int_equal(seenset_queue_nack(queue, held->lease,
                                            &(const seenset_queue_nack_options){
                                                .delay_seconds = 1e9}),
                         0);
        held->is = DELAYED;
        break;
    case 2:
        assert_int_equal(seenset_queue_extend(queue, held->lease, 0), 0);
        held->is = WAITING;
        break;
    case 3:
        assert_int_equal(seenset_queue_extend(queue, held->lease, 1e9), 0);
        break;
    default:
        assert_int_equal(seenset_queue_ack(queue, held->lease), 0);
        held->is = DONE;
        of->acked++;
    }
}

/* Leases that have ended are refused. */
static void use_an_old_lease(twin *of)
{
    url *done = pick(of, below(of, 2) == 0 ? DONE : DELAYED);
    if (done == NULL)
        return;
    assert_int_equal(seenset_queue_ack(of->at->queue, done->lease),
                     SEENSET_ELEASE);
}

static void write_down(twin *of)
{
    seenset_queue *queue = of->at->queue;
    int which = below(of, 3);
    assert_int_equal(which == 0   ? seenset_queue_sync(queue)
                     : which == 1 ? seenset_queue_checkpoint(queue)
                                  : seenset_queue_save_leases(queue),
                     SEENSET_OK);
}

static void check_figures(const twin *of)
{
    uint64_t held = 0;
    seenset_queue_stats stats = queue_stats_of(of->at->queue);
    for (int i = 0; i < URLS; i++)
        held += of->urls[i].is == HELD;
    assert_int_equal(stats.pushed_items, of->pushed);
    assert_int_equal(stats.acked_items, of->acked);
    assert_int_equal(stats.dropped_items, of->dropped);
    assert_int_equal(stats.leased_items, held);
    assert_int_equal(stats.pending_items, of->pushed - of->acked - held);
}

static void open_again(twin *of)
{
    bool keeps = below(of, 2) == 0;
    seenset_queue_options options = of->at->options;
    options.flags = keeps ? SEENSET_QUEUE_KEEP_LEASES : 0;
    queue_place_close(of->at);
    queue_place_open_with(of->at, &options);
    for (int i = 0; i < URLS; i++) {
        url *opened = &of->urls[i];
        bool was_out = opened->is == HELD || opened->is == DELAYED;
        if (was_out && !keeps)
            opened->is = WAITING;
        if (!keeps)
            opened->deliveries = 0;
    }
}

static void step(twin *of)
{
    int chance = below(of, 400);
    if (chance < 120)
        push_one(of);
    else if (chance < 150)
        push_some(of);
    else if (chance < 260)
        pop_one(of);
    else if (chance < 360)
        end_lease(of);
    else if (chance < 386)
        use_an_old_lease(of);
    else if (chance < 398)
        write_down(of);
    else if (!of->at->kind->is_in_memory)
        open_again(of);
}

static void queue_agrees_with_its_twin(void **state)
{
    twin of = {.random = {1}, .at = *state};
    for (int i = 0; i < STEPS; i++) {
        step(&of);
        if (i % 10 == 0) /* they are computed from each table's rate */
            check_figures(&of);
    }
    assert_true(of.pushed > URLS * 3 / 4);
    assert_true(of.acked > URLS / 4 && of.dropped > STEPS / 8);
}

/* Planted: each thing that the twin compares, when it is another. */
static void twin_finds_what_is_wrong(void **state)
{
    twin of = {.random = {1}, .at = *state};
    char text[] = "http://a.example/7";
    const seenset_queue_item sound = {.number = 3,
                                      .deliveries = 2,
                                      .url = text,
                                      .url_len = sizeof text - 1,
                                      .data = "55"};
    const url right = {.is = WAITING, .number = 3, .deliveries = 1, .data = 55};
    of.urls[7] = right;
    of.oldest = 3;
    assert_null(check_item(&of, &sound));
    of.urls[7].is = DONE;
    assert_non_null(check_item(&of, &sound));
    of.urls[7] = right;
    of.urls[7].number = 4;
    assert_non_null(check_item(&of, &sound));
    of.urls[7] = right;
    of.urls[7].deliveries = 0;
    assert_non_null(check_item(&of, &sound));
    of.urls[7] = right;
    of.urls[7].data = 56;
    assert_non_null(check_item(&of, &sound));
    of.urls[7] = right;
    of.oldest = 4;
    assert_non_null(check_item(&of, &sound));
    text[sizeof text - 2] = 'x';
    assert_non_null(check_item(&of, &sound));
}

int main(void)
{
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(twin_finds_what_is_wrong),
    };
    struct CMUnitTest tests[] = {
        QUEUE_TEST(queue_agrees_with_its_twin),
    };
    int failed = cmocka_run_group_tests(alone, NULL, NULL);
    return queue_run_kinds(tests, TEST_COUNT(tests)) != 0 || failed != 0;
}
