/*
 * image.c - an expandable table as bytes: what is read is what was written, in
 * memory of its own or as a view, and bytes that no table has are refused
 * before a lookup trusts them.
 */
#include "expand/image/image.h"

#include <string.h>

#include "expand/expand.h"
#include "expand/image/fields.h"
#include "support.h"

typedef struct image {
    ss_image_shape shape;
    uint8_t *bytes; /* at a multiple of 64 */
    size_t size_bytes;
} image;

static const ss_memory plain = {0};

static ss_expand *make(ss_expand_options options, uint64_t keys)
{
    ss_expand *expand = NULL;
    assert_int_equal(ss_expand_new(&expand, &options), SEENSET_OK);
    for (uint64_t i = 0; i < keys; i++)
        assert_true(ss_expand_add(expand, test_mix(i)) >= 0);
    return expand;
}

static image write_in_pieces(const ss_expand *expand, size_t piece_bytes)
{
    ss_image_cursor cursor;
    ss_image_start(&cursor, expand);
    image made = {.shape = cursor.shape};
    made.size_bytes = (size_t)ss_image_bytes(&cursor.shape);
    made.bytes = ss_memory_alloc(&plain, made.size_bytes, 1);
    assert_non_null(made.bytes);
    assert_true(ss_image_is_shape(&made.shape));
    for (size_t at = 0; at < made.size_bytes; at += piece_bytes) {
        size_t left = made.size_bytes - at;
        ss_image_next(&cursor, made.bytes + at,
                      left < piece_bytes ? left : piece_bytes);
    }
    return made;
}

static image write(const ss_expand *expand)
{
    return write_in_pieces(expand, 32768);
}

static void give(image *made)
{
    ss_memory_free(&plain, made->bytes, made->size_bytes, 1);
}

static image copy_of(const image *from)
{
    image copy = *from;
    copy.bytes = ss_memory_alloc(&plain, copy.size_bytes, 1);
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, from->bytes, copy.size_bytes);
    return copy;
}

static void check_same(const image *a, const image *b)
{
    assert_int_equal(a->size_bytes, b->size_bytes);
    assert_int_equal(a->shape.size_bits, b->shape.size_bits);
    assert_int_equal(a->shape.segments, b->shape.segments);
    assert_int_equal(a->shape.unit_bits, b->shape.unit_bits);
    assert_memory_equal(a->bytes, b->bytes, a->size_bytes);
}

/* 0 or an error; the table is NULL then. */
static int read_with(const ss_memory *memory, const image *from,
                     ss_expand **out, const char **fault)
{
    ss_expand *expand = NULL;
    int error = ss_image_begin(&expand, memory, &from->shape);
    uint64_t done = 0;
    while (error == SEENSET_OK && done < from->size_bytes) {
        size_t room;
        uint8_t *place = ss_image_place(expand, &from->shape, done, &room);
        error = place == NULL ? SEENSET_ENOMEM : SEENSET_OK;
        /* half a piece, to come back for the rest */
        room = room > 1 ? room / 2 : room;
        if (place != NULL)
            memcpy(place, from->bytes + done, room);
        done += room;
    }
    if (error == SEENSET_OK)
        error = ss_image_finish(expand, &from->shape, fault);
    if (error != SEENSET_OK) {
        ss_expand_free(expand);
        expand = NULL;
    }
    *out = expand;
    return error;
}

static ss_expand *read(const image *from)
{
    ss_expand *expand;
    const char *fault = NULL;
    if (read_with(&plain, from, &expand, &fault) != SEENSET_OK)
        fail_msg("%s", fault);
    return expand;
}

static ss_expand *view(const image *from)
{
    ss_expand *expand;
    const char *fault = NULL;
    if (ss_image_view(&expand, &plain, &from->shape, from->bytes, &fault) !=
        SEENSET_OK)
        fail_msg("%s", fault);
    return expand;
}

static int read_piece(void *context, uint64_t offset, void *bytes,
                      size_t size_bytes)
{
    const image *from = context;
    assert_true(offset <= from->size_bytes &&
                size_bytes <= from->size_bytes - offset);
    memcpy(bytes, from->bytes + offset, size_bytes);
    return SEENSET_OK;
}

static int verify(image *from)
{
    ss_image_source source = {read_piece, from};
    const char *fault = NULL;
    int error = ss_image_verify(&source, &from->shape, &fault);
    assert_int_equal(error != SEENSET_OK, fault != NULL);
    return error;
}

