/* fuse.c - a fuse table's shape; the idea is in fuse.h */
#include "table/sealed/fuse.h"

/* From least_keys on: segments of 2^length_bits slots, and as many as fit into
 * milli_slots / 1000 slots a key. */
typedef struct size_row {
    uint64_t least_keys;
    uint32_t length_bits;
    uint32_t milli_slots;
} size_row;

/*
 * Measured: rarely one attempt in ten fails, and one in three at worst, from a
 * million keys with three slots, where the size is held at 1.13. Segments must
 * be long enough, some sqrt(n), that a segment is not overfull by chance, and,
 * for three slots, that no two keys have the same ones: n / (2.2 length^2)
 * pairs do. They must be short enough for the ends of the table, arity - 1
 * segments that few keys use, to be a small part of it.
 */
static const size_row rows_of_three[] = {
    {0, 2, 2000},
    {4, 3, 2500},
    {16, 4, 2500},
    {40, 5, 2000},
    {150, 6, 1800},
    {500, 7, 1600},
    {1600, 8, 1450},
    {5000, 9, 1350},
    {16000, 10, 1250},
    {50000, 11, 1200},
    {160000, 12, 1180},
    {600000, 12, 1150},
    {1000000, 12, 1130},
    {1500000, 13, 1130},
    {5000000, 14, 1130},
    {12000000, 15, 1125},
    {50000000, 16, 1125},
    {200000000, 17, 1120},
    {750000000, 18, 1120},
    {UINT64_C(3000000000), 19, 1120},
    {UINT64_C(12000000000), 20, 1120},
    {UINT64_MAX, 0, 0},
};

static const size_row rows_of_four[] = {
    {0, 2, 2000},
    {4, 3, 2500},
    {16, 4, 2200},
    {150, 5, 1700},
    {500, 6, 1500},
    {1600, 7, 1400},
    {5000, 8, 1280},
    {16000, 9, 1240},
    {50000, 10, 1160},
    {160000, 11, 1130},
    {600000, 12, 1100},
    {1000000, 12, 1080},
    {4000000, 13, 1075},
    {16000000, 14, 1072},
    {64000000, 15, 1070},
    {260000000, 16, 1070},
    {1000000000, 17, 1070},
    {UINT64_C(4000000000), 18, 1070},
    {UINT64_C(16000000000), 19, 1070},
    {UINT64_C(64000000000), 20, 1070},
    {UINT64_MAX, 0, 0},
};

static bool is_choice(uint64_t arity, uint64_t fingerprint_bits)
{
    return (arity == 3 || arity == 4) &&
           fingerprint_bits >= SS_FUSE_LEAST_BITS &&
           fingerprint_bits <= SS_FUSE_MOST_BITS;
}

bool ss_fuse_shape_is_sound(const ss_fuse_shape *shape)
{
    uint64_t length = shape->segment_length;
    if (!is_choice(shape->arity, shape->fingerprint_bits))
        return false;
    if (length < 4 || (length & (length - 1)) != 0 ||
        length > SS_FUSE_MOST_LENGTH || shape->segment_count == 0)
        return false;
    uint64_t most_bits =
        SEENSET_MAX_SIZE_BITS - ss_fuse_spare_bits(shape->fingerprint_bits);
    uint64_t most_segments = most_bits / shape->fingerprint_bits / length;
    uint64_t last_segments = shape->arity - 1;
    return shape->segment_count <= most_segments - last_segments &&
           shape->slot_count ==
               (shape->segment_count + last_segments) * length &&
           shape->seed < SS_FUSE_ATTEMPTS;
}

bool ss_fuse_shape_for(uint64_t key_count, unsigned arity,
                       unsigned fingerprint_bits, uint64_t seed,
                       ss_fuse_shape *out)
{
    if (!is_choice(arity, fingerprint_bits) ||
        key_count > SEENSET_MAX_SIZE_BITS / fingerprint_bits)
        return false;
    const size_row *row = arity == 3 ? rows_of_three : rows_of_four;
    while (row[1].least_keys <= key_count)
        row++;
    uint64_t slots = key_count / 1000 * row->milli_slots +
                     key_count % 1000 * row->milli_slots / 1000;
    uint64_t segments = slots >> row->length_bits;
    if (segments < arity)
        segments = arity;
    ss_fuse_shape shape = {.arity = arity,
                           .fingerprint_bits = fingerprint_bits,
                           .segment_length = UINT64_C(1) << row->length_bits,
                           .segment_count = segments - (arity - 1),
                           .slot_count = segments << row->length_bits,
                           .seed = seed};
    if (!ss_fuse_shape_is_sound(&shape))
        return false;
    *out = shape;
    return true;
}
