/*
 * new_queue.h - the options by which a new queue is made, for push and remake.
 */
#ifndef QUEUE_ACCESS_NEW_QUEUE_H
#define QUEUE_ACCESS_NEW_QUEUE_H

#include "text/arguments.h"
#include <stdbool.h>

#include "queue/access/access.h"
#include "text/schemes.h"

/* Zeros: not given. */
typedef struct new_queue {
    seenset_options set; /* its scheme_arguments are those of `scheme` */
    scheme_request scheme;
    bool is_remake; /* what is not named is as in another queue */
    bool is_exact, is_keyed;
    seenset_queue_normalise normalise;
    bool has_window, is_window_bare; /* bare: a number without a unit */
    seenset_options window;          /* the options that --window implies */
} new_queue;

/* Rows of a table of options. name: of the queue's argument, as a literal. */
#define QUEUE_NEW_ROWS(name)                                                   \
    OPTION_GROUP("A new queue:"),                                              \
        {"capacity", 'n', "COUNT", 0, "Distinct URLs to plan for"},            \
        {"rate", 'p', "RATE", 0,                                               \
         "Chance that a new URL is dropped as seen (1e-6)"},                   \
        {NULL, 'm', "SIZE", 0,                                                 \
         "Size of its set in bytes (18MB), or in bits with the "               \
         "suffix b"},                                                          \
        {NULL, 'k', "K", 0, "Each URL sets K bits"},                           \
        {"on-full", QUEUE_OPTION_ON_FULL, "POLICY", 0,                         \
         "At its capacity: grow (default), degrade or refuse"},                \
        {"exact", QUEUE_OPTION_EXACT, NULL, 0,                                 \
         "Remember the URLs themselves; none is dropped by "                   \
         "mistake"},                                                           \
        {"keyed", OPTION_KEYED, NULL, 0,                                       \
         "Hash under a secret, so that others cannot craft URLs "              \
         "that are dropped; the secret is made in " name ".secret"},           \
        {"layout", OPTION_LAYOUT, "L", 0,                                      \
         "blocked (default), bloom, split_block, counting or "                 \
         "fingerprint"},                                                       \
        {"scheme", OPTION_SCHEME, "S", 0,                                      \
         "Set the same bits as another system, S"},                            \
        {"seed", OPTION_SEED, "S", 0, "The seed of the hash"},                 \
        {"seeds", OPTION_SEEDS, "LIST", 0,                                     \
         "Polynomial: its factors, such as 31,131,1313"},                      \
        {"units", OPTION_UNITS, "BITS", 0,                                     \
         "Polynomial: a URL is bytes (8) or UTF-16 units (16)"},               \
        {"window", OPTION_WINDOW, "W", 0,                                      \
         "Forget URLs after the last W new ones, or after the "                \
         "time W, such as 30d; then they are new again"},                      \
        {"sliding", OPTION_SLIDING, NULL, 0,                                   \
         "With --window: the time of a URL starts again whenever it is "       \
         "pushed"},                                                            \
    {                                                                          \
        "normalise", QUEUE_OPTION_NORMALISE, "HOW", 0,                         \
            "off, or url for one spelling of each URL"                         \
    }

/* Reads one of these options. Returns 0, or ARGUMENTS_UNKNOWN. */
int new_queue_parse(int key, char *text, arguments *state, new_queue *to);

/* At the end, in whichever order they came: joins --window with the others,
 * and refuses what does not go together. */
void new_queue_check(arguments *state, new_queue *to);

/* Reports what a --window without a unit means. */
void new_queue_say(const char *dir, const new_queue *made);

#endif
