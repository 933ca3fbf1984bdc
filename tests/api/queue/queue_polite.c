/*
 * queue_polite.c - the contract of polite queues: rules that are checked and
 * kept, turns, and a queue that becomes polite, or is not any more.
 *
 * No time passes here that matters: delays are 0, or longer than a test.
 * tests/model/polite/ moves the clock.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "polite_place.h"

/* ---- rules ---- */

static void rules_are_checked(void **state)
{
    static const seenset_queue_politeness wrong[] = {
        {.delay_seconds = -1},
        {.delay_seconds = -1e-300},
        {.delay_seconds = NAN},
        {.delay_seconds = INFINITY},
        {.delay_seconds = SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS + 1},
        {.host_leases = SEENSET_QUEUE_MAX_HOST_LEASES + 1},
        {.by = (seenset_url_site_kind)3},
        {.by = (seenset_url_site_kind)-1},
        {.flags = SEENSET_QUEUE_NOT_POLITE},
        {.flags = 1},
        {.reserved32 = 1},
        {.reserved = {0, 0, 0, 1}}};
    polite_place *at = *state;
    seenset_queue *queue;
    for (size_t i = 0; i < TEST_COUNT(wrong); i++) {
        assert_int_equal(
            polite_open_at(&queue, at->folder.path, &wrong[i], NULL),
            SEENSET_EINVAL);
        assert_int_equal(polite_open_at(&queue, NULL, &wrong[i], NULL),
                         SEENSET_EINVAL);
        assert_null(queue);
    }
    /* nothing was made */
    assert_int_not_equal(seenset_queue_verify(at->folder.path, NULL),
                         SEENSET_OK);
}

static void other_rules_are_refused(void **state)
{
    static const seenset_queue_politeness own = {.by =
                                                     SEENSET_URL_SITE_HOST_PORT,
                                                 .host_leases = 2,
                                                 .delay_seconds = 1.5,
                                                 .budget = 10};
    static const struct {
        const char *reason;
        seenset_queue_politeness rules;
    } others[] = {
        {"by: host-port, not host",
         {.host_leases = 2, .delay_seconds = 1.5, .budget = 10}},
        {"delay_seconds: 1.5, not 2",
         {.by = SEENSET_URL_SITE_HOST_PORT,
          .host_leases = 2,
          .delay_seconds = 2,
          .budget = 10}},
        {"host_leases: 2, not 1",
         {.by = SEENSET_URL_SITE_HOST_PORT,
          .delay_seconds = 1.5,
          .budget = 10}},
        {"budget: 10, not 0",
         {.by = SEENSET_URL_SITE_HOST_PORT,
          .host_leases = 2,
          .delay_seconds = 1.5}},
        {"delay_from: end, not start",
         {.by = SEENSET_URL_SITE_HOST_PORT,
          .host_leases = 2,
          .delay_seconds = 1.5,
          .budget = 10,
          .flags = SEENSET_QUEUE_DELAY_FROM_START}},
    };
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &own);
    assert_int_equal(polite_push(queue, "http://a.example/"), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(others); i++) {
        assert_int_equal(polite_open_at(&queue, at->folder.path,
                                        &others[i].rules, &at->report),
                         SEENSET_EMISMATCH);
        assert_string_equal(at->report.reason, others[i].reason);
    }
    for (int i = 0; i < 2; i++) { /* the same, and none */
        queue = polite_open(at, i == 0 ? &own : NULL);
        const seenset_queue_stats stats = polite_stats_of(queue);
        assert_int_equal(stats.pending_items, 1);
        assert_int_equal(stats.host_leases, 2);
        assert_int_equal(stats.budget, 10);
        assert_true(stats.delay_seconds >= 1.5 && stats.delay_seconds <= 1.5);
        assert_int_equal(stats.hosts_by, SEENSET_URL_SITE_HOST_PORT);
        assert_false(stats.is_delay_from_start);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
}

