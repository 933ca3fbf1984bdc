/*
 * queue_remake.c - a queue made of another: its items, what it has seen, and
 * what is refused.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenset/queue.h"
#include "support.h"

/* Two folders, the old queue open in the first. */
typedef struct places {
    test_folder old, made;
    const char *old_dir, *new_dir;
    seenset_queue *queue;
} places;

static const seenset_options small = {.capacity_items = 100};

static void open_old(places *at, const seenset_queue_options *options)
{
    assert_int_equal(seenset_queue_open(&at->queue, at->old_dir, options), 0);
}

static int enter(void **state)
{
    places *at = calloc(1, sizeof *at);
    assert_non_null(at);
    test_folder_make(&at->old);
    test_folder_make(&at->made);
    at->old_dir = at->old.path;
    at->new_dir = at->made.path;
    *state = at;
    return 0;
}

static int leave(void **state)
{
    places *at = *state;
    (void)seenset_queue_close(at->queue);
    test_folder_remove(&at->old);
    test_folder_remove(&at->made);
    free(at);
    return 0;
}

static void close_it(places *at)
{
    assert_int_equal(seenset_queue_close(at->queue), 0);
    at->queue = NULL;
}

static int push(const places *at, const char *url)
{
    return seenset_queue_push(at->queue, url, strlen(url), NULL, 0);
}

static void push_item(const places *at, const char *url, const char *data,
                      unsigned priority)
{
    const seenset_queue_entry entry = {.url = url,
                                       .url_len = strlen(url),
                                       .data = data,
                                       .data_len = strlen(data)};
    const seenset_queue_push_options how = {.priority = priority,
                                            .flags = SEENSET_QUEUE_AGAIN};
    assert_int_equal(seenset_queue_push_many(at->queue, &entry, 1, &how, NULL),
                     0);
}

static uint64_t pop(const places *at, const char *url)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(at->queue, &item), 1);
    assert_string_equal(item.url, url);
    uint64_t lease = item.lease;
    seenset_queue_item_free(&item);
    return lease;
}

static void visit(const places *at, const char *url)
{
    assert_int_equal(push(at, url), 1);
    assert_int_equal(seenset_queue_ack(at->queue, pop(at, url)), 0);
}

/* Makes the new queue of the old one, which is closed first. */
static int remake_with(places *at, const seenset_queue_remake_options *options,
                       seenset_queue_remade *done)
{
    if (at->queue != NULL)
        close_it(at);
    return seenset_queue_remake(at->old_dir, at->new_dir, options, done,
                                sizeof *done);
}

static int remake(places *at, const seenset_queue_options *to,
                  seenset_queue_remade *done)
{
    const seenset_queue_remake_options options = {.to = to};
    return remake_with(at, &options, done);
}

static void open_new(places *at, const seenset_options *given)
{
    const seenset_queue_options options = {.set = given,
                                           .flags = SEENSET_QUEUE_KEEP_LEASES |
                                                    SEENSET_QUEUE_MUST_EXIST};
    assert_int_equal(seenset_queue_open(&at->queue, at->new_dir, &options), 0);
}

/* "URL data priority deliveries state;" of each item, into *context. */
static int write_item(void *context, const seenset_queue_listed *item)
{
    char *text = context;
    size_t length = strlen(text);
    (void)snprintf(text + length, 500 - length, "%s %s %u %u %d;",
                   (const char *)item->url, (const char *)item->data,
                   (unsigned)item->priority, (unsigned)item->deliveries,
                   (int)item->state);
    return 0;
}

static void assert_items(const places *at, const char *wanted)
{
    char text[500] = "";
    assert_int_equal(seenset_queue_list(at->queue, write_item, text), 0);
    assert_string_equal(text, wanted);
}