/* The same answers, slots and rate; and the same again after more keys. */
static void check_equal(ss_expand *a, ss_expand *b, uint64_t keys,
                        uint64_t more)
{
    assert_null(ss_expand_verify(a));
    assert_null(ss_expand_verify(b));
    assert_true(ss_expand_rate(a) == ss_expand_rate(b));
    for (uint64_t i = 0; i < 2 * keys + 100; i++)
        assert_int_equal(ss_expand_has(a, test_mix(i)),
                         ss_expand_has(b, test_mix(i)));
    for (uint64_t i = keys; i < keys + more; i++)
        assert_int_equal(ss_expand_add(a, test_mix(i)),
                         ss_expand_add(b, test_mix(i)));
    assert_null(ss_expand_verify(a));
    assert_null(ss_expand_verify(b));
    image first = write(a), second = write(b);
    check_same(&first, &second);
    give(&first);
    give(&second);
}

static const uint8_t widths[] = {8, 10, 14, 15, 21, 26, 32, 40, 56};
static const uint64_t sizes[] = {0, 1, 900, 5000, 40000, 70000};

static void image_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (size_t w = 0; w < TEST_COUNT(widths); w++) {
        for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
            ss_expand *expand =
                make((ss_expand_options){.widths = {widths[w]}}, sizes[i]);
            image made = write(expand), small = write_in_pieces(expand, 64);
            check_same(&made, &small);
            assert_int_equal(verify(&made), SEENSET_OK);
            ss_expand *again = read(&made), *copy;
            assert_int_equal(ss_expand_copy(&copy, expand, NULL), SEENSET_OK);
            image third = write(copy);
            check_same(&made, &third);
            check_equal(expand, again, sizes[i], 30000);
            ss_expand_free(copy);
            ss_expand_free(again);
            ss_expand_free(expand);
            give(&third);
            give(&small);
            give(&made);
        }
    }
}

/* Also with widths that change. */
static void image_has_widths_and_load(void **state)
{
    (void)state;
    ss_expand_options options = {.load = 200};
    options.widths[0] = 21;
    options.widths[15] = 16;
    options.widths[16] = 14;
    options.widths[19] = 15;
    ss_expand *expand = make(options, 150000);
    image made = write(expand);
    ss_expand *again = read(&made);
    assert_memory_equal(again->widths, expand->widths, sizeof expand->widths);
    assert_int_equal(again->load, 200);
    check_equal(expand, again, 150000, 200000);
    ss_expand_free(again);
    ss_expand_free(expand);
    give(&made);
}

/* A view asks the image's own pages; what is added to it goes there, too, and
 * is what it would have been elsewhere. */
static void image_is_viewed(void **state)
{
    (void)state;
    if (test_views_are_copies())
        skip(); /* no image is viewed there */
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        ss_expand *expand = make((ss_expand_options){.widths = {14}}, sizes[i]);
        image made = write(expand), pages = copy_of(&made);
        ss_expand *seen = view(&pages);
        assert_true(ss_expand_bytes(seen) <
                    4096 + pages.size_bytes + ss_expand_bytes(expand) / 8);
        uint64_t hash = 0, next = 0;
        do {
            uint64_t count = 0;
            assert_int_equal(ss_image_find(expand, hash, &count), 0);
            assert_int_equal(count, 0);
            assert_int_equal(ss_image_find(seen, hash, &count), next);
            assert_true(count >= 9 * 256 && count <= 16 * 4096);
            assert_null(ss_image_check(seen, hash, hash % 3 == 0));
            hash = ss_image_after(seen, hash);
            next += count;
        } while (hash != 0);
        assert_int_equal(next * 8, made.shape.size_bits);
        assert_int_equal(next, ss_image_pages_end(seen));
        check_equal(expand, seen, sizes[i], 60000);
        ss_expand_free(seen);
        ss_expand_free(expand);
        give(&pages);
        give(&made);
    }
}

/* ---- bytes that no table has ---- */

static void ask(ss_expand *expand, bool to_be_added_to)
{
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t hash = test_mix(i * 7);
        if (ss_image_check(expand, hash, to_be_added_to) != NULL)
            continue;
        (void)ss_expand_has(expand, hash);
        if (to_be_added_to)
            (void)ss_expand_add(expand, hash);
    }
}

