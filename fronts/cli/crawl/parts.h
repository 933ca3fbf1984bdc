/*
 * parts.h - what the files of a crawl share: which key a partition is, and
 * commands that are made of words.
 */
#ifndef CRAWL_PARTS_H
#define CRAWL_PARTS_H

#include "crawl/crawl.h"
#include "crawl/servers.h"
#include "crawl/slot.h"

struct crawl {
    crawl_servers *servers;
    struct tls_setup *tls; /* NULL: in clear */
    crawl_address address;
    char shown[3 * ADDRESS_ROOM];
    crawl_options options; /* as they are written in the crawl's key */
    uint32_t tags[SLOT_COUNT];
    bool *is_made; /* partitions that this client has made */
};

typedef struct crawl_key {
    char text[ADDRESS_ROOM + 16];
    size_t length;
    unsigned slot;
} crawl_key;

crawl_key crawl_key_of(const crawl *it, uint32_t partition);

/* The partition of a URL: that of its host. */
uint32_t crawl_partition_of(const crawl *it, const char *url, size_t length);

/* ---- commands ---- */

typedef struct crawl_words {
    const char **words;
    size_t *lengths;
    size_t count, room;
    bool has_failed; /* out of memory */
} crawl_words;

void crawl_words_add(crawl_words *words, const char *word, size_t length);
void crawl_words_free(crawl_words *words);

/* Commands, in a list that grows, and the partition of each. */
typedef struct crawl_list {
    crawl_command *commands;
    uint32_t *partitions;
    size_t count, room;
} crawl_list;

/*
 * Appends the command of these words, which asks for so many rows (0: for no
 * rows). Returns 0, or COMMAND_ERROR after a message.
 */
int crawl_list_add(crawl *it, crawl_list *list, uint32_t partition,
                   const crawl_words *words, size_t rows);

/* The command with the partition's key, and with a number after a word unless
 * that is NULL. */
int crawl_list_ask(crawl *it, crawl_list *list, uint32_t partition,
                   const char *command, const char *word, uint64_t number);

int crawl_list_run(crawl *it, crawl_list *list);

/* Without their memory, for more of them. */
void crawl_list_clear(crawl_list *list);
void crawl_list_free(crawl_list *list);

/* Returns COMMAND_ERROR after the message. */
int crawl_no_memory(const crawl *it);

#endif