static void items_are_moved_with_all_they_have(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    const seenset_queue_options options = {.set = &small};
    open_old(at, &options);
    visit(at, "gone");
    push_item(at, "a", "1", 0);
    push_item(at, "b", "2", 7);
    push_item(at, "c", "", 0);
    push_item(at, "b", "3", 7);
    push_item(at, "d", "4", 9);
    uint64_t leased = pop(at, "d");
    assert_int_equal(seenset_queue_nack(at->queue, pop(at, "b"),
                                        &(const seenset_queue_nack_options){
                                            .delay_seconds = 500}),
                     0);
    assert_int_equal(seenset_queue_nack(at->queue, pop(at, "b"), NULL), 0);
    close_it(at);
    const seenset_options larger = {.capacity_items = 5000, .fp_rate = 1e-8};
    assert_int_equal(
        remake(at, &(const seenset_queue_options){.set = &larger}, &done), 0);
    assert_int_equal(done.moved_items, 5);
    assert_int_equal(done.leased_items, 1);
    assert_int_equal(done.joined_items + done.left_out_items, 0);
    assert_int_equal(done.is_seen_kept, 1);
    open_new(at, NULL);
    assert_items(at, "d 4 9 1 1;b 2 7 1 3;b 3 7 1 1;a 1 0 0 1;c  0 0 1;");
    assert_int_equal(seenset_queue_ack(at->queue, leased), SEENSET_ELEASE);
    (void)pop(at, "d");
    assert_int_equal(seenset_queue_ack(at->queue, leased), SEENSET_ELEASE);
    (void)pop(at, "b");
    (void)pop(at, "a");
    assert_int_equal(push(at, "gone"), 0);
    assert_int_equal(push(at, "c"), 0);
    close_it(at);
    assert_int_equal(seenset_queue_verify(at->new_dir, NULL), 0);
    open_old(
        at, &(const seenset_queue_options){.flags = SEENSET_QUEUE_KEEP_LEASES});
    assert_items(at, "d 4 9 1 2;b 2 7 1 3;b 3 7 1 1;a 1 0 0 1;c  0 0 1;");
}

/* An item without a delivery was handed out all the same, and comes before
 * those that were not. */
static void untried_items_are_moved(void **state)
{
    const seenset_queue_nack_options untried = {.delay_seconds = 500,
                                                .flags = SEENSET_QUEUE_UNTRIED};
    const seenset_queue_nack_options at_once = {.flags = SEENSET_QUEUE_UNTRIED};
    places *at = *state;
    seenset_queue_remade done;
    open_old(at, NULL);
    for (const char *url = "a\0b\0c\0d\0"; *url != '\0'; url += 2)
        push_item(at, url, "", 0);
    assert_int_equal(seenset_queue_nack(at->queue, pop(at, "a"), &untried), 0);
    uint64_t lease = pop(at, "b");
    (void)pop(at, "c");
    assert_int_equal(seenset_queue_nack(at->queue, lease, &at_once), 0);
    assert_int_equal(remake(at, NULL, &done), 0);
    assert_int_equal(done.moved_items, 4);
    open_new(at, NULL);
    assert_items(at, "a  0 0 3;b  0 0 1;c  0 1 1;d  0 0 1;");
    (void)pop(at, "b");
    (void)pop(at, "c");
    (void)pop(at, "d");
    assert_items(at, "a  0 0 3;b  0 1 2;c  0 2 2;d  0 1 2;");
    close_it(at);
    assert_int_equal(seenset_queue_verify(at->new_dir, NULL), 0);
}

static void what_was_forgotten_stays_so(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    open_old(at, NULL);
    visit(at, "x");
    visit(at, "y");
    assert_int_equal(push(at, "z"), 1);
    assert_int_equal(seenset_queue_forget(at->queue, "x", 1), 1);
    assert_int_equal(seenset_queue_forget(at->queue, "z", 1), 1);
    assert_int_equal(remake(at, NULL, &done), 0);
    open_new(at, NULL);
    assert_items(at, "z  0 0 1;");
    assert_int_equal(push(at, "y"), 0);
    assert_int_equal(push(at, "x"), 1);
    assert_int_equal(push(at, "z"), 1);
    assert_int_equal(push(at, "z"), 0);
}

typedef struct urls {
    const char *const *next;
} urls;

static int next_url(void *context, const void **url, size_t *url_len)
{
    urls *from = context;
    const char *text = *from->next;
    if (text == NULL)
        return 0;
    from->next++;
    *url = text;
    *url_len = strlen(text);
    return text[0] == '!' ? -12345 : 1;
}

static const seenset_queue_options normalises = {
    .normalise = SEENSET_QUEUE_NORMALISE_URL};
static const seenset_queue_options exact = {.flags = SEENSET_QUEUE_EXACT};