static void a_queue_that_is_not_polite_stays_so(void **state)
{
    static const seenset_queue_politeness rules = {0};
    polite_place *at = *state;
    seenset_queue_item item = {0};
    seenset_queue *queue = polite_open(at, NULL);
    assert_int_equal(polite_push(queue, "http://a.example/1"), 1);
    assert_int_equal(polite_stats_of(queue).host_leases, 0);
    assert_int_equal(polite_set_host(queue, "a.example",
                                     (seenset_queue_host_settings){
                                         .flags = SEENSET_QUEUE_HOST_DELAY}),
                     SEENSET_EUNSUPPORTED);
    seenset_queue_host figures = {.budget = 77};
    assert_int_equal(
        seenset_queue_get_host(queue, "a.example", 9, &figures, sizeof figures),
        SEENSET_EUNSUPPORTED);
    assert_int_equal(figures.budget, 77);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_null(item.host);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(
        polite_open_at(&queue, at->folder.path, &rules, &at->report),
        SEENSET_EMISMATCH);
    assert_string_equal(at->report.reason, "politeness: none, not this");
}

/* ---- turns ---- */

static void hosts_take_turns(void **state)
{
    static const char *const urls[] = {
        "http://a.example/1", "http://a.example/2", "http://A.example:8080/3",
        "http://b.example/1"};
    static const seenset_queue_politeness rules = {0};
    polite_place *at = *state;
    seenset_queue_item item = {0};
    seenset_queue *queue = polite_open(at, &rules);
    for (size_t i = 0; i < TEST_COUNT(urls); i++)
        assert_int_equal(polite_push(queue, urls[i]), 1);
    uint64_t leases[2];
    bool has_a = false, has_b = false;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        leases[i] = item.lease;
        has_a |= strcmp(item.url, urls[0]) == 0;
        has_b |= strcmp(item.url, urls[3]) == 0;
        assert_int_equal(item.host_len, 9);
        assert_ptr_equal(item.host, (const char *)item.url + 7);
    }
    assert_true(has_a && has_b);
    (void)polite_pop(queue, NULL); /* both are out */
    assert_true(isinf(polite_stats_of(queue).seconds_to_next) ||
                polite_stats_of(queue).seconds_to_next > 1);
    assert_int_equal(seenset_queue_ack_many(queue, leases, 2), SEENSET_OK);
    uint64_t lease = polite_pop(queue, urls[1]);
    assert_int_equal(seenset_queue_nack(queue, lease, NULL), SEENSET_OK);
    lease = polite_pop(queue, urls[1]); /* it comes before newer ones */
    assert_int_equal(seenset_queue_ack(queue, lease), SEENSET_OK);
    assert_int_equal(seenset_queue_peek(queue, &item), 1);
    assert_string_equal(item.url, urls[2]);
    assert_memory_equal(item.host, "A.example", 9); /* as it is spelled */
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* Their leases have ended, so they wait for their host again, in a row. A
 * worker that comes back late takes its own out, wherever that is. */
