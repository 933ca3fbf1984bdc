/*
 * peel.c - an order in which keys can be given slots, by one sweep over a
 * window.
 *
 * A slot that just one key uses can serve that key: take the key away, and
 * slots it shared may be left with one user. If all keys can be taken away
 * like this ("peeled"), then giving them back in reverse order, each one's own
 * slot is free to be set so that the XOR comes out right.
 *
 * Peeling starts where slots have few users, at the ends of the table, and
 * runs inwards as a front, a few segments wide. So this build sorts the keys
 * by place and peels while it reads them, with only a window of slots at hand:
 *
 *     dropped: all keys peeled   window: first ... end     keys not read yet
 *     ..........................|..:.:::::::::::::::|......................
 *                                 front        complete
 *
 * Each slot of the window counts its users and holds the XOR of their hashes,
 * so that the last user's hash is at hand when the count is one. The XOR of its
 * users' turns is there, too: which of its slots this is to the last one. A
 * slot may only be taken when it is complete: all keys of segments up to its
 * own were read. Peeled keys go back to the front of the caller's array in
 * order: never more than were read.
 *
 * The keys are in order by their upper bits only, as far as segments are told
 * apart. To sort them by all bits would take a third of the build, and would
 * serve to find equal ones, of which most callers have none. Equal keys are
 * never peeled, so they stop the front; only then are they looked for.
 *
 * If the front stops (by chance, some keys block each other), the window grows
 * to its limit and the attempt ends: the keys that were not peeled go back to
 * the array as well, and all is tried again with another seed.
 */
#include <string.h>

#include "table/sealed/peel.h"
#include "base/sort.h"

enum {
    FIRST_WINDOW = 16,            /* segments */
    ONE_USER = 1 << SS_TURN_BITS, /* in the byte of a slot */
    MANY_USERS = 0x80             /* 32, which sound hashes never are */
};

typedef ss_peel_window window;
typedef ss_peeler peeler;

/* ---- the window ---- */

static void give_window(const peeler *peel, const window *old)
{
    uint64_t slots = old->segments * peel->shape.segment_length;
    ss_memory_free(peel->memory, old->hashes, slots, sizeof *old->hashes);
    ss_memory_free(peel->memory, old->users, slots, sizeof *old->users);
    ss_memory_free(peel->memory, old->todo, slots + 1, sizeof *old->todo);
    ss_memory_free(peel->memory, old->keys, slots, sizeof *old->keys);
    ss_memory_free(peel->memory, old->runs, old->segments, sizeof *old->runs);
}

static bool take_window(const peeler *peel, uint64_t segments, window *out)
{
    uint64_t slots = segments * peel->shape.segment_length;
    *out = (window){
        .segments = segments,
        .hashes = ss_memory_alloc(peel->memory, slots, sizeof *out->hashes),
        .users = ss_memory_alloc(peel->memory, slots, sizeof *out->users),
        .todo = ss_memory_alloc(peel->memory, slots + 1, sizeof *out->todo),
        .keys = ss_memory_alloc(peel->memory, slots, sizeof *out->keys),
        .runs = ss_memory_alloc(peel->memory, segments, sizeof *out->runs)};
    if (out->hashes != NULL && out->users != NULL && out->todo != NULL &&
        out->keys != NULL && out->runs != NULL)
        return true;
    give_window(peel, out);
    return false;
}

static void copy_window(const peeler *peel, window *to)
{
    const window *from = &peel->window;
    const uint64_t length = peel->shape.segment_length;
    for (uint64_t i = 0; i < from->segments; i++) {
        uint64_t segment = peel->first + i;
        uint64_t old = segment % from->segments, new = segment % to->segments;
        memcpy(to->hashes + new *length, from->hashes + old * length,
               (size_t)length * sizeof *to->hashes);
        memcpy(to->users + new *length, from->users + old * length,
               (size_t)length);
        to->runs[new] = from->runs[old];
    }
    for (uint64_t i = peel->first_key; i < peel->read; i++)
        to->keys[i % (to->segments * length)] =
            from->keys[i % (from->segments * length)];
}

/* SEENSET_ERATE: it may not grow any more. */
static int grow_window(peeler *peel)
{
    window grown;
    if (peel->window.segments >= SS_FUSE_MOST_WINDOW)
        return SEENSET_ERATE;
    if (!take_window(peel, peel->window.segments * 2, &grown))
        return SEENSET_ENOMEM;
    copy_window(peel, &grown);
    give_window(peel, &peel->window);
    peel->window = grown;
    return SEENSET_OK;
}

/* ---- peeling ---- */

