/* at_capacity.c - a set tells once, and in time, that it has the keys it was
 * planned for */
#include <stdlib.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    CAPACITY = 1000,
    MANY = 300000, /* so many that threads share them */
    THREADS = 4
};

/* What was told. */
typedef struct told {
    const seenset *set;
    uint64_t added_items;
    int count; /* Atomic */
} told;

static void tell(void *context, const seenset *set)
{
    told *now = context;
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    assert_int_equal(info.is_at_capacity, 1);
    assert_true(info.added_items >= info.capacity_items);
    now->set = set;
    now->added_items = info.added_items;
    __atomic_fetch_add(&now->count, 1, __ATOMIC_RELAXED);
}

static const uint8_t secret[SEENSET_SECRET_BYTES] = "secret";

/* Every kind that does not keep its promise, or takes no more. */
static const seenset_options kinds[] = {
    {.on_full = SEENSET_ON_FULL_DEGRADE},
    {.on_full = SEENSET_ON_FULL_REFUSE},
    {.layout = SEENSET_LAYOUT_BLOOM, .on_full = SEENSET_ON_FULL_REFUSE},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_COUNTING, .on_full = SEENSET_ON_FULL_REFUSE},
    {.flags = SEENSET_FLAG_SHARED},
    {.flags = SEENSET_FLAG_SHARED, .on_full = SEENSET_ON_FULL_REFUSE},
    {.on_full = SEENSET_ON_FULL_DEGRADE, .secret = secret},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MURMUR3_128},
};

static seenset *make(seenset_options options, uint64_t capacity_items,
                     told *now)
{
    *now = (told){0};
    options.capacity_items = capacity_items;
    options.at_capacity = tell;
    options.at_capacity_context = now;
    return test_make(options);
}

/* ---- the ways to add ---- */

typedef void adder(seenset *set, const seenset_key *keys, size_t count);

static void add_singly(seenset *set, const seenset_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)seenset_add(set, keys[i].data, keys[i].len);
}

static void add_many(seenset *set, const seenset_key *keys, size_t count)
{
    uint8_t is_new[2 * CAPACITY];
    (void)seenset_add_many(set, keys, count, is_new);
}

static void add_blindly(seenset *set, const seenset_key *keys, size_t count)
{
    (void)seenset_add_many(set, keys, count, NULL);
}

static void add_few_at_a_time(seenset *set, const seenset_key *keys,
                              size_t count)
{
    for (size_t i = 0; i < count; i += 7)
        add_many(set, keys + i, count - i < 7 ? count - i : 7);
}

static void add_hashes(seenset *set, const seenset_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = seenset_hash(keys[i].data, keys[i].len);
        if (seenset_add_hash(set, hash) == SEENSET_EUNSUPPORTED)
            add_singly(set, keys + i, 1);
    }
}

static uint64_t numbers[MANY];
static seenset_key keys[MANY];

static uint64_t added_items(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    return info.added_items;
}

/* Keys one after another: told with the call that brings the last one. */
static void told_with_the_key_that_fills_it(void **state)
{
    static adder *const ways[] = {add_singly, add_hashes, add_many};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        for (size_t way = 0; way < TEST_COUNT(ways); way++) {
            told now;
            seenset *set = make(kinds[i], CAPACITY, &now);
            size_t at = 0;
            for (; added_items(set) < CAPACITY; at++) {
                assert_int_equal(now.count, 0);
                ways[way](set, &keys[at], 1);
            }
            assert_int_equal(now.count, 1);
            assert_ptr_equal(now.set, set);
            assert_int_equal(now.added_items, CAPACITY);
            ways[way](set, &keys[at], CAPACITY);
            assert_int_equal(now.count, 1);
            seenset_free(set);
        }
    }
}

static void told_once_by_a_batch(void **state)
{
    static adder *const ways[] = {add_many, add_blindly, add_few_at_a_time};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        for (size_t way = 0; way < TEST_COUNT(ways); way++) {
            told now;
            seenset *set = make(kinds[i], CAPACITY, &now);
            ways[way](set, keys, CAPACITY / 2);
            assert_int_equal(now.count, 0);
            ways[way](set, keys, 2 * CAPACITY);
            assert_int_equal(now.count, 1);
            ways[way](set, keys, 2 * CAPACITY);
            assert_int_equal(now.count, 1);
            seenset_free(set);
        }
    }
}

