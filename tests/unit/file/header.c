/*
 * header.c - a header says what it was given, where docs/format.md puts
 * it, and is not believed once a bit of it is off.
 */
#include "file/header/fields.h"
#include "file/header/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "forge.h"
#include "halving.h"
#include "hash/xxh3.h"
#include "seenset/extra/raw.h"
#include "support.h"

/* A header like those that sets have, of any kind. */
static ss_header random_header(test_random *random, int i)
{
    static const ss_set_params kinds[] = {
        {.on_full = SEENSET_ON_FULL_DEGRADE},
        {.on_full = SEENSET_ON_FULL_REFUSE},
        {.on_full = SEENSET_ON_FULL_GROW},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 64},
        {.on_full = SEENSET_ON_FULL_ROTATE,
         .window_generations = 64,
         .window_seconds = 86400}};
    ss_header in = {.layout =
                        i % 2 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_BLOCKED,
                    .kind = kinds[i % 5],
                    .cell_bits = 1,
                    .generation_count = 1};
    if (i % 5 > 1)
        in.generation_count += (uint32_t)test_random_below(random, 64);
    if (i % 5 < 2 && i % 3 == 0) {
        in.layout = SEENSET_LAYOUT_COUNTING;
        in.cell_bits = 2 + (uint32_t)test_random_below(random, 15);
    }
    in.kind.identity =
        (ss_key_hash){.hash = SS_HASH_XXH3_64, .scheme = SS_SCHEME_CHAIN};
    in.hash_check = ss_key_hash_check(&in.kind.identity);
    in.kind.capacity_items = 1 + test_random_below(random, 1e15);
    in.kind.fp_rate = 1.0 - test_random_unit(random);
    uint64_t units = 1 + test_random_below(random, 1u << (i % 20));
    bool is_oldest = i % 5 < 2 && in.cell_bits == 1;
    in.version = is_oldest ? 1 + (uint32_t)test_random_below(random, 3)
                           : 2 + (uint32_t)test_random_below(random, 2);
    bool is_by_age = in.version == 3 && i % 5 == 4;
    if (in.version == 3) {
        in.sums_checksum = test_random_next(random);
        in.kind.is_sliding = i % 5 > 2 && test_random_below(random, 2) == 1;
    }
    if (is_by_age)
        in.generation_count = 1 + (uint32_t)test_random_below(random, 256);
    for (uint32_t g = 0; g < in.generation_count; g++) {
        if (i % 5 == 2 || is_by_age)
            units = 1 + test_random_below(random, 1u << (i % 20));
        uint64_t size_bits = 64 * 24 * units;
        ss_table_record *record = &in.records[g];
        *record =
            (ss_table_record){.size_bits = size_bits,
                              .hash_count = 24,
                              .capacity_items = in.kind.capacity_items,
                              .fp_rate = in.kind.fp_rate,
                              .added_items = test_random_below(random, 1e15),
                              .payload_checksum = test_random_next(random)};
        if (i % 5 == 4)
            record->started_seconds = test_random_next(random);
        if (is_by_age)
            record->noticed_seconds = test_random_next(random);
    }
    ss_header_place(&in);
    return in;
}

static bool are_headers_equal(const ss_header *a, const ss_header *b)
{
    bool are = a->version == b->version && a->sums_offset == b->sums_offset &&
               a->block_count == b->block_count &&
               a->sums_checksum == b->sums_checksum &&
               a->kind.is_sliding == b->kind.is_sliding &&
               a->layout == b->layout && a->cell_bits == b->cell_bits &&
               a->generation_count == b->generation_count &&
               a->hash_check == b->hash_check &&
               ss_key_hash_is_same(&a->kind.identity, &b->kind.identity) &&
               a->kind.on_full == b->kind.on_full &&
               a->kind.capacity_items == b->kind.capacity_items &&
               a->kind.fp_rate == b->kind.fp_rate &&
               a->kind.window_generations == b->kind.window_generations &&
               a->kind.window_seconds == b->kind.window_seconds;
    for (uint32_t i = 0; are && i < a->generation_count; i++) {
        const ss_table_record *x = &a->records[i], *y = &b->records[i];
        are = x->size_bits == y->size_bits && x->hash_count == y->hash_count &&
              x->capacity_items == y->capacity_items &&
              x->fp_rate == y->fp_rate && x->added_items == y->added_items &&
              x->started_seconds == y->started_seconds &&
              x->noticed_seconds == y->noticed_seconds &&
              x->first_block == y->first_block &&
              x->payload_offset == y->payload_offset &&
              x->payload_bytes == y->payload_bytes &&
              x->payload_checksum == y->payload_checksum;
    }
    return are;
}