static SS_ALWAYS_INLINE void places_of(const peeler *peel, uint64_t x,
                                       unsigned arity,
                                       uint64_t places[SS_FUSE_MAX_ARITY])
{
    (void)ss_fuse_places(x, arity, peel->shape.segment_length,
                         ss_fuse_first_slots(&peel->shape), places);
}

/* place: of its first slot */
static SS_ALWAYS_INLINE void put_peeled(peeler *peel, uint64_t x,
                                        uint64_t place, unsigned turn)
{
    const window *w = &peel->window;
    uint64_t segment = place >> peel->length_bits;
    w->runs[segment & (w->segments - 1)].left--;
    peel->keys[peel->peeled] = x;
    peel->turns[peel->peeled / SS_TURNS_A_BYTE] |=
        (uint8_t)(turn << (peel->peeled % SS_TURNS_A_BYTE * SS_TURN_BITS));
    peel->peeled++;
}

/* Has a slot one user? */
static SS_ALWAYS_INLINE bool is_alone(uint8_t users)
{
    return users >> SS_TURN_BITS == 1;
}

/*
 * Peels what can be, starting from the todo_count slots in the list. Whether a
 * slot goes on the list is a matter of chance, so it is written there in any
 * case, and counts or not: no processor could guess a branch.
 */
static SS_ALWAYS_INLINE void peel_loop(peeler *peel, uint64_t todo_count,
                                       unsigned arity)
{
    const window w = peel->window;
    const uint64_t mask = w.segments * peel->shape.segment_length - 1;
    const uint64_t complete = peel->complete * peel->shape.segment_length;
    uint64_t places[SS_FUSE_MAX_ARITY];
    while (todo_count > 0) {
        uint64_t own = w.todo[--todo_count];
        if (!is_alone(w.users[own]))
            continue;
        uint64_t x = w.hashes[own];
        unsigned turn = w.users[own] % ONE_USER;
        places_of(peel, x, arity, places);
        for (unsigned i = 0; i < arity; i++) {
            uint64_t at = places[i] & mask;
            uint8_t users = (uint8_t)((w.users[at] - ONE_USER) ^ i);
            w.hashes[at] ^= x;
            w.users[at] = users;
            w.todo[todo_count] = (uint32_t)at;
            todo_count += is_alone(users) & (places[i] < complete);
        }
        put_peeled(peel, x, places[0], turn);
    }
}

/* Segments up to `complete` are complete now: peels from the new ones on. */
static void complete_segments(peeler *peel, uint64_t complete)
{
    const window *w = &peel->window;
    const uint64_t length = peel->shape.segment_length;
    uint64_t todo_count = 0;
    for (; peel->complete < complete; peel->complete++) {
        uint64_t start = peel->complete % w->segments * length;
        for (uint64_t i = start; i < start + length; i++) {
            w->todo[todo_count] = (uint32_t)i;
            todo_count += is_alone(w->users[i]);
        }
    }
    if (peel->shape.arity == 3)
        peel_loop(peel, todo_count, 3);
    else
        peel_loop(peel, todo_count, 4);
}

/* Drops segments whose keys are all peeled. */
static void drop_segments(peeler *peel)
{
    const window *w = &peel->window;
    const uint64_t length = peel->shape.segment_length;
    while (peel->first < peel->complete) {
        uint64_t place = peel->first % w->segments;
        if (w->runs[place].left > 0)
            return;
        memset(w->hashes + place * length, 0,
               (size_t)length * sizeof *w->hashes);
        memset(w->users + place * length, 0, (size_t)length);
        peel->first_key += w->runs[place].read;
        peel->first++;
    }
}

/* ---- reading ---- */

/*
 * Brings the keys whose first slot is in `segment` together, from peel->read
 * on, and returns how many they are. Only among keys that are alike in their
 * upper bits can some be after others of the next segment.
 */
static uint64_t run_length(const peeler *peel, uint64_t segment)
{
    const uint64_t first_slots = ss_fuse_first_slots(&peel->shape);
    const uint64_t end = (segment + 1) * peel->shape.segment_length;
    uint64_t *keys = peel->keys, last = peel->read;
    for (uint64_t i = peel->read; i < peel->key_count; i++) {
        uint64_t key = keys[i];
        if (ss_hash_range(key & ~peel->alike_bits, first_slots) >= end)
            break;
        if (ss_hash_range(key, first_slots) >= end)
            continue;
        keys[i] = keys[last];
        keys[last++] = key;
    }
    return last - peel->read;
}

