/*
 * window_by_age.c - a set that has the keys of the last W seconds: spans of
 * tables, the newest of which takes keys, and those whose time is over are not
 * asked (set/window.c has the idea).
 *
 * A sliding window adds a key that only older spans have to the newest, too.
 */
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"
#include "set/window.h"

/* Do generations first, ..., end - 1 have it, of those that still count? The
 * newest is asked first. */
static bool is_among(const seenset *set, uint32_t first, uint32_t end,
                     uint64_t hash, uint64_t now)
{
    for (uint32_t i = end; i > first; i--) {
        const ss_table *table = &set->generations[i - 1].table;
        if (!ss_age_is_over(set, i - 1, now) && table->layout->has(table, hash))
            return true;
    }
    return false;
}

static bool has_at(const seenset *set, uint64_t hash, uint64_t now)
{
    return is_among(set, 0, set->generation_count, hash, now);
}

static int has_hash(const seenset *set, uint64_t hash)
{
    return has_at(set, hash, ss_set_now(set));
}

static int add_at(seenset *set, uint64_t hash, uint64_t now)
{
    int error = ss_window_expire(set, now);
    if (has_at(set, hash, now))
        return 0;
    if (error == SEENSET_OK)
        error = ss_room_make(set);
    return error == SEENSET_OK ? ss_room_put(set, hash) : error;
}

static int add_hash(seenset *set, uint64_t hash)
{
    return add_at(set, hash, ss_set_now(set));
}

const ss_set_kind ss_kind_window_by_age = {.name = "window_by_age",
                                           .add = ss_kind_add_key,
                                           .add_hash = add_hash,
                                           .add_at = add_at,
                                           .add_many = ss_chunks_add_blindly,
                                           .add_batch = ss_chunks_add_many,
                                           .has = ss_kind_has_key,
                                           .has_hash = has_hash,
                                           .has_many = ss_chunks_has_many,
                                           .renews = ss_kind_never_renews};

/* ---- sliding ---- */

static int slide_at(seenset *set, uint64_t hash, uint64_t now)
{
    int error = ss_window_expire(set, now);
    uint32_t count = set->generation_count, older = count;
    /* a span that is due, and cannot be had, is not there to renew a key in */
    if (error == SEENSET_OK)
        older -= ss_window_newest_count(set);
    if (is_among(set, older, count, hash, now))
        return 0;
    bool is_seen = is_among(set, 0, older, hash, now);
    if (error == SEENSET_OK)
        error = ss_room_make(set);
    if (error != SEENSET_OK)
        return error;
    int is_added = ss_room_put(set, hash);
    return is_added > 0 ? !is_seen : is_added;
}

static int slide_hash(seenset *set, uint64_t hash)
{
    return slide_at(set, hash, ss_set_now(set));
}

static bool renews(const seenset *set, uint64_t hash)
{
    uint64_t now = ss_set_now(set);
    uint32_t count = set->generation_count, older = count;
    if (!ss_window_is_span_due(set, now))
        older -= ss_window_newest_count(set);
    return !is_among(set, older, count, hash, now) &&
           is_among(set, 0, older, hash, now);
}

const ss_set_kind ss_kind_sliding_by_age = {.name = "sliding_by_age",
                                            .flags = SEENSET_FLAG_SLIDING,
                                            .repeats_keys = true,
                                            .add = ss_kind_add_key,
                                            .add_hash = slide_hash,
                                            .add_at = slide_at,
                                            .add_many = ss_chunks_add_blindly,
                                            .add_batch = ss_chunks_slide_many,
                                            .has = ss_kind_has_key,
                                            .has_hash = has_hash,
                                            .has_many = ss_chunks_has_many,
                                            .renews = renews};
