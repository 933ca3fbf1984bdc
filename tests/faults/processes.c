/*
 * processes.c - one set file, several processes.
 *
 * A writer adds keys and saves the set over its file, again and again. Readers
 * map the file and expect of every opening a whole set: the keys that its
 * header counts, all of them, and none of the ones to come; never fewer than
 * before; and the set that they had open stays as it was. The planted fault is
 * a writer that overwrites the file in place.
 *
 * Many writers at once, some of them killed: no save of the others fails, the
 * file is always one that one of them wrote, and nothing is left beside it.
 * The planted fault is a lock that everybody gets.
 *
 *     test_processes SAVES
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, usleep */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file/file.h"
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
    seenset_options options = {.on_full = SEENSET_ON_FULL_DEGRADE,
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
    if (seenset_get_stats(set, &stats, sizeof stats) != SEENSET_OK ||
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
    uint32_t flags = round % 4 == 3 ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW;
    if (seenset_open(&set, path, &(seenset_open_options){.flags = flags}) !=
        SEENSET_OK)
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

/* ---- many writers ---- */

enum {
    SAVERS = 6,
    VICTIMS = 40
};

/* Saves until the pipe is closed; 0 if no save failed. It writes a byte to
 * `started` after the first. */
static int save_on(const ss_io *io, const char *path, uint64_t sets,
                   const int running[2], int started)
{
    uint8_t byte = 0;
    seenset *set = make();
    for (uint64_t i = 0; i < sets; i++)
        add_keys(set, i);
    (void)close(running[1]);
    (void)fcntl(running[0], F_SETFL, O_NONBLOCK);
    int error = ss_file_save(io, set, path);
    if (write(started, &byte, 1) != 1)
        return 2;
    while (error == SEENSET_OK && read(running[0], &byte, 1) != 0)
        error = ss_file_save(io, set, path);
    if (error != SEENSET_OK)
        return 1;
    seenset_free(set);
    return 0;
}

static pid_t start_saver(const ss_io *io, const char *path, uint64_t sets,
                         const int running[2], int started)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(save_on(io, path, sets, running, started));
    return child;
}

/* Whether the file is one that a saver wrote, whole. */
static bool is_whole(const char *path)
{
    seenset *set = NULL;
    if (seenset_open(&set, path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY}) !=
        SEENSET_OK)
        return false;
    long keys = whole_keys(set);
    seenset_free(set);
    return keys >= KEYS_A_SAVE && keys <= KEYS_A_SAVE * (SAVERS + 1);
}

/* Starts and kills savers beside the others. How often the file was bad. */
static int kill_some(const ss_io *io, const char *path, const int running[2],
                     int count)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        int started[2], status;
        uint8_t byte;
        assert_int_equal(pipe(started), 0);
        pid_t victim = start_saver(io, path, SAVERS + 1, running, started[1]);
        (void)close(started[1]);
        (void)!read(started[0], &byte, 1);
        (void)usleep((useconds_t)(test_mix((uint64_t)i) % 2000));
        (void)kill(victim, SIGKILL);
        assert_int_equal(waitpid(victim, &status, 0), victim);
        (void)close(started[0]);
        bad += !is_whole(path);
    }
    return bad;
}

/* How many savers failed and how often the file was not whole; *beside: the
 * files beside the set after one last save. */
static int run_savers(const ss_io *io, int victims, int *beside)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    pid_t savers[SAVERS];
    int running[2], started[2];
    uint8_t bytes[SAVERS];
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    assert_int_equal(pipe(running), 0);
    assert_int_equal(pipe(started), 0);
    for (uint64_t i = 0; i < SAVERS; i++)
        savers[i] = start_saver(io, path, i + 1, running, started[1]);
    for (size_t i = 0; i < SAVERS; i++)
        (void)!read(started[0], bytes, 1);
    int bad = kill_some(io, path, running, victims);
    (void)close(running[1]);
    for (size_t i = 0; i < SAVERS; i++) {
        int status;
        assert_int_equal(waitpid(savers[i], &status, 0), savers[i]);
        bad += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    seenset *last = make();
    assert_int_equal(seenset_save(last, path), SEENSET_OK);
    *beside = test_folder_count(&folder) - 1;
    seenset_free(last);
    (void)close(running[0]);
    (void)close(started[0]);
    (void)close(started[1]);
    test_folder_remove(&folder);
    return bad;
}

static void savers_leave_each_other_alone(void **state)
{
    int saves = *(const int *)*state, beside;
    assert_int_equal(run_savers(&ss_io_system, saves / 5, &beside), 0);
    assert_int_equal(beside, 0);
}

static int lock_for_all(void *context, int fd)
{
    (void)context;
    (void)fd;
    return 0;
}

/* Whoever takes a file at work for left over makes somebody's save fail. */
static void savers_without_locks_are_caught(void **state)
{
    (void)state;
    ss_io io = ss_io_system;
    int beside, bad = 0;
    io.lock = lock_for_all;
    for (int i = 0; bad == 0 && i < 100; i++)
        bad = run_savers(&io, VICTIMS, &beside);
    assert_true(bad > 0);
}

int main(int argc, char **argv)
{
    int saves = argc > 1 ? atoi(argv[1]) : 200;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(readers_see_whole_sets_only, &saves),
        cmocka_unit_test(a_file_changed_in_place_is_caught),
        cmocka_unit_test_prestate(savers_leave_each_other_alone, &saves),
        cmocka_unit_test(savers_without_locks_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
