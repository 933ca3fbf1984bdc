/*
 * append_faults.c - keys appended to a file while the power goes, processes are
 * killed, calls fail or memory ends: what was answered is there, and the file
 * and its journal open.
 *
 *     test_append_faults [kills [images]]      60 and 1,000 by default
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_io.h"
#include "file/append.h"
#include "file/file.h"
#include "queue_outage.h"
#include "set/view/remembered.h"
#include "support.h"

enum {
    MOST_KEYS = 100000,
    FULL = 8,        /* hashes that a journal takes here, not thousands */
    ADDS_A_RUN = 24, /* over the keys that the journal takes */
    ADDS_A_KILL = 8,
    READS_A_KILL = 4
};

enum {
    KINDS = 2,
    GROWN_KEYS = 400000 /* so that it is large enough for a journal */
};

/* What files begin with. */
typedef struct original {
    uint8_t *bytes;
    size_t size_bytes;
} original;

typedef struct goals {
    long kills, images;
    original sets[KINDS];
} goals;

typedef struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
} place;

/* A table of bits, and one that grows in place with other keys. */
static void make_originals(original sets[KINDS])
{
    static const seenset_options kinds[KINDS] = {
        {.layout = SEENSET_LAYOUT_BLOOM,
         .capacity_items = 1000000,
         .fp_rate = 0.01},
        {.capacity_items = 500, .fp_rate = 1e-6}};
    for (int i = 0; i < KINDS; i++) {
        seenset *set = test_make(kinds[i]);
        if (i > 0)
            (void)test_add_stream(set, MOST_KEYS, MOST_KEYS + GROWN_KEYS);
        sets[i].bytes = test_bytes_of(set, &sets[i].size_bytes);
        seenset_free(set);
    }
}

static void enter(place *at, const original *of)
{
    test_folder_make(&at->folder);
    test_path(at->path, &at->folder, "set");
    test_write_file(at->path, of->bytes, of->size_bytes);
}

static int open_with(seenset **out, const place *at, uint32_t flags,
                     const seenset_allocator *allocator)
{
    const seenset_open_options options = {.flags = flags,
                                          .allocator = allocator};
    int error = seenset_open(out, at->path, &options);
    if (error == 0 && (flags & SEENSET_OPEN_APPEND) != 0)
        (*out)->remembered->most_items = FULL;
    return error;
}

static uint64_t hash_of(uint64_t i)
{
    return test_mix(i);
}

/* How many of the first `count` keys the set lacks. */
static uint64_t count_missing(const seenset *set, uint64_t count)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < count; i++)
        missing += seenset_has_hash(set, hash_of(i)) != 1;
    return missing;
}

static void assert_has(const place *at, uint64_t count)
{
    seenset *set;
    assert_int_equal(seenset_verify(at->path, NULL), 0);
    assert_int_equal(open_with(&set, at, SEENSET_OPEN_VIEW, NULL), 0);
    assert_int_equal(count_missing(set, count), 0);
    seenset_free(set);
}

/* ---- the power goes ---- */

typedef struct crash {
    uint64_t answered;
    bool forgets; /* a planted fault: one more is asked for than was answered */
} crash;

static const char *judge(void *context, disk *image)
{
    const crash *of = context;
    const seenset_open_options options = {.flags = SEENSET_OPEN_COPY};
    seenset *set = NULL;
    seenset_file_report report;
    if (ss_file_load(disk_io(image), &options, NULL, &set, DISK_FOLDER "/set",
                     &report) != 0)
        return "the file does not open";
    uint64_t missing = count_missing(set, of->answered + of->forgets);
    seenset_free(set);
    return missing == 0 ? NULL : "an answered key is missing";
}

static void put_on_platters(disk *on, const char *path)
{
    size_t size_bytes;
    const ss_io *io = disk_io(on);
    uint8_t *bytes = test_read_file(path, &size_bytes);
    disk_put(on, "set", 0, bytes, size_bytes);
    free(bytes);
    int fd = ss_io_open_here(io, DISK_FOLDER "/set");
    assert_int_equal(io->sync(io->context, fd), 0);
    ss_io_close_quietly(io, fd);
    assert_true(ss_io_sync_folder(io, DISK_FOLDER));
}

/* Adds until the journal was folded into the file, which is saved anew. */
static void cut_power(const original *from, outage *of, crash *promised)
{
    place at;
    seenset *set;
    disk *on = disk_new();
    enter(&at, from);
    put_on_platters(on, at.path);
    promised->answered = 0;
    of->judge = judge;
    of->context = promised;
    assert_int_equal(open_with(&set, &at, SEENSET_OPEN_APPEND, NULL), 0);
    outage_begin(of, on);
    for (int error = 0; error == 0 && promised->answered < ADDS_A_RUN;) {
        assert_int_equal(seenset_add_hash(set, hash_of(promised->answered)), 1);
        error = ss_append_run(disk_io(on), set, DISK_FOLDER "/set");
        promised->answered += error == 0;
        if (error != 0) /* it was saved whole, and is another file now */
            assert_int_equal(error, SEENSET_EMISMATCH);
    }
    outage_end(on);
    assert_true(promised->answered > 8 && promised->answered < ADDS_A_RUN);
    seenset_free(set);
    disk_free(on);
    test_folder_remove(&at.folder);
}

