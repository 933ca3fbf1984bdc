/* parts.c - see parts.h */
#include "crawl/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/hash.h"
#include "seenset/url.h"

enum {
    HOST_ROOM = 256 /* a longer name is not one */
};

crawl_key crawl_key_of(const crawl *it, uint32_t partition)
{
    uint64_t twice = 2 * (uint64_t)it->options.partitions;
    crawl_key key = {
        .slot = (unsigned)((2 * (uint64_t)partition + 1) * SLOT_COUNT / twice)};
    key.length =
        (size_t)snprintf(key.text, sizeof key.text, "%s:{%u}", it->address.name,
                         (unsigned)it->tags[key.slot]);
    return key;
}

uint32_t crawl_partition_of(const crawl *it, const char *url, size_t length)
{
    char lower[HOST_ROOM];
    size_t start = 0;
    (void)seenset_url_site(url, length,
                           it->options.rules.by == SEENSET_URL_SITE_DOMAIN
                               ? SEENSET_URL_SITE_DOMAIN
                               : SEENSET_URL_SITE_HOST,
                           &start, &length);
    const char *host = url + start;
    uint64_t hash;
    if (length <= sizeof lower) {
        for (size_t i = 0; i < length; i++)
            lower[i] = (char)(host[i] >= 'A' && host[i] <= 'Z' ? host[i] + 32
                                                               : host[i]);
        hash = seenset_hash(lower, length);
    } else {
        hash = seenset_hash(host, length);
    }
    return (uint32_t)(hash % it->options.partitions);
}

/* ---- commands ---- */

static bool make_room(crawl_words *words)
{
    size_t room = words->room == 0 ? 64 : words->room * 2;
    if (words->count < words->room)
        return true;
    const char **all = realloc(words->words, room * sizeof *all);
    if (all != NULL)
        words->words = all;
    size_t *lengths = realloc(words->lengths, room * sizeof *lengths);
    if (lengths != NULL)
        words->lengths = lengths;
    if (all == NULL || lengths == NULL)
        return false;
    words->room = room;
    return true;
}

void crawl_words_add(crawl_words *words, const char *word, size_t length)
{
    if (words->has_failed || !make_room(words)) {
        words->has_failed = true;
        return;
    }
    words->words[words->count] = word;
    words->lengths[words->count++] = length;
}

void crawl_words_free(crawl_words *words)
{
    free(words->words);
    free(words->lengths);
    *words = (crawl_words){0};
}

static bool make_list_room(crawl_list *list)
{
    size_t room = list->room == 0 ? 64 : list->room * 2;
    if (list->count < list->room)
        return true;
    crawl_command *all = realloc(list->commands, room * sizeof *all);
    if (all != NULL)
        list->commands = all;
    uint32_t *partitions = realloc(list->partitions, room * sizeof *partitions);
    if (partitions != NULL)
        list->partitions = partitions;
    if (all == NULL || partitions == NULL)
        return false;
    list->room = room;
    return true;
}

int crawl_list_add(crawl *it, crawl_list *list, uint32_t partition,
                   const crawl_words *words, size_t rows)
{
    unsigned slot = crawl_key_of(it, partition).slot;
    if (words->has_failed || !make_list_room(list) ||
        crawl_command_set(&list->commands[list->count], slot, words->count,
                          words->words, words->lengths) != 0)
        return crawl_no_memory(it);
    list->commands[list->count].rows = rows;
    list->partitions[list->count++] = partition;
    return 0;
}

int crawl_list_ask(crawl *it, crawl_list *list, uint32_t partition,
                   const char *command, const char *word, uint64_t number)
{
    char digits[24];
    int length =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    crawl_key key = crawl_key_of(it, partition);
    crawl_words words = {0};
    crawl_words_add(&words, command, strlen(command));
    crawl_words_add(&words, key.text, key.length);
    if (word != NULL) {
        crawl_words_add(&words, word, strlen(word));
        crawl_words_add(&words, digits, (size_t)length);
    }
    int status = crawl_list_add(it, list, partition, &words, 0);
    crawl_words_free(&words);
    return status;
}

int crawl_list_run(crawl *it, crawl_list *list)
{
    return list->count == 0
               ? 0
               : crawl_servers_run(it->servers, list->commands, list->count);
}

void crawl_list_clear(crawl_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        crawl_command_free(&list->commands[i]);
    list->count = 0;
}

void crawl_list_free(crawl_list *list)
{
    crawl_list_clear(list);
    free(list->commands);
    free(list->partitions);
    *list = (crawl_list){0};
}

int crawl_no_memory(const crawl *it)
{
    complain("%s: out of memory", it->shown);
    return COMMAND_ERROR;
}
