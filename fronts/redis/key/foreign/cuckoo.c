/* cuckoo.c - keys in a list of sets of fingerprints; see cuckoo.h */
#include "key/foreign/cuckoo.h"

#include <math.h>

#include "seenset/extra/formulas.h"
#include "server/api.h"
#include "server/memory.h"

/* ---- making and freeing ---- */

bool sr_cuckoo_keeps(uint64_t size_bits, uint32_t hash_count, uint32_t bits)
{
    const seenset_plan of = {.layout = SEENSET_LAYOUT_FINGERPRINT};
    double rate_of_one =
        seenset_plan_fp_rate(of.layout, 1, size_bits, hash_count);
    double fingerprints = 1.0 / (rate_of_one - ldexp(1.0, -64));
    /* The formula's last digits are rounded. */
    return fingerprints * (1.0 - 1e-6) >= ldexp(1.0, (int)bits);
}

/* The bits that set number `index` is to keep; 64: more than there are. */
static uint32_t bits_of(uint64_t capacity, uint32_t index)
{
    double rate = SR_CUCKOO_RATE / ((index + 1.0) * (index + 2.0));
    uint32_t bits = 1;
    while (bits < 64 && !(ldexp(rate, (int)bits) >= (double)capacity))
        bits++;
    return bits;
}

/* Plans set number `index`. The first rate that is tried is that of so many
 * bits; whole lines and widths then nearly always tell apart more. */
static int plan_part(uint64_t capacity, uint32_t index, seenset_plan *plan,
                     uint32_t *bits)
{
    *bits = bits_of(capacity, index);
    if (*bits > 63)
        return SEENSET_ETOOBIG;
    double rate = (double)capacity * ldexp(1.0, -(int)*bits);
    for (int i = 0; i < 64; i++, rate *= 0.9) {
        *plan = (seenset_plan){.layout = SEENSET_LAYOUT_FINGERPRINT,
                               .capacity_items = capacity,
                               .fp_rate = rate};
        int error = seenset_plan_solve(plan);
        if (error != 0)
            return error;
        if (sr_cuckoo_keeps(plan->size_bits, plan->hash_count, *bits))
            return 0;
    }
    return SEENSET_ERATE;
}

static int append_part(sr_cuckoo *cuckoo, uint64_t capacity)
{
    seenset_plan plan;
    sr_cuckoo_part part = {.capacity = capacity};
    int error = plan_part(capacity, cuckoo->count, &plan, &part.bits);
    if (error != 0)
        return error;
    seenset_options options = {.layout = plan.layout,
                               .capacity_items = capacity,
                               .size_bits = plan.size_bits,
                               .hash_count = plan.hash_count,
                               .flags = SEENSET_FLAG_ZEROED,
                               .allocator = &sr_allocator};
    error = seenset_new(&part.set, &options);
    if (error == 0)
        cuckoo->parts[cuckoo->count++] = part;
    return error;
}

static uint64_t buckets_of(const sr_cuckoo_options *options)
{
    uint64_t least = (options->capacity - 1) / options->bucket_size + 1;
    uint64_t buckets = 1;
    while (buckets < least)
        buckets *= 2;
    return buckets;
}

uint64_t sr_cuckoo_first_capacity(const sr_cuckoo_options *options)
{
    uint64_t capacity;
    bool is_too_big = options->capacity > SR_CUCKOO_MAX_CAPACITY ||
                      __builtin_mul_overflow(buckets_of(options),
                                             options->bucket_size, &capacity);
    return is_too_big || capacity > SR_CUCKOO_MAX_CAPACITY ? UINT64_MAX
                                                           : capacity;
}

uint64_t sr_cuckoo_planned_bytes(const sr_cuckoo_options *options)
{
    seenset_plan plan;
    uint32_t bits;
    uint64_t capacity = sr_cuckoo_first_capacity(options);
    if (capacity == UINT64_MAX || plan_part(capacity, 0, &plan, &bits) != 0)
        return 0;
    return plan.size_bits / 8;
}

int sr_cuckoo_new(sr_cuckoo **out, const sr_cuckoo_options *options)
{
    uint64_t capacity = sr_cuckoo_first_capacity(options);
    if (capacity == UINT64_MAX)
        return SEENSET_ETOOBIG;
    sr_cuckoo *cuckoo = sr_redis.try_alloc(sizeof *cuckoo);
    if (cuckoo == NULL)
        return SEENSET_ENOMEM;
    *cuckoo = (sr_cuckoo){.buckets = capacity / options->bucket_size,
                          .bucket_size = options->bucket_size,
                          .max_iterations = options->max_iterations,
                          .expansion = options->expansion};
    int error = append_part(cuckoo, capacity);
    if (error == 0)
        *out = cuckoo;
    else
        sr_cuckoo_free(cuckoo);
    return error;
}

