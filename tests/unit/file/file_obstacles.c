/*
 * file_obstacles.c - the ways of files that hardly ever happen: names that
 * are taken or too long, readers who come too early, files that shrink while
 * they are read, mappings that cannot be had, index functions that are not the
 * writer's.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faulty_io.h"
#include "file/file.h"
#include "file/header/fields.h"
#include "file/target.h"
#include "libc_faults.h"
#include "support.h"

struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset *set; /* saved at path */
};

static int enter(void **state)
{
    struct place *place = malloc(sizeof *place);
    assert_non_null(place);
    test_folder_make(&place->folder);
    test_path(place->path, &place->folder, "set");
    place->set = test_golden_make(&test_goldens[0]);
    assert_int_equal(seenset_save(place->set, place->path), SEENSET_OK);
    *state = place;
    return 0;
}

static int leave(void **state)
{
    struct place *place = *state;
    seenset_free(place->set);
    test_folder_remove(&place->folder);
    free(place);
    return 0;
}

/* ---- saving ---- */

/* A save looks for a journal, then at 16 names, twice each, and then draws one
 * at random. */
static void save_finds_a_name_whatever_is_taken(void **state)
{
    enum {
        LOOKS = 1 + 32,
        DRAWS = 16
    };
    struct place *place = *state;
    for (size_t taken = 0; taken <= LOOKS + DRAWS; taken++) {
        test_io io;
        test_io_init(&io);
        io.error = EEXIST;
        io.fail_at = taken > 0;
        io.fail_to = taken;
        errno = 0;
        int error = ss_file_save(&io.io, place->set, place->path);
        bool can = taken < LOOKS + DRAWS;
        assert_int_equal(error, can ? SEENSET_OK : SEENSET_EIO);
        assert_int_equal(io.open_files, 0);
        assert_true(can || (errno == EEXIST && io.calls == taken));
        assert_int_equal(test_folder_count(&place->folder), 1);
    }
}

static int no_lock(void *context, int fd)
{
    (void)context;
    (void)fd;
    errno = ENOLCK;
    return -1;
}

static void save_does_without_locks(void **state)
{
    struct place *place = *state;
    ss_io io = ss_io_system;
    io.lock = no_lock;
    assert_int_equal(ss_file_save(&io, place->set, place->path), SEENSET_OK);
    assert_int_equal(test_folder_count(&place->folder), 1);
    assert_true(test_holds(place->path, place->set));
}

/* What somebody put where a temporary file would be is not followed, not
 * waited for, not written to and not removed. */
static void save_passes_by_what_is_planted(void **state)
{
    struct place *place = *state;
    char planted[3][PATH_MAX], victim[TEST_PATH_BYTES];
    struct stat status;
    for (int i = 0; i < 3; i++) {
        char suffix[] = {'-', (char)('0' + i), '\0'};
        ss_target_beside(planted[i], place->path, suffix);
    }
    test_write_file(test_path(victim, &place->folder, "victim"), "victim", 6);
    assert_int_equal(symlink("victim", planted[0]), 0);
    assert_int_equal(mkfifo(planted[1], 0600), 0);
    assert_int_equal(mkdir(planted[2], 0700), 0);
    assert_int_equal(seenset_save(place->set, place->path), SEENSET_OK);
    assert_true(test_holds(place->path, place->set));
    assert_int_equal(test_folder_count(&place->folder), 5);
    assert_int_equal(stat(victim, &status), 0);
    assert_int_equal(status.st_size, 6);
    for (int i = 0; i < 3; i++)
        assert_int_equal(lstat(planted[i], &status), 0);
}

/* Paths as long as a path can be: the temporary file's would be longer. */
static void save_refuses_a_path_too_long(void **state)
{
    struct place *place = *state;
    char path[PATH_MAX + 32];
    size_t folder_length = strlen(place->folder.path);
    for (size_t length = PATH_MAX - 8; length < sizeof path; length++) {
        memset(path, '/', length);
        memcpy(path, place->folder.path, folder_length);
        path[length - 1] = 'x';
        path[length] = '\0';
        errno = 0;
        assert_int_equal(seenset_save(place->set, path), SEENSET_EIO);
        assert_int_equal(errno, ENAMETOOLONG);
    }
}

