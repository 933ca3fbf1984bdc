/* foreign_files.c - see foreign_files.h */
#include "foreign_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    I32 = 5,
    I64 = 6,
    BINARY = 8,
    LIST = 9,
    STRUCT = 12
};

const foreign_column foreign_columns[FOREIGN_COLUMNS] = {
    {"whole", NULL, 1, 0, 0, 0, SEENSET_VALUE_INT32},
    {"long", NULL, 2, 0, 0, 0, SEENSET_VALUE_INT64},
    {"old time", NULL, 3, 0, 0, 0, SEENSET_VALUE_INT96},
    {"single", NULL, 4, 0, 0, 0, SEENSET_VALUE_FLOAT},
    {"double", NULL, 5, 0, 0, 0, SEENSET_VALUE_DOUBLE},
    {"person", "e-mail", 6, 0, 0, 0, SEENSET_VALUE_BYTES},
    {"fixed", NULL, 7, 7, 0, 0, SEENSET_VALUE_FIXED},
    {"id", NULL, 7, 16, 0, 14, SEENSET_VALUE_FIXED},
    {"unsigned", NULL, 1, 0, 13, 0, SEENSET_VALUE_INT32},
    {"unsigned long", NULL, 2, 0, 0, 10, SEENSET_VALUE_INT64},
    {"empty", NULL, 6, 0, 0, 0, SEENSET_VALUE_BYTES},
};

/* ---- bytes and Thrift ---- */

typedef struct writer {
    uint8_t *at;
    size_t count, room;
} writer;

static void put(writer *to, const void *bytes, size_t count)
{
    if (to->count + count > to->room) {
        to->room = 2 * (to->count + count);
        to->at = realloc(to->at, to->room);
        assert_non_null(to->at);
    }
    if (count > 0)
        memcpy(to->at + to->count, bytes, count);
    to->count += count;
}

static void put_byte(writer *to, unsigned byte)
{
    uint8_t one = (uint8_t)byte;
    put(to, &one, 1);
}

static void put_number(writer *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put_byte(to, 128 | (value & 127));
    put_byte(to, (unsigned)value);
}

static void put_signed(writer *to, int64_t value)
{
    put_number(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* The long form, which any id has. */
static void put_field(writer *to, int id, int type)
{
    put_byte(to, (unsigned)type);
    put_signed(to, id);
}

static void put_integer(writer *to, int id, int type, int64_t value)
{
    put_field(to, id, type);
    put_signed(to, value);
}

static void put_text(writer *to, const char *text, size_t length)
{
    put_number(to, length);
    put(to, text, length);
}

static void put_list(writer *to, int id, uint32_t count, unsigned element)
{
    put_field(to, id, LIST);
    if (count < 15) {
        put_byte(to, count << 4 | element);
        return;
    }
    put_byte(to, 0xf0 | element);
    put_number(to, count);
}

/* A struct of one struct without fields. */
static void put_union(writer *to, int id, int member)
{
    put_field(to, id, STRUCT);
    put_field(to, member, STRUCT);
    put_byte(to, 0);
    put_byte(to, 0);
}

/* ---- filters ---- */

size_t foreign_key(uint8_t out[FOREIGN_KEY_BYTES], int column, int group, int i)
{
    static const size_t lengths[] = {0, 4, 8, 12, 4, 8, 0, 0};
    const foreign_column *of = &foreign_columns[column];
    uint64_t number = (uint64_t)(column * 10000 + group * 100 + i);
    for (int half = 0; half < 2; half++)
        test_store(out + 8 * half, 8, test_mix(2 * number + (unsigned)half));
    if (of->type == 6)
        return (size_t)snprintf((char *)out, FOREIGN_KEY_BYTES, "%d",
                                (int)number);
    return of->type == 7 ? (size_t)of->length : lengths[of->type];
}

static void put_bits(writer *to, int column, int group)
{
    uint8_t key[FOREIGN_KEY_BYTES], bits[FOREIGN_FILTER_BYTES];
    size_t size_bytes = sizeof bits;
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                                    .scheme = SEENSET_SCHEME_PARQUET,
                                    .hash_count = 8,
                                    .size_bits = 8 * sizeof bits});
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        size_t length = foreign_key(key, column, group, i);
        assert_true(seenset_add(set, key, length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &size_bytes), SEENSET_OK);
    put(to, bits, sizeof bits);
    seenset_free(set);
}