static void what_cannot_be_kept_must_be_brought(void **state)
{
    places *at = *state;
    seenset_queue_remade done = {.moved_items = 77};
    seenset_queue_report report;
    const seenset_queue_options reported = {.report = &report};
    const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    const seenset_options keyed = {.secret = secret};
    const seenset_options bloom = {.layout = SEENSET_LAYOUT_BLOOM};
    const seenset_options refusing = {.on_full = SEENSET_ON_FULL_REFUSE};
    const seenset_queue_options wanted[] = {normalises,
                                            exact,
                                            {.set = &keyed},
                                            {.set = &bloom},
                                            {.set = &refusing}};
    const char *const brought[] = {"http://seen/", "http://a/", NULL};
    if (!test_has_urls())
        skip();
    open_old(at, NULL);
    visit(at, "http://seen/");
    assert_int_equal(push(at, "http://wait/"), 1);
    for (size_t i = 0; i < TEST_COUNT(wanted); i++) {
        seenset_queue_remake_options options = {.from = &reported,
                                                .to = &wanted[i]};
        assert_int_equal(remake_with(at, &options, &done), SEENSET_EMISMATCH);
        assert_true(report.reason[0] != '\0');
        assert_int_equal(done.moved_items, 77);
        assert_int_equal(
            seenset_queue_open(&at->queue, at->new_dir,
                               &(const seenset_queue_options){
                                   .flags = SEENSET_QUEUE_MUST_EXIST}),
            SEENSET_EIO);
    }
    urls list = {brought};
    const seenset_queue_remake_options options = {
        .to = &exact, .next_seen = next_url, .next_seen_context = &list};
    assert_int_equal(remake_with(at, &options, &done), 0);
    assert_int_equal(done.seen_urls, 2);
    assert_int_equal(done.is_seen_kept, 0);
    open_new(at, NULL);
    assert_items(at, "http://wait/  0 0 1;");
    assert_int_equal(push(at, "http://seen/"), 0);
    assert_int_equal(push(at, "http://a/"), 0);
    assert_int_equal(push(at, "http://wait/"), 0);
    assert_int_equal(push(at, "http://new/"), 1);
}

static void it_can_be_forgotten(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    const seenset_queue_remake_options options = {
        .flags = SEENSET_QUEUE_FORGET_SEEN};
    open_old(at, NULL);
    visit(at, "seen");
    assert_int_equal(push(at, "wait"), 1);
    assert_int_equal(remake_with(at, &options, &done), 0);
    assert_int_equal(done.is_seen_kept, 0);
    open_new(at, NULL);
    assert_int_equal(push(at, "wait"), 0);
    assert_int_equal(push(at, "seen"), 1);
}

/* The URLs of an exact queue go into any set, in any spelling. */
static void an_exact_queue_gives_its_urls(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    const seenset_options bloom = {.layout = SEENSET_LAYOUT_BLOOM};
    const seenset_queue_options wanted = {
        .set = &bloom, .normalise = SEENSET_QUEUE_NORMALISE_URL};
    if (!test_has_urls())
        skip();
    open_old(at, &exact);
    visit(at, "HTTP://Seen");
    visit(at, "no URL");
    visit(at, "http://again/");
    assert_int_equal(seenset_queue_forget(at->queue, "http://again/", 13), 1);
    assert_int_equal(push(at, "HTTP://Wait"), 1);
    assert_int_equal(remake(at, &wanted, &done), 0);
    assert_int_equal(done.is_seen_kept, 1);
    open_new(at, NULL);
    assert_items(at, "http://wait/  0 0 1;");
    assert_int_equal(push(at, "http://seen"), 0);
    assert_int_equal(push(at, "http://WAIT"), 0);
    assert_int_equal(push(at, "http://again"), 1);
}

static void spellings_that_become_the_same_are_one(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    const char *const brought[] = {"http://SEEN", "mailto:x", NULL};
    urls list = {brought};
    const seenset_queue_remake_options options = {
        .to = &normalises, .next_seen = next_url, .next_seen_context = &list};
    if (!test_has_urls())
        skip();
    open_old(at, NULL);
    push_item(at, "HTTP://a", "low", 0);
    push_item(at, "mailto:a", "", 0);
    push_item(at, "http://A/", "high", 3);
    push_item(at, "http://b/", "", 0);
    push_item(at, "http://a", "again", 3);
    assert_int_equal(remake_with(at, &options, &done), 0);
    assert_int_equal(done.moved_items, 2);
    assert_int_equal(done.joined_items, 2);
    assert_int_equal(done.left_out_items, 1);
    assert_int_equal(done.seen_urls, 1);
    assert_int_equal(done.refused_urls, 1);
    open_new(at, NULL);
    assert_items(at, "http://a/ high 3 0 1;http://b/  0 0 1;");
    assert_int_equal(push(at, "http://seen"), 0);
}

/* What is not named is as it was, the secret too; a queue without priorities
 * is one that every library can open. */
