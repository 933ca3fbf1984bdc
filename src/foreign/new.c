/*
 * new.c - an empty file of another system: bits of zero, and what is around
 * them.
 */
#include <math.h>
#include <string.h>

#include "foreign/foreign.h"

double ss_foreign_size_of(const seenset_plan *plan)
{
    double n = (double)plan->capacity_items;
    return floor(-n * log(plan->fp_rate) / (log(2.0) * log(2.0)));
}

/* Is it a plan of a number of keys and a rate, and perhaps of a size? */
static bool is_plan(const seenset_plan *plan)
{
    return plan->capacity_items >= 1 &&
           plan->capacity_items <= SEENSET_MAX_SIZE_BITS && plan->fp_rate > 0 &&
           plan->fp_rate < 1 &&
           (plan->size_bits == 0) == (plan->hash_count == 0);
}

/* The plan with the numbers that it lacks. */
static int complete(seenset_plan *plan, const ss_format *format,
                    seenset_scheme *scheme)
{
    if (!is_plan(plan))
        return SEENSET_EINVAL;
    if (*scheme == SEENSET_SCHEME_DEFAULT)
        *scheme = format->scheme;
    bool is_given = plan->size_bits != 0;
    if (!is_given)
        format->solve(plan);
    bool is_table =
        plan->size_bits >= 1 && plan->size_bits <= SEENSET_MAX_SIZE_BITS &&
        plan->hash_count >= 1 && plan->hash_count <= SEENSET_MAX_HASH_COUNT;
    if (is_table && format->holds(plan, *scheme))
        return SEENSET_OK;
    return is_given || *scheme != format->scheme ? SEENSET_EMISMATCH
                                                 : SEENSET_ETOOBIG;
}

int seenset_foreign_new_bytes(seenset_format format, seenset_scheme scheme,
                              const seenset_plan *plan, void *bytes,
                              size_t *size_bytes)
{
    const ss_format *row = ss_format_find(format);
    if (plan == NULL || size_bytes == NULL)
        return SEENSET_EINVAL;
    if (row == NULL || row->put_empty == NULL)
        return SEENSET_EUNSUPPORTED;
    seenset_plan made = *plan;
    int error = complete(&made, row, &scheme);
    if (error != SEENSET_OK)
        return error;
    uint64_t needed = row->file_bytes(&made);
    if (needed > SIZE_MAX)
        return SEENSET_ETOOBIG;
    bool is_room = bytes != NULL && *size_bytes >= needed;
    *size_bytes = (size_t)needed;
    if (!is_room)
        return SEENSET_ESPACE;
    memset(bytes, 0, (size_t)needed);
    row->put_empty(bytes, &made, scheme);
    return SEENSET_OK;
}