/* Where a filter is: its header and its bits. */
typedef struct place {
    size_t first, length;
} place;

static place put_filter(writer *to, const foreign_parquet *how, int column,
                        int group)
{
    place of = {.first = to->count};
    put_integer(to, 1, I32,
                how->num_bytes != 0 ? how->num_bytes : FOREIGN_FILTER_BYTES);
    put_union(to, 2, how->algorithm != 0 ? how->algorithm : 1);
    put_union(to, 3, how->hash != 0 ? how->hash : 1);
    if (how->compression >= 0)
        put_union(to, 4, how->compression != 0 ? how->compression : 1);
    put_byte(to, 0);
    put_bits(to, column, group);
    of.length = to->count - of.first;
    return of;
}

/* ---- the footer ---- */

static void put_logical(writer *to, int logical)
{
    put_field(to, 10, STRUCT);
    put_field(to, logical, STRUCT);
    if (logical == 10) { /* 64 bits, not signed */
        put_field(to, 1, 3);
        put_byte(to, 64);
        put_field(to, 2, 2);
    }
    put_byte(to, 0);
    put_byte(to, 0);
}

static void put_element(writer *to, const foreign_column *of)
{
    put_integer(to, 1, I32, of->type);
    if (of->length != 0)
        put_integer(to, 2, I32, of->length);
    put_field(to, 4, BINARY);
    put_text(to, of->first, strlen(of->first));
    if (of->converted != 0)
        put_integer(to, 6, I32, of->converted);
    if (of->logical != 0)
        put_logical(to, of->logical);
    put_byte(to, 0);
}

/* The root first, which is no column. */
static void put_schema(writer *to)
{
    put_list(to, 2, FOREIGN_COLUMNS + 1, STRUCT);
    put_field(to, 4, BINARY);
    put_text(to, "root", 4);
    put_integer(to, 5, I32, FOREIGN_COLUMNS);
    put_byte(to, 0);
    for (int i = 0; i < FOREIGN_COLUMNS; i++)
        put_element(to, &foreign_columns[i]);
}

static void put_path(writer *to, const foreign_column *of, bool has_zero)
{
    put_list(to, 3, of->second != NULL ? 2 : 1, BINARY);
    if (has_zero)
        put_text(to, "a\0b", 3);
    else
        put_text(to, of->first, strlen(of->first));
    if (of->second != NULL)
        put_text(to, of->second, strlen(of->second));
}

static void put_meta(writer *to, const foreign_parquet *how, int column,
                     const place *filter)
{
    const foreign_column *of = &foreign_columns[column];
    put_field(to, 3, STRUCT);
    put_integer(to, 1, I32, how->type != 0 ? how->type : of->type);
    put_path(to, of, how->has_zero_name);
    put_integer(to, 5, I64, FOREIGN_KEYS + 1);
    put_field(to, 12, STRUCT); /* statistics, of which nothing is read */
    put_integer(to, 4, I64, 7);
    put_byte(to, 0);
    if (filter != NULL)
        put_integer(to, 14, I64, (int64_t)filter->first + how->farther);
    if (filter != NULL && how->has_lengths)
        put_integer(to, 15, I32, (int64_t)filter->length + how->longer);
    put_byte(to, 0);
}

static void put_chunk(writer *to, const foreign_parquet *how, int column,
                      const place *filter)
{
    if (how->is_elsewhere) {
        put_field(to, 1, BINARY);
        put_text(to, "other.parquet", 13);
    }
    put_meta(to, how, column, filter);
    if (how->is_encrypted)
        put_union(to, 8, 1);
    put_byte(to, 0);
}

