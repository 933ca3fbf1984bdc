/* forge.c - the fields of a header, and what they are tried with */
#include "forge.h"

#include "base/bits.h"
#include "base/crc32c.h"
#include "support.h"

static const test_field fixed_fields[] = {
    {"magic", 0, 8, false},
    {"version", 8, 4, false},
    {"header_bytes", 12, 4, false},
    {"file_bytes", 16, 8, false},
    {"hash", 24, 4, false},
    {"scheme", 28, 4, false},
    {"hash_check", 32, 8, false},
    {"layout", 40, 4, true},
    {"on_full", 44, 4, true},
    {"generation_count", 48, 4, false},
    {"cell_bits", 52, 4, true}, /* reserved in version 1, up to 88 */
    {"window_generations", 56, 4, true},
    {"reserved", 60, 4, false},
    {"window_seconds", 64, 8, true},
    {"whole_capacity", 72, 8, true},
    {"whole_rate", 80, 8, true},
    {"reserved", 88, 8, false},
    {"reserved", 116, 4, false}};

/* What version 3 has from 88 on. */
static const test_field sums_fields[] = {{"block_bytes", 88, 8, false},
                                         {"sums_offset", 96, 8, false},
                                         {"sums_bytes", 104, 8, false},
                                         {"sums_checksum", 112, 8, false}};

/* Of a table; the second half only in version 2. */
static const test_field record_fields[] = {
    {"size_bits", 0, 8, true},          {"hash_count", 8, 4, true},
    {"reserved", 12, 4, false},         {"capacity_items", 16, 8, true},
    {"fp_rate", 24, 8, true},           {"added_items", 32, 8, true},
    {"payload_offset", 40, 8, false},   {"payload_bytes", 48, 8, false},
    {"payload_checksum", 56, 8, false}, {"started_seconds", 64, 8, true},
    {"fingerprint_bits", 72, 4, false}, /* reserved but in sealed sets */
    {"reserved", 76, 4, false},         {"segment_length", 80, 8, false},
    {"segment_count", 88, 8, false},    {"seed", 96, 8, false},
    {"reserved", 104, 8, false},        {"reserved", 120, 8, false}};

bool test_is_version_1(const uint8_t *bytes)
{
    return ss_bits_load(bytes + 8, 4) == 1;
}

/* Or a later one. */
static bool is_version_3(const uint8_t *bytes)
{
    return ss_bits_load(bytes + 8, 4) >= 3;
}

static bool is_version_5(const uint8_t *bytes)
{
    return ss_bits_load(bytes + 8, 4) == 5;
}

static bool is_version_6(const uint8_t *bytes)
{
    return ss_bits_load(bytes + 8, 4) == 6;
}

static bool has_arguments(const uint8_t *bytes)
{
    return ss_bits_load(bytes + 8, 4) == 4 || is_version_6(bytes);
}

/* What follows the records in versions 4 and 6: the arguments of a scheme. The
 * check value is of the first two seeds. Version 6 has a hash's seed alone. */
static size_t list_arguments(const uint8_t *bytes, unsigned tables,
                             test_field *out)
{
    static const test_field fields[] = {
        {"seed", 0, 8, false},       {"unit_bits", 8, 4, true},
        {"seed_count", 12, 4, true}, {"first seed", 16, 4, false},
        {"third seed", 24, 4, true}, {"reserved", 28, 8, false},
        {"reserved", 60, 4, false}};
    size_t count = 0;
    for (size_t i = 0; has_arguments(bytes) && i < TEST_COUNT(fields); i++) {
        out[count] = fields[i];
        out[count].may_differ &= !is_version_6(bytes);
        out[count++].at += 128 + 128 * tables;
    }
    return count;
}

/* The fields of record number i. */
static size_t list_record(const uint8_t *bytes, unsigned i, test_field *out)
{
    unsigned record_bytes = test_is_version_1(bytes) ? 64 : 128;
    bool is_sealed = ss_bits_load(bytes + 40, 4) == SEENSET_LAYOUT_SEALED;
    size_t count = 0;
    for (size_t j = 0; j < TEST_COUNT(record_fields); j++) {
        if (record_fields[j].at >= record_bytes)
            break;
        out[count] = record_fields[j];
        out[count].at += 128 + record_bytes * i;
        /* any small seed is a sound one, and one segment more if the hashes
         * have a slot less */
        if (is_sealed && record_fields[j].at >= 88 && record_fields[j].at <= 96)
            out[count].may_differ = true;
        /* with the set's, if no other table has it */
        if (is_version_6(bytes) && record_fields[j].at == 12) {
            out[count].name = "table's layout";
            out[count].may_differ = true;
        }
        if (is_version_3(bytes) && record_fields[j].at == 104) {
            out[count].name = "noticed_seconds";
            out[count].may_differ = true;
        }
        count++;
    }
    return count;
}

static size_t list_fixed(const uint8_t *bytes, test_field *out)
{
    size_t count = 0;
    for (size_t i = 0; i < TEST_COUNT(fixed_fields); i++) {
        if (is_version_3(bytes) && fixed_fields[i].at >= 88)
            break;
        out[count] = fixed_fields[i];
        /* with the layout, which is all that version 3 has not */
        if (is_version_5(bytes) && fixed_fields[i].at == 8)
            out[count].may_differ = true;
        if (test_is_version_1(bytes) && fixed_fields[i].at >= 52)
            out[count].may_differ = false;
        if (is_version_3(bytes) && fixed_fields[i].at == 60)
            out[count] = (test_field){"flags", 60, 4, true};
        count++;
    }
    for (size_t i = 0; is_version_3(bytes) && i < TEST_COUNT(sums_fields); i++)
        out[count++] = sums_fields[i];
    return count;
}

size_t test_list_fields(const uint8_t *bytes,
                        test_field fields[TEST_FIELDS_MOST])
{
    unsigned tables = (unsigned)ss_bits_load(bytes + 48, 4);
    size_t count = list_fixed(bytes, fields);
    count += list_record(bytes, 0, fields + count);
    if (tables > 1)
        count += list_record(bytes, tables - 1, fields + count);
    return count + list_arguments(bytes, tables, fields + count);
}

bool test_extreme(size_t i, unsigned size_bytes, uint64_t *value)
{
    static const uint64_t values[] = {
        0, 1, 2, 3, 4, UINT64_C(0x7FFFFFFF), UINT64_C(0x80000000),
        UINT64_C(0x80000001), UINT64_C(0xFFFFFFFF),
        /* from here on for 8 bytes only */
        UINT64_C(0x100000000), UINT64_C(0x100000001), UINT64_C(1) << 53,
        (UINT64_C(1) << 53) + 1, UINT64_C(0x7FFFFFFFFFFFFFFF),
        UINT64_C(1) << 63, /* as a double, -0 */
        UINT64_C(0x8000000000000001), UINT64_MAX,
        /* NaN, the infinities, a denormal */
        UINT64_C(0x7FF8000000000000), UINT64_C(0x7FF0000000000000),
        UINT64_C(0xFFF0000000000000), UINT64_C(0x000FFFFFFFFFFFFF)};
    size_t count = size_bytes < 8 ? 9 : TEST_COUNT(values);
    if (i < count)
        *value = values[i];
    return i < count;
}

void test_repair_sum(uint8_t *bytes, size_t size_bytes)
{
    size_t summed = size_bytes - 4;
    ss_bits_store(bytes + summed, 4, ss_crc32c(bytes, summed));
}
