/*
 * fuzz_operations.c - bytes as a row of calls, on any kind of set, against the
 * truth.
 *
 * The first bytes choose a kind: layout, policy, size, rate, scheme, secret.
 * The rest are calls on two sets of that kind. Beside each set is an array
 * of how often every key was added, and when it was new. A set may
 * never deny a key that it owes, never call it new, never count it too low;
 * batches must do what single keys do, bit for bit; and a set that was written
 * and opened must go on as if nothing had happened.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIVERSE = 256,
    BATCH = 100,
    MOST_CALLS = 150,
    MOST_TABLES = 20 /* of two sets together; 64 is the library's limit */
};

/* A set, and the truth about it. */
typedef struct witness {
    seenset *set;
    uint64_t window; /* keys that are remembered; 0: all */
    uint64_t news;   /* adds that were new */
    uint32_t copies[UNIVERSE];
    uint64_t new_at[UNIVERSE]; /* news, when the key was new the last time */
} witness;

typedef struct world {
    seenset_allocator allocator;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_options options;
    bool is_counting, is_planted;
    uint64_t full; /* a count that is full */
    witness sets[2];
} world;

/* Must the set have this key? */
static bool owes(const witness *of, unsigned key)
{
    if (of->window == 0)
        return of->copies[key] > 0;
    return of->new_at[key] > 0 && of->news - of->new_at[key] < of->window;
}

/* Key number n: its number, and n % 40 bytes more. */
static seenset_key key_of(unsigned number, uint8_t room[64])
{
    memset(room, (int)(number % 251), 64);
    room[0] = (uint8_t)number;
    return (seenset_key){room, 1 + number % 40};
}

/* Half of all keys come from a few, so that many are seen. */
static unsigned pick(fuzz_bytes *from)
{
    unsigned number = fuzz_below(from, UNIVERSE);
    return number % 2 == 0 ? number : number % 16;
}

/* ---- keys in, out, and asked for ---- */

static bool is_growth_refused(const world *in, int answer)
{
    return in->options.on_full != SEENSET_ON_FULL_REFUSE &&
           (answer == SEENSET_ENOMEM || answer == SEENSET_ERATE ||
            answer == SEENSET_ETOOBIG);
}

/* Brings the truth up to date after an add. */
static void learn(const world *in, witness *of, unsigned number, int answer)
{
    fuzz_must(answer == 0 || answer == 1 || answer == SEENSET_EFULL ||
                  is_growth_refused(in, answer),
              "an add has an answer");
    fuzz_must(answer == 0 || !owes(of, number), "new only if new");
    fuzz_must(answer != SEENSET_EFULL ||
                  in->options.on_full == SEENSET_ON_FULL_REFUSE,
              "full only if it refuses");
    if (answer < 0)
        return;
    of->copies[number]++;
    if (answer == 1)
        of->new_at[number] = ++of->news;
}

static void do_add(world *in, witness *of, fuzz_bytes *from)
{
    uint8_t room[64];
    unsigned number = pick(from);
    seenset_key key = key_of(number, room);
    if (in->is_planted && number == 8 && !owes(of, number)) {
        learn(in, of, number, 1);
        return;
    }
    learn(in, of, number, seenset_add(of->set, key.data, key.len));
}

static void check_key(const world *in, const witness *of, unsigned number)
{
    uint8_t room[64];
    uint64_t count = 0;
    seenset_key key = key_of(number, room);
    int answer = seenset_has(of->set, key.data, key.len);
    fuzz_must(answer == 0 || answer == 1, "has returns 0 or 1");
    fuzz_must(answer == 1 || !owes(of, number), "a key is never forgotten");
    if (!in->is_counting)
        return;
    fuzz_must(seenset_count(of->set, key.data, key.len, &count) == SEENSET_OK,
              "a counting set counts");
    fuzz_must(count == in->full || count >= of->copies[number],
              "a count is never too low");
    fuzz_must((count > 0) == (answer == 1), "what is seen counts");
}

