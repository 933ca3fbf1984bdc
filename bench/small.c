/*
 * small.c - ten thousand small sets, as a store has one for each of its blocks:
 * what each costs to make, to free, to write and to open, and in bytes.
 *
 * A set is made in memory that the process had before ("again") or that it
 * touches for the first time; then the kernel's work for each page is part of
 * it, and most of it. Sets are saved into a folder of TMPDIR, or of /tmp: a
 * save waits for the disk.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "bench.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SETS = 10000,
    KEYS = 1000,
    SAVED = 200, /* each save waits for the disk */
    MOST_ROUNDS = 16,
    PATH_BYTES = 512
};

typedef struct small {
    const seenset_options *options;
    seenset *sets[SETS];
    uint8_t *bytes[SETS];
    size_t size_bytes; /* of each */
    char folder[PATH_BYTES / 2];
} small;

static void make_all(small *all)
{
    for (size_t i = 0; i < SETS; i++)
        require(seenset_new(&all->sets[i], all->options) == 0, "no set");
}

static void free_all(small *all)
{
    for (size_t i = 0; i < SETS; i++)
        seenset_free(all->sets[i]);
}

static void make_and_free_all(small *all)
{
    for (size_t i = 0; i < SETS; i++) {
        require(seenset_new(&all->sets[0], all->options) == 0, "no set");
        seenset_free(all->sets[0]);
    }
}

static void write_all(small *all)
{
    for (size_t i = 0; i < SETS; i++) {
        size_t size_bytes = all->size_bytes;
        require(seenset_write_bytes(all->sets[i], all->bytes[i], &size_bytes) ==
                        0 &&
                    size_bytes == all->size_bytes,
                "cannot write a set");
    }
}

static void open_all(small *all, uint32_t flags)
{
    seenset_open_options how = {.flags = flags};
    for (size_t i = 0; i < SETS; i++)
        require(seenset_open_bytes(&all->sets[i], all->bytes[i],
                                   all->size_bytes, &how) == 0,
                "cannot open a set");
}

static void open_copies(small *all)
{
    open_all(all, SEENSET_OPEN_COPY);
}

static void open_views(small *all)
{
    open_all(all, SEENSET_OPEN_VIEW);
}

static char *path_of(const small *all, size_t i, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%zu", all->folder, i);
    return path;
}

static void save_some(small *all)
{
    char path[PATH_BYTES];
    for (size_t i = 0; i < SAVED; i++)
        require(seenset_save(all->sets[i], path_of(all, i, path)) == 0,
                "cannot save a set");
}

static void open_some(small *all)
{
    char path[PATH_BYTES];
    for (size_t i = 0; i < SAVED; i++)
        require(seenset_open(&all->sets[i], path_of(all, i, path), NULL) == 0,
                "cannot open a file");
}

static void remove_some(small *all)
{
    char path[PATH_BYTES];
    for (size_t i = 0; i < SAVED; i++)
        (void)unlink(path_of(all, i, path));
    (void)rmdir(all->folder);
}

typedef enum timed {
    MAKE_FRESH,
    FREE,
    MAKE_AGAIN,
    MAKE_AND_FREE,
    WRITE,
    OPEN_COPY,
    OPEN_VIEW,
    SAVE,
    OPEN_FILE,
    TIMED
} timed;

static const char *const names[TIMED] = {
    "new, memory first touched",   "free",           "new",
    "new and free, one at a time", "write_bytes",    "open_bytes, a copy",
    "open_bytes, a view",          "save to a file", "open a file, a view"};

static double time_of(small *all, void (*run)(small *), size_t count)
{
    double start = now_seconds();
    run(all);
    return (now_seconds() - start) * 1e9 / (double)count;
}

static void add_keys(small *all)
{
    for (size_t i = 0; i < SETS; i++)
        for (uint64_t key = 0; key < KEYS; key++)
            require(seenset_add_hash(all->sets[i],
                                     workload_mix(i * KEYS + key)) >= 0,
                    "cannot add");
}

static void close_some(small *all)
{
    for (size_t i = 0; i < SAVED; i++)
        seenset_free(all->sets[i]);
}

static void run_round(small *all, double ns[TIMED])
{
    (void)malloc_trim(0);
    ns[MAKE_FRESH] = time_of(all, make_all, SETS);
    ns[FREE] = time_of(all, free_all, SETS);
    ns[MAKE_AGAIN] = time_of(all, make_all, SETS);
    add_keys(all);
    ns[WRITE] = time_of(all, write_all, SETS);
    ns[SAVE] = time_of(all, save_some, SAVED);
    free_all(all);
    ns[MAKE_AND_FREE] = time_of(all, make_and_free_all, SETS);
    ns[OPEN_COPY] = time_of(all, open_copies, SETS);
    free_all(all);
    ns[OPEN_VIEW] = time_of(all, open_views, SETS);
    free_all(all);
    ns[OPEN_FILE] = time_of(all, open_some, SAVED);
    close_some(all);
}

static void record_bytes(bench *to, small *all, label what)
{
    seenset_info info;
    seenset_table_info table;
    make_all(all);
    require(seenset_get_info(all->sets[0], &info, sizeof info) == 0 &&
                seenset_get_table_info(all->sets[0], 0, &table, sizeof table) ==
                    0,
            "no figures of a set");
    free_all(all);
    double of_table = (double)table.memory_bytes;
    double beside = (double)info.memory_bytes - of_table;
    double of_file = (double)all->size_bytes;
    what.operation = "table";
    record_figure(to, &what, "bytes", &of_table, 1, 0);
    what.operation = "beside its table";
    record_figure(to, &what, "bytes", &beside, 1, 0);
    what.operation = "file";
    record_figure(to, &what, "bytes", &of_file, 1, 0);
}

static void prepare(small *all, const seenset_options *options)
{
    const char *folder = getenv("TMPDIR");
    all->options = options;
    snprintf(all->folder, sizeof all->folder, "%s/seenset-bench-XXXXXX",
             folder != NULL ? folder : "/tmp");
    require(mkdtemp(all->folder) != NULL, "no folder for files");
    require(seenset_new(&all->sets[0], options) == 0, "no set");
    (void)seenset_write_bytes(all->sets[0], NULL, &all->size_bytes);
    seenset_free(all->sets[0]);
    for (size_t i = 0; i < SETS; i++)
        all->bytes[i] = take(all->size_bytes, 1);
}

void small_run(bench *to)
{
    static small all;
    static double values[TIMED][MOST_ROUNDS];
    const seenset_options options = {.capacity_items = KEYS, .fp_rate = 0.01};
    label what = {.subject = "small sets", .items = KEYS, .fp_rate = 0.01};
    /* the heap keeps what is freed, until it is trimmed */
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    prepare(&all, &options);
    for (unsigned round = 0; round <= to->rounds; round++) {
        double ns[TIMED];
        run_round(&all, ns);
        for (size_t i = 0; round > 0 && i < TIMED; i++)
            values[i][round - 1] = ns[i];
    }
    for (size_t i = 0; i < TIMED; i++) {
        what.operation = names[i];
        record_figure(to, &what, "ns", values[i], to->rounds, 0);
    }
    record_bytes(to, &all, what);
    remove_some(&all);
    for (size_t i = 0; i < SETS; i++)
        free(all.bytes[i]);
}