/* Whatever the bytes are: refused by all ways, or by none. A sanitizer sees
 * what a lookup reads. */
static void check_forged(image *forged, const image *sound)
{
    const char *fault = NULL;
    ss_expand *expand = NULL;
    int error = read_with(&plain, forged, &expand, &fault);
    assert_true(error == SEENSET_OK || error == SEENSET_ECORRUPT);
    assert_int_equal(verify(forged), error);
    if (error == SEENSET_OK)
        ss_expand_free(expand);
    if (ss_image_view(&expand, &plain, &forged->shape, forged->bytes, &fault) !=
        SEENSET_OK) {
        assert_int_equal(error, SEENSET_ECORRUPT);
        return;
    }
    ask(expand, false);
    ask(expand, true);
    ss_expand_free(expand);
    memcpy(forged->bytes, sound->bytes, sound->size_bytes);
}

/* A bit of what follows the pages is another. Load, flag and widths may
 * be; all else is known. */
static void check_bit(const image *made, image *forged, uint64_t at,
                      uint8_t bit)
{
    uint64_t rest = made->size_bytes - SS_IMAGE_REST_BYTES;
    bool may_be =
        at / 8 == (rest + OF_REST_LOAD) / 8 ||
        (at >= rest + OF_REST_WIDTHS && at < rest + OF_REST_RESERVED_97);
    forged->bytes[at] ^= bit;
    if (!may_be)
        assert_int_equal(verify(forged), SEENSET_ECORRUPT);
    check_forged(forged, made);
    forged->bytes[at] = made->bytes[at];
}

static void image_directory_is_not_believed(void **state)
{
    (void)state;
    static const uint64_t keys[] = {200, 60000};
    for (size_t i = 0; i < TEST_COUNT(keys); i++) {
        ss_expand *expand = make((ss_expand_options){.widths = {14}}, keys[i]);
        image made = write(expand), forged = copy_of(&made);
        uint64_t from = ss_image_directory_offset(&made.shape);
        assert_int_equal(made.shape.segments > 1, i > 0);
        for (uint64_t at = from; at < made.size_bytes; at++)
            for (uint8_t bit = 1; bit != 0 && (i == 0 || at % 8 < 7); bit *= 2)
                if (i == 0 || at < from + 24)
                    check_bit(&made, &forged, at, bit);
        ss_expand_free(expand);
        give(&forged);
        give(&made);
    }
}

static void image_pages_are_not_believed(void **state)
{
    (void)state;
    static const uint8_t some_widths[] = {8, 14, 21, 49};
    for (uint32_t round = 0; round < 96; round++) {
        uint8_t width = some_widths[round % 4];
        ss_expand *expand = make((ss_expand_options){.widths = {width}},
                                 round % 3 == 0 ? 700 : 30000);
        image made = write(expand), forged = copy_of(&made);
        uint64_t lines = made.shape.size_bits / 512;
        for (uint64_t i = 0; i < 1 + round % 5; i++) {
            uint64_t drawn = test_mix(1000 * round + i);
            uint64_t line = drawn % lines, byte = drawn >> 32;
            bool is_ends = (drawn >> 60) < 12;
            byte = is_ends ? 56 + byte % 8 : byte % 64;
            forged.bytes[line * 64 + byte] ^= (uint8_t)(1 << (drawn >> 40) % 8);
        }
        check_forged(&forged, &made);
        /* all of a page, or much of it */
        for (uint64_t i = 0; i < 2048 / 8 && round % 8 == 0; i++) {
            uint64_t drawn = test_mix(round * 4096 + i);
            memcpy(forged.bytes + i * 8, &drawn, 8);
        }
        check_forged(&forged, &made);
        ss_expand_free(expand);
        give(&forged);
        give(&made);
    }
}

static void image_shapes_are_checked(void **state)
{
    (void)state;
    const ss_image_shape sound = {9 * 4096 * 8, 1, 12};
    assert_true(ss_image_is_shape(&sound));
    const ss_image_shape others[] = {{0, 0, 12},
                                     {9 * 4096 * 8, 0, 12},
                                     {9 * 4096 * 8 + 512, 1, 12},
                                     {8 * 4096 * 8, 1, 12},
                                     {17 * 4096 * 8, 1, 12},
                                     {17 * 4096 * 8, 2, 12},
                                     {9 * 4096 * 8, 1, 13},
                                     {9 * 4096 * 8, 1, 7},
                                     {18 * 256 * 8, 2, 8},
                                     {UINT64_MAX, 1, 12},
                                     {UINT64_MAX, UINT64_MAX, 12},
                                     {UINT64_C(1) << 54, UINT64_C(1) << 35, 12},
                                     {9 * 4096 * 8, UINT64_MAX / 9 + 1, 12}};
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        assert_false(ss_image_is_shape(&others[i]));
}

