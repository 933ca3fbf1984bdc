/*
 * shared_window.c - a window that many threads add to.
 *
 * A window makes tables and drops them, so it needs a lock. One lock would make
 * the threads wait for each other. So there are sixteen windows with a lock
 * each, and a key always goes to the same one, by seenset_shard. (Bits of the
 * hash are not for that: a set whose keys agree in some fills unevenly.)
 *
 * Four threads offer the same keys, each from another place on. Every key is
 * new exactly once.
 */
#include <pthread.h>
#include <seenset/seenset.h>
#include <stdio.h>
#include <string.h>

#include "example.h"

enum {
    PART_COUNT = 16,
    THREAD_COUNT = 4,
    KEY_COUNT = 100000
};

typedef struct part {
    pthread_mutex_t lock;
    seenset *seen;
} part;

static part parts[PART_COUNT];

static void make_parts(void)
{
    const seenset_options options = {
        .on_full = SEENSET_ON_FULL_ROTATE,
        .window_seconds = 3600,
        .capacity_items = KEY_COUNT / PART_COUNT, /* of each part */
        .fp_rate = 1e-9};
    for (int i = 0; i < PART_COUNT; i++) {
        check(-pthread_mutex_init(&parts[i].lock, NULL));
        check(seenset_new(&parts[i].seen, &options));
    }
}

/* 1: new in the last hour; 0: seen. */
static int add_to_part(const char *key, size_t key_len)
{
    uint64_t hash = seenset_hash(key, key_len);
    part *of = &parts[seenset_shard(hash, PART_COUNT)];
    check(-pthread_mutex_lock(&of->lock));
    int answer = seenset_add_hash(of->seen, hash);
    check(-pthread_mutex_unlock(&of->lock));
    check(answer);
    return answer;
}

static void *add_all(void *first)
{
    static int counts[THREAD_COUNT];
    int *new_count = &counts[*(const int *)first];
    for (int i = 0; i < KEY_COUNT; i++) {
        char key[32];
        int number = (i + *(const int *)first * 1000) % KEY_COUNT;
        snprintf(key, sizeof key, "key %d", number);
        *new_count += add_to_part(key, strlen(key));
    }
    return new_count;
}

int main(void)
{
    pthread_t threads[THREAD_COUNT];
    int numbers[THREAD_COUNT], new_count = 0;
    make_parts();
    for (int i = 0; i < THREAD_COUNT; i++) {
        numbers[i] = i;
        check(-pthread_create(&threads[i], NULL, add_all, &numbers[i]));
    }
    for (int i = 0; i < THREAD_COUNT; i++) {
        void *count;
        check(-pthread_join(threads[i], &count));
        new_count += *(const int *)count;
    }
    printf("%d keys were offered, %d were new\n", THREAD_COUNT * KEY_COUNT,
           new_count);
    for (int i = 0; i < PART_COUNT; i++)
        seenset_free(parts[i].seen);
    return 0;
}
