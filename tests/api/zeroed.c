/*
 * zeroed.c - SEENSET_FLAG_ZEROED: of memory that is zeroed already a new set
 * touches nothing, so the operating system has not given its pages yet.
 */
#define _DEFAULT_SOURCE /* mincore */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    TABLE_BITS = 1 << 29, /* 64 MiB */
    KEYS = 1000
};

/* Pages straight from the operating system, in one block that is looked at. */
typedef struct mapped {
    seenset_allocator allocator;
    void *largest;
    size_t largest_bytes;
} mapped;

static void *map(void *context, size_t size_bytes, size_t alignment_bytes)
{
    mapped *memory = context;
    void *block = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)alignment_bytes;
    if (block == MAP_FAILED)
        return NULL;
    if (size_bytes > memory->largest_bytes) {
        memory->largest = block;
        memory->largest_bytes = size_bytes;
    }
    return block;
}

static void unmap(void *context, void *block, size_t size_bytes)
{
    (void)context;
    munmap(block, size_bytes);
}

static mapped memory_of_pages(void)
{
    return (mapped){.allocator = {map, unmap, NULL}};
}

static size_t pages_of(size_t size_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size_bytes + page - 1) / page;
}

/* How many pages of the table the system has given. */
static size_t pages_taken(const mapped *memory)
{
    size_t pages = pages_of(memory->largest_bytes), taken = 0;
    unsigned char *is_there = malloc(pages);
    assert_int_equal(mincore(memory->largest, memory->largest_bytes, is_there),
                     0);
    for (size_t i = 0; i < pages; i++)
        taken += is_there[i] & 1u;
    free(is_there);
    return taken;
}

static seenset *set_of(mapped *memory, uint32_t flags)
{
    seenset *set;
    memory->allocator.context = memory;
    seenset_options options = {.size_bits = TABLE_BITS,
                               .flags = flags,
                               .allocator = &memory->allocator};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_true(memory->largest_bytes >= TABLE_BITS / 8);
    return set;
}

static void zeroed_memory_is_not_zeroed_again(void **state)
{
    (void)state;
    mapped trusted = memory_of_pages(), other = memory_of_pages();
    seenset *sets[] = {set_of(&trusted, SEENSET_FLAG_ZEROED),
                       set_of(&other, 0)};
    assert_int_equal(pages_taken(&trusted), 0);
    assert_int_equal(pages_taken(&other), pages_of(other.largest_bytes));
    for (uint64_t key = 0; key < KEYS; key++) {
        int answer = seenset_add(sets[1], &key, sizeof key);
        assert_int_equal(seenset_add(sets[0], &key, sizeof key), answer);
    }
    assert_true(pages_taken(&trusted) <= KEYS);
    for (int i = 0; i < 2; i++)
        seenset_free(sets[i]);
}

static void zeroed_memory_serves_copies_and_growth(void **state)
{
    mapped memory = memory_of_pages();
    memory.allocator.context = &memory;
    seenset_options options = {.capacity_items = 100,
                               .flags = SEENSET_FLAG_ZEROED,
                               .allocator = &memory.allocator};
    seenset *set, *copy;
    (void)state;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    for (uint64_t key = 0; key < KEYS; key++)
        assert_true(seenset_add(set, &key, sizeof key) >= 0);
    assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
    for (uint64_t key = 0; key < KEYS; key++)
        assert_int_equal(seenset_has(copy, &key, sizeof key), 1);
    seenset_free(copy);
    seenset_free(set);
}

static void zeroed_memory_without_an_allocator_is_our_own(void **state)
{
    seenset_options options = {.flags = SEENSET_FLAG_ZEROED};
    seenset *set;
    (void)state;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_int_equal(seenset_add(set, "a", 1), 1);
    assert_int_equal(seenset_has(set, "b", 1), 0);
    seenset_free(set);
}

/* What the memory is like is of this handle: the folder does not know it. */
static void zeroed_memory_is_no_matter_of_a_queues_folder(void **state)
{
    mapped memory = memory_of_pages();
    memory.allocator.context = &memory;
    seenset_options set = {.flags = SEENSET_FLAG_ZEROED,
                           .allocator = &memory.allocator};
    seenset_queue_options options = {.set = &set};
    test_folder folder;
    seenset_queue *queue;
    (void)state;
    test_folder_make(&folder);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_queue_open(&queue, folder.path, &options),
                         SEENSET_OK);
        assert_int_equal(seenset_queue_push(queue, "u", 1, NULL, 0), 1 - i);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    assert_int_equal(seenset_queue_open(&queue, folder.path, NULL), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroed_memory_is_not_zeroed_again),
        cmocka_unit_test(zeroed_memory_serves_copies_and_growth),
        cmocka_unit_test(zeroed_memory_without_an_allocator_is_our_own),
        cmocka_unit_test(zeroed_memory_is_no_matter_of_a_queues_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