static void put_group(writer *to, const foreign_parquet *how, int group,
                      const place *filters)
{
    int columns = FOREIGN_COLUMNS - how->missing_columns;
    put_list(to, 1, (uint32_t)columns, STRUCT);
    for (int i = 0; i < columns; i++) {
        bool is_gap = how->gap != 0 && how->gap == i && group == 1;
        put_chunk(to, how, i, is_gap ? NULL : &filters[i]);
    }
    put_integer(to, 3, I64, FOREIGN_KEYS + 1);
    put_byte(to, 0);
}

static void put_unknown(writer *to, const foreign_parquet *how)
{
    for (int i = 0; i < how->nesting; i++)
        put_field(to, 99, STRUCT);
    for (int i = 0; i < how->nesting; i++)
        put_byte(to, 0);
    if (how->list_count > 0)
        put_list(to, 98, how->list_count, 3);
}

static void put_footer(writer *to, const foreign_parquet *how,
                       place filters[][FOREIGN_COLUMNS])
{
    size_t first = to->count;
    uint8_t length[4];
    put_integer(to, 1, I32, 2);
    put_schema(to);
    if (how->has_two_schemas)
        put_schema(to);
    put_integer(to, 3, I64, FOREIGN_GROUPS * (FOREIGN_KEYS + 1));
    put_list(to, 4, FOREIGN_GROUPS, STRUCT);
    for (int group = 0; group < FOREIGN_GROUPS; group++)
        put_group(to, how, group, filters[group]);
    put_unknown(to, how);
    put_byte(to, 0);
    test_store(length, 4, to->count - first);
    put(to, length, 4);
}

/* In a block of exactly its size, so that a sanitizer sees its end. */
static uint8_t *take(writer *from, size_t *size_bytes)
{
    uint8_t *exact = realloc(from->at, from->count);
    assert_non_null(exact);
    *size_bytes = from->count;
    return exact;
}

uint8_t *foreign_parquet_make(const foreign_parquet *how, size_t *size_bytes)
{
    static const uint8_t indexes[64] = {0}; /* of pages, as other files have */
    writer to = {0};
    place filters[FOREIGN_GROUPS][FOREIGN_COLUMNS];
    put(&to, "PAR1", 4);
    for (int group = 0; group < FOREIGN_GROUPS; group++)
        for (int i = 0; i < FOREIGN_COLUMNS; i++)
            filters[group][i] = put_filter(&to, how, i, group);
    put(&to, indexes, sizeof indexes);
    put_footer(&to, how, filters);
    put(&to, "PAR1", 4);
    return take(&to, size_bytes);
}

/* ---- DCSO ---- */

uint8_t *foreign_dcso_make(size_t *size_bytes)
{
    enum {
        M = 575,
        K = 10
    };
    writer to = {0};
    uint8_t bits[(M + 63) / 64 * 8] = {0}, header[48];
    size_t bit_bytes = (M + 7) / 8;
    seenset *set = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                               .scheme = SEENSET_SCHEME_DCSO,
                                               .hash_count = K,
                                               .size_bits = M});
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        char key[16];
        int length = snprintf(key, sizeof key, "dcso %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &bit_bytes), SEENSET_OK);
    seenset_free(set);
    test_store(header, 8, 1);
    test_store(header + 8, 8, FOREIGN_KEYS);
    test_store(header + 16, 8, UINT64_C(0x3F50624DD2F1A9FC)); /* 0.001 */
    test_store(header + 24, 8, K);
    test_store(header + 32, 8, M);
    test_store(header + 40, 8, FOREIGN_KEYS);
    put(&to, header, sizeof header);
    put(&to, bits, sizeof bits);
    put(&to, "the owner's", 11);
    return take(&to, size_bytes);
}

/* ---- Guava ---- */