static void cut_power_often(const original *from, long images)
{
    crash promised = {0};
    outage of = {.images_a_change = 16, .most_images = images};
    for (uint64_t seed = 1; !outage_is_over(&of) && of.broken == 0; seed++) {
        of.seed = seed * 1000003;
        cut_power(from, &of, &promised);
    }
    printf("%ld images of %ld changes\n", of.images, of.changes);
    if (of.broken > 0)
        fail_msg("%s", of.wrong);
}

static void append_keeps_what_it_answered(void **state)
{
    const goals *wanted = *state;
    for (int i = 0; i < KINDS; i++)
        cut_power_often(&wanted->sets[i], wanted->images / KINDS);
}

static void judge_finds_a_planted_loss(void **state)
{
    const goals *wanted = *state;
    for (int i = 0; i < KINDS; i++) {
        crash promised = {.forgets = true};
        outage of = {.images_a_change = 1, .most_images = 20, .seed = 7};
        cut_power(&wanted->sets[i], &of, &promised);
        assert_true(of.broken > 0);
    }
}

/* ---- a process is killed ---- */

/* Adds one key after another, each by an opening of its own. */
static void add_for_ever(const place *at, uint64_t *answered)
{
    for (uint64_t i = *answered; i < MOST_KEYS; i++) {
        seenset *set;
        if (open_with(&set, at, SEENSET_OPEN_APPEND, NULL) != 0 ||
            seenset_add_hash(set, hash_of(i)) < 0 ||
            seenset_append(set, at->path) != 0)
            _exit(1);
        seenset_free(set);
        __atomic_store_n(answered, i + 1, __ATOMIC_RELEASE);
    }
    _exit(0);
}

/* Another process, while one adds and folds. */
static void read_beside(const place *at, const uint64_t *answered)
{
    seenset *set;
    uint64_t count = __atomic_load_n(answered, __ATOMIC_ACQUIRE);
    assert_int_equal(open_with(&set, at, SEENSET_OPEN_VIEW, NULL), 0);
    uint64_t first = count > 64 ? count - 64 : 0;
    for (; first < count; first++)
        assert_int_equal(seenset_has_hash(set, hash_of(first)), 1);
    seenset_free(set);
}

