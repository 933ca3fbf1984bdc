/*
 * access.h - which queue a subcommand is for, how it is opened, and what is
 * reported if it cannot be.
 */
#ifndef QUEUE_ACCESS_ACCESS_H
#define QUEUE_ACCESS_ACCESS_H

#include "crawl/rules.h"
#include "crawl/tls.h"
#include "text/arguments.h"
#include <stdbool.h>

#include "queue/access/secret.h"
#include "queue/text/item.h"
#include "seenset/queue.h"

/* Options that several of them have. */
#define QUEUE_OPTION_DURABILITY 0x200
#define QUEUE_OPTION_NORMALISE 0x201
#define QUEUE_OPTION_DATA 0x202
#define QUEUE_OPTION_ACK 0x203
#define QUEUE_OPTION_LEASE 0x204
#define QUEUE_OPTION_DELAY 0x205
#define QUEUE_OPTION_JSON 0x206
#define QUEUE_OPTION_ON_FULL 0x207
#define QUEUE_OPTION_WAIT 0x208
#define QUEUE_OPTION_STRICT 0x209
#define QUEUE_OPTION_EXACT 0x20a
#define QUEUE_OPTION_DELIVERIES 0x20b
#define QUEUE_OPTION_WATCH 0x20c
#define QUEUE_OPTION_PRIORITY 0x20d
#define QUEUE_OPTION_AGAIN 0x20e
#define QUEUE_OPTION_SEEN_ONLY 0x20f
#define QUEUE_OPTION_AFTER 0x210
#define QUEUE_OPTION_TO 0x211
#define QUEUE_OPTION_FORGET_SEEN 0x212
#define QUEUE_OPTION_PARTITIONS 0x213
#define QUEUE_OPTION_REPLICAS 0x214
#define QUEUE_OPTION_OLD_SECRET_FILE 0x215
#define QUEUE_OPTION_UNTRIED 0x216
#define QUEUE_OPTION_URL_BYTES 0x217
#define QUEUE_OPTION_PENDING 0x218
#define QUEUE_OPTION_LEASED 0x219
#define QUEUE_OPTION_MEMORY 0x21a
#define QUEUE_OPTION_TLS_CA 0x21f
#define QUEUE_OPTION_TLS_CERT 0x220
#define QUEUE_OPTION_TLS_KEY 0x221
#define QUEUE_OPTION_TLS_NAME 0x222
#define QUEUE_OPTION_HOST 0x223
#define QUEUE_OPTION_HOST_DELAY 0x224
#define QUEUE_OPTION_BLOCK 0x225
#define QUEUE_OPTION_BUDGET 0x226
#define QUEUE_OPTION_ALL 0x227
#define QUEUE_OPTION_AGAIN_AFTER 0x228

/* The column that pop and peek have for it. */
#define QUEUE_HOST_ROW                                                         \
    {                                                                          \
        "host", QUEUE_OPTION_HOST, NULL, 0,                                    \
            "Print the host, and a TAB, before the URL; of a queue that is "   \
            "not polite -"                                                     \
    }

#define QUEUE_WAIT_HELP                                                        \
    "Wait up to SECONDS (or 15m, 2h) while others have the queue open "        \
    "(default 30); 0: do not wait; without SECONDS: for ever"

#define QUEUE_WAIT_ROW                                                         \
    {                                                                          \
        "wait", QUEUE_OPTION_WAIT, "SECONDS", OPTION_VALUE_OPTIONAL,           \
            QUEUE_WAIT_HELP                                                    \
    }

/* Which queue, how to open it, and how long to wait while others have it. */
typedef struct queue_access {
    const char *dir;
    seenset_options set;     /* of a new queue; a zero leaves it to the queue */
    uint64_t expected_items; /* the capacity of a new queue, by its input; an
                                existing one keeps its own. 0: as in set */
    queue_secret secret;
    seenset_queue_options options; /* without its set */
    double wait_seconds;
    uint64_t partitions, replicas; /* of a crawl in Redis; 0: not given */
    crawl_rules rules;             /* the same */
    tls_options tls;               /* the same */
    const char *after_wait, *its_seconds; /* of queue_parse_access */
} queue_access;

/*
 * Opens the queue. Returns 0, or COMMAND_ERROR after a message. Leases that
 * were given to other commands go on. *took_seconds, unless NULL, becomes how
 * long the opening itself took, without the wait for others.
 */
int queue_open(seenset_queue **out, const queue_access *access,
               double *took_seconds);

/* The same, but waits for others for that long, and returns COMMAND_NOTHING
 * without a message if they had it all that time. */
int queue_open_within(seenset_queue **out, const queue_access *access,
                      double seconds, double *took_seconds);

/* Closes it. Returns status, or COMMAND_ERROR after a message. */
int queue_close(seenset_queue *queue, const char *dir, int status);

/* Reports an error of the queue in `dir`. Returns COMMAND_ERROR. */
int queue_complain(const char *dir, int error);

/* Reports what was found, and advice: "" or "; ...". */
void queue_complain_report(const char *dir, const seenset_queue_report *report,
                           const char *advice);

/* Reports why a queue cannot be opened or read. Returns COMMAND_ERROR. */
int queue_complain_opening(const char *dir, int error,
                           const seenset_queue_report *report);

/*
 * What the parser of a subcommand with one DIR, --wait and --secret-file does
 * with keys that are not its own options. `--wait 2 DIR` is taken as
 * `--wait=2 DIR`: a number that follows --wait is its seconds if there is
 * another DIR.
 */
int queue_parse_access(arguments *state, int key, char *text, queue_access *to);

/* The durability of that name. */
seenset_queue_durability queue_durability(arguments *state, const char *text);
/* The seconds that an option is given, 0 to 1e9, or a time with its unit. */
double queue_seconds(arguments *state, const char *option, const char *text);
/* The priority that --priority is given, 0 to 9. */
uint32_t queue_priority(arguments *state, const char *text);
/* --wait, whose seconds may follow; without any it waits for ever. */
void queue_take_wait(arguments *state, const char *text, queue_access *to);
/* Takes an argument that is perhaps the seconds of --wait. Returns false if it
 * cannot be. */
bool queue_take_wait_argument(queue_access *to, const char *text);
/* The first argument is the folder. Returns those from the second on, else
 * NULL. */
char **queue_take_words(arguments *state, char *text, queue_access *to);
/* Is it one of the options that say which columns an item has? */
bool queue_take_column(int key, item_form *form);
/* At the end of the arguments: were they? */
void queue_settle_wait(arguments *state, queue_access *to);

#endif