/* Opens, and keeps in *context every mode bit that any new file ever had. */
static int open_and_look(void *context, const char *path, int flags,
                         mode_t mode)
{
    mode_t *widest = context;
    struct stat status;
    int fd = open(path, flags, mode);
    if (fd >= 0 && (flags & O_CREAT) != 0 && fstat(fd, &status) == 0)
        *widest |= status.st_mode & 07777;
    return fd;
}

/* Who can open the new file before its mode is set can read it ever after. */
static void save_lets_nobody_in_for_a_moment(void **state)
{
    struct place *place = *state;
    static const mode_t modes[] = {0600, 0640, 0400, 0604};
    mode_t widest, old_mask = umask(0);
    ss_io io = ss_io_system;
    io.open = open_and_look;
    io.context = &widest;
    for (size_t i = 0; i < TEST_COUNT(modes); i++) {
        assert_int_equal(chmod(place->path, modes[i]), 0);
        widest = 0;
        assert_int_equal(ss_file_save(&io, place->set, place->path), 0);
        /* its owner may read and write it, to find it if it is left over */
        assert_int_equal(widest & ~(modes[i] | 0600), 0);
    }
    /* planted: a file that is there for all is seen to be */
    char path[TEST_PATH_BYTES];
    widest = 0;
    test_path(path, &place->folder, "fresh");
    assert_int_equal(ss_file_save(&io, place->set, path), 0);
    umask(old_mask);
    assert_int_equal(widest, 0666);
}

/* ---- reading ---- */

/* A file that ends after `left` more bytes, whatever its length was. */
typedef struct shrinking {
    ss_io io;
    uint64_t left, length;
} shrinking;

static ssize_t read_what_is_left(void *context, int fd, void *bytes,
                                 size_t size_bytes)
{
    shrinking *file = context;
    if (size_bytes > file->left)
        size_bytes = (size_t)file->left;
    ssize_t got = read(fd, bytes, size_bytes);
    file->left -= got > 0 ? (uint64_t)got : 0;
    return got;
}

/* What follows the payload is read at its place. */
static ssize_t read_what_is_left_at(void *context, int fd, void *bytes,
                                    size_t size_bytes, uint64_t offset)
{
    shrinking *file = context;
    uint64_t left = file->length > offset ? file->length - offset : 0;
    if (size_bytes > left)
        size_bytes = (size_t)left;
    return pread(fd, bytes, size_bytes, (off_t)offset);
}

/* Planted as well: with all bytes there, nothing may be wrong. */
static void check_every_length(const char *path)
{
    size_t size_bytes;
    free(test_read_file(path, &size_bytes));
    for (uint64_t left = 0; left <= size_bytes; left++) {
        bool is_whole = left == size_bytes;
        shrinking file = {ss_io_system, left, left};
        file.io.read = read_what_is_left;
        file.io.pread = read_what_is_left_at;
        file.io.context = &file;
        seenset_file_report report;
        int error = ss_file_verify(&file.io, path, &report);
        assert_int_equal(error == SEENSET_OK, is_whole);
        assert_true(is_whole || error == SEENSET_ETRUNCATED ||
                    error == SEENSET_EFORMAT);
        assert_true(is_whole || report.offset <= size_bytes);
        file.left = left;
        seenset *set = NULL;
        error = test_load(&file.io, NULL, left % 2 != 0, &set, path);
        assert_int_equal(error == SEENSET_OK, is_whole);
        assert_int_equal(set != NULL, is_whole);
        seenset_free(set);
    }
}

/* The sums after the payload are read first, and there were none before
 * version 3. */
static void load_and_verify_notice_a_file_that_shrinks(void **state)
{
    struct place *place = *state;
    check_every_length(place->path);
    check_every_length(SEENSET_TEST_GOLDEN "/v1-blocked.seenset");
}

/* ---- mapping ---- */

