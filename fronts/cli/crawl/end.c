/* end.c - ending leases of a crawl, those of a partition in one command. */
#define _GNU_SOURCE /* qsort_r */
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crawl/answer.h"

typedef struct ending {
    crawl *it;
    uint64_t *leases; /* sorted by partition */
    size_t count;
    const char *command;
    crawl_back back; /* {0} of items that are done for good */
    size_t missing;
    crawl_list list;
} ending;

static uint64_t partitions_of(const ending *now)
{
    return now->it->options.partitions;
}

/* The partition first, as the number of a lease is above it. */
static int compare(const void *a, const void *b, void *context)
{
    uint64_t partitions = *(const uint64_t *)context;
    uint64_t one = *(const uint64_t *)a % partitions;
    uint64_t other = *(const uint64_t *)b % partitions;
    return (one > other) - (one < other);
}

/* The leases of the partition of leases[at]. Returns the place after them. */
static size_t add_words(ending *now, size_t at, crawl_words *words,
                        char (*digits)[24])
{
    uint64_t partition = now->leases[at] % partitions_of(now);
    for (; at < now->count && now->leases[at] % partitions_of(now) == partition;
         at++) {
        int length = snprintf(
            digits[at], sizeof digits[at], "%llu",
            (unsigned long long)(now->leases[at] / partitions_of(now)));
        crawl_words_add(words, digits[at], (size_t)length);
    }
    return at;
}

static int add_command(ending *now, size_t *at, char (*digits)[24])
{
    uint32_t partition = (uint32_t)(now->leases[*at] % partitions_of(now));
    crawl_key key = crawl_key_of(now->it, partition);
    char delay[24];
    size_t first = *at;
    crawl_words words = {0};
    int length = snprintf(delay, sizeof delay, "%llu",
                          (unsigned long long)now->back.delay_ms);
    crawl_words_add(&words, now->command, strlen(now->command));
    crawl_words_add(&words, key.text, key.length);
    *at = add_words(now, *at, &words, digits);
    if (now->back.is_visited)
        crawl_words_add(&words, "AGAIN", 5);
    else if (now->back.delay_ms > 0)
        crawl_words_add(&words, "DELAY", 5);
    if (now->back.is_visited || now->back.delay_ms > 0)
        crawl_words_add(&words, delay, (size_t)length);
    if (now->back.is_untried)
        crawl_words_add(&words, "UNTRIED", 7);
    int status =
        crawl_list_add(now->it, &now->list, partition, &words, *at - first);
    crawl_words_free(&words);
    return status;
}

/* A lease that a command did not find may have been ended by that command
 * itself, before the connection broke. */
static int take_replies(ending *now)
{
    for (size_t i = 0; i < now->list.count; i++) {
        const crawl_command *command = &now->list.commands[i];
        const redisReply *reply = command->reply;
        if (!answer_is_bits(command, false))
            return crawl_complain_reply(now->it, command,
                                        "not 0 or 1 for each lease");
        for (size_t at = 0; at < reply->elements; at++)
            now->missing +=
                !command->is_repeated && reply->element[at]->integer == 0;
    }
    return 0;
}

static int end_sorted(ending *now)
{
    char(*digits)[24] = calloc(now->count, sizeof *digits);
    int status = digits == NULL ? crawl_no_memory(now->it) : 0;
    for (size_t at = 0; status == 0 && at < now->count;)
        status = add_command(now, &at, digits);
    if (status == 0)
        status = crawl_list_run(now->it, &now->list);
    if (status == 0)
        status = take_replies(now);
    free(digits);
    crawl_list_free(&now->list);
    return status;
}

static int end(ending *now, const uint64_t *leases, size_t *missing)
{
    uint64_t partitions = partitions_of(now);
    *missing = 0;
    if (now->count == 0)
        return 0;
    now->leases = malloc(now->count * sizeof *leases);
    if (now->leases == NULL)
        return crawl_no_memory(now->it);
    memcpy(now->leases, leases, now->count * sizeof *leases);
    qsort_r(now->leases, now->count, sizeof *leases, compare, &partitions);
    int status = end_sorted(now);
    *missing = now->missing;
    free(now->leases);
    return status;
}

int crawl_ack(crawl *it, const uint64_t *leases, size_t count,
              const crawl_back *how, size_t *missing)
{
    ending now = {
        .it = it, .count = count, .command = "VISIT.ACK", .back = *how};
    return end(&now, leases, missing);
}

int crawl_nack(crawl *it, const uint64_t *leases, size_t count,
               const crawl_back *how, size_t *missing)
{
    ending now = {
        .it = it, .count = count, .command = "VISIT.NACK", .back = *how};
    return end(&now, leases, missing);
}