/* Takes out a copy of a key that has one. */
static void do_remove(world *in, witness *of, fuzz_bytes *from)
{
    uint8_t room[64];
    unsigned number = pick(from);
    seenset_key key = key_of(number, room);
    if (!in->is_counting) {
        fuzz_must(seenset_remove(of->set, key.data, key.len) ==
                      SEENSET_EUNSUPPORTED,
                  "only counting sets remove");
    } else if (of->copies[number] > 0) {
        fuzz_must(seenset_remove(of->set, key.data, key.len) == 1,
                  "a key that was added can be taken out");
        of->copies[number]--;
    }
    check_key(in, of, number);
}

/* ---- batches, against single keys on a copy ---- */

static void check_equal(const seenset *a, const seenset *b, const char *rule)
{
    size_t a_bytes, b_bytes;
    uint8_t *of_a = fuzz_bytes_of(a, &a_bytes);
    uint8_t *of_b = fuzz_bytes_of(b, &b_bytes);
    fuzz_must(a_bytes == b_bytes && memcmp(of_a, of_b, a_bytes) == 0, rule);
    free(of_a);
    free(of_b);
}

typedef struct batch {
    uint8_t rooms[BATCH][64];
    seenset_key keys[BATCH];
    unsigned numbers[BATCH];
    uint8_t answers[BATCH];
    size_t count;
} batch;

static void fill_batch(batch *of, fuzz_bytes *from)
{
    of->count = fuzz_below(from, BATCH + 1);
    unsigned first = pick(from), step = fuzz_below(from, 8);
    for (size_t i = 0; i < of->count; i++) {
        of->numbers[i] = (first + step * (unsigned)i) % UNIVERSE;
        of->keys[i] = key_of(of->numbers[i], of->rooms[i]);
    }
}

static void do_add_many(world *in, witness *of, fuzz_bytes *from)
{
    batch some;
    seenset *copy = NULL;
    int refusal = SEENSET_OK;
    fill_batch(&some, from);
    if (seenset_copy(&copy, of->set) != SEENSET_OK)
        return;
    int error = seenset_add_many(of->set, some.keys, some.count, some.answers);
    for (size_t i = 0; i < some.count; i++) {
        int single = seenset_add(copy, some.keys[i].data, some.keys[i].len);
        int answer = some.answers[i];
        if (single < 0 && refusal == SEENSET_OK)
            refusal = single;
        fuzz_must(answer == (single < 0 ? SEENSET_ANSWER_REFUSED : single),
                  "a batch adds like single keys");
        learn(in, of, some.numbers[i], single);
    }
    fuzz_must((error == SEENSET_OK) == (refusal == SEENSET_OK),
              "a batch reports a refusal");
    check_equal(of->set, copy, "a batch leaves what single keys leave");
    seenset_free(copy);
}

static void do_has_many(const world *in, witness *of, fuzz_bytes *from)
{
    batch some;
    fill_batch(&some, from);
    fuzz_must(seenset_has_many(of->set, some.keys, some.count, some.answers) ==
                  SEENSET_OK,
              "a batch can be asked for");
    for (size_t i = 0; i < some.count; i++) {
        int single = seenset_has(of->set, some.keys[i].data, some.keys[i].len);
        fuzz_must(some.answers[i] == single, "a batch asks like single keys");
        check_key(in, of, some.numbers[i]);
    }
}

/* Building reports nothing of single keys; windows and refusals depend on which
 * were new. */
static void do_build(world *in, witness *of, fuzz_bytes *from)
{
    batch some;
    fill_batch(&some, from);
    if (of->window > 0 || in->options.on_full == SEENSET_ON_FULL_REFUSE)
        return;
    int error = seenset_add_parallel(of->set, some.keys, some.count, 1);
    fuzz_must(error == SEENSET_OK || is_growth_refused(in, error),
              "a set can be built");
    for (size_t i = 0; i < some.count && error == SEENSET_OK; i++)
        of->copies[some.numbers[i]]++;
}

/* ---- whole sets ---- */

