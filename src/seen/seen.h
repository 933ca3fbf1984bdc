/*
 * seen.h - which URLs have been pushed: the set, and those on their way to it.
 *
 * Under durability `each` a URL goes into the set once its record is durable.
 * Until then it is in one of two in_flight tables: that of the group which is
 * being appended to, or that of the sync under way. In the other modes it goes
 * into the set at once, and both tables are empty.
 *
 * A URL is known if the set or one of the tables has it, unless it was
 * forgotten since. In a sliding window a URL that is known is on its way, too,
 * when it is to be remembered anew.
 */
#ifndef SS_SEEN_SEEN_H
#define SS_SEEN_SEEN_H

#include "seen/forgotten.h"
#include "seen/in_flight.h"
#include "seen/url_set.h"
#include "set/figures/figures.h"

typedef struct ss_seen {
    ss_url_set set;
    /* What the set reports, kept here because it is needed for each push. */
    uint64_t capacity_items, added_items;
    bool refuses; /* new URLs, once added_items has reached capacity_items */
    ss_in_flight in_flight[2];
    unsigned filling; /* the index of the group's table */
    ss_forgotten forgotten;
    uint64_t returned_end; /* a URL that had been forgotten was pushed by a
                              record that ends here: the set has it already */
} ss_seen;

/* Reads the numbers of the set, once it is there and whole. */
void ss_seen_init(ss_seen *seen);
void ss_seen_free(ss_seen *seen, const ss_memory *memory);

/*
 * Adds a URL to the set; one that a full set refuses counts as added. Returns
 * 0, or the error of seenset_add: the set has no memory or no further table
 * for it.
 */
int ss_seen_add(ss_seen *seen, const ss_pushed *url);

/*
 * Adds to the set what is durable and could not be added when its sync ended.
 * Returns 0, or the error of ss_seen_add: until that is resolved, no URL may
 * be pushed and the set not be saved.
 */
int ss_seen_add_durable(ss_seen *seen);

/* Is a URL in either table? */
bool ss_seen_is_in_flight(const ss_seen *seen, const ss_pushed *url);

/* Was it forgotten, and not pushed since? */
bool ss_seen_is_forgotten(const ss_seen *seen, const ss_pushed *url);

/* It is forgotten (for which there is room), or pushed: was it forgotten? */
void ss_seen_forget(ss_seen *seen, const ss_pushed *url);
bool ss_seen_remember(ss_seen *seen, const ss_pushed *url);

/* Would the set refuse another URL, with those in flight added? */
bool ss_seen_is_full(const ss_seen *seen);

/*
 * Makes sure that `more` URLs of so many bytes together can be added to the
 * group's table. First, since the set may learn of a URL by that, adds what is
 * durable. Returns 0, SEENSET_ENOMEM, or the error of ss_seen_add_durable.
 */
int ss_seen_reserve(ss_seen *seen, const ss_memory *memory, size_t more,
                    size_t more_bytes);

/* A URL for which there is room joins the group. */
void ss_seen_join_group(ss_seen *seen, const ss_pushed *url);

/* The group's sync begins; the table of the one before it is for a new group.*/
void ss_seen_start_group(ss_seen *seen);

/* The sync succeeded: what it covered goes to the set, now if there is memory,
 * else with ss_seen_add_durable. */
void ss_seen_end_sync(ss_seen *seen);

/* The group was rolled back: forgets those of its URLs that are not durable.
 * The group began at `group`. */
void ss_seen_roll_back(ss_seen *seen, uint64_t group);

/* Takes down the state of the set (set/figures/figures.h). */
int ss_seen_take_state(const ss_seen *seen, uint64_t most_bytes,
                       ss_set_state *state);

/* Has the set tell of its capacity whom the options name. */
void ss_seen_watch_capacity(ss_seen *seen, const seenset_options *options);

/* A URL was refused: tells, if nobody was told. */
void ss_seen_tell_capacity(ss_seen *seen);

/* Bytes of memory of the set, and of the tables in flight. */
uint64_t ss_seen_set_bytes(const ss_seen *seen);
uint64_t ss_seen_memory_bytes(const ss_seen *seen);

#endif