static void header_round_trips(void **state)
{
    test_random random = {3};
    (void)state;
    for (int i = 0; i < 10000; i++) {
        ss_header in = random_header(&random, i), out;
        uint8_t bytes[SS_HEADER_MAX_BYTES];
        seenset_file_report report;
        memset(&out, 0, sizeof out);
        ss_header_encode(&in, bytes);
        assert_int_equal(test_header_bytes(bytes), ss_header_bytes(&in));
        assert_int_equal(ss_header_claimed_bytes(bytes), ss_header_bytes(&in));
        assert_int_equal(test_is_version_1(bytes), in.version == 1);
        assert_int_equal(ss_header_decode(&out, bytes, ss_header_bytes(&in),
                                          ss_header_file_bytes(&in), &report),
                         SEENSET_OK);
        assert_string_equal(report.reason, "");
        assert_true(are_headers_equal(&in, &out));
        /* planted: a field that is lost shows */
        out.records[out.generation_count - 1].payload_checksum ^= 1;
        assert_false(are_headers_equal(&in, &out));
    }
}

/* Where each field lies, said once more: written by nobody's encoder. */
static void header_bytes_are_where_the_format_says(void **state)
{
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(2, &size_bytes);
    double fp_rate = 1e-6;
    uint64_t fp_rate_bits;
    (void)state;
    memcpy(&fp_rate_bits, &fp_rate, 8);
    assert_memory_equal(bytes, "\x89SSET\r\n\x1A", 8);
    assert_int_equal(ss_bits_load(bytes + 8, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 12, 4), 192);
    assert_int_equal(ss_bits_load(bytes + 16, 8), size_bytes);
    assert_int_equal(ss_bits_load(bytes + 24, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 28, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 40, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 44, 4), 2);
    assert_int_equal(ss_bits_load(bytes + 48, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 128, 8), 8 * (size_bytes - 192));
    assert_int_equal(ss_bits_load(bytes + 136, 4), 24);
    assert_int_equal(ss_bits_load(bytes + 144, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 152, 8), fp_rate_bits);
    assert_int_equal(ss_bits_load(bytes + 160, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 168, 8), 192);
    assert_int_equal(ss_bits_load(bytes + 176, 8), size_bytes - 192);
    free(bytes);
}

/* The same for a window, whose three tables are in use. */
static void header_bytes_of_version_2_too(void **state)
{
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(5, &size_bytes);
    double whole_rate = 0.01, fp_rate = 0.01 / 4;
    uint64_t whole_bits, rate_bits, offset = 128 + 3 * 128;
    (void)state;
    memcpy(&whole_bits, &whole_rate, 8);
    memcpy(&rate_bits, &fp_rate, 8);
    assert_int_equal(ss_bits_load(bytes + 8, 4), 2);
    assert_int_equal(ss_bits_load(bytes + 12, 4), offset);
    assert_int_equal(ss_bits_load(bytes + 16, 8), size_bytes);
    assert_int_equal(ss_bits_load(bytes + 40, 4), SEENSET_LAYOUT_BLOCKED);
    assert_int_equal(ss_bits_load(bytes + 44, 4), SEENSET_ON_FULL_ROTATE);
    assert_int_equal(ss_bits_load(bytes + 48, 4), 3);
    assert_int_equal(ss_bits_load(bytes + 52, 4), 1);
    assert_int_equal(ss_bits_load(bytes + 56, 4), 4);
    assert_int_equal(ss_bits_load(bytes + 64, 8), 0);
    assert_int_equal(ss_bits_load(bytes + 72, 8), 100);
    assert_int_equal(ss_bits_load(bytes + 80, 8), whole_bits);
    uint64_t added = 0, payload = (size_bytes - offset) / 3;
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *record = bytes + 128 + 128 * i;
        assert_int_equal(ss_bits_load(record, 8), 8 * payload);
        assert_int_equal(ss_bits_load(record + 16, 8), 34);
        assert_int_equal(ss_bits_load(record + 24, 8), rate_bits);
        added += ss_bits_load(record + 32, 8);
        assert_int_equal(ss_bits_load(record + 40, 8), offset + i * payload);
        assert_int_equal(ss_bits_load(record + 48, 8), payload);
        assert_int_equal(ss_bits_load(record + 64, 8), 0);
    }
    assert_in_range(added, 95, 100);
    free(bytes);
    bytes = test_golden_bytes(4, &size_bytes);
    assert_int_equal(ss_bits_load(bytes + 40, 4), SEENSET_LAYOUT_COUNTING);
    assert_int_equal(ss_bits_load(bytes + 52, 4), 8);
    uint64_t counters = ss_bits_load(bytes + 128, 8);
    assert_int_equal(ss_bits_load(bytes + 176, 8), (counters + 63) / 64 * 64);
    free(bytes);
}

