/*
 * fuzz_journal.c - any bytes at all, as the journal of a set.
 *
 *     | kind and how | the bytes of FILE.log |
 *
 * They are beside a small set that has the mark, as they are or with their
 * checksums repaired: what remains to be doubted then are lengths and counts.
 * A reader of its own (read_log) finds what must come of it: an error, or the
 * hashes of the records up to the first that is not sound. A view, a copy and
 * seenset_verify must agree with it, and a set that opens has every such hash,
 * and every key of its own.
 */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "file/header/fields.h"
#include "file/journal/fields.h"

enum {
    KINDS = 4,
    KEYS = 50,
    PROBES = 64,
    MOST_HASHES = (1 << 20) / 192, /* of the journal of a file under 1 MiB */
    PATH_BYTES = 64,
    IS_REPAIRED = 0x80
};

static const seenset_options kinds[KINDS] = {
    {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 40, .fp_rate = 0.01},
    {.capacity_items = 5000, .fp_rate = 1e-6},
    {.layout = SEENSET_LAYOUT_COUNTING, .capacity_items = 100, .fp_rate = 0.01},
    {.layout = SEENSET_LAYOUT_COUNTING,
     .capacity_items = 9000,
     .counter_bits = 5,
     .fp_rate = 0.01},
};

typedef struct trial {
    char folder[PATH_BYTES];
    char path[PATH_BYTES];
    char log_path[PATH_BYTES];
    uint64_t set_checksum;
    uint8_t *log; /* the journal's bytes */
    size_t log_bytes;
    /* what must come of it */
    int error;
    uint64_t *hashes;
    size_t hash_count;
} trial;

/* ---- the files ---- */

static void write_file(const char *path, const uint8_t *bytes,
                       size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    fuzz_must(file != NULL &&
                  fwrite(bytes, 1, size_bytes, file) == size_bytes &&
                  fclose(file) == 0,
              "a file can be written");
}

static seenset_key key_of(uint64_t *i)
{
    return (seenset_key){i, sizeof *i};
}

/* A set with keys, whose file has the mark. */
static void write_set(trial *of, const seenset_options *kind)
{
    seenset *set;
    size_t size_bytes;
    fuzz_must(seenset_new(&set, kind) == SEENSET_OK, "a small set is made");
    for (uint64_t i = 0; i < KEYS; i++) {
        seenset_key key = key_of(&i);
        fuzz_must(seenset_add(set, key.data, key.len) >= 0, "a key is added");
    }
    uint8_t *bytes = fuzz_bytes_of(set, &size_bytes);
    seenset_free(set);
    of->set_checksum = ss_bits_load(bytes + AT_CHECKSUM, 8);
    bytes[AT_JOURNAL_MARK] = JOURNAL_MARK;
    write_file(of->path, bytes, size_bytes);
    free(bytes);
}

static void make_folder(trial *of)
{
    snprintf(of->folder, sizeof of->folder, "/tmp/fuzz_journal.XXXXXX");
    fuzz_must(mkdtemp(of->folder) != NULL, "a folder can be made");
    snprintf(of->path, sizeof of->path, "%.30s/set", of->folder);
    snprintf(of->log_path, sizeof of->log_path, "%.30s/set.log", of->folder);
}

static void remove_folder(const trial *of)
{
    fuzz_must(unlink(of->path) == 0 && unlink(of->log_path) == 0 &&
                  rmdir(of->folder) == 0,
              "nothing else is in the folder");
}

/* ---- its checksums ---- */

static bool is_inside(const trial *of, uint64_t at, uint64_t size_bytes)
{
    return at <= of->log_bytes && size_bytes <= of->log_bytes - at;
}

/* The count of the record at an offset, if there is room for such a one. */
static uint64_t count_at(const trial *of, uint64_t at)
{
    if (!is_inside(of, at, SS_JOURNAL_RECORD_BYTES))
        return 0;
    uint64_t count = ss_bits_load(of->log + at + OF_RECORD_COUNT, 4);
    bool is_record = count <= SS_JOURNAL_MOST_HASHES &&
                     is_inside(of, at, ss_journal_record_bytes(count));
    return is_record ? count : 0;
}

static void repair(const trial *of)
{
    uint64_t count, at = SS_JOURNAL_HEADER_BYTES;
    if (of->log_bytes < at)
        return;
    memcpy(of->log, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES);
    ss_bits_store(of->log + AT_JOURNAL_SET, 8, of->set_checksum);
    ss_bits_store(of->log + AT_JOURNAL_CHECKSUM, 8,
                  ss_journal_header_checksum(of->log));
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        uint8_t *slot = of->log + AT_JOURNAL_SLOTS + i * SLOT_BYTES;
        ss_bits_store(slot + IN_SLOT_CHECKSUM, 8,
                      ss_journal_slot_checksum(slot, of->set_checksum, i));
    }
    for (; (count = count_at(of, at)) > 0; at += ss_journal_record_bytes(count))
        ss_bits_store(of->log + at + OF_RECORD_CHECKSUM, 8,
                      ss_journal_record_checksum(of->log + at, count,
                                                 of->set_checksum, at));
}

/* ---- what must come of it ---- */

static uint64_t committed_of(const trial *of)
{
    uint64_t committed = 0;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        const uint8_t *slot = of->log + AT_JOURNAL_SLOTS + i * SLOT_BYTES;
        uint64_t end = ss_bits_load(slot + IN_SLOT_END, 8);
        if (end > committed &&
            ss_bits_load(slot + IN_SLOT_CHECKSUM, 8) ==
                ss_journal_slot_checksum(slot, of->set_checksum, i))
            committed = end;
    }
    return committed;
}

