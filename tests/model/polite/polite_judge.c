/* polite_judge.c - see polite_judge.h */
#include "polite_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS UINT64_C(1000000)
#define SECOND_NS UINT64_C(1000000000)

enum {
    ROUNDINGS_NS = 2000000, /* up to a whole millisecond, twice */
    DOUBLES_NS = 1000       /* of times in seconds, as doubles */
};

static void broken(polite_judge *it, const char *promise)
{
    if (it->wrong == NULL)
        it->wrong = promise;
}

static void not_below(uint64_t *value, uint64_t least)
{
    if (*value < least)
        *value = least;
}

static uint64_t ns_of(double seconds)
{
    return (uint64_t)(seconds * 1e9);
}

void polite_judge_init(polite_judge *it, const seenset_queue_politeness *rules)
{
    memset(it, 0, sizeof *it);
    it->rules = *rules;
    it->now_ns = 1;
    for (int i = 0; i < POLITE_HOSTS; i++) {
        it->hosts[i].delay_ns = ns_of(rules->delay_seconds);
        it->hosts[i].budget =
            rules->budget == 0 ? SEENSET_QUEUE_ANY_BUDGET : rules->budget;
    }
}

void polite_url(const polite_judge *it, int item, char text[POLITE_URL_BYTES])
{
    snprintf(text, POLITE_URL_BYTES, "http://h%d.example/%d",
             it->items[item].host, item);
}

int polite_item_of(const polite_judge *it, const void *url, size_t url_len)
{
    char text[POLITE_URL_BYTES];
    int host, item;
    if (sscanf(url, "http://h%d.example/%d", &host, &item) != 2 || item < 0 ||
        item >= it->item_count)
        return -1;
    polite_url(it, item, text);
    return strlen(text) == url_len && memcmp(text, url, url_len) == 0 ? item
                                                                      : -1;
}

/* ---- what may be asked ---- */

/* A host was asked at this time at the latest, or its fetch ended; and at that
 * time, at the earliest. */
static void may_be_asked_at(polite_host *host, uint64_t at_ns)
{
    if (host->delay_ns > 0)
        not_below(&host->may_ns, at_ns + host->delay_ns + ROUNDINGS_NS);
}

static void was_asked_at(polite_host *host, uint64_t at_ns)
{
    not_below(&host->must_ns, at_ns + host->delay_ns);
}

static void ask(const polite_judge *it, polite_host *host)
{
    may_be_asked_at(host, it->now_ns);
    was_asked_at(host, it->now_ns);
}

/* Leases that are over by now ended at their time. After a reboot that is not
 * known to the second: then one may have ended, and later it has. */
static void end_leases(polite_judge *it)
{
    bool is_from_start =
        (it->rules.flags & SEENSET_QUEUE_DELAY_FROM_START) != 0;
    for (int i = 0; i < it->item_count && !is_from_start; i++) {
        polite_item *item = &it->items[i];
        polite_host *host = &it->hosts[item->host];
        if (item->state != POLITE_LEASED || item->is_end_told)
            continue;
        if (item->due_ns <= it->now_ns)
            may_be_asked_at(host, item->may_ns);
        if (item->may_ns <= it->now_ns)
            was_asked_at(host, item->due_ns);
        item->is_end_told = item->may_ns <= it->now_ns;
    }
}

/* May it be handed out, as far as it goes; or must it be? */
static bool is_there(const polite_judge *it, const polite_item *item,
                     bool surely)
{
    bool is_pending =
        item->state == POLITE_WAITS || item->state == POLITE_LEASED;
    return is_pending && (surely ? item->may_ns : item->due_ns) <= it->now_ns;
}

static uint32_t leased_of(const polite_judge *it, int host, bool surely_over)
{
    uint32_t count = 0;
    for (int i = 0; i < it->item_count; i++) {
        const polite_item *item = &it->items[i];
        count += item->host == host && item->state == POLITE_LEASED &&
                 (surely_over ? item->may_ns : item->due_ns) > it->now_ns;
    }
    return count;
}