/* What version 3 adds: for the sums after two tables, of 1.4 and 1 block. */
static void header_bytes_of_version_3_too(void **state)
{
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                    .capacity_items = 4000,
                                    .on_full = SEENSET_ON_FULL_GROW});
    size_t size_bytes;
    (void)state;
    for (uint64_t i = 0; i < 4500; i++) {
        test_grow_list(set);
        (void)seenset_add_hash(set, test_mix(i));
    }
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    uint64_t first = ss_bits_load(bytes + 176, 8);
    uint64_t second = ss_bits_load(bytes + 304, 8);
    uint64_t blocks = (first + 4095) / 4096 + (second + 4095) / 4096;
    const uint8_t *sums = bytes + 384 + first + second;
    assert_int_equal(ss_bits_load(bytes + 8, 4), 3);
    assert_int_equal(ss_bits_load(bytes + 12, 4), 384);
    assert_int_equal(ss_bits_load(bytes + 16, 8), size_bytes);
    assert_int_equal(ss_bits_load(bytes + 48, 4), 2);
    assert_int_equal(ss_bits_load(bytes + 60, 4), 0);
    assert_int_equal(ss_bits_load(bytes + 88, 8), 4096);
    assert_int_equal(ss_bits_load(bytes + 96, 8), 384 + first + second);
    assert_int_equal(ss_bits_load(bytes + 104, 8), 8 * blocks);
    assert_int_equal(size_bytes, 384 + first + second + 8 * blocks);
    assert_true(ss_bits_load(bytes + 112, 8) == XXH3_64bits(sums, 8 * blocks));
    assert_true(first > 4096 && first % 4096 != 0);
    uint64_t block = 0;
    for (uint64_t at = 0; at < first; at += 4096, block++)
        assert_true(ss_bits_load(sums + 8 * block, 8) ==
                    XXH3_64bits_withSeed(bytes + 384 + at,
                                         first - at < 4096 ? first - at : 4096,
                                         block));
    /* the second table's blocks begin where it does */
    for (uint64_t at = 0; at < second; at += 4096, block++)
        assert_true(ss_bits_load(sums + 8 * block, 8) ==
                    XXH3_64bits_withSeed(
                        bytes + 384 + first + at,
                        second - at < 4096 ? second - at : 4096, block));
    free(bytes);
    seenset_free(set);
}

/* The bits that a key sets in an empty set, and the set's check value, as
 * docs/format.md prints them. */
typedef struct vector {
    seenset_options options;
    uint64_t hash_check;
    uint16_t bits[16];
} vector;

#define PLAIN UINT64_C(0x49199271efcb8039)
#define OF_SCHEME(number, k)                                                   \
    {                                                                          \
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1024, .hash_count = (k),  \
        .scheme = (number)                                                     \
    }

#define WITH(number, k, given)                                                 \
    {                                                                          \
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1024, .hash_count = (k),  \
        .scheme = (number), .scheme_arguments = (given)                        \
    }

static const uint32_t seeds[] = {31, 131, 1313};
static const seenset_scheme_arguments seed_7 = {.seed = 7},
                                      three = {.seeds = seeds, .seed_count = 3},
                                      one = {.seeds = seeds, .seed_count = 1};