static void told_once_by_threads_that_share_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        told now;
        seenset *set = make(kinds[i], MANY, &now);
        (void)seenset_add_parallel(set, keys, MANY - 5000, 2);
        assert_int_equal(now.count, 0);
        for (size_t at = MANY - 5000; added_items(set) < MANY; at++) {
            const uint64_t number = test_mix(at);
            (void)seenset_add(set, &number, sizeof number);
        }
        assert_int_equal(now.count, 1);
        (void)seenset_add_parallel(set, keys, MANY, 2);
        assert_int_equal(now.count, 1);
        seenset_free(set);
    }
}

static void told_by_parallel_adds(void **state)
{
    told now;
    seenset *set = make(kinds[0], MANY / 2, &now);
    (void)state;
    assert_int_equal(seenset_add_parallel(set, keys, MANY, 2), SEENSET_OK);
    assert_int_equal(now.count, 1);
    seenset_free(set);
}

/* One that is made to hold more than it was planned for by a union. */
static void told_by_a_merge(void **state)
{
    told now, other;
    seenset *into = make(kinds[0], CAPACITY, &now);
    seenset *from = make(kinds[0], CAPACITY, &other);
    (void)state;
    add_many(into, keys, CAPACITY * 3 / 4);
    add_many(from, keys + CAPACITY, CAPACITY * 3 / 4);
    assert_int_equal(seenset_merge(into, from), SEENSET_OK);
    assert_int_equal(now.count, 1);
    assert_int_equal(other.count, 0);
    seenset_free(into);
    seenset_free(from);
}

/* ---- who is not told ---- */

static void sets_that_keep_their_promise_tell_nothing(void **state)
{
    static const seenset_options lasting[] = {
        {.on_full = SEENSET_ON_FULL_GROW},
        {.on_full = SEENSET_ON_FULL_ROTATE},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 60},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(lasting); i++) {
        told now;
        seenset_info info;
        seenset *set = make(lasting[i], CAPACITY, &now);
        add_few_at_a_time(set, keys, 4 * CAPACITY);
        add_singly(set, keys, 8 * CAPACITY);
        assert_int_equal(now.count, 0);
        assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
        assert_int_equal(info.is_at_capacity, 0);
        seenset_free(set);
    }
}

static void copies_tell_nobody(void **state)
{
    told now;
    seenset *set = make(kinds[0], CAPACITY, &now), *copy;
    (void)state;
    assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
    add_singly(copy, keys, 2 * CAPACITY);
    assert_int_equal(now.count, 0);
    seenset_free(copy);
    seenset_free(set);
}

static void sealed_sets_have_no_capacity_to_tell_of(void **state)
{
    told now;
    seenset *set = NULL;
    seenset_info info;
    seenset_options options = {.at_capacity = tell};
    (void)state;
    assert_int_equal(
        seenset_build_sealed(&set, &options, keys, 100, NULL, NULL),
        SEENSET_EINVAL);
    options = (seenset_options){.at_capacity_context = &now};
    assert_int_equal(
        seenset_build_sealed(&set, &options, keys, 100, NULL, NULL),
        SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, NULL, keys, 100, NULL, NULL),
                     0);
    assert_int_equal(seenset_get_info(set, &info, sizeof info), SEENSET_OK);
    assert_int_equal(info.is_at_capacity, 0);
    seenset_free(set);
}

/* ---- opened sets ---- */

/* One that was not full is told as a new one; one that was, with the first
 * add, whatever becomes of the key. */
static void check_opened(const seenset_options *kind, size_t key_count)
{
    told before, now = {0};
    seenset *set = make(*kind, CAPACITY, &before), *opened;
    size_t size_bytes;
    add_many(set, keys, key_count);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    const seenset_open_options opening = {.flags =
                                              SEENSET_OPEN_COPY | kind->flags,
                                          .secret = kind->secret,
                                          .at_capacity = tell,
                                          .at_capacity_context = &now};
    assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes, &opening),
                     SEENSET_OK);
    bool was_full = added_items(opened) >= CAPACITY;
    assert_int_equal(now.count, 0);
    add_singly(opened, keys, 1); /* it is there */
    assert_int_equal(now.count, was_full);
    add_few_at_a_time(opened, keys, 2 * CAPACITY);
    assert_int_equal(now.count, 1);
    seenset_free(opened);
    seenset_free(set);
    free(bytes);
}

static void opened_sets_tell_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        check_opened(&kinds[i], CAPACITY / 2);
        check_opened(&kinds[i], 2 * CAPACITY);
    }
}

