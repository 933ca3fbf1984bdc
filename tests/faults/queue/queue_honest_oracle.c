/*
 * queue_honest_oracle.c - what is right: the answers of a script on a sound
 * machine, and what the queue holds after each of its calls.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "queue_model.h"

/* ---- what a queue holds ---- */

/* The highest priority first, and the oldest of each. */
static bool is_in_order(const seenset_queue_item *last,
                        const seenset_queue_item *item)
{
    return last->url_len == 0 || item->priority < last->priority ||
           (item->priority == last->priority && item->number > last->number);
}

static void drain(honest_holding *of, const honest_oracle *oracle,
                  seenset_queue *queue)
{
    seenset_queue_item item = {0}, last = {0};
    int result;
    while ((result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        bool is_known = number >= 0 && number < oracle->url_count;
        number = is_known ? number : oracle->url_count - 1;
        if (!is_in_order(&last, &item) || !is_known || of->out[number] != 0)
            of->error = SEENSET_EDAMAGED;
        last = item;
        of->out[number] = (uint32_t)item.data_len + 1;
    }
    if (result < 0)
        of->error = result;
    seenset_queue_item_free(&item);
}

/* Uses the disk up. */
void honest_look(honest_holding *of, const honest_oracle *oracle, disk *on)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {.durability =
                                               SEENSET_QUEUE_DURABILITY_NONE,
                                           .flags = SEENSET_QUEUE_MUST_EXIST};
    memset(of, 0, sizeof *of);
    if (!oracle->script->frees_log)
        of->verified = ss_queue_verify(disk_io(on), DISK_FOLDER, NULL);
    of->error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
    if (of->error == SEENSET_OK) {
        drain(of, oracle, queue);
        for (int i = 0; i < oracle->url_count; i++) {
            char url[32];
            model_url(i, url);
            of->pushed[i] =
                (int8_t)seenset_queue_push(queue, url, strlen(url), NULL, 0);
        }
        if (seenset_queue_close(queue) != SEENSET_OK)
            of->error = SEENSET_EIO;
    }
    disk_free(on);
}

bool honest_is_equal(const honest_holding *a, const honest_holding *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool is_url_equal(const honest_holding *a, const honest_holding *b,
                         int url)
{
    return a->out[url] == b->out[url] && a->pushed[url] == b->pushed[url];
}

/* Of each URL, what one or the other of both holds. */
bool honest_is_between(const honest_holding *a, const honest_holding *b,
                       const honest_holding *got)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if (!is_url_equal(got, a, i) && !is_url_equal(got, b, i))
            return false;
    /* a new state may have taken the place of a damaged one */
    bool is_verified =
        got->verified == a->verified || got->verified == b->verified;
    return got->error == a->error && is_verified;
}

/* What was pushed and acked there, is here. */
bool honest_has_all_of(const honest_holding *got, const honest_holding *safe)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if (safe->pushed[i] == 0 &&
            (got->pushed[i] != 0 || (safe->out[i] == 0 && got->out[i] != 0)))
            return false;
    return got->error == safe->error && got->verified == safe->verified;
}

/* ---- the right answers ---- */

/* How many items are not there that were pushed and not acked. */
static int count_lost(const honest_holding *of, const honest_run *run)
{
    int count = 0;
    for (int i = 0; i < HONEST_URLS; i++)
        count += run->is_pushed[i] && !run->is_acked[i] && of->out[i] == 0;
    return count;
}

/* Is all there that was pushed, and comes out what was not acked? */
static bool is_true(const honest_holding *of, const honest_run *run)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if ((run->is_pushed[i] && of->pushed[i] != 0) ||
            (of->out[i] != 0) != (run->is_pushed[i] && !run->is_acked[i]))
            return false;
    return of->error == SEENSET_OK && of->verified == SEENSET_OK;
}

static int flatten(honest_step *flat, const honest_step *steps)
{
    int count = 0;
    for (; steps->call != NULL; steps++) {
        for (int i = 0; i < (steps->times == 0 ? 1 : steps->times); i++) {
            assert_in_range(count, 0, HONEST_STEPS - 1);
            flat[count++] = *steps;
        }
    }
    return count;
}