static const vector vectors[] = {
    {{.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1000, .hash_count = 7},
     PLAIN,
     {199, 210, 321, 330, 364, 724, 943}},
    {{.size_bits = 8192, .hash_count = 8},
     PLAIN,
     {5635, 5737, 5822, 5855, 5939, 5975, 6066, 6092}},
    {{.size_bits = 8192, .hash_count = 16},
     PLAIN,
     {2563, 2665, 2750, 2783, 2867, 2903, 2994, 3020, 5146, 5237, 5310, 5338,
      5413, 5480, 5528, 5628}},
    {OF_SCHEME(2, 2), UINT64_C(0x01dbd07b0056ecaa), {369, 950}},
    {OF_SCHEME(3, 5), UINT64_C(0x01c16c0200780072), {108, 306, 504, 719, 917}},
    {OF_SCHEME(4, 5), UINT64_C(0x002175e700ecb8e7), {148, 416, 420, 704, 996}},
    {OF_SCHEME(5, 5), UINT64_C(0x01aee4260199f18a), {330, 549, 607, 819, 845}},
    {OF_SCHEME(6, 5), UINT64_C(0x01a3e432015aeea2), {23, 69, 288, 554, 822}},
    {OF_SCHEME(8, 5), UINT64_C(0x0079f8d001bf6e10), {198, 380, 540, 712, 719}},
    {OF_SCHEME(9, 5), UINT64_C(0x0097edc10048ee34), {176, 411, 648, 736, 967}},
    {{.layout = SEENSET_LAYOUT_BLOOM,
      .size_bits = 1000,
      .hash_count = 7,
      .scheme_arguments = &seed_7},
     UINT64_C(0xa589cb4b33ee42a9),
     {144, 205, 384, 590, 763, 856, 928}},
    {WITH(2, 2, &seed_7), UINT64_C(0x01dbd6190056ecaa), {76, 369}},
    {WITH(3, 5, &seed_7),
     UINT64_C(0x004987be00b7d35b),
     {333, 398, 463, 528, 593}},
    {WITH(4, 3, &three), UINT64_C(0x0189180701325e97), {20, 96, 996}},
    {WITH(4, 1, &one), UINT64_C(0x0189180700000000), {996}},
    {WITH(6, 5, &seed_7),
     UINT64_C(0x00754b6301460ca9),
     {188, 375, 565, 757, 950}},
    {WITH(9, 5, &seed_7),
     UINT64_C(0x00ed0df2001b53a4),
     {229, 390, 622, 862, 1017}}};

static void header_vectors_are_those_of_the_format(void **state)
{
    static const char key[] = "http://example.com/";
    (void)state;
    assert_true(XXH3_64bits(key, 19) == UINT64_C(0xb97a010e03af1e2b));
    for (size_t i = 0; i < TEST_COUNT(vectors); i++) {
        static uint8_t bits[8192];
        const vector *of = &vectors[i];
        seenset *set = test_make(of->options);
        size_t size_bytes, found = 0;
        assert_int_equal(seenset_add(set, key, 19), 1);
        assert_int_equal(
            seenset_get_bits(set, 0, 0, of->options.size_bits, bits),
            SEENSET_OK);
        for (uint64_t bit = 0; bit < of->options.size_bits; bit++)
            if (bits[bit])
                assert_int_equal(of->bits[found++], bit);
        assert_int_equal(found, of->options.hash_count);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        assert_true(ss_bits_load(bytes + 32, 8) == of->hash_check);
        free(bytes);
        seenset_free(set);
    }
}

/* The top bit of the version (docs/format.md). */
#define MARK_BIT (8u * 11 + 7)

static void header_refuses_each_flipped_bit(void **state)
{
    (void)state;
    for (size_t golden = 0; golden < TEST_GOLDEN_COUNT; golden++) {
        size_t size_bytes;
        uint8_t *bytes = test_golden_bytes(golden, &size_bytes);
        size_t header_bytes = test_header_bytes(bytes);
        for (unsigned bit = 0; bit < 8 * header_bytes; bit++) {
            ss_header header;
            seenset_file_report report;
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            int error = ss_header_decode(&header, bytes, size_bytes, size_bytes,
                                         &report);
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            /* one bit says that there is a journal: opening asks for it */
            if (bit == MARK_BIT && error == 0) {
                assert_true(header.has_journal);
                continue;
            }
            assert_true(error < 0);
            assert_true(strlen(report.reason) > 0);
            /* or it is longer than the file, as one with more seeds */
            assert_true(report.offset < header_bytes ||
                        report.offset == size_bytes);
        }
        free(bytes);
    }
}