/* False: a slot has so many users that their number may be wrong. */
static SS_ALWAYS_INLINE bool read_loop(peeler *peel, uint64_t count,
                                       unsigned arity)
{
    const window w = peel->window;
    const uint64_t mask = w.segments * peel->shape.segment_length - 1;
    const uint64_t end = peel->read + count;
    uint64_t places[SS_FUSE_MAX_ARITY];
    unsigned most = 0;
    for (uint64_t i = peel->read; i < end; i++) {
        uint64_t x = peel->keys[i];
        w.keys[i & mask] = x;
        places_of(peel, x, arity, places);
        for (unsigned k = 0; k < arity; k++) {
            uint64_t at = places[k] & mask;
            uint8_t users = (uint8_t)((w.users[at] + ONE_USER) ^ k);
            w.hashes[at] ^= x;
            w.users[at] = users;
            most |= users;
        }
    }
    peel->read = end;
    return most < MANY_USERS;
}

static int read_segment(peeler *peel, uint64_t segment)
{
    const uint64_t length = peel->shape.segment_length;
    uint64_t count = run_length(peel, segment);
    while (segment + peel->shape.arity - peel->first > peel->window.segments ||
           peel->read + count - peel->first_key >
               peel->window.segments * length) {
        int error = grow_window(peel);
        if (error != SEENSET_OK)
            return error;
    }
    peel->window.runs[segment % peel->window.segments] =
        (ss_key_run){.read = count, .left = count};
    bool is_sound = peel->shape.arity == 3 ? read_loop(peel, count, 3)
                                           : read_loop(peel, count, 4);
    return is_sound ? SEENSET_OK : SEENSET_ERATE;
}

/* ---- all of it ---- */

static int sweep(peeler *peel, ss_peel_report *report, void *context)
{
    const ss_fuse_shape *shape = &peel->shape;
    for (uint64_t i = 0; i < shape->segment_count; i++) {
        int error = read_segment(peel, i);
        if (error != SEENSET_OK)
            return error;
        complete_segments(peel, i + 1);
        drop_segments(peel);
        report(context, peel->peeled);
    }
    complete_segments(peel, shape->segment_count + shape->arity - 1);
    return peel->peeled == peel->key_count ? SEENSET_OK : SEENSET_ERATE;
}

/* The peeled keys of the window, into `out`, in order. Returns how many. */
static uint64_t list_peeled(const peeler *peel, uint64_t *out)
{
    const uint64_t first_slots = ss_fuse_first_slots(&peel->shape);
    const uint64_t first = peel->first * peel->shape.segment_length;
    uint64_t count = 0;
    for (uint64_t i = 0; i < peel->peeled; i++) {
        if (ss_hash_range(peel->keys[i], first_slots) >= first)
            out[count++] = peel->keys[i];
    }
    ss_sort_numbers(out, count);
    return count;
}

static bool is_among(const uint64_t *sorted, uint64_t count, uint64_t x)
{
    uint64_t first = 0, end = count;
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        if (sorted[middle] < x)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && sorted[first] == x;
}

/*
 * Puts the keys that were not peeled behind those that were. Which those are is
 * not remembered, as it hardly ever matters. The slots have room for the list:
 * no more keys are in a window.
 */
static void put_back(peeler *peel)
{
    const window *w = &peel->window;
    const uint64_t mask = w->segments * peel->shape.segment_length - 1;
    uint64_t *peeled = w->hashes;
    uint64_t count = list_peeled(peel, peeled);
    uint64_t end = peel->peeled;
    for (uint64_t i = peel->first_key; i < peel->read; i++) {
        uint64_t x = w->keys[i & mask];
        if (!is_among(peeled, count, x))
            peel->keys[end++] = x;
    }
}

static uint64_t turns_bytes(const peeler *peel)
{
    return peel->key_count / SS_TURNS_A_BYTE + 1;
}

int ss_peel_all(ss_peeler *peel, ss_peel_report *report, void *context)
{
    peel->turns = ss_memory_alloc(peel->memory, turns_bytes(peel), 1);
    if (peel->turns == NULL)
        return SEENSET_ENOMEM;
    int error = SEENSET_ENOMEM;
    if (take_window(peel, FIRST_WINDOW, &peel->window)) {
        error = sweep(peel, report, context);
        if (error != SEENSET_OK)
            put_back(peel);
        give_window(peel, &peel->window);
    }
    if (error != SEENSET_OK)
        ss_peel_free_turns(peel);
    return error;
}

void ss_peel_free_turns(ss_peeler *peel)
{
    ss_memory_free(peel->memory, peel->turns, turns_bytes(peel), 1);
}