/* How many URLs the calls push, at most, and one that they do not. */
static int count_urls(const honest_step *steps)
{
    int count = 1;
    for (; steps->call != NULL; steps++) {
        int times = steps->times == 0 ? 1 : steps->times;
        if (steps->call == honest_push || steps->call == honest_push_urgent)
            count += times;
        if (steps->call == honest_push_many || steps->call == honest_push_lines)
            count += (steps->count - steps->count / 3) * times;
    }
    return count;
}

honest_answer honest_make(honest_run *run, const honest_step *step)
{
    honest_answer of;
    run->digest = 0;
    errno = 0;
    of.result = step->call(run, step->count);
    of.digest = run->digest;
    return of;
}

bool honest_is_each(const honest_oracle *oracle)
{
    return oracle->script->options->durability == SEENSET_QUEUE_DURABILITY_EACH;
}

/* Is all durable after this call? */
static bool is_barrier(honest_call *call)
{
    return call == honest_sync || call == honest_checkpoint ||
           call == honest_close || call == honest_open || call == honest_repair;
}

static void make_base(honest_oracle *oracle)
{
    honest_run run = {.on = disk_new(), .options = *oracle->script->options};
    test_memory_init(&run.memory);
    int count = flatten(oracle->steps, oracle->script->before);
    for (int i = 0; i < count; i++)
        assert_true(honest_make(&run, &oracle->steps[i]).result >= 0);
    oracle->left.next_url = run.next_url;
    memcpy(oracle->left.is_pushed, run.is_pushed, sizeof run.is_pushed);
    memcpy(oracle->left.is_acked, run.is_acked, sizeof run.is_acked);
    seenset_queue_item_free(&run.item);
    oracle->base = model_kill(run.on, run.queue);
    if (oracle->script->spoil != NULL)
        oracle->script->spoil(oracle->base);
}

void honest_begin(honest_run *run, const honest_oracle *oracle)
{
    *run = oracle->left;
    run->on = disk_copy(oracle->base);
    run->options = *oracle->script->options;
    test_memory_init(&run->memory);
}

/* What is on the platters is what was answered. */
static void check_truth(const honest_oracle *oracle, const honest_run *run,
                        const honest_holding *durable)
{
    const honest_script *script = oracle->script;
    bool is_sound = script->spoil == NULL;
    if (is_sound && (honest_is_each(oracle) || script->before->call == NULL))
        assert_true(is_true(durable, run));
    if (!is_sound && durable->error == SEENSET_OK)
        assert_in_range(count_lost(durable, run), 0, script->most_lost);
}

/* Makes call number i on a sound machine. */
static void learn(honest_oracle *oracle, honest_run *run, int i)
{
    honest_holding durable, *after = &oracle->holdings[i + 1];
    oracle->answers[i] = honest_make(run, &oracle->steps[i]);
    assert_int_not_equal(oracle->answers[i].result, HONEST_LIE);
    honest_look(after, oracle, disk_copy(run->on));
    bool is_safe = honest_is_each(oracle) || is_barrier(oracle->steps[i].call);
    oracle->safe[i + 1] = is_safe ? i + 1 : oracle->safe[i];
    if (!is_safe)
        return;
    honest_look(&durable, oracle, disk_platters(run->on));
    assert_true(honest_is_equal(&durable, after));
    check_truth(oracle, run, &durable);
}

honest_oracle *honest_new(const honest_script *script)
{
    honest_oracle *oracle = calloc(1, sizeof *oracle);
    honest_run run;
    assert_non_null(oracle);
    oracle->script = script;
    oracle->url_count = count_urls(script->before) + count_urls(script->steps);
    assert_in_range(oracle->url_count, 1, HONEST_URLS);
    make_base(oracle);
    honest_begin(&run, oracle);
    oracle->count = flatten(oracle->steps, script->steps);
    honest_look(&oracle->holdings[0], oracle, disk_copy(run.on));
    for (int i = 0; i < oracle->count; i++)
        learn(oracle, &run, i);
    assert_null(run.queue);
    seenset_queue_item_free(&run.item);
    assert_int_equal(run.memory.live_blocks, 0);
    assert_int_equal(disk_open_files(run.on), 0);
    disk_free(run.on);
    return oracle;
}

void honest_free(honest_oracle *oracle)
{
    disk_free(oracle->base);
    free(oracle);
}