static void do_write_and_open(world *in, witness *of)
{
    size_t size_bytes;
    seenset *copy = NULL, *view = NULL;
    uint8_t *bytes = fuzz_bytes_of(of->set, &size_bytes);
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret = in->options.secret,
                                    .allocator = &in->allocator};
    fuzz_must(seenset_open_bytes(&copy, bytes, size_bytes, &options) == 0,
              "what was written opens as a copy");
    options.flags = SEENSET_OPEN_VIEW;
    fuzz_must(seenset_open_bytes(&view, bytes, size_bytes, &options) == 0,
              "what was written opens as a view");
    check_equal(of->set, copy, "a copy has the same bytes");
    check_equal(of->set, view, "a view has the same bytes");
    seenset_free(view);
    free(bytes);
    seenset_free(of->set);
    of->set = copy;
}

static uint32_t tables_of(const seenset *set)
{
    seenset_stats stats;
    fuzz_must(seenset_get_stats(set, &stats, sizeof stats) == SEENSET_OK,
              "stats are returned");
    return stats.table_count;
}

static void do_merge(witness *into, const witness *from)
{
    if (into->window > 0 ||
        tables_of(into->set) + tables_of(from->set) > MOST_TABLES)
        return;
    int error = seenset_merge(into->set, from->set);
    fuzz_must(error == SEENSET_OK || error == SEENSET_ENOMEM,
              "sets of one kind merge");
    for (unsigned i = 0; i < UNIVERSE && error == SEENSET_OK; i++)
        into->copies[i] += from->copies[i];
    if (error == SEENSET_OK && tables_of(into->set) == 1 &&
        tables_of(from->set) == 1) {
        bool holds = false;
        error = seenset_is_superset(into->set, from->set, &holds);
        fuzz_must(holds || error == SEENSET_EUNSUPPORTED, "a union holds both");
    }
}

static void do_intersect(witness *into, const witness *from)
{
    if (into->window > 0 ||
        seenset_intersect(into->set, from->set) != SEENSET_OK)
        return;
    for (unsigned i = 0; i < UNIVERSE; i++)
        if (from->copies[i] == 0)
            into->copies[i] = 0;
}

static void do_clear(witness *of)
{
    fuzz_must(seenset_clear(of->set) == SEENSET_OK, "a set clears");
    memset(of->copies, 0, sizeof of->copies);
    memset(of->new_at, 0, sizeof of->new_at);
    for (unsigned i = 0; i < UNIVERSE; i++) {
        uint8_t room[64];
        seenset_key key = key_of(i, room);
        fuzz_must(seenset_has(of->set, key.data, key.len) == 0,
                  "a set that was cleared has nothing");
    }
}

/* A sealed set of the keys that the set owes. */
static void do_seal(const world *in, const witness *of)
{
    batch some = {0};
    seenset *sealed = NULL;
    const seenset_options options = {.fp_rate = 0.01,
                                     .secret = in->options.secret,
                                     .allocator = &in->allocator};
    for (unsigned i = 0; i < UNIVERSE && some.count < BATCH; i++)
        if (owes(of, i)) {
            some.keys[some.count] = key_of(i, some.rooms[some.count]);
            some.count++;
        }
    int error = seenset_build_sealed(&sealed, &options, some.keys, some.count,
                                     NULL, NULL);
    fuzz_must(error == SEENSET_OK, "a few keys can be sealed");
    for (size_t i = 0; i < some.count; i++)
        fuzz_must(seenset_has(sealed, some.keys[i].data, some.keys[i].len) == 1,
                  "a sealed key is there");
    fuzz_must(seenset_add(sealed, "", 0) == SEENSET_EUNSUPPORTED,
              "nothing is added to a sealed set");
    seenset_free(sealed);
}

static void check_all(const world *in, const witness *of)
{
    seenset_stats stats;
    for (unsigned i = 0; i < UNIVERSE; i++)
        check_key(in, of, i);
    fuzz_must(seenset_get_stats(of->set, &stats, sizeof stats) == SEENSET_OK,
              "stats are returned");
    fuzz_must(stats.set_bits <= stats.size_bits && stats.fill <= 1,
              "no more bits are set than there are");
    fuzz_must(stats.current_fp_rate >= 0 && stats.current_fp_rate <= 1,
              "a rate is a rate");
}

/* ---- rows of calls ---- */

