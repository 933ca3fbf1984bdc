/* memory.c - blocks are zeroed, aligned, checked, and given back */
#include "base/map.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

#include "support.h"

static bool is_zero(const uint8_t *bytes, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static const size_t sizes[] = {1,       8,       63,      64,
                               65,      4096,    1 << 20, 4194303,
                               4194304, 4194305, 9000001, 1 << 24};

static void check_blocks(const ss_memory *memory)
{
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        uint8_t *block = ss_memory_alloc(memory, 1, sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        assert_true(is_zero(block, sizes[i]));
        memset(block, 0xFF, sizes[i]); /* the sanitizer sees a short block */
        ss_memory_free(memory, block, 1, sizes[i]);
        /* what was just given back is zeroed again */
        block = ss_memory_alloc(memory, sizes[i], 1);
        assert_non_null(block);
        assert_true(is_zero(block, sizes[i]));
        ss_memory_free(memory, block, sizes[i], 1);
        block = ss_memory_alloc_record(memory, sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        assert_true(is_zero(block, sizes[i]));
        memset(block, 0xFF, sizes[i]);
        ss_memory_free(memory, block, 1, sizes[i]);
    }
}

static void memory_own_is_zeroed_and_aligned(void **state)
{
    ss_memory memory;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    check_blocks(&memory);
}

static void memory_callers_is_zeroed_and_returned(void **state)
{
    test_memory counted;
    ss_memory memory;
    (void)state;
    test_memory_init(&counted);
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    check_blocks(&memory);
    assert_int_equal(counted.calls, 3 * TEST_COUNT(sizes));
    assert_int_equal(counted.live_blocks, 0);
    assert_int_equal(counted.live_bytes, 0);
}

static void memory_refuses_sizes_that_overflow(void **state)
{
    test_memory counted;
    ss_memory own, memory;
    (void)state;
    test_memory_init(&counted);
    assert_int_equal(ss_memory_init(&own, NULL), SEENSET_OK);
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    static const struct {
        uint64_t count;
        size_t size_bytes;
    } bad[] = {{UINT64_MAX, 8},  {SIZE_MAX / 8 + 1, 8}, {1, 0},
               {0, 8},           {SIZE_MAX, 1},         {SIZE_MAX / 2, 2},
               {UINT64_MAX, 64}, {SIZE_MAX - 4095, 1}};
    for (size_t i = 0; i < TEST_COUNT(bad); i++)
        assert_null(ss_memory_alloc(&own, bad[i].count, bad[i].size_bytes));
    for (size_t i = 0; i < 4; i++)
        assert_null(ss_memory_alloc(&memory, bad[i].count, bad[i].size_bytes));
    assert_int_equal(counted.calls, 0);
}

static void memory_half_an_allocator_is_refused(void **state)
{
    test_memory counted;
    ss_memory memory;
    (void)state;
    test_memory_init(&counted);
    seenset_allocator half = counted.allocator;
    half.release = NULL;
    assert_int_equal(ss_memory_init(&memory, &half), SEENSET_EINVAL);
    half = counted.allocator;
    half.allocate = NULL;
    assert_int_equal(ss_memory_init(&memory, &half), SEENSET_EINVAL);
}

static void memory_nothing_is_given_back_quietly(void **state)
{
    test_memory counted;
    ss_memory memory;
    (void)state;
    test_memory_init(&counted);
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    ss_memory_free(&memory, NULL, 1, 64);
    ss_map_end(NULL, 0);
    counted.fail_at = 1;
    assert_null(ss_memory_alloc(&memory, 1, 64));
    assert_int_equal(counted.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_own_is_zeroed_and_aligned),
        cmocka_unit_test(memory_callers_is_zeroed_and_returned),
        cmocka_unit_test(memory_refuses_sizes_that_overflow),
        cmocka_unit_test(memory_half_an_allocator_is_refused),
        cmocka_unit_test(memory_nothing_is_given_back_quietly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
