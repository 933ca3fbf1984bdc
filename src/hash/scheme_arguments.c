/*
 * scheme_arguments.c - what a scheme can be given, and for which tables: all of
 * it follows from the facts in its row.
 */
#include <string.h>

#include "base/bits.h"
#include "hash/index_scheme.h"

/* ---- shapes ---- */

const uint32_t *ss_scheme_seeds(const ss_scheme *scheme,
                                const ss_scheme_arguments *arguments,
                                uint32_t *count)
{
    bool is_given = arguments->seeds != NULL;
    *count = is_given ? arguments->seed_count : scheme->own_seed_count;
    return is_given ? arguments->seeds : scheme->own_seeds;
}

uint32_t ss_scheme_max_hash_count(const ss_scheme *scheme,
                                  const ss_scheme_arguments *arguments)
{
    return arguments->seeds != NULL ? arguments->seed_count
                                    : scheme->max_hash_count;
}

bool ss_scheme_is_size(const ss_scheme *scheme, uint64_t size_bits)
{
    return size_bits != 0 && ss_scheme_round_up(scheme, size_bits) == size_bits;
}

bool ss_scheme_accepts(const ss_scheme *scheme,
                       const ss_scheme_arguments *arguments, uint64_t size_bits,
                       uint32_t hash_count)
{
    return ss_scheme_is_size(scheme, size_bits) &&
           hash_count >= scheme->min_hash_count &&
           hash_count <= ss_scheme_max_hash_count(scheme, arguments);
}

uint64_t ss_scheme_round_up(const ss_scheme *scheme, uint64_t size_bits)
{
    uint64_t rounded = size_bits;
    if (size_bits > scheme->max_size_bits)
        return 0;
    if (scheme->size_rule == SS_SCHEME_WHOLE_BYTES)
        rounded = (size_bits + 7) / 8 * 8;
    if (scheme->size_rule == SS_SCHEME_WHOLE_LINES)
        rounded = (size_bits + SS_LINE_BITS - 1) / SS_LINE_BITS * SS_LINE_BITS;
    if (scheme->size_rule == SS_SCHEME_POWER_OF_TWO)
        for (rounded = 1; rounded < size_bits;)
            rounded *= 2;
    return rounded <= scheme->max_size_bits ? rounded : 0;
}

/* ---- arguments ---- */

static bool is_list(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                    uint32_t b_count)
{
    return a_count == b_count &&
           (a == b ||
            (a != NULL && b != NULL && memcmp(a, b, a_count * sizeof *a) == 0));
}

/* Their own seeds are none, and bytes are not a unit to speak of. */
static ss_scheme_arguments simplest(const ss_scheme *scheme,
                                    const seenset_scheme_arguments *given)
{
    ss_scheme_arguments out = {
        .seed = given->seed,
        .seeds = given->seeds,
        .seed_count = given->seed_count,
        .unit_bits = given->unit_bits == 8 ? 0 : given->unit_bits};
    if (out.seeds != NULL && is_list(out.seeds, out.seed_count,
                                     scheme->own_seeds, scheme->own_seed_count))
        out.seeds = NULL;
    if (out.seeds == NULL)
        out.seed_count = 0;
    return out;
}

int ss_scheme_read_arguments(ss_scheme_arguments *out, const ss_scheme *scheme,
                             const seenset_scheme_arguments *given)
{
    static const seenset_scheme_arguments nothing = {0};
    if (given == NULL)
        given = &nothing;
    bool has_lists = scheme->own_seeds != NULL;
    if (!ss_scheme_are_arguments_whole(given) ||
        (given->unit_bits != 0 && !has_lists) ||
        (given->seeds != NULL && !has_lists))
        return SEENSET_EINVAL;
    ss_scheme_arguments made = simplest(scheme, given);
    if (!ss_scheme_takes(scheme, &made))
        return SEENSET_EINVAL;
    *out = made;
    return SEENSET_OK;
}

bool ss_scheme_takes(const ss_scheme *scheme,
                     const ss_scheme_arguments *arguments)
{
    bool has_lists = scheme->own_seeds != NULL;
    bool is_own = is_list(arguments->seeds, arguments->seed_count,
                          scheme->own_seeds, scheme->own_seed_count);
    if (arguments->seed > scheme->max_seed ||
        (arguments->unit_bits != 0 && arguments->unit_bits != 16))
        return false;
    if (arguments->seeds == NULL)
        return arguments->seed_count == 0 &&
               (has_lists || arguments->unit_bits == 0);
    return has_lists && !is_own && arguments->seed_count >= 1 &&
           arguments->seed_count <= SS_SCHEME_MAX_INDICES;
}

bool ss_scheme_has_arguments(const ss_scheme_arguments *arguments)
{
    return arguments->seed != 0 || arguments->seeds != NULL ||
           arguments->unit_bits != 0;
}

bool ss_scheme_is_same(const ss_scheme_arguments *a,
                       const ss_scheme_arguments *b)
{
    return a->seed == b->seed && a->unit_bits == b->unit_bits &&
           is_list(a->seeds, a->seed_count, b->seeds, b->seed_count) &&
           a->caller.function == b->caller.function &&
           a->caller.context == b->caller.context;
}