/* A directory whose segments are ever shorter would take memory without end. */
static void image_directory_is_not_deep(void **state)
{
    (void)state;
    enum {
        DEPTH = 40
    };
    image forged = {.shape = {(DEPTH + 1) * 9 * 4096 * 8, DEPTH + 1, 12}};
    forged.size_bytes = (size_t)ss_image_bytes(&forged.shape);
    forged.bytes = ss_memory_alloc(&plain, forged.size_bytes, 1);
    assert_non_null(forged.bytes);
    uint8_t *at = forged.bytes + ss_image_directory_offset(&forged.shape);
    for (uint8_t i = 0; i <= DEPTH; i++, at += 8) {
        at[4] = i == 0 ? DEPTH : (uint8_t)(DEPTH + 1 - i);
        at[5] = 14;
        at[6] = 9;
    }
    uint8_t *rest = forged.bytes + forged.size_bytes - SS_IMAGE_REST_BYTES;
    rest[16] = 230;
    memset(rest + 32, 14, 65);
    ss_expand *expand;
    const char *fault = NULL;
    assert_int_equal(read_with(&plain, &forged, &expand, &fault),
                     SEENSET_ECORRUPT);
    assert_string_equal(fault, "the segments do not cover each hash once");
    assert_int_equal(verify(&forged), SEENSET_ECORRUPT);
    give(&forged);
}

/* Nor is one that hashes were chosen for. */
static void table_is_not_deep(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}}, 0);
    uint64_t added = 0;
    for (uint32_t shared = 0; shared < 36; shared++)
        for (uint64_t i = 0; i < 8000; i++, added++)
            assert_true(ss_expand_add(expand, test_mix(added) >> shared) >= 0);
    for (uint64_t i = 0; i < added; i++)
        assert_int_equal(ss_expand_has(expand, test_mix(i) >> (i / 8000)), 1);
    assert_null(ss_expand_verify(expand));
    assert_true(expand->directory.top_bits <= 16);
    assert_true(ss_expand_bytes(expand) < 8 << 20);
    image made = write(expand);
    ss_expand *again = read(&made);
    check_equal(expand, again, 0, 1000);
    ss_expand_free(again);
    ss_expand_free(expand);
    give(&made);
}

/* ---- without memory ---- */

static void image_needs_memory(void **state)
{
    (void)state;
    ss_expand *expand = make((ss_expand_options){.widths = {14}}, 60000);
    image made = write(expand);
    for (int way = 0; way < 3; way++) {
        int error = SEENSET_ENOMEM;
        for (size_t fail_at = 1; error != SEENSET_OK; fail_at++) {
            test_memory memory;
            ss_memory ours;
            const char *fault;
            ss_expand *out = NULL;
            test_memory_init(&memory);
            assert_int_equal(ss_memory_init(&ours, &memory.allocator),
                             SEENSET_OK);
            memory.fail_at = fail_at;
            if (way == 0)
                error = read_with(&ours, &made, &out, &fault);
            else if (way == 1)
                error =
                    ss_image_view(&out, &ours, &made.shape, made.bytes, &fault);
            else
                error = ss_expand_copy(&out, expand, &memory.allocator);
            assert_true(error == SEENSET_OK || error == SEENSET_ENOMEM);
            assert_true(error == SEENSET_OK || out == NULL);
            ss_expand_free(out);
            assert_int_equal(memory.live_blocks, 0);
            assert_true(fail_at > 3 || error != SEENSET_OK);
        }
    }
    ss_expand_free(expand);
    give(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(image_is_read_as_it_was_written),
        cmocka_unit_test(image_has_widths_and_load),
        cmocka_unit_test(image_is_viewed),
        cmocka_unit_test(image_directory_is_not_believed),
        cmocka_unit_test(image_pages_are_not_believed),
        cmocka_unit_test(image_shapes_are_checked),
        cmocka_unit_test(image_directory_is_not_deep),
        cmocka_unit_test(table_is_not_deep),
        cmocka_unit_test(image_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