/* What is mapped to go on with must be there, sound and of the same kind. */
static void map_needs_a_set_of_its_kind(void **state)
{
    struct place *place = *state;
    const seenset_options *made = &test_goldens[0].options;
    seenset_options other = *made;
    seenset *set = NULL;
    char path[TEST_PATH_BYTES];
    other.capacity_items++;
    test_path(path, &place->folder, "none");
    assert_int_equal(ss_file_map_as(&ss_io_system, made, &set, path),
                     SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(ss_file_map_as(&ss_io_system, &other, &set, place->path),
                     SEENSET_EMISMATCH);
    assert_null(set);
    assert_int_equal(ss_file_map_as(&ss_io_system, made, &set, place->path),
                     SEENSET_OK);
    assert_true(test_are_equal(set, place->set));
    assert_int_equal(seenset_add(set, "not there yet", 13), 1);
    assert_true(test_holds(place->path, place->set));
    seenset_free(set);
}

/* A file of a petabyte, all hole: more than any process can map. */
static void view_needs_room_to_map(void **state)
{
    struct place *place = *state;
    char path[TEST_PATH_BYTES];
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .size_bits = 1 << 10,
                               .hash_count = 1,
                               .on_full = SEENSET_ON_FULL_DEGRADE};
    seenset *set;
    size_t size_bytes;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    size_t header_bytes = test_header_bytes(bytes);
    const uint64_t places = UINT64_C(1) << 53;
    const uint64_t payload_bytes = places / 8;
    const uint64_t sums_offset = header_bytes + payload_bytes;
    const uint64_t sums_bytes = payload_bytes / 4096 * 8;
    const uint64_t file_bytes = sums_offset + sums_bytes;
    test_store(bytes + SS_HEADER_FIXED_BYTES + IN_SIZE_BITS, 8, places);
    test_store(bytes + SS_HEADER_FIXED_BYTES + IN_PAYLOAD_BYTES, 8,
               payload_bytes);
    test_store(bytes + AT_FILE_BYTES, 8, file_bytes);
    test_store(bytes + AT_SUMS_OFFSET, 8, sums_offset);
    test_store(bytes + AT_SUMS_BYTES, 8, sums_bytes);
    test_repair_header(bytes, header_bytes);
    test_path(path, &place->folder, "petabyte");
    test_write_file(path, bytes, header_bytes);
    free(bytes);
    seenset_free(set);
    if (truncate(path, (off_t)file_bytes) != 0)
        skip(); /* this file system has no files of that size */
    set = NULL;
    assert_int_equal(seenset_open(&set, path, NULL), SEENSET_ENOMEM);
    assert_int_equal(
        seenset_open(&set, path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        SEENSET_ENOMEM);
    assert_null(set);
}

/* A file system whose files cannot be mapped: a view says so, a copy needs no
 * mapping. */
static void view_says_why_it_cannot_map(void **state)
{
    struct place *place = *state;
    seenset_file_report report = {0};
    seenset_open_options options = {.report = &report};
    seenset *set = NULL;
    if (!libc_faults_can())
        skip();
    libc_faults_refuse_maps(ENODEV);
    int error = seenset_open(&set, place->path, &options);
    libc_faults_refuse_maps(0);
    assert_int_equal(error, SEENSET_EIO);
    assert_string_equal(report.reason, strerror(ENODEV));
    assert_null(set);
    libc_faults_refuse_maps(ENODEV);
    options.flags = SEENSET_OPEN_COPY;
    error = seenset_open(&set, place->path, &options);
    libc_faults_refuse_maps(0);
    assert_int_equal(error, SEENSET_OK);
    assert_true(test_are_equal(set, place->set));
    seenset_free(set);
}

/* ---- opening with options ---- */

static int64_t read_none(void *context, void *bytes, size_t size_bytes)
{
    size_t *calls = context;
    (void)bytes, (void)size_bytes;
    (*calls)++;
    return 0;
}

static void open_refuses_half_an_allocator(void **state)
{
    struct place *place = *state;
    test_memory memory;
    test_memory_init(&memory);
    seenset_allocator half = memory.allocator;
    half.release = NULL;
    seenset_open_options options = {.allocator = &half};
    seenset *set = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_read_file(place->path, &size_bytes);
    const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_COPY};
    for (size_t i = 0; i < TEST_COUNT(ways); i++) {
        options.flags = ways[i];
        assert_int_equal(seenset_open(&set, place->path, &options),
                         SEENSET_EINVAL);
        assert_int_equal(seenset_open_bytes(&set, bytes, size_bytes, &options),
                         SEENSET_EINVAL);
    }
    free(bytes);
    options.flags = SEENSET_OPEN_COPY;
    size_t calls = 0;
    assert_int_equal(seenset_read(&set, read_none, &calls, &options),
                     SEENSET_EINVAL);
    assert_int_equal(calls, 0);
    assert_null(set);
    assert_int_equal(memory.calls, 0);
}