static void late_workers_leave_the_row_as_it_is(void **state)
{
    enum {
        ALL = 9
    };
    static const seenset_queue_politeness rules = {.host_leases = ALL};
    static const int late[] = {4, 3, 8, 0, 1};
    static const int left[] = {2, 5, 6, 7};
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &rules);
    char urls[ALL][32];
    uint64_t leases[ALL];
    for (int i = 0; i < ALL; i++) {
        (void)snprintf(urls[i], sizeof urls[i], "http://a.example/%d", i);
        assert_int_equal(polite_push(queue, urls[i]), 1);
    }
    for (int i = 0; i < ALL; i++)
        leases[i] = polite_pop(queue, urls[i]);
    for (int i = 0; i < ALL; i++)
        assert_int_equal(seenset_queue_extend(queue, leases[i], 0), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(late); i++)
        assert_int_equal(seenset_queue_ack(queue, leases[late[i]]), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(left); i++)
        (void)polite_pop(queue, urls[left[i]]);
    (void)polite_pop(queue, NULL);
    for (int i = 0; i < ALL; i++)
        assert_int_equal(seenset_queue_ack(queue, leases[i]), SEENSET_ELEASE);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static void delays_outlast_a_process(void **state)
{
    static const seenset_queue_politeness rules = {.delay_seconds =
                                                       LONG_SECONDS};
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &rules);
    assert_int_equal(polite_push(queue, "http://a.example/1"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/2"), 1);
    uint64_t lease = polite_pop(queue, "http://a.example/1");
    assert_int_equal(seenset_queue_ack(queue, lease), SEENSET_OK);
    (void)polite_pop(queue, NULL);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = polite_open(at, NULL);
    (void)polite_pop(queue, NULL);
    const seenset_queue_host host = polite_host_of(queue, "A.Example", 1);
    assert_true(host.seconds_to_ready > LONG_SECONDS - 3600 &&
                host.seconds_to_ready <= LONG_SECONDS + 1);
    assert_int_equal(host.pending_items, 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* ---- another queue ---- */

static seenset_queue *remake(polite_place *at,
                             const seenset_queue_politeness *to, uint64_t moved)
{
    seenset_queue_remade done;
    seenset_queue *queue;
    const seenset_queue_options options = {.politeness = to};
    const seenset_queue_remake_options how = {.to = &options};
    assert_int_equal(seenset_queue_remake(at->folder.path, at->other.path, &how,
                                          &done, sizeof done),
                     SEENSET_OK);
    assert_int_equal(done.moved_items, moved);
    assert_int_equal(polite_open_at(&queue, at->other.path, NULL, NULL),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_verify(at->other.path, NULL),
                     SEENSET_EINUSE);
    return queue;
}

static void a_queue_becomes_polite(void **state)
{
    static const seenset_queue_politeness rules = {.budget = 3};
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, NULL);
    assert_int_equal(polite_push(queue, "http://a.example/1"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/2"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/3"), 1);
    uint64_t first = polite_pop(queue, "http://a.example/1");
    assert_int_equal(
        seenset_queue_ack(queue, polite_pop(queue, "http://a.example/2")),
        SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = remake(at, &rules, 2);
    assert_int_equal(seenset_queue_ack(queue, first), SEENSET_ELEASE);
    assert_int_equal(polite_host_of(queue, "a.example", 1).taken_items, 2);
    (void)polite_pop(queue, "http://a.example/1");
    (void)polite_pop(queue, NULL);
    assert_int_equal(polite_push(queue, "http://a.example/2"), 0);
    assert_int_equal(polite_push(queue, "http://a.example/4"), 1);
    assert_int_equal(polite_push(queue, "http://a.example/5"), SEENSET_EBUDGET);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static void a_polite_queue_stays_polite_unless_told(void **state)
{
    static const seenset_queue_politeness rules = {.delay_seconds =
                                                       LONG_SECONDS};
    static const seenset_queue_politeness off = {.flags =
                                                     SEENSET_QUEUE_NOT_POLITE};
    polite_place *at = *state;
    seenset_queue *queue = polite_open(at, &rules);
    for (int i = 1; i <= 3; i++) {
        char url[64];
        (void)snprintf(url, sizeof url, "http://a.example/%d", i);
        assert_int_equal(polite_push(queue, url), 1);
    }
    assert_int_equal(
        seenset_queue_ack(queue, polite_pop(queue, "http://a.example/1")),
        SEENSET_OK);
    assert_int_equal(polite_set_host(queue, "b.example",
                                     (seenset_queue_host_settings){
                                         .flags = SEENSET_QUEUE_HOST_DELAY,
                                         .delay_seconds = 3}),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = remake(at, NULL, 2);
    (void)polite_pop(queue, NULL); /* its delay goes on */
    assert_true(polite_host_of(queue, "b.example", 1).has_settings);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&at->other);
    test_folder_make(&at->other);
    queue = remake(at, &off, 2);
    assert_int_equal(polite_stats_of(queue).host_leases, 0);
    (void)polite_pop(queue, "http://a.example/2");
    (void)polite_pop(queue, "http://a.example/3");
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        POLITE_TEST(rules_are_checked),
        POLITE_TEST(other_rules_are_refused),
        POLITE_TEST(a_queue_that_is_not_polite_stays_so),
        POLITE_TEST(hosts_take_turns),
        POLITE_TEST(late_workers_leave_the_row_as_it_is),
        POLITE_TEST(delays_outlast_a_process),
        POLITE_TEST(a_queue_becomes_polite),
        POLITE_TEST(a_polite_queue_stays_polite_unless_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
