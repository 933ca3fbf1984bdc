/*
 * test_processes.c - one set file, several processes.
 *
 * A writer adds keys and saves the set over its file, again and again. Readers
 * map the file and expect of every opening a whole set: the keys that its
 * header counts, all of them, and none of the ones to come; never fewer than
 * before; and the set that they had open stays as it was. The planted fault is
 * a writer that overwrites the file in place.
 *
 *     test_processes SAVES
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum {
    READERS = 4,
    KEYS_A_SAVE = 100,
    MOST_SAVES = 400 /* of one set; then it begins anew */
};

/* A rate so low that no key is ever taken for another one. */
static seenset *make(void)
{
    seenset *set = NULL;
    seenset_options options = {.on_full = SEENSET_DEGRADE,
                               .capacity_items = KEYS_A_SAVE * MOST_SAVES,
                               .fp_rate = 1e-12};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

static void add_keys(seenset *set, uint64_t save)
{
    for (uint64_t i = 0; i < KEYS_A_SAVE; i++)
        assert_int_equal(
            seenset_add_hash(set, test_mix(save * KEYS_A_SAVE + i)), 1);
}

/* ---- readers; they are processes of their own and answer by exit status ----
 */

/* The keys of a set that is whole, or -1. */
static long whole_keys(const seenset *set)
{
    seenset_stats stats;
    if (seenset_get_stats(set, &stats) != SEENSET_OK ||
        stats.added_items % KEYS_A_SAVE != 0)
        return -1;
    for (uint64_t i = 0; i < stats.added_items + KEYS_A_SAVE; i++) {
        if (seenset_has_hash(set, test_mix(i)) != (i < stats.added_items))
            return -1;
    }
    return (long)stats.added_items;
}

/* Opens the file once more: as a view, every fourth time as a copy. */
static seenset *open_again(const char *path, int round)
{
    seenset *set = NULL;
    unsigned flags = round % 4 == 3 ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW;
    if (seenset_open(&set, path, flags) != SEENSET_OK)
        return NULL;
    if (round % 8 == 5 && seenset_verify(path, NULL) != SEENSET_OK) {
        seenset_free(set);
        return NULL;
    }
    return set;
}

/* Reads until the writer closes its end of the pipe; 0 if all was well. */
static int read_on(const char *path, int running, uint64_t *openings)
{
    long last = 0, rounds = 0;
    seenset *old = NULL;
    uint8_t byte;
    (void)fcntl(running, F_SETFL, O_NONBLOCK);
    while (read(running, &byte, 1) != 0 || rounds == 0) {
        seenset *set = open_again(path, (int)rounds++);
        if (set == NULL)
            return 1;
        long keys = whole_keys(set);
        __atomic_fetch_add(openings, 1, __ATOMIC_RELAXED);
        if (keys < last || (old != NULL && whole_keys(old) != last))
            return 2;
        seenset_free(old);
        old = set;
        last = keys;
    }
    seenset_free(old);
    return 0;
}

/* ---- the writer ---- */

typedef void save_function(const seenset *set, const char *path);

static void save_whole(const seenset *set, const char *path)
{
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
}

/* Planted: the header first, the rest a moment later. */
static void save_in_place(const seenset *set, const char *path)
{
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    const struct timespec moment = {.tv_nsec = 2000000};
    int fd = open(path, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, 192, 0), 192);
    (void)nanosleep(&moment, NULL);
    assert_int_equal(pwrite(fd, bytes + 192, size_bytes - 192, 192),
                     size_bytes - 192);
    assert_int_equal(close(fd), 0);
    free(bytes);
}

static void start_readers(pid_t readers[READERS], const char *path,
                          const int ends[2], uint64_t *openings)
{
    for (int i = 0; i < READERS; i++) {
        readers[i] = fork();
        assert_true(readers[i] >= 0);
        if (readers[i] == 0) {
            (void)close(ends[1]);
            _exit(read_on(path, ends[0], openings));
        }
    }
}

/* How many of the readers saw something that was not whole. */
static int count_unhappy(const pid_t readers[READERS])
{
    int unhappy = 0;
    for (int i = 0; i < READERS; i++) {
        int status;
        assert_int_equal(waitpid(readers[i], &status, 0), readers[i]);
        unhappy += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    return unhappy;
}

/* Saves a set that grows so many times while others read its file, and count
 * how often. How many of them are unhappy with what they saw. */
static int run(int saves, save_function *save, uint64_t *openings)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    pid_t readers[READERS];
    int ends[2];
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    seenset *set = make();
    save_whole(set, path);
    assert_int_equal(pipe(ends), 0);
    start_readers(readers, path, ends, openings);
    for (int i = 0; i < saves; i++) {
        add_keys(set, (uint64_t)i);
        save(set, path);
    }
    (void)close(ends[1]);
    int unhappy = count_unhappy(readers);
    (void)close(ends[0]);
    seenset_free(set);
    test_folder_remove(&folder);
    return unhappy;
}

/* A number that all processes see. */
static uint64_t *new_shared_number(void)
{
    void *memory = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

static void readers_see_whole_sets_only(void **state)
{
    int saves = *(const int *)*state;
    uint64_t *openings = new_shared_number();
    for (int done = 0; done < saves; done += MOST_SAVES) {
        int count = saves - done < MOST_SAVES ? saves - done : MOST_SAVES;
        assert_int_equal(run(count, save_whole, openings), 0);
    }
    printf("  %d saves, read %llu times by %d processes\n", saves,
           (unsigned long long)*openings, READERS);
    assert_true(*openings >= READERS);
    (void)munmap(openings, sizeof *openings);
}

static void a_file_changed_in_place_is_caught(void **state)
{
    (void)state;
    uint64_t *openings = new_shared_number();
    assert_true(run(100, save_in_place, openings) > 0);
    (void)munmap(openings, sizeof *openings);
}

int main(int argc, char **argv)
{
    int saves = argc > 1 ? atoi(argv[1]) : 200;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(readers_see_whole_sets_only, &saves),
        cmocka_unit_test(a_file_changed_in_place_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