static int error_of_header(const trial *of)
{
    if (of->log_bytes < SS_JOURNAL_HEADER_BYTES)
        return SEENSET_ETRUNCATED;
    bool is_sealed =
        memcmp(of->log, SS_JOURNAL_MAGIC, JOURNAL_MAGIC_BYTES) == 0 &&
        ss_bits_load(of->log + AT_JOURNAL_CHECKSUM, 8) ==
            ss_journal_header_checksum(of->log);
    if (!is_sealed)
        return SEENSET_ECORRUPT;
    if (ss_bits_load(of->log + AT_JOURNAL_VERSION, 4) != JOURNAL_VERSION ||
        ss_bits_load(of->log + AT_JOURNAL_RESERVED, 4) != 0)
        return SEENSET_EVERSION;
    if (ss_bits_load(of->log + AT_JOURNAL_SET, 8) != of->set_checksum)
        return SEENSET_EJOURNAL;
    return committed_of(of) >= SS_JOURNAL_HEADER_BYTES ? SEENSET_OK
                                                       : SEENSET_ECORRUPT;
}

/* The sound records, from the first on; returns where they end. */
static uint64_t read_records(trial *of)
{
    uint64_t count, at = SS_JOURNAL_HEADER_BYTES;
    while ((count = count_at(of, at)) > 0) {
        const uint8_t *record = of->log + at;
        if (ss_bits_load(record + OF_RECORD_RESERVED, 4) != 0 ||
            ss_bits_load(record + OF_RECORD_CHECKSUM, 8) !=
                ss_journal_record_checksum(record, count, of->set_checksum, at))
            break;
        for (uint64_t i = 0; i < count; i++)
            of->hashes[of->hash_count++] =
                ss_bits_load(record + OF_RECORD_HASHES + 8 * i, 8);
        at += ss_journal_record_bytes(count);
    }
    return at;
}

static void read_log(trial *of)
{
    of->hash_count = 0;
    of->error = error_of_header(of);
    if (of->error != SEENSET_OK)
        return;
    uint64_t committed = committed_of(of), end = read_records(of);
    if (of->hash_count > MOST_HASHES)
        of->error = SEENSET_ECORRUPT;
    else if (of->log_bytes < committed)
        of->error = SEENSET_ETRUNCATED;
    else if (end < committed)
        of->error = SEENSET_ECORRUPT;
    if (FUZZ_IS_PLANTED && of->error == SEENSET_OK && of->hash_count > 2)
        of->hashes[2] += UINT64_C(0x123456789abcdef);
}

/* ---- what does ---- */

static seenset *open_as(const trial *of, uint32_t flags)
{
    seenset *set = NULL;
    seenset_file_report report;
    seenset_allocator allocator = fuzz_allocator();
    const seenset_open_options options = {
        .flags = flags, .allocator = &allocator, .report = &report};
    int error = seenset_open(&set, of->path, &options);
    fuzz_must(error == of->error, "a journal opens, or is refused, as it must");
    fuzz_must(error == SEENSET_OK || report.reason[0] != '\0',
              "what is refused has a reason");
    fuzz_must(error == SEENSET_OK || report.file_bytes == of->log_bytes,
              "a report knows the journal's length");
    return set;
}

static void ask(const trial *of, const seenset *set)
{
    seenset_info info;
    fuzz_must(seenset_get_info(set, &info, sizeof info) == SEENSET_OK &&
                  info.journal_items == of->hash_count,
              "the set knows how many keys its journal has");
    for (size_t i = 0; i < of->hash_count; i++)
        fuzz_must(seenset_has_hash(set, of->hashes[i]) == 1,
                  "a key of the journal is seen");
    for (uint64_t i = 0; i < KEYS; i++) {
        seenset_key key = key_of(&i);
        fuzz_must(seenset_has(set, key.data, key.len) == 1,
                  "a key of the file is seen");
    }
}

static void compare(const seenset *a, const seenset *b)
{
    for (uint64_t i = 0, hash = 1; i < PROBES; i++, hash = ss_hash_step(hash))
        fuzz_must(seenset_has_hash(a, hash) == seenset_has_hash(b, hash),
                  "a view and a copy answer alike");
}

static void open_all(const trial *of)
{
    seenset *copy = open_as(of, SEENSET_OPEN_COPY);
    seenset *view = open_as(of, SEENSET_OPEN_VIEW);
    seenset *unchecked = open_as(of, SEENSET_OPEN_UNCHECKED);
    fuzz_must(seenset_verify(of->path, NULL) == of->error,
              "verify and open agree");
    remove_folder(of); /* before a rule about answers ends the program */
    if (of->error == SEENSET_OK) {
        compare(view, copy);
        ask(of, copy);
        ask(of, view);
        ask(of, unchecked);
        compare(view, copy);
    }
    seenset_free(copy);
    seenset_free(view);
    seenset_free(unchecked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    fuzz_bytes from = {data, size_bytes};
    trial of = {.error = SEENSET_OK};
    unsigned how = fuzz_below(&from, 256);
    const uint8_t *log = fuzz_take(&from, from.left, &of.log_bytes);
    of.log = malloc(of.log_bytes + 1);
    of.hashes = malloc(of.log_bytes + 1);
    fuzz_must(of.log != NULL && of.hashes != NULL, "there is memory for it");
    memcpy(of.log, log, of.log_bytes);
    make_folder(&of);
    write_set(&of, &kinds[how % KINDS]);
    if ((how & IS_REPAIRED) != 0)
        repair(&of);
    write_file(of.log_path, of.log, of.log_bytes);
    read_log(&of);
    open_all(&of);
    free(of.log);
    free(of.hashes);
    return 0;
}
