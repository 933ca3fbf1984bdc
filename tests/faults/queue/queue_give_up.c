/*
 * queue_give_up.c - 'queue nack --after N --to DEAD' is killed, or the power
 * ends, at any moment: an item may be in both queues, and never in none.
 *
 * The command's own file moves items between two queues on two disks in
 * memory. After each operation that changes either disk, both are left as a
 * kill leaves them, and in several ways in which a power cut can, each disk in
 * its own. Then both queues are opened and emptied.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <string.h>

#include "queue/give_up.h"
#include "queue/handle.h"
#include "queue_model.h"
#include "queue_outage.h"

enum {
    ITEMS = 40,
    GIVEN_UP = 12, /* those that were handed out twice */
    IMAGES_A_CHANGE = 30
};

/* Two disks. The one that does not change has images of its own. */
typedef struct pair {
    disk *crawl, *dead;
    bool is_of_crawl; /* the disk that has just changed */
    bool is_hasty;    /* planted: DEAD answers before it is on the disk */
    uint64_t seed;
    long in_both;
} pair;

/* What the command's file asks of its front: here, the other disk. */
static pair *front;

int queue_open(seenset_queue **out, const queue_access *access,
               double *took_seconds)
{
    (void)took_seconds;
    const seenset_queue_options hasty = {.durability =
                                             SEENSET_QUEUE_DURABILITY_NONE,
                                         .flags = SEENSET_QUEUE_KEEP_LEASES};
    const seenset_queue_options usual = {.flags = SEENSET_QUEUE_KEEP_LEASES};
    return ss_queue_open(disk_io(front->dead), out, access->dir,
                         front->is_hasty ? &hasty : &usual);
}

int queue_close(seenset_queue *queue, const char *dir, int status)
{
    (void)dir;
    if (front->is_hasty) { /* and it does not make up for that */
        ss_queue_free(queue);
        return status;
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return status;
}

int queue_complain(const char *dir, int error)
{
    fail_msg("%s: error %d", dir, error);
    return -1;
}

/* Adds what a disk's queue hands out; it may not be made yet. */
static bool drain(disk *on, int *counts)
{
    seenset_queue *queue;
    if (ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL) != SEENSET_OK)
        return false;
    (void)model_drain(queue, counts);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return true;
}

/* The changed disk, and the other one as it may be then. */
static const char *check(pair *of, disk *changed, disk *other)
{
    int crawl[MODEL_URLS] = {0}, dead[MODEL_URLS] = {0};
    disk *on_crawl = of->is_of_crawl ? changed : other;
    disk *on_dead = of->is_of_crawl ? other : changed;
    if (!drain(on_crawl, crawl) || !drain(on_dead, dead))
        return "a queue does not open";
    for (int i = 0; i < ITEMS; i++) {
        if (crawl[i] + dead[i] == 0)
            return "an item is in no queue";
        if (crawl[i] > 1 || dead[i] > 1 || (i >= GIVEN_UP && dead[i] > 0))
            return "an item is where it should not be";
        of->in_both += crawl[i] + dead[i] == 2;
    }
    return NULL;
}

static const char *judge(void *context, disk *image)
{
    pair *of = context;
    const disk *kept = of->is_of_crawl ? of->dead : of->crawl;
    disk *other =
        of->seed % 4 == 0 ? disk_copy(kept) : disk_image(kept, of->seed);
    of->seed++;
    const char *wrong = check(of, image, other);
    disk_free(other);
    return wrong;
}

static const char *judge_crawl(void *context, disk *image)
{
    ((pair *)context)->is_of_crawl = true;
    return judge(context, image);
}

static const char *judge_dead(void *context, disk *image)
{
    ((pair *)context)->is_of_crawl = false;
    return judge(context, image);
}

/* Hands out the first items, and gives them back, unless it fills leases. */
static void pop_first(seenset_queue *queue, uint64_t *leases)
{
    seenset_queue_item item = {0};
    for (int i = 0; i < GIVEN_UP; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (leases != NULL)
            leases[i] = item.lease;
    }
    for (int i = 0; i < GIVEN_UP && leases == NULL; i++)
        assert_int_equal(seenset_queue_nack(queue, (uint64_t)i << 8 | 1, NULL),
                         0);
    seenset_queue_item_free(&item);
}

/* Leases of all that are due, and one of an item that is not to go. */
static seenset_queue *open_crawl(disk *on, uint64_t *leases)
{
    seenset_queue_item item = {0};
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    pop_first(queue, NULL);
    pop_first(queue, leases);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    leases[GIVEN_UP] = item.lease;
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
    return queue;
}

static void move(pair *of, seenset_queue *queue, uint64_t *leases)
{
    const give_up how = {.after = 2, .into = {.dir = DISK_FOLDER}};
    size_t count = GIVEN_UP + 1;
    uint64_t kept = leases[GIVEN_UP];
    front = of;
    assert_int_equal(give_up_leases(&how, queue, DISK_FOLDER, leases, &count),
                     0);
    assert_int_equal(count, 1);
    assert_true(leases[0] == kept);
}

/* What was given up is in DEAD, and there only, for good. */
static void check_moved(pair *of)
{
    int crawl[MODEL_URLS] = {0}, dead[MODEL_URLS] = {0};
    disk *left = disk_platters(of->crawl), *made = disk_platters(of->dead);
    assert_true(drain(left, crawl) && drain(made, dead));
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(dead[i], i < GIVEN_UP ? 1 : 0);
        assert_int_equal(crawl[i], i < GIVEN_UP ? 0 : 1);
    }
    disk_free(left);
    disk_free(made);
}

static long interrupt(bool is_hasty, pair *of)
{
    uint64_t leases[GIVEN_UP + 1];
    *of = (pair){.crawl = disk_new(),
                 .dead = disk_new(),
                 .is_hasty = is_hasty,
                 .seed = 7};
    seenset_queue *queue = open_crawl(of->crawl, leases);
    outage crawl = {.judge = judge_crawl,
                    .context = of,
                    .images_a_change = IMAGES_A_CHANGE,
                    .is_killed = true,
                    .seed = 1000003};
    outage dead = crawl;
    dead.judge = judge_dead;
    outage_begin(&crawl, of->crawl);
    outage_begin(&dead, of->dead);
    move(of, queue, leases);
    outage_end(of->crawl);
    outage_end(of->dead);
    assert_true(crawl.changes > 0 && dead.changes > 5);
    if (!is_hasty) {
        if (crawl.broken + dead.broken > 0)
            fail_msg("%s", crawl.wrong != NULL ? crawl.wrong : dead.wrong);
        check_moved(of);
        printf("  %ld interrupted, items in both: %ld\n",
               crawl.images + dead.images, of->in_both);
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(of->crawl);
    disk_free(of->dead);
    return crawl.broken + dead.broken;
}

static void an_item_is_in_a_queue_at_any_moment(void **state)
{
    pair of;
    (void)state;
    assert_int_equal(interrupt(false, &of), 0);
    assert_true(of.in_both > 0); /* an outage came between both */
}

/* Planted: it is acked before the other queue has it on its disk. */
static void an_early_ack_is_caught(void **state)
{
    pair of;
    (void)state;
    assert_true(interrupt(true, &of) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_in_a_queue_at_any_moment),
        cmocka_unit_test(an_early_ack_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