static void what_is_not_given_is_inherited(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    seenset_info info;
    const uint8_t secret[SEENSET_SECRET_BYTES] = {7};
    const seenset_options made = {.capacity_items = 100,
                                  .fp_rate = 0.001,
                                  .secret = secret,
                                  .layout = SEENSET_LAYOUT_BLOOM};
    const seenset_options given = {.secret = secret};
    const seenset_options larger = {.capacity_items = 3000};
    const seenset_queue_options from = {.set = &given}, to = {.set = &larger};
    const seenset_queue_remake_options options = {.from = &from, .to = &to};
    if (!test_has_urls())
        skip();
    open_old(at, &(const seenset_queue_options){
                     .set = &made, .normalise = SEENSET_QUEUE_NORMALISE_URL});
    assert_int_equal(push(at, "http://a/"), 1);
    close_it(at);
    assert_int_equal(remake(at, &to, &done), SEENSET_ESECRET);
    assert_int_equal(remake_with(at, &options, &done), 0);
    assert_int_equal(seenset_queue_open(&at->queue, at->new_dir, NULL),
                     SEENSET_ESECRET);
    open_new(at, &given);
    assert_int_equal(push(at, "HTTP://A"), 0);
    assert_int_equal(seenset_queue_get_set_info(at->queue, &info, sizeof info),
                     0);
    assert_int_equal(info.layout, SEENSET_LAYOUT_BLOOM);
    assert_true(info.capacity_items >= 3000 && info.fp_rate < 0.0021);
}

static void refusals_leave_no_queue(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    const char *const bad[] = {"x", "!", NULL};
    const char *const many[] = {"x", "y", "z", NULL};
    urls list = {bad};
    const seenset_options two = {.capacity_items = 2,
                                 .on_full = SEENSET_ON_FULL_REFUSE};
    const seenset_queue_options full = {.set = &two};
    seenset_queue_remake_options options = {.next_seen = next_url,
                                            .next_seen_context = &list};
    assert_int_equal(remake(at, NULL, &done), SEENSET_EIO);
    open_old(at, NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(push(at, many[i]), 1);
    assert_int_equal(
        seenset_queue_remake(at->old_dir, at->new_dir, NULL, NULL, 0),
        SEENSET_EINUSE);
    assert_int_equal(remake_with(at, &options, &done), -12345);
    options = (seenset_queue_remake_options){
        .to = &full, .flags = SEENSET_QUEUE_FORGET_SEEN};
    assert_int_equal(remake_with(at, &options, &done), SEENSET_EFULL);
    assert_int_equal(remake(at, NULL, &done), 0);
    assert_int_equal(remake(at, NULL, &done), SEENSET_EFORMAT);
    assert_int_equal(
        seenset_queue_remake(at->old_dir, at->old_dir, NULL, NULL, 0),
        SEENSET_EINUSE);
    assert_int_equal(seenset_queue_remake(NULL, at->new_dir, NULL, NULL, 0),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_queue_remake(at->old_dir, NULL, NULL, NULL, 0),
                     SEENSET_EINVAL);
    assert_int_equal(
        seenset_queue_remake(at->old_dir, at->new_dir, NULL, &done, 0),
        SEENSET_EINVAL);
    options = (seenset_queue_remake_options){.reserved = {1}};
    assert_int_equal(remake_with(at, &options, &done), SEENSET_EINVAL);
    options = (seenset_queue_remake_options){.flags = SEENSET_QUEUE_EXACT};
    assert_int_equal(remake_with(at, &options, &done), SEENSET_EINVAL);
}

static void remove_set(const char *dir)
{
    char path[TEST_PATH_BYTES];
    const struct dirent *entry;
    DIR *folder = opendir(dir);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (strncmp(entry->d_name, "set-", 4) == 0)
            assert_int_equal(unlink(path), 0);
    }
    closedir(folder);
}

/* The log of the new queue does not have what was seen before: without its set
 * it is refused, and makes none from the log. */
static void a_lost_set_is_damage(void **state)
{
    places *at = *state;
    seenset_queue_remade done;
    open_old(at, NULL);
    visit(at, "seen");
    assert_int_equal(remake(at, NULL, &done), 0);
    remove_set(at->new_dir);
    assert_int_equal(seenset_queue_open(&at->queue, at->new_dir, NULL),
                     SEENSET_EDAMAGED);
}

#define ROW(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROW(untried_items_are_moved),
        ROW(items_are_moved_with_all_they_have),
        ROW(what_was_forgotten_stays_so),
        ROW(what_cannot_be_kept_must_be_brought),
        ROW(it_can_be_forgotten),
        ROW(an_exact_queue_gives_its_urls),
        ROW(spellings_that_become_the_same_are_one),
        ROW(what_is_not_given_is_inherited),
        ROW(refusals_leave_no_queue),
        ROW(a_lost_set_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