static void kill_often(const original *from, long most_kills)
{
    test_random random = {1};
    place at;
    uint64_t *answered = mmap(NULL, sizeof *answered, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enter(&at, from);
    for (long kills = 0; kills < most_kills; kills++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            add_for_ever(&at, answered);
        uint64_t goal = *answered + test_random_below(&random, ADDS_A_KILL);
        uint64_t more = test_random_below(&random, READS_A_KILL);
        while (__atomic_load_n(answered, __ATOMIC_ACQUIRE) < goal)
            read_beside(&at, answered);
        for (uint64_t i = 0; i < more; i++)
            read_beside(&at, answered);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_has(&at, *answered);
    }
    printf("%ld kills, %llu keys\n", most_kills, (unsigned long long)*answered);
    munmap(answered, sizeof *answered);
    test_folder_remove(&at.folder);
}

static void append_survives_kills(void **state)
{
    const goals *wanted = *state;
    for (int i = 0; i < KINDS; i++)
        kill_often(&wanted->sets[i], wanted->kills / KINDS);
}

/* Somebody appends just when a reader has looked at the journal's length. */
typedef struct meeting {
    ss_io io;
    seenset *writer;
    const place *at;
    uint64_t appended;
} meeting;

static int status_and_append(void *context, int fd, struct stat *out)
{
    meeting *with = context;
    int result = ss_io_system.status(NULL, fd, out);
    if (out->st_size < 4096) {
        uint64_t hash = hash_of(with->appended++);
        assert_int_equal(seenset_add_hash(with->writer, hash), 1);
        assert_int_equal(seenset_append(with->writer, with->at->path), 0);
    }
    return result;
}

static void reader_takes_a_record_that_comes_meanwhile(void **state)
{
    const seenset_open_options options = {.flags = SEENSET_OPEN_COPY};
    seenset_file_report report;
    seenset *set;
    place at;
    enter(&at, &((const goals *)*state)->sets[0]);
    meeting with = {.io = ss_io_system, .at = &at, .appended = 1};
    with.io.status = status_and_append;
    with.io.context = &with;
    assert_int_equal(open_with(&with.writer, &at, SEENSET_OPEN_APPEND, NULL),
                     0);
    assert_int_equal(seenset_add_hash(with.writer, hash_of(0)), 1);
    assert_int_equal(seenset_append(with.writer, at.path), 0);
    assert_int_equal(
        ss_file_load(&with.io, &options, NULL, &set, at.path, &report), 0);
    assert_true(with.appended > 1);
    assert_int_equal(count_missing(set, 1), 0);
    seenset_free(set);
    seenset_free(with.writer);
    test_folder_remove(&at.folder);
}

/* ---- calls fail ---- */

static void assert_no_empty_journal(const place *at)
{
    char path[TEST_PATH_BYTES];
    struct stat status;
    if (stat(test_path(path, &at->folder, "set.log"), &status) == 0)
        assert_int_not_equal(status.st_size, 0);
}

/* One add, whose call number fail_at fails; then the same without a fault.
 * Returns whether there was such a call. */
static bool add_with_fault(const place *at, size_t fail_at, uint64_t answered,
                           int error_number)
{
    test_io io;
    seenset *set;
    test_io_init(&io);
    io.fail_at = io.fail_to = fail_at;
    io.error = error_number;
    assert_int_equal(open_with(&set, at, SEENSET_OPEN_APPEND, NULL), 0);
    assert_true(seenset_add_hash(set, hash_of(answered)) >= 0);
    int error = ss_append_run(&io.io, set, at->path);
    assert_int_equal(io.open_files, 0);
    assert_no_empty_journal(at);
    assert_has(at, answered + (error == 0));
    if (error != 0)
        error = seenset_append(set, at->path);
    assert_true(error == 0 || error == SEENSET_EMISMATCH);
    seenset_free(set);
    assert_has(at, answered + (error == 0));
    return io.calls >= fail_at;
}

/* With the first record, a further one, and one too many. */
static void fail_calls(const original *from)
{
    static const int errors[] = {EIO, EINTR};
    place at;
    for (size_t e = 0; e < TEST_COUNT(errors); e++) {
        for (uint64_t before = e * 5; before < 12; before += 10) {
            bool is_faulty = true;
            for (size_t fail_at = 1; is_faulty; fail_at++) {
                enter(&at, from);
                for (uint64_t i = 0; i < before; i++)
                    (void)add_with_fault(&at, 0, i, 0);
                is_faulty = add_with_fault(&at, fail_at, before, errors[e]);
                test_folder_remove(&at.folder);
            }
        }
    }
}

static void append_survives_failing_calls(void **state)
{
    const goals *wanted = *state;
    for (int i = 0; i < KINDS; i++)
        fail_calls(&wanted->sets[i]);
}

/* ---- memory ends ---- */

/* Opens, adds `count` keys and appends; false if memory ended somewhere. */
static bool add_with_memory(const place *at, test_memory *memory,
                            uint64_t first, uint64_t count)
{
    seenset *set;
    int error = open_with(&set, at, SEENSET_OPEN_APPEND, &memory->allocator);
    if (error == 0) {
        for (uint64_t i = 0; error >= 0 && i < count; i++)
            error = seenset_add_hash(set, hash_of(first + i));
        if (error >= 0)
            error = seenset_append(set, at->path);
        seenset_free(set);
    }
    assert_true(error == 0 || error == SEENSET_ENOMEM);
    assert_int_equal(memory->live_blocks, 0);
    return error == 0;
}

static void end_memory(const original *from)
{
    enum {
        MORE = 20 /* than the journal takes */
    };
    place at;
    for (uint64_t count = 1; count <= MORE; count += MORE - 1) {
        bool is_enough = false;
        for (size_t fail_at = 1; !is_enough; fail_at++) {
            test_memory memory;
            test_memory_init(&memory);
            memory.fail_at = fail_at;
            memory.is_lasting = true;
            enter(&at, from);
            bool is_done = add_with_memory(&at, &memory, 0, count);
            is_enough = memory.calls < fail_at;
            assert_true(is_done || !is_enough);
            assert_has(&at, is_done ? count : 0);
            test_folder_remove(&at.folder);
        }
    }
}

static void append_survives_the_end_of_memory(void **state)
{
    const goals *wanted = *state;
    for (int i = 0; i < KINDS; i++)
        end_memory(&wanted->sets[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(append_keeps_what_it_answered),
        cmocka_unit_test(judge_finds_a_planted_loss),
        cmocka_unit_test(append_survives_kills),
        cmocka_unit_test(reader_takes_a_record_that_comes_meanwhile),
        cmocka_unit_test(append_survives_failing_calls),
        cmocka_unit_test(append_survives_the_end_of_memory),
    };
    goals wanted = {.kills = argc > 1 ? atol(argv[1]) : 60,
                    .images = argc > 2 ? atol(argv[2]) : 1000};
    make_originals(wanted.sets);
    struct CMUnitTest given[TEST_COUNT(tests)];
    memcpy(given, tests, sizeof given);
    for (size_t i = 0; i < TEST_COUNT(given); i++)
        given[i].initial_state = &wanted;
    int failed = cmocka_run_group_tests(given, NULL, NULL);
    for (int i = 0; i < KINDS; i++)
        free(wanted.sets[i].bytes);
    return failed;
}
