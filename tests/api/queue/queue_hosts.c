/*
 * queue_hosts.c - the contract of the hosts of a polite queue: set, limited by
 * a budget, and shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "polite_place.h"

/* ---- settings ---- */

static void settings_are_checked(void **state)
{
    static const uint32_t delay = SEENSET_QUEUE_HOST_DELAY,
                          block = SEENSET_QUEUE_HOST_BLOCK,
                          budget = SEENSET_QUEUE_HOST_BUDGET;
    const seenset_queue_host_settings wrong[] = {
        {.flags = 0},
        {.flags = 1},
        {.flags = delay, .delay_seconds = -1},
        {.flags = delay, .delay_seconds = NAN},
        {.flags = delay,
         .delay_seconds = SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS * 1.01},
        {.flags = block, .block_seconds = -1},
        {.flags = block, .block_seconds = NAN},
        {.flags = block, .block_seconds = 1.1e9},
        {.flags = budget, .budget = 0},
        {.flags = budget, .budget = 1, .reserved32 = 1},
        {.flags = budget, .budget = 1, .reserved = {0, 0, 0, 1}}};
    static const seenset_queue_politeness rules = {0};
    const seenset_queue_host_settings right = {.flags = budget, .budget = 3};
    static const char name[] = "a.example";
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &rules);
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(polite_set_host(queue, name, wrong[i]),
                         SEENSET_EINVAL);
    assert_int_equal(seenset_queue_set_host(NULL, name, 9, &right),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_set_host(queue, NULL, 9, &right),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_set_host(queue, name, 9, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(polite_set_host(queue, "http://a.example/", right),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_set_host(
                         queue, name, SEENSET_QUEUE_MAX_ITEM_BYTES + 1, &right),
                     SEENSET_EINVAL);
    seenset_queue_host host = polite_host_of(queue, name, 0);
    assert_true(host.budget == SEENSET_QUEUE_ANY_BUDGET);
    assert_int_equal(seenset_queue_get_host(queue, name, 9, NULL, sizeof host),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_get_host(queue, name, 9, &host, 0),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_list_hosts(queue, 0, NULL, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(polite_stats_of(queue).host_count, 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static void settings_last(void **state)
{
    static const seenset_queue_politeness rules = {0};
    static const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_DELAY | SEENSET_QUEUE_HOST_BLOCK |
                 SEENSET_QUEUE_HOST_BUDGET,
        .delay_seconds = 2.5,
        .block_seconds = LONG_SECONDS,
        .budget = 3};
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &rules);
    assert_int_equal(polite_set_host(queue, "A.example", settings), SEENSET_OK);
    for (int i = 0; i < 3; i++) { /* set, from the log, and from a state */
        seenset_queue_host host = polite_host_of(queue, "a.EXAMPLE", 1);
        assert_true(host.delay_seconds >= 2.5 && host.delay_seconds <= 2.5);
        assert_int_equal(host.budget, 3);
        assert_true(host.has_settings);
        assert_true(host.seconds_to_ready > 1000);
        if (i == 1)
            assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        queue = polite_open(at, NULL);
    }
    assert_int_equal(polite_push(queue, "http://a.example/1"), 1);
    (void)polite_pop(queue, NULL);
    /* the queue's own values are no settings, and the block ends */
    const seenset_queue_host_settings back = {
        .flags = SEENSET_QUEUE_HOST_DELAY | SEENSET_QUEUE_HOST_BLOCK |
                 SEENSET_QUEUE_HOST_BUDGET,
        .budget = SEENSET_QUEUE_ANY_BUDGET};
    assert_int_equal(polite_set_host(queue, "a.example", back), SEENSET_OK);
    seenset_queue_host host = polite_host_of(queue, "a.example", 1);
    assert_false(host.has_settings);
    assert_int_equal(host.taken_items, 0);
    (void)polite_pop(queue, "http://a.example/1");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static void budgets_are_kept(void **state)
{
    static const seenset_queue_politeness rules = {.budget = 2};
    polite_place *at = *state;
    uint8_t answers[3];
    seenset_queue *queue = polite_open(at, &rules);
    assert_int_equal(polite_push(queue, "http://a.example/1"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/1"), 0);
    const seenset_queue_entry more[] = {
        {.url = "http://a.example/2", .url_len = 18},
        {.url = "http://a.example/3", .url_len = 18},
        {.url = "http://b.example/1", .url_len = 18}};
    assert_int_equal(seenset_queue_push_many(queue, more, 3, NULL, answers),
                     SEENSET_EBUDGET);
    assert_int_equal(answers[0], SEENSET_ANSWER_NEW);
    assert_int_equal(answers[1], SEENSET_ANSWER_OVER_BUDGET);
    assert_int_equal(answers[2], SEENSET_ANSWER_NEW);
    assert_int_equal(polite_push(queue, "http://a.example/3"), SEENSET_EBUDGET);
    assert_int_equal(
        seenset_queue_push_again(queue, "http://a.example/1", 18, NULL, 0),
        SEENSET_EBUDGET);
    /* done ones count, too, also in another process */
    assert_int_equal(
        seenset_queue_ack(queue, polite_pop(queue, "http://a.example/1")),
        SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = polite_open(at, NULL);
    assert_int_equal(polite_push(queue, "http://a.example/3"), SEENSET_EBUDGET);
    assert_int_equal(polite_stats_of(queue).over_budget_items, 4);
    assert_int_equal(polite_host_of(queue, "a.example", 1).taken_items, 2);
    /* it was not seen */
    assert_int_equal(
        polite_set_host(queue, "a.example",
                        (seenset_queue_host_settings){
                            .flags = SEENSET_QUEUE_HOST_BUDGET, .budget = 3}),
        SEENSET_OK);
    assert_int_equal(polite_push(queue, "http://a.example/3"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/4"), SEENSET_EBUDGET);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* ---- the list ---- */

typedef struct shown {
    char names[200];
    int left; /* the walk ends at 0 */
} shown;

static int show(void *context, const seenset_queue_host *host)
{
    shown *to = context;
    size_t used = strlen(to->names);
    (void)snprintf(to->names + used, sizeof to->names - used, "%.*s %d %d;",
                   (int)host->name_len, (const char *)host->name,
                   (int)host->pending_items, (int)host->leased_items);
    assert_int_equal(((const char *)host->name)[host->name_len], 0);
    return --to->left == 0 ? 7 : 0;
}

static void assert_list(seenset_queue *queue, size_t most, int stop_at,
                        const char *wanted)
{
    shown to = {.left = stop_at};
    assert_int_equal(seenset_queue_list_hosts(queue, most, show, &to),
                     stop_at > 0 ? 7 : 0);
    assert_string_equal(to.names, wanted);
}

static void hosts_are_listed(void **state)
{
    static const seenset_queue_politeness rules = {0};
    polite_place *at = *state;
    char url[64];
    seenset_queue *queue = polite_open(at, &rules);
    assert_list(queue, 0, 0, "");
    for (int i = 0; i < 12; i++) {
        (void)snprintf(url, sizeof url, "http://%c.example/%d",
                       i < 6    ? 'c'
                       : i < 10 ? 'b'
                                : 'a',
                       i);
        assert_int_equal(polite_push(queue, url), 1);
    }
    assert_list(queue, 0, 0, "c.example 6 0;b.example 4 0;a.example 2 0;");
    assert_list(queue, 2, 0, "c.example 6 0;b.example 4 0;");
    assert_list(queue, 0, 1, "c.example 6 0;");
    uint64_t leases[3];
    for (int i = 0; i < 3; i++) {
        seenset_queue_item item = {0};
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        leases[i] = item.lease;
        seenset_queue_item_free(&item);
    }
    assert_list(queue, 0, 0, "c.example 5 1;b.example 3 1;a.example 1 1;");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = polite_open(at, NULL);
    assert_list(queue, 0, 0, "c.example 5 1;b.example 3 1;a.example 1 1;");
    assert_int_equal(seenset_queue_ack_many(queue, leases, 3), SEENSET_OK);
    assert_list(queue, 0, 0, "c.example 5 0;b.example 3 0;a.example 1 0;");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        POLITE_TEST(settings_are_checked),
        POLITE_TEST(settings_last),
        POLITE_TEST(budgets_are_kept),
        POLITE_TEST(hosts_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