static const uint32_t factors[] = {31, 131, 1313, 13131, 5, 7, 11, 13, 37, 61};
static const seenset_scheme_arguments seed = {.seed = 7},
                                      words = {.seeds = factors,
                                               .seed_count = 10,
                                               .unit_bits = 16};

static void choose(world *in, fuzz_bytes *from)
{
    static const double rates[] = {0.01, 0.5, 1e-4, 1e-9, 0.999};
    unsigned kind = (unsigned)fuzz_number(from, 4);
    seenset_options *options = &in->options;
    in->allocator = fuzz_allocator();
    options->layout = (seenset_layout)(1 + kind % 3);
    options->on_full = (seenset_on_full)(kind / 4 % 5);
    options->capacity_items = 1 + fuzz_number(from, 1);
    options->fp_rate = rates[kind / 32 % 5];
    options->counter_bits = (kind >> 8 & 3) == 3 ? 0 : 4u << (kind >> 8 & 3);
    if (kind >> 28 != 0)
        options->counter_bits = 1 + (kind >> 28); /* 2 to 16 */
    options->flags = (kind >> 10 & 7) == 0 ? SEENSET_FLAG_SHARED : 0;
    options->scheme = (kind >> 13 & 3) == 0 ? 2 + kind / 64 % 5 : 0;
    options->secret = (kind >> 15 & 3) == 0 ? in->secret : NULL;
    if ((kind >> 28 & 7) == 1)
        options->scheme = SEENSET_SCHEME_CLICKHOUSE_BLOOM + kind / 64 % 3;
    if ((kind >> 28 & 7) < 2)
        options->scheme_arguments =
            options->scheme == SEENSET_SCHEME_POLYNOMIAL ? &words : &seed;
    options->allocator = &in->allocator;
    if (options->layout != SEENSET_LAYOUT_COUNTING)
        options->counter_bits = 0;
    if (options->on_full == SEENSET_ON_FULL_ROTATE)
        options->window_generations = 2 + (kind >> 17) % 9;
    if ((kind >> 21 & 7) == 0 && options->layout != SEENSET_LAYOUT_COUNTING)
        options->hash_count = 8 * (1 + (kind >> 24) % 3);
    in->is_counting = options->layout == SEENSET_LAYOUT_COUNTING;
    in->full = options->counter_bits == 0
                   ? 15
                   : (UINT64_C(1) << options->counter_bits) - 1;
    in->is_planted = FUZZ_IS_PLANTED;
}

static void call(world *in, fuzz_bytes *from)
{
    unsigned how = fuzz_below(from, 64);
    witness *of = &in->sets[how % 2], *other = &in->sets[1 - how % 2];
    switch (how / 2) {
    case 0:
        do_write_and_open(in, of);
        break;
    case 1:
        do_merge(of, other);
        break;
    case 2:
        do_intersect(of, other);
        break;
    case 3:
        do_clear(of);
        break;
    case 4:
        do_seal(in, of);
        break;
    case 5:
    case 6:
    case 7:
        do_add_many(in, of, from);
        break;
    case 8:
    case 9:
        do_has_many(in, of, from);
        break;
    case 10:
        do_build(in, of, from);
        break;
    case 11:
    case 12:
    case 13:
        do_remove(in, of, from);
        break;
    case 14:
    case 15:
        check_key(in, of, pick(from));
        break;
    default:
        do_add(in, of, from);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    fuzz_bytes from = {data, size_bytes};
    world *in = calloc(1, sizeof *in);
    fuzz_must(in != NULL, "there is memory for the truth");
    choose(in, &from);
    bool is_made = true;
    for (int i = 0; i < 2; i++) {
        is_made &= seenset_new(&in->sets[i].set, &in->options) == SEENSET_OK;
        if (in->options.on_full == SEENSET_ON_FULL_ROTATE)
            in->sets[i].window = in->options.capacity_items;
    }
    for (int i = 0; is_made && from.left > 0 && i < MOST_CALLS; i++)
        call(in, &from);
    for (int i = 0; i < 2; i++) {
        if (is_made)
            check_all(in, &in->sets[i]);
        seenset_free(in->sets[i].set);
    }
    free(in);
    return 0;
}
