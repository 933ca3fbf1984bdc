/*
 * queue_damage_manifest.c - numbers of a MANIFEST that was forged: its checksum
 * is right.
 *
 * A number that no queue can have is damage. One that it could have makes
 * another queue of it: one that is as safe to use, and takes no more memory
 * than it says.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_damage_rows.h"
#include "base/bits.h"
#include "forge.h"

static const damage_field fields[] = {
    {"magic", 0, 8, true},           {"log id", 8, 4, true},
    {"hash", 12, 4, true},           {"normalise", 16, 4, false},
    {"layout", 20, 4, false},        {"on_full", 24, 4, false},
    {"reserved", 28, 4, true},       {"capacity_items", 32, 8, false},
    {"fp_rate", 40, 8, false},       {"size_bits", 48, 8, false},
    {"hash_count", 56, 4, false},    {"reserved", 60, 4, true},
    {"segment_bytes", 64, 8, false}, {"reserved", 72, 8, true},
    {"reserved", 80, 4, true}};

/* kind: a filter, or exact; hash check: what the hash makes of a word */
static const damage_field second_fields[] = {
    {"magic", 0, 8, true},
    {"log id", 8, 4, true},
    {"hash", 12, 4, true},
    {"normalise", 16, 4, false},
    {"layout", 20, 4, false},
    {"on_full", 24, 4, false},
    {"kind", 28, 4, true},
    {"capacity_items", 32, 8, false},
    {"fp_rate", 40, 8, false},
    {"size_bits", 48, 8, false},
    {"hash_count", 56, 4, false},
    {"flags", 60, 4, false},
    {"segment_bytes", 64, 8, false},
    {"window_seconds", 72, 8, false},
    {"window_generations", 80, 4, false},
    {"counter_bits", 84, 4, false},
    {"scheme", 88, 4, false},
    {"reserved", 92, 4, true},
    {"hash check", 96, 8, true},
    {"reserved", 104, 8, true},
    {"reserved", 112, 8, true},
    {"reserved", 120, 4, true}};

void damage_add_numbers(damage_list *to, disk *made, const char *file,
                        const damage_field *all, size_t count)
{
    size_t size_bytes;
    const uint8_t *bytes = damage_bytes(made, file, 0, &size_bytes);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) {
        const damage_field *of = &all[i];
        uint64_t value;
        assert_true(of->at + of->size_bytes + 4 <= size_bytes);
        uint64_t own = ss_bits_load(bytes + of->at, of->size_bytes);
        for (size_t j = 0; test_extreme(j, of->size_bytes, &value); j++) {
            if (value == own)
                continue;
            damage_add_forged(to, file, of->name, of->at, of->size_bytes,
                              value);
            to->rows[to->count - 1].never_opens = of->is_refused;
        }
    }
}

/* On each side of a limit; and of sets that cannot be made, or not here. */
static const struct {
    const char *name;
    unsigned at, size_bytes;
    uint64_t value;
} limits[] = {
    {"magic", 6, 1, 'x'},
    {"version", 7, 1, 77},
    {"normalise", 16, 4, SEENSET_QUEUE_NORMALISE_URL + 1},
    {"reserved", 31, 1, 1},
    {"reserved", 63, 1, 1},
    {"reserved", 79, 1, 1},
    {"reserved", 83, 1, 1},
    {"segment_bytes", 64, 8, 4095},
    {"segment_bytes", 64, 8, 4096},
    {"segment_bytes", 64, 8, UINT64_C(1) << 40},
    {"segment_bytes", 64, 8, (UINT64_C(1) << 40) + 1},
    {"no such layout", 20, 4, 99},
    {"too many keys", 32, 8, UINT64_C(1) << 52},
    {"more keys than memory", 32, 8, UINT64_C(1) << 45},
    {"a rate of 2", 40, 8, UINT64_C(0x4000000000000000)},
    {"a rate of 1e-300", 40, 8, UINT64_C(0x01a56e1fc2f8f359)},
};

void damage_list_manifest_numbers(damage_list *to, disk *made)
{
    damage_add_numbers(to, made, "MANIFEST", fields, TEST_COUNT(fields));
    for (size_t i = 0; i < TEST_COUNT(limits); i++)
        damage_add_forged(to, "MANIFEST", limits[i].name, limits[i].at,
                          limits[i].size_bytes, limits[i].value);
    damage_add_cut(to, "MANIFEST", 7);
    damage_add_cut(to, "MANIFEST", 8);
    damage_add_changed(to, "MANIFEST", 7); /* its checksum is wrong, too */
}

void damage_list_second_manifest_numbers(damage_list *to, disk *made)
{
    damage_add_numbers(to, made, "MANIFEST", second_fields,
                       TEST_COUNT(second_fields));
    damage_add_forged(to, "MANIFEST", "version", 7, 1, 3);
    damage_add_forged(to, "MANIFEST", "version", 7, 1, 4);
    damage_add_forged(to, "MANIFEST", "flags", 60, 4, SEENSET_FLAG_SLIDING);
    damage_add_forged(to, "MANIFEST", "flags", 60, 4, SEENSET_FLAG_SHARED);
    for (uint64_t i = 5; i <= SEENSET_SCHEME_REDISBLOOM + 1; i++)
        damage_add_forged(to, "MANIFEST", "scheme", 88, 4, i);
    damage_add_cut(to, "MANIFEST", 88);
    damage_add_cut(to, "MANIFEST", 127);
}

/* Its numbers: the log's version, and the arguments of a scheme. */
static const damage_field sixth_fields[] = {
    {"magic", 0, 8, true},         {"log id", 8, 4, true},
    {"hash", 12, 4, true},         {"kind", 28, 4, true},
    {"scheme", 88, 4, true},       {"log version", 92, 4, false},
    {"hash check", 96, 8, true},   {"seed", 104, 8, true},
    {"unit bits", 112, 4, false},  {"seed count", 116, 4, true},
    {"reserved", 120, 4, true},    {"first seed", 124, 4, true},
    {"second seed", 128, 4, true}, {"third seed", 132, 4, false}};

void damage_list_sixth_manifest_numbers(damage_list *to, disk *made)
{
    damage_add_numbers(to, made, "MANIFEST", sixth_fields,
                       TEST_COUNT(sixth_fields));
    for (unsigned i = 0; i <= 7; i++)
        damage_add_forged(to, "MANIFEST", "log version", 92, 4, i);
    damage_add_forged(to, "MANIFEST", "version", 7, 1, 2);
    damage_add_forged(to, "MANIFEST", "version", 7, 1, 7);
    damage_add_forged(to, "MANIFEST", "unit bits", 112, 4, 8);
    damage_add_forged(to, "MANIFEST", "seed count", 116, 4, 2);
    damage_add_forged(to, "MANIFEST", "seed count", 116, 4, 4);
    damage_add_forged(to, "MANIFEST", "seed count", 116, 4, 256);
    damage_add_cut(to, "MANIFEST", 128);
    damage_add_cut(to, "MANIFEST", 136);
    damage_add_changed(to, "MANIFEST", 132);
}