/* One key more than a header can say: it says the most, and opens again. */
static void header_counts_no_more_keys_than_there_can_be(void **state)
{
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    const uint64_t most = SEENSET_MAX_SIZE_BITS;
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    seenset *a = NULL, *b = NULL;
    size_t size_bytes;
    (void)state;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    ss_bits_store(bytes + SS_HEADER_FIXED_BYTES + IN_ADDED_ITEMS, 8, most);
    test_repair_header(bytes, test_header_bytes(bytes));
    assert_int_equal(seenset_open_bytes(&a, bytes, size_bytes, &copy), 0);
    free(bytes);
    assert_int_equal(seenset_add(a, "one more", 8), 1);
    assert_true(test_stats_of(a).added_items == most + 1);
    bytes = test_bytes_of(a, &size_bytes);
    assert_int_equal(seenset_open_bytes(&b, bytes, size_bytes, &copy), 0);
    assert_true(test_stats_of(b).added_items == most);
    free(bytes);
    seenset_free(b);
    seenset_free(a);
    seenset_free(set);
}

/* ---- of the right kind ---- */

/* A header fits the options that made its set, and no others. */
static void header_fits_what_made_it(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "a secret";
    static const seenset_options kinds[] = {
        {0},
        {.capacity_items = 500},
        {.fp_rate = 1e-4},
        {.layout = SEENSET_LAYOUT_BLOOM},
        {.layout = SEENSET_LAYOUT_COUNTING},
        {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 5},
        {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16},
        {.on_full = SEENSET_ON_FULL_DEGRADE},
        {.on_full = SEENSET_ON_FULL_REFUSE},
        {.on_full = SEENSET_ON_FULL_ROTATE},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 3},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 60},
        {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 5000, .hash_count = 7},
        {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 5000, .hash_count = 6},
        {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 5064, .hash_count = 7},
        {.layout = SEENSET_LAYOUT_BLOOM,
         .on_full = SEENSET_ON_FULL_DEGRADE,
         .scheme = SEENSET_SCHEME_MD5_DIVMOD},
        {.layout = SEENSET_LAYOUT_BLOOM,
         .on_full = SEENSET_ON_FULL_DEGRADE,
         .scheme = SEENSET_SCHEME_MURMUR3_128},
        {.layout = SEENSET_LAYOUT_BLOOM,
         .on_full = SEENSET_ON_FULL_DEGRADE,
         .scheme = SEENSET_SCHEME_MURMUR3_128,
         .scheme_arguments = &seed_7},
        {.secret = secret}};
    static const seenset_options impossible = {.fp_rate = 2};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        ss_header header;
        seenset *set = test_make(kinds[i]);
        ss_header_describe(&header, set);
        for (size_t j = 0; j < TEST_COUNT(kinds); j++)
            assert_int_equal(ss_header_fits(&header, &kinds[j]), i == j);
        assert_false(ss_header_fits(&header, &impossible));
        header.hash_check ^= 1; /* of a hash that is none of ours */
        assert_false(ss_header_fits(&header, &kinds[i]));
        seenset_free(set);
    }
}

/* A set of 3 GB is refused with that number where addresses have 32 bits. */
static void header_of_too_large_a_set_has_its_number(void **state)
{
    seenset_file_report report = {0};
    ss_header header = {.sums_offset = UINT64_C(3) << 30};
    bool is_small = sizeof(void *) < sizeof(uint64_t);
    (void)state;
    assert_int_equal(ss_header_check_room(&header, &report),
                     is_small ? SEENSET_ENOMEM : SEENSET_OK);
    assert_int_equal(strstr(report.reason, "3221225472") != NULL, is_small);
    header.sums_offset = UINT64_MAX;
    assert_int_equal(ss_header_check_room(&header, &report), SEENSET_ENOMEM);
    assert_non_null(strstr(report.reason, "18446744073709551615"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_fits_what_made_it),
        cmocka_unit_test(header_round_trips),
        cmocka_unit_test(header_bytes_are_where_the_format_says),
        cmocka_unit_test(header_bytes_of_version_2_too),
        cmocka_unit_test(header_bytes_of_version_3_too),
        cmocka_unit_test(header_vectors_are_those_of_the_format),
        cmocka_unit_test(header_refuses_each_flipped_bit),
        cmocka_unit_test(header_counts_no_more_keys_than_there_can_be),
        cmocka_unit_test(header_of_too_large_a_set_has_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