void sr_cuckoo_free(sr_cuckoo *cuckoo)
{
    if (cuckoo == NULL)
        return;
    for (uint32_t i = 0; i < cuckoo->count; i++)
        seenset_free(cuckoo->parts[i].set);
    sr_redis.free(cuckoo);
}

sr_cuckoo *sr_cuckoo_copy(const sr_cuckoo *cuckoo)
{
    sr_cuckoo *copy = sr_redis.try_alloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *cuckoo;
    for (copy->count = 0; copy->count < cuckoo->count; copy->count++) {
        uint32_t i = copy->count;
        if (seenset_copy(&copy->parts[i].set, cuckoo->parts[i].set) != 0) {
            sr_cuckoo_free(copy);
            return NULL;
        }
    }
    return copy;
}

uint64_t sr_cuckoo_bytes(const sr_cuckoo *cuckoo)
{
    uint64_t bytes = sizeof *cuckoo;
    for (uint32_t i = 0; i < cuckoo->count; i++) {
        seenset_info info = {0};
        seenset_get_info(cuckoo->parts[i].set, &info, sizeof info);
        bytes += info.memory_bytes;
    }
    return bytes;
}

/* ---- keys ---- */

/* What a set is given of a hash. */
static uint64_t first_bits(const sr_cuckoo_part *part, uint64_t hash)
{
    return hash >> (64 - part->bits) << (64 - part->bits);
}

static uint64_t count_in(const sr_cuckoo_part *part, uint64_t hash)
{
    uint64_t count = 0;
    seenset_count_hash(part->set, first_bits(part, hash), &count);
    return count;
}

int sr_cuckoo_has(const sr_cuckoo *cuckoo, const seenset_key *key)
{
    uint64_t hash = seenset_hash(key->data, key->len);
    for (uint32_t i = cuckoo->count; i-- > 0;) {
        const sr_cuckoo_part *part = &cuckoo->parts[i];
        if (seenset_has_hash(part->set, first_bits(part, hash)) != 0)
            return 1;
    }
    return 0;
}

uint64_t sr_cuckoo_count(const sr_cuckoo *cuckoo, const seenset_key *key)
{
    uint64_t hash = seenset_hash(key->data, key->len), count = 0;
    for (uint32_t i = 0; i < cuckoo->count; i++)
        count += count_in(&cuckoo->parts[i], hash);
    return count;
}

static int grow(sr_cuckoo *cuckoo, uint32_t most_parts)
{
    uint64_t last = cuckoo->parts[cuckoo->count - 1].capacity, capacity;
    uint64_t times = cuckoo->expansion > 2 ? cuckoo->expansion : 2;
    if (cuckoo->expansion == 0)
        return SEENSET_EFULL;
    if (cuckoo->count >= most_parts || cuckoo->count == SR_CUCKOO_MAX_PARTS ||
        __builtin_mul_overflow(last, times, &capacity) ||
        capacity > SR_CUCKOO_MAX_CAPACITY)
        return SEENSET_ETOOBIG;
    return append_part(cuckoo, capacity);
}

/* The first set with room; count: there is none. */
static uint32_t find_room(const sr_cuckoo *cuckoo)
{
    uint32_t i = 0;
    while (i < cuckoo->count &&
           cuckoo->parts[i].slots >= cuckoo->parts[i].capacity)
        i++;
    return i;
}

int sr_cuckoo_add(sr_cuckoo *cuckoo, const seenset_key *key,
                  uint32_t most_parts)
{
    uint32_t i = find_room(cuckoo);
    int error = i < cuckoo->count ? 0 : grow(cuckoo, most_parts);
    if (error != 0)
        return error;
    sr_cuckoo_part *part = &cuckoo->parts[i];
    uint64_t hash = seenset_hash(key->data, key->len);
    uint64_t before = count_in(part, hash);
    int answer = seenset_add_hash(part->set, first_bits(part, hash));
    if (answer < 0)
        return answer;
    /* A key that stays for ever takes no slot more. */
    part->slots += count_in(part, hash) > before;
    cuckoo->inserted++;
    return 1;
}

int sr_cuckoo_remove(sr_cuckoo *cuckoo, const seenset_key *key)
{
    uint64_t hash = seenset_hash(key->data, key->len), before = 0;
    uint32_t i = cuckoo->count;
    while (i > 0 && before == 0)
        before = count_in(&cuckoo->parts[--i], hash);
    if (before == 0)
        return 0;
    sr_cuckoo_part *part = &cuckoo->parts[i];
    seenset_remove_hash(part->set, first_bits(part, hash));
    if (part->slots > 0 && count_in(part, hash) < before)
        part->slots--;
    cuckoo->inserted -= cuckoo->inserted > 0;
    cuckoo->deleted++;
    return 1;
}