/* The highest priority of what a host must have for all who ask, or -1. */
static int best_of(const polite_judge *it, int host)
{
    const polite_host *of = &it->hosts[host];
    int best = -1;
    if (of->may_ns > it->now_ns || of->block_ns > it->now_ns ||
        leased_of(it, host, true) >= it->rules.host_leases)
        return -1;
    for (int i = 0; i < it->item_count; i++) {
        const polite_item *item = &it->items[i];
        if (item->host == host && is_there(it, item, true) &&
            (int)item->priority > best)
            best = (int)item->priority;
    }
    return best;
}

/* ---- the calls ---- */

void polite_pass(polite_judge *it, uint64_t ns)
{
    it->now_ns += ns;
    end_leases(it);
}

void polite_sleep(polite_judge *it, uint64_t ns)
{
    it->now_ns += ns;
}

void polite_pushed(polite_judge *it, int number, unsigned priority, int answer)
{
    polite_host *host = &it->hosts[number];
    bool is_limited = host->budget != SEENSET_QUEUE_ANY_BUDGET;
    bool is_spent = is_limited && host->taken >= host->budget;
    if (answer != (is_spent ? SEENSET_EBUDGET : 1))
        broken(it, "a push is not answered by its host's budget");
    it->over_budget += answer == SEENSET_EBUDGET;
    if (answer != 1)
        return;
    host->taken += is_limited;
    it->items[it->item_count++] = (polite_item){
        .state = POLITE_WAITS, .host = number, .priority = priority};
}

/* In parts of the usual delay, as docs/queue.md has it. */
static uint64_t step_of(const polite_judge *it, const polite_host *host)
{
    uint64_t usual_ns = ns_of(it->rules.delay_seconds);
    if (usual_ns == 0)
        return 128;
    uint64_t parts = (host->delay_ns * 128 + usual_ns - 1) / usual_ns;
    return parts == 0 ? 1 : parts;
}

/* Each host that must be asked before one of its priority was passed by once
 * more. (With priorities, turns move on in each by itself.) Another host comes
 * again when its turn has moved on by its delay, so one that has waited for its
 * own was passed by too often. */
static void count_passed_by(polite_judge *it, int asked, int priority)
{
    for (int i = 0; i < POLITE_HOSTS; i++) {
        polite_host *host = &it->hosts[i];
        int best = i == asked ? -1 : best_of(it, i);
        if (best > priority)
            broken(it, "a host with a higher priority waits");
        if (best != priority || !it->counts_turns)
            continue;
        uint64_t parts = step_of(it, &it->hosts[asked]);
        host->passed_by[asked] += parts;
        if (host->passed_by[asked] > host->step + 3 * parts)
            broken(it, "a host that may be asked is starved");
    }
}

/* Of its host and priority: those that come again first, then the oldest. */
static void judge_order(polite_judge *it, int number)
{
    const polite_item *item = &it->items[number];
    for (int i = 0; i < it->item_count; i++) {
        const polite_item *other = &it->items[i];
        if (i == number || other->host != item->host ||
            !is_there(it, other, true))
            continue;
        if (other->priority > item->priority)
            broken(it, "an item of a higher priority of its host waits");
        if (other->priority == item->priority && !item->may_be_again &&
            (other->is_again || i < number))
            broken(it, "an older item of its host waits");
    }
}

void polite_popped(polite_judge *it, const seenset_queue_item *popped,
                   uint64_t lease_ns)
{
    char name[POLITE_URL_BYTES];
    int number = polite_item_of(it, popped->url, popped->url_len);
    end_leases(it);
    if (number < 0) {
        broken(it, "an item that was never pushed");
        return;
    }
    polite_item *item = &it->items[number];
    polite_host *host = &it->hosts[item->host];
    int name_len = snprintf(name, sizeof name, "h%d.example", item->host);
    if (popped->host_len != (size_t)name_len ||
        memcmp(popped->host, name, popped->host_len) != 0)
        broken(it, "an item has another host");
    if (!is_there(it, item, false))
        broken(it, "an item that is leased, delayed or done");
    if (host->must_ns > it->now_ns || host->block_ns > it->now_ns)
        broken(it, "a host is asked too early");
    if (leased_of(it, item->host, false) >= it->rules.host_leases)
        broken(it, "a host is asked too often at a time");
    judge_order(it, number);
    count_passed_by(it, item->host, (int)item->priority);
    it->handed_out++;
    item->state = POLITE_LEASED;
    item->is_again = item->may_be_again = item->was_out = true;
    item->is_end_told = item->is_unsure = false;
    item->lease = popped->lease;
    item->due_ns = item->may_ns = it->now_ns + lease_ns;
    memset(host->passed_by, 0, sizeof host->passed_by);
    host->step = step_of(it, host);
    if ((it->rules.flags & SEENSET_QUEUE_DELAY_FROM_START) != 0)
        ask(it, host);
}