static void open_refuses_what_is_missing(void **state)
{
    struct place *place = *state;
    seenset_open_options options = {.flags = 0};
    seenset_open_options unknown = {.flags = 32};
    seenset *set = NULL;
    uint64_t bytes[16] = {0};
    const char *path = place->path;
    assert_int_equal(seenset_open(NULL, path, &options), SEENSET_EINVAL);
    assert_int_equal(seenset_open(&set, NULL, &options), SEENSET_EINVAL);
    assert_int_equal(seenset_open(&set, path, &unknown), SEENSET_EINVAL);
    assert_int_equal(seenset_open_bytes(NULL, bytes, 128, &options),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_open_bytes(&set, NULL, 128, &options),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_open_bytes(&set, NULL, 128, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_open_bytes(&set, bytes, 128, &unknown),
                     SEENSET_EINVAL);
    assert_null(set);
}

static void index_in_order(void *context, const void *key, size_t key_len,
                           uint64_t size_bits, uint32_t hash_count,
                           uint64_t *indices)
{
    (void)key;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = (key_len + i + *(const uint64_t *)context) % size_bits;
}

/* A caller's own scheme: only with the function, and one that answers alike. */
static void open_needs_the_writers_index_function(void **state)
{
    struct place *place = *state;
    uint64_t mine = 5, other = 6;
    seenset_options made = {.layout = SEENSET_LAYOUT_BLOOM,
                            .on_full = SEENSET_ON_FULL_DEGRADE,
                            .scheme = SEENSET_SCHEME_CALLER,
                            .index_function = index_in_order,
                            .index_context = &mine};
    seenset_open_options options = {.flags = SEENSET_OPEN_VIEW};
    seenset *set, *opened = NULL;
    assert_int_equal(seenset_new(&set, &made), SEENSET_OK);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    assert_int_equal(
        seenset_open(&opened, place->path,
                     &(seenset_open_options){.index_function = index_in_order,
                                             .index_context = &mine}),
        SEENSET_EHASH);
    assert_int_equal(seenset_save(set, place->path), SEENSET_OK);
    seenset_free(set);
    assert_int_equal(seenset_open(&opened, place->path, &options),
                     SEENSET_EHASH);
    options.index_function = index_in_order;
    options.index_context = &other;
    assert_int_equal(seenset_open(&opened, place->path, &options),
                     SEENSET_EHASH);
    assert_null(opened);
    options.index_context = &mine;
    assert_int_equal(seenset_open(&opened, place->path, &options), SEENSET_OK);
    assert_int_equal(seenset_has(opened, "key", 3), 1);
    seenset_free(opened);
}

/* Tables that the file's own index scheme does not make. */
static void open_refuses_sizes_outside_the_scheme(void **state)
{
    static const uint64_t sizes[] = {1024, 1000, 1023};
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .size_bits = sizes[0],
                               .hash_count = 3,
                               .scheme = SEENSET_SCHEME_POLYNOMIAL};
    seenset *set, *opened;
    size_t size_bytes;
    (void)state;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        test_store(bytes + SS_HEADER_FIXED_BYTES + IN_SIZE_BITS, 8, sizes[i]);
        test_repair_header(bytes, test_header_bytes(bytes));
        opened = NULL;
        int error = seenset_open_bytes(
            &opened, bytes, size_bytes,
            &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
        assert_int_equal(error, i == 0 ? SEENSET_OK : SEENSET_ECORRUPT);
        seenset_free(opened);
    }
    free(bytes);
    seenset_free(set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(save_finds_a_name_whatever_is_taken),
        TEST(save_does_without_locks),
        TEST(save_passes_by_what_is_planted),
        TEST(save_refuses_a_path_too_long),
        TEST(save_lets_nobody_in_for_a_moment),
        TEST(load_and_verify_notice_a_file_that_shrinks),
        TEST(map_needs_a_set_of_its_kind),
        TEST(view_needs_room_to_map),
        TEST(view_says_why_it_cannot_map),
        TEST(open_refuses_half_an_allocator),
        TEST(open_refuses_what_is_missing),
        TEST(open_needs_the_writers_index_function),
        TEST(open_refuses_sizes_outside_the_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