static void views_tell_nothing(void **state)
{
    told before, now = {0};
    seenset *set = make(kinds[0], CAPACITY, &before), *view;
    size_t size_bytes;
    (void)state;
    add_many(set, keys, CAPACITY + 100);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    const seenset_open_options opening = {.at_capacity = tell,
                                          .at_capacity_context = &now};
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, &opening),
                     SEENSET_OK);
    assert_int_equal(seenset_add(view, "a", 1), SEENSET_EREADONLY);
    assert_int_equal(seenset_add_many(view, keys, 10, NULL), SEENSET_EREADONLY);
    assert_int_equal(now.count, 0);
    seenset_free(view);
    seenset_free(set);
    free(bytes);
}

/* ---- threads ---- */

typedef struct member {
    seenset *set;
    size_t first;
} member;

static void *add_in_thread(void *context)
{
    member *own = context;
    for (size_t i = 0; i < 2 * CAPACITY; i += 10) {
        add_singly(own->set, keys + own->first + i, 5);
        add_blindly(own->set, keys + own->first + i + 5, 5);
    }
    return NULL;
}

static void one_of_many_threads_tells(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        if ((kinds[i].flags & SEENSET_FLAG_SHARED) == 0)
            continue;
        for (int round = 0; round < 20; round++) {
            told now;
            member members[THREADS];
            seenset *set = make(kinds[i], CAPACITY, &now);
            for (size_t t = 0; t < THREADS; t++)
                members[t] = (member){set, t * 2 * CAPACITY};
            test_run_threads(THREADS, add_in_thread, members,
                             sizeof members[0]);
            assert_int_equal(now.count, 1);
            seenset_free(set);
        }
    }
}

/* ---- queues ---- */

static seenset_queue *open_queue(const test_folder *folder, told *now,
                                 seenset_on_full on_full,
                                 seenset_queue_durability durability)
{
    seenset_queue *queue;
    const seenset_options set = {.capacity_items = CAPACITY,
                                 .on_full = on_full,
                                 .at_capacity = tell,
                                 .at_capacity_context = now};
    const seenset_queue_options options = {.set = &set,
                                           .durability = durability};
    *now = (told){0};
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options),
                     SEENSET_OK);
    return queue;
}

static void push_numbers(seenset_queue *queue, size_t first, size_t end)
{
    static seenset_queue_entry entries[2 * CAPACITY];
    for (size_t i = first; i < end; i++)
        entries[i] = (seenset_queue_entry){.url = &numbers[i], .url_len = 8};
    int error = seenset_queue_push_many(queue, entries + first, end - first,
                                        NULL, NULL);
    assert_true(error == SEENSET_OK || error == SEENSET_EFULL);
}

static void check_queue(seenset_on_full on_full,
                        seenset_queue_durability durability)
{
    told now;
    test_folder folder;
    test_folder_make(&folder);
    seenset_queue *queue = open_queue(&folder, &now, on_full, durability);
    push_numbers(queue, 0, CAPACITY - 100);
    assert_int_equal(now.count, 0);
    push_numbers(queue, CAPACITY - 100, 2 * CAPACITY);
    assert_int_equal(now.count, on_full != SEENSET_ON_FULL_GROW);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = open_queue(&folder, &now, on_full, durability);
    assert_int_equal(now.count, 0); /* opening adds nothing */
    assert_true(seenset_queue_push(queue, "new", 3, NULL, 0) != 0);
    assert_true(seenset_queue_push(queue, "newer", 5, NULL, 0) != 0);
    assert_int_equal(now.count, on_full != SEENSET_ON_FULL_GROW);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

static void queues_tell_once(void **state)
{
    static const seenset_on_full policies[] = {
        SEENSET_ON_FULL_DEGRADE, SEENSET_ON_FULL_REFUSE, SEENSET_ON_FULL_GROW};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(policies); i++) {
        check_queue(policies[i], SEENSET_QUEUE_DURABILITY_EACH);
        check_queue(policies[i], SEENSET_QUEUE_DURABILITY_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_with_the_key_that_fills_it),
        cmocka_unit_test(told_once_by_a_batch),
        cmocka_unit_test(told_once_by_threads_that_share_keys),
        cmocka_unit_test(told_by_parallel_adds),
        cmocka_unit_test(told_by_a_merge),
        cmocka_unit_test(sets_that_keep_their_promise_tell_nothing),
        cmocka_unit_test(copies_tell_nobody),
        cmocka_unit_test(sealed_sets_have_no_capacity_to_tell_of),
        cmocka_unit_test(opened_sets_tell_once),
        cmocka_unit_test(views_tell_nothing),
        cmocka_unit_test(one_of_many_threads_tells),
        cmocka_unit_test(queues_tell_once),
    };
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] = test_mix(i);
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