void polite_popped_none(polite_judge *it)
{
    it->idle++;
    end_leases(it);
    for (int i = 0; i < POLITE_HOSTS; i++)
        if (best_of(it, i) >= 0)
            broken(it, "a host that may be asked is not");
}

static void ended(polite_judge *it, polite_item *item, bool is_tried)
{
    if (is_tried && (it->rules.flags & SEENSET_QUEUE_DELAY_FROM_START) == 0)
        ask(it, &it->hosts[item->host]);
}

void polite_acked(polite_judge *it, int number)
{
    ended(it, &it->items[number], true);
    it->items[number].state = POLITE_DONE;
}

void polite_nacked(polite_judge *it, int number, uint64_t delay_ns,
                   bool is_tried)
{
    polite_item *item = &it->items[number];
    ended(it, item, is_tried);
    item->state = POLITE_WAITS;
    item->is_unsure = false;
    item->due_ns = item->may_ns = it->now_ns + delay_ns;
}

void polite_extended(polite_judge *it, int number, uint64_t ns)
{
    polite_item *item = &it->items[number];
    if (item->due_ns <= it->now_ns &&
        leased_of(it, item->host, false) >= it->rules.host_leases)
        broken(it, "a lease goes on where a host has too many");
    item->state = POLITE_LEASED;
    item->due_ns = item->may_ns = it->now_ns + ns;
    item->is_end_told = false;
}

/* A lease that may have ended by now, or ends in a moment, ends with the old
 * delay or with the new one. */
static void end_by_either(polite_judge *it, int number, uint64_t new_ns)
{
    polite_host *host = &it->hosts[number];
    const uint64_t old_ns = host->delay_ns;
    for (int i = 0; i < it->item_count; i++) {
        polite_item *item = &it->items[i];
        if (item->host != number || item->state != POLITE_LEASED ||
            item->is_end_told || item->due_ns > it->now_ns)
            continue;
        host->delay_ns = old_ns < new_ns ? old_ns : new_ns;
        was_asked_at(host, item->due_ns);
        host->delay_ns = old_ns < new_ns ? new_ns : old_ns;
        may_be_asked_at(host, item->may_ns);
        host->delay_ns = old_ns;
        item->is_end_told = true;
    }
}

void polite_set(polite_judge *it, int number,
                const seenset_queue_host_settings *to)
{
    polite_host *host = &it->hosts[number];
    end_leases(it);
    if ((to->flags & SEENSET_QUEUE_HOST_DELAY) != 0) {
        if ((it->rules.flags & SEENSET_QUEUE_DELAY_FROM_START) == 0)
            end_by_either(it, number, ns_of(to->delay_seconds));
        host->delay_ns = ns_of(to->delay_seconds);
    }
    if ((to->flags & SEENSET_QUEUE_HOST_BUDGET) != 0)
        host->budget = to->budget;
    if (host->budget == SEENSET_QUEUE_ANY_BUDGET)
        host->taken = 0;
    if ((to->flags & SEENSET_QUEUE_HOST_BLOCK) == 0)
        return;
    if (to->block_seconds > 0) {
        uint64_t until = it->now_ns + ns_of(to->block_seconds);
        not_below(&host->block_ns, until);
        not_below(&host->may_ns, until + ROUNDINGS_NS);
        return;
    }
    uint64_t from = it->now_ns + host->delay_ns;
    host->block_ns = 0;
    if (host->must_ns > from)
        host->must_ns = from;
    if (host->may_ns > from + ROUNDINGS_NS)
        host->may_ns = from + ROUNDINGS_NS;
}

/* ---- another process ---- */