uint8_t *foreign_guava_make(int strategy, size_t *size_bytes)
{
    enum {
        LONGS = 9,
        K = 10
    };
    const uint8_t header[6] = {(uint8_t)strategy, K, 0, 0, 0, LONGS};
    writer to = {0};
    uint8_t bits[8 * LONGS];
    size_t bit_bytes = sizeof bits;
    seenset *set = test_make((seenset_options){
        .layout = SEENSET_LAYOUT_BLOOM,
        .scheme = strategy == 0 ? SEENSET_SCHEME_GUAVA_MITZ_32
                                : SEENSET_SCHEME_GUAVA_MITZ_64,
        .hash_count = K,
        .size_bits = 8 * sizeof bits});
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        char key[16];
        int length = snprintf(key, sizeof key, "guava %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &bit_bytes), SEENSET_OK);
    seenset_free(set);
    put(&to, header, sizeof header);
    for (size_t i = 0; i < sizeof bits; i++)
        put_byte(&to, bits[i ^ 7]);
    return take(&to, size_bytes);
}

/* ---- BIP-37 ---- */

uint8_t *foreign_bip37_make(size_t filter_bytes, size_t *size_bytes)
{
    const seenset_scheme_arguments tweak = {.seed = FOREIGN_TWEAK};
    const uint8_t head[3] = {253, (uint8_t)filter_bytes,
                             (uint8_t)(filter_bytes >> 8)};
    writer to = {0};
    uint8_t tail[9] = {10}, *bits = malloc(filter_bytes);
    size_t bit_bytes = filter_bytes;
    assert_non_null(bits);
    seenset *set = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                               .scheme = SEENSET_SCHEME_BIP37,
                                               .scheme_arguments = &tweak,
                                               .hash_count = tail[0],
                                               .size_bits = 8 * filter_bytes});
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        char key[16];
        int length = snprintf(key, sizeof key, "bip37 %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &bit_bytes), SEENSET_OK);
    seenset_free(set);
    test_store(tail + 4, 4, FOREIGN_TWEAK);
    tail[8] = 2;
    if (filter_bytes < 253)
        put_byte(&to, (uint8_t)filter_bytes);
    else
        put(&to, head, sizeof head);
    put(&to, bits, filter_bytes);
    put(&to, tail, sizeof tail);
    free(bits);
    return take(&to, size_bytes);
}

/* ---- RedisBloom ---- */

static void put_fixed(writer *to, uint64_t number, unsigned bytes)
{
    uint8_t stored[8];
    test_store(stored, bytes, number);
    put(to, stored, bytes);
}

static void put_real(writer *to, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_fixed(to, bits, 8);
}

enum {
    LINK_K = 7
};

static size_t link_bytes(uint32_t link)
{
    return link == 0 ? 40 : 80;
}

static void put_link_bits(writer *to, uint32_t link)
{
    uint8_t bits[80];
    size_t bit_bytes = link_bytes(link);
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                    .scheme = SEENSET_SCHEME_REDISBLOOM,
                                    .hash_count = LINK_K,
                                    .size_bits = 8 * link_bytes(link)});
    for (int i = 0; i < FOREIGN_KEYS; i++) {
        char key[24];
        int length = snprintf(key, sizeof key, "redisbloom %d", i);
        assert_true(seenset_add(set, key, (size_t)length) >= 0);
    }
    assert_int_equal(seenset_to_bits(set, bits, &bit_bytes), SEENSET_OK);
    seenset_free(set);
    put(to, bits, bit_bytes);
}

uint8_t *foreign_redisbloom_make(uint32_t links, size_t *size_bytes)
{
    writer to = {0};
    put_fixed(&to, (uint64_t)links * FOREIGN_KEYS, 8);
    put_fixed(&to, links, 4);
    put_fixed(&to, 5, 4);
    put_fixed(&to, 2, 4);
    for (uint32_t i = 0; i < links; i++) {
        put_fixed(&to, link_bytes(i), 8);
        put_fixed(&to, 8 * link_bytes(i), 8);
        put_fixed(&to, FOREIGN_KEYS, 8);
        put_real(&to, 0.01 / (i + 1));
        put_real(&to, 8);
        put_fixed(&to, LINK_K, 4);
        put_fixed(&to, FOREIGN_KEYS, 8);
        put_fixed(&to, 0, 1);
    }
    for (uint32_t i = 0; i < links; i++)
        put_link_bits(&to, i);
    return take(&to, size_bytes);
}