/* What the last state had goes on, whatever came after that. */
static void hear_after_crash(polite_judge *it, polite_item *item,
                             const seenset_queue_listed *listed, bool is_lost)
{
    if (is_lost) /* its worker may be at it until now */
        ask(it, &it->hosts[item->host]);
    item->is_unsure = true;
    item->is_end_told = false;
    item->state = POLITE_WAITS;
    item->due_ns = item->may_ns = 0;
    if (listed->state == SEENSET_QUEUE_ITEM_WAITING)
        return;
    if (listed->state == SEENSET_QUEUE_ITEM_LEASED) {
        item->state = POLITE_LEASED;
        item->is_unsure = false;
        item->lease = listed->lease;
    }
    item->due_ns = it->now_ns + ns_of(listed->seconds) - DOUBLES_NS;
    item->may_ns = item->due_ns + 2 * DOUBLES_NS;
}

static int hear_of(void *context, const seenset_queue_listed *listed)
{
    polite_judge *it = context;
    int number = polite_item_of(it, listed->url, listed->url_len);
    if (number < 0 || it->items[number].state == POLITE_NONE ||
        it->items[number].state == POLITE_DONE) {
        broken(it, "an item is listed that is not there");
        return 1;
    }
    polite_item *item = &it->items[number];
    bool was_leased = item->state == POLITE_LEASED && item->due_ns > it->now_ns;
    bool is_leased = listed->state == SEENSET_QUEUE_ITEM_LEASED;
    item->is_again = listed->deliveries > 0;
    item->may_be_again =
        item->is_again ||
        (it->keeps_leases &&
         (it->has_crashed ? item->was_out : item->may_be_again));
    if (it->has_crashed) {
        hear_after_crash(it, item, listed, was_leased && !is_leased);
        return 0;
    }
    bool may_be_leased =
        item->state == POLITE_LEASED && item->may_ns > it->now_ns;
    if (is_leased && (!may_be_leased || listed->lease != item->lease))
        broken(it, "a lease is listed that was not given");
    if (is_leased)
        return 0;
    if (was_leased) /* its worker may be at it until now */
        ask(it, &it->hosts[item->host]);
    item->is_unsure |= item->state == POLITE_LEASED;
    item->state = POLITE_WAITS;
    if (listed->state != SEENSET_QUEUE_ITEM_DELAYED)
        item->due_ns = item->may_ns = 0;
    return 0;
}

void polite_reopened(polite_judge *it, seenset_queue *queue, bool keeps_leases,
                     bool has_crashed, bool is_other_boot)
{
    uint64_t slack_ns = is_other_boot ? SECOND_NS : 0;
    for (int i = 0; i < it->item_count; i++) {
        polite_item *item = &it->items[i];
        bool is_over = item->due_ns <= it->now_ns;
        item->may_ns += slack_ns;
        if (!is_over)
            item->due_ns -= slack_ns;
    }
    end_leases(it);
    for (int i = 0; i < POLITE_HOSTS; i++) {
        polite_host *host = &it->hosts[i];
        memset(host->passed_by, 0, sizeof host->passed_by);
        if (is_other_boot) {
            host->must_ns -= host->must_ns < slack_ns ? 0 : slack_ns;
            host->block_ns -= host->block_ns < slack_ns ? 0 : slack_ns;
            host->may_ns += slack_ns;
        }
        /* as if it was asked, or a lease ended, now: with the delay that it has
         * now */
        if (has_crashed && host->must_ns > it->now_ns + host->delay_ns)
            host->must_ns = it->now_ns + host->delay_ns;
        if (has_crashed || is_other_boot || !keeps_leases)
            not_below(&host->may_ns,
                      it->now_ns + host->delay_ns + ROUNDINGS_NS);
    }
    long heard = it->item_count;
    for (int i = 0; i < it->item_count; i++)
        heard -= it->items[i].state == POLITE_DONE;
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    if ((long)(stats.pending_items + stats.leased_items) != heard)
        broken(it, "items were lost, or come again");
    it->has_crashed = has_crashed;
    it->keeps_leases = keeps_leases;
    assert_in_range(seenset_queue_list(queue, hear_of, it), 0, 1);
}
