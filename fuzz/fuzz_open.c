/*
 * fuzz_open.c - any bytes at all, opened as a set.
 *
 * The bytes go into memory of exactly their size, so that the sanitizer sees
 * a read past either end. They are opened as they are, and once more with
 * their checksums repaired: what remains to be doubted then are the fields.
 * As a view and as a copy, and as a file, must all agree on whether it is a
 * set; what opens must work like any other: answer, count, take keys, merge,
 * and write itself back byte for byte.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/file.h"
#include "queue_disk.h"
#include "seenset/extra/raw.h"

enum {
    KEYS = 8,
    AT_VERSION = 8
};

static int open_as(seenset **out, const uint8_t *bytes, size_t size_bytes,
                   uint32_t flags)
{
    fuzz_opening opening;
    fuzz_opening_for(&opening, bytes, size_bytes, flags);
    *out = NULL;
    int error = seenset_open_bytes(out, bytes, size_bytes, &opening.options);
    fuzz_must((error == SEENSET_OK) == (*out != NULL),
              "a set is there when, and only when, it opened");
    return error;
}

/* ---- what any set can do ---- */

/* Counts in a table that grows in place are followed, so its segments are
 * checked even where no block is: what a lookup may not read is damaged. */
static bool may_be_hurt(const seenset *set)
{
    seenset_info info;
    fuzz_must(seenset_get_info(set, &info, sizeof info) == SEENSET_OK,
              "a set tells of itself");
    return info.format_version == 6 && info.is_read_only && !info.is_checked;
}

static void ask_for_keys(const seenset *set, bool is_hurt)
{
    for (uint64_t hash = 1; hash != 0; hash <<= 7) {
        int answer = seenset_has_hash(set, hash);
        int other = seenset_has(set, &hash, sizeof hash);
        fuzz_must((answer | 1) == 1 || answer == SEENSET_EUNSUPPORTED ||
                      (is_hurt && answer == SEENSET_ECORRUPT),
                  "has_hash returns 0, 1 or EUNSUPPORTED");
        fuzz_must((other | 1) == 1 || (is_hurt && other == SEENSET_ECORRUPT),
                  "has returns 0 or 1");
    }
}

static void check_figures(const seenset_stats *stats)
{
    fuzz_must(stats->set_bits <= stats->size_bits,
              "no more bits set than there");
    fuzz_must(stats->fill >= 0 && stats->fill <= 1, "a fill is a share");
    fuzz_must(stats->fp_rate > 0 && stats->fp_rate <= 1, "a promise is a rate");
    fuzz_must(stats->current_fp_rate >= 0 && stats->current_fp_rate <= 1,
              "a rate is a rate");
    fuzz_must(stats->estimated_items >= 0 && stats->wrong_items >= 0,
              "what is expected is not negative");
}

/* Was a segment found damaged? */
static bool ask(const seenset *set)
{
    seenset_stats stats;
    int error = seenset_get_stats(set, &stats, sizeof stats);
    bool is_hurt = error == SEENSET_ECORRUPT && may_be_hurt(set);
    fuzz_must(error == SEENSET_OK || is_hurt, "stats are returned");
    ask_for_keys(set, is_hurt);
    if (is_hurt)
        return true;
    check_figures(&stats);
    uint8_t bit = 2;
    error = seenset_get_bits(set, 0, 0, 1, &bit);
    fuzz_must(error == SEENSET_OK ? bit <= 1 : error == SEENSET_EUNSUPPORTED,
              "the first bit is 0 or 1");
    fuzz_must(seenset_get_bits(set, 0, stats.size_bits, 1, &bit) != SEENSET_OK,
              "there is no bit after the last");
    return false;
}

/* What is written is what was read. A set that came in a later version than
 * it needs is written in the one it needs, and again the same from that. */
static void write_back(const seenset *set, const uint8_t *bytes,
                       size_t size_bytes)
{
    size_t written_bytes, again_bytes;
    seenset *reread;
    uint8_t *written = fuzz_bytes_of(set, &written_bytes);
    if (ss_bits_load(written + AT_VERSION, 4) ==
        ss_bits_load(bytes + AT_VERSION, 4))
        fuzz_must(written_bytes == size_bytes &&
                      memcmp(written, bytes, size_bytes) == 0,
                  "what is written is what was read");
    fuzz_must(open_as(&reread, written, written_bytes, SEENSET_OPEN_COPY) == 0,
              "what is written can be opened");
    uint8_t *again = fuzz_bytes_of(reread, &again_bytes);
    fuzz_must(again_bytes == written_bytes &&
                  memcmp(again, written, written_bytes) == 0,
              "what is written again is the same");
    seenset_free(reread);
    free(again);
    free(written);
}

static bool is_add(int answer)
{
    return answer == 0 || answer == 1 || answer == SEENSET_EFULL ||
           answer == SEENSET_ENOMEM || answer == SEENSET_ERATE ||
           answer == SEENSET_ETOOBIG || answer == SEENSET_EUNSUPPORTED;
}

static void change(seenset *set)
{
    seenset_key keys[KEYS];
    uint8_t is_new[KEYS];
    uint64_t count = 0;
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = (seenset_key){"a longer key", i};
    for (size_t i = 0; i < KEYS; i++) {
        int answer = seenset_add(set, keys[i].data, keys[i].len);
        fuzz_must(is_add(answer), "an add has an answer");
        fuzz_must(answer < 0 || seenset_has(set, keys[i].data, keys[i].len),
                  "a key that was added is seen");
    }
    fuzz_must(is_add(seenset_add_many(set, keys, KEYS, is_new)),
              "adds have an answer");
    fuzz_must(is_add(seenset_add_parallel(set, keys, KEYS, 1)),
              "a build has an answer");
    (void)seenset_add_hash(set, 1);
    if (seenset_count(set, "a", 1, &count) == SEENSET_OK && count > 0)
        fuzz_must(seenset_remove(set, "a", 1) == 1, "what counts can be taken");
}

/* A set with itself: nothing new, and all in common. What is damaged is not
 * copied. */
static void combine(seenset *set, bool is_hurt)
{
    seenset *copy = NULL;
    seenset_overlap alike;
    bool has_all = false;
    int error = seenset_copy(&copy, set);
    fuzz_must(is_hurt ? error == SEENSET_ECORRUPT
                      : error == SEENSET_OK || error == SEENSET_ENOMEM,
              "a set copies");
    if (error != SEENSET_OK)
        return;
    error = seenset_is_superset(copy, set, &has_all);
    fuzz_must(has_all || error == SEENSET_EUNSUPPORTED, "a copy has it all");
    if (seenset_get_overlap(copy, set, &alike, sizeof alike) == SEENSET_OK)
        fuzz_must(!(alike.jaccard < 0) && !(alike.jaccard > 1),
                  "a share is one");
    error = seenset_merge(copy, set);
    fuzz_must(error == SEENSET_OK || error == SEENSET_EUNSUPPORTED ||
                  error == SEENSET_EMISMATCH || error == SEENSET_ENOMEM ||
                  error == SEENSET_ETOOBIG,
              "a copy merges");
    (void)seenset_intersect(copy, set);
    (void)ask(copy);
    change(copy);
    fuzz_must(seenset_clear(copy) != SEENSET_EREADONLY, "a copy clears");
    seenset_free(copy);
}

/* ---- the ways in ---- */

static int open_copy(const uint8_t *bytes, size_t size_bytes)
{
    seenset *set;
    int error = open_as(&set, bytes, size_bytes, SEENSET_OPEN_COPY);
    if (error != SEENSET_OK)
        return error;
    (void)ask(set);
    write_back(set, bytes, size_bytes);
    combine(set, false);
    change(set);
    (void)ask(set);
    seenset_free(set);
    return SEENSET_OK;
}

/* This view checks no sums; for any bits it must answer. */
static int open_view(const uint8_t *bytes, size_t size_bytes, bool *is_hurt)
{
    seenset *set;
    int error = open_as(&set, bytes, size_bytes, SEENSET_OPEN_UNCHECKED);
    if (error != SEENSET_OK)
        return error;
    *is_hurt = ask(set);
    int added = seenset_add(set, "key", 3);
    fuzz_must(added == SEENSET_EREADONLY || added == SEENSET_EUNSUPPORTED,
              "a view is read-only");
    combine(set, *is_hurt);
    seenset_free(set);
    return SEENSET_OK;
}

/* A checked view answers, or reports a damaged block, and then copies nothing.
 * In a file that opens as a copy, every block is sound. */
static int open_checked(const uint8_t *bytes, size_t size_bytes, bool is_sound)
{
    seenset *set, *copy = NULL;
    int error = open_as(&set, bytes, size_bytes, SEENSET_OPEN_VIEW);
    bool is_hurt = false;
    if (error != SEENSET_OK)
        return error;
    for (uint64_t hash = 1; hash != 0; hash <<= 7) {
        int answer = seenset_has(set, &hash, sizeof hash);
        fuzz_must((answer | 1) == 1 || answer == SEENSET_ECORRUPT,
                  "has returns 0, 1 or ECORRUPT");
        is_hurt |= answer == SEENSET_ECORRUPT;
    }
    fuzz_must(!is_sound || !is_hurt, "a sound file has no bad block");
    int copied = seenset_copy(&copy, set);
    fuzz_must(!is_hurt || copied == SEENSET_ECORRUPT, "damage is not copied");
    if (is_sound && copied == SEENSET_OK)
        (void)ask(set);
    seenset_free(copy);
    seenset_free(set);
    return SEENSET_OK;
}

/* Bytes that are handed out as a stream, a few at a time. */
typedef struct stream {
    const uint8_t *bytes;
    size_t left;
} stream;

static int64_t read_stream(void *context, void *bytes, size_t size_bytes)
{
    stream *from = context;
    size_t count = from->left < size_bytes ? from->left : size_bytes;
    if (count > 100)
        count = count / 2 + 1;
    memcpy(bytes, from->bytes, count);
    from->bytes += count;
    from->left -= count;
    return (int64_t)count;
}

/* A stream is read as a copy is; only what follows the set is not its own. */
static void read_as(const uint8_t *bytes, size_t size_bytes, int copied)
{
    seenset *set = NULL;
    stream from = {bytes, size_bytes};
    fuzz_opening opening;
    fuzz_opening_for(&opening, bytes, size_bytes, SEENSET_OPEN_COPY);
    int error = seenset_read(&set, read_stream, &from, &opening.options);
    fuzz_must((set != NULL) == (error == SEENSET_OK),
              "a set is there when, and only when, it was read");
    fuzz_must(copied != SEENSET_OK || from.left == 0 || error != SEENSET_OK,
              "all of a set is read");
    fuzz_must(copied != SEENSET_OK || error == SEENSET_OK ||
                  error == SEENSET_ENOMEM,
              "what opens as a copy is read");
    fuzz_must(error != SEENSET_OK || copied == SEENSET_OK || from.left > 0 ||
                  copied == SEENSET_ENOMEM,
              "what is read opens as a copy");
    if (set != NULL)
        (void)ask(set);
    seenset_free(set);
}

static int verify_file(const uint8_t *bytes, size_t size_bytes)
{
    seenset_file_report report;
    disk *on = disk_new();
    fuzz_put_file(disk_io(on), DISK_FOLDER "/set", bytes, size_bytes);
    int error = ss_file_verify(disk_io(on), DISK_FOLDER "/set", &report);
    fuzz_must((error == SEENSET_OK) == (report.reason[0] == '\0'),
              "what is refused has a reason");
    fuzz_must(report.file_bytes == size_bytes, "a report knows the length");
    disk_free(on);
    return error;
}

/* A checked view reads the directory of a table that grows in place when it is
 * opened, and then its sums decide, too. */
static bool is_directory_hurt(const uint8_t *bytes, int viewed, int copied,
                              int checked)
{
    return viewed == SEENSET_OK && checked == SEENSET_ECORRUPT &&
           (copied == SEENSET_ECORRUPT || copied == SEENSET_ENOMEM) &&
           ss_bits_load(bytes + AT_VERSION, 4) == 6;
}

static void try_all(const uint8_t *bytes, size_t size_bytes)
{
    bool is_hurt = false;
    int viewed = open_view(bytes, size_bytes, &is_hurt);
    int copied = open_copy(bytes, size_bytes);
    int checked = open_checked(bytes, size_bytes, copied == SEENSET_OK);
    int verified = verify_file(bytes, size_bytes);
    read_as(bytes, size_bytes, copied);
    if (FUZZ_IS_PLANTED && copied == SEENSET_ECORRUPT)
        verified = SEENSET_OK;
    fuzz_must(copied != SEENSET_OK || (viewed == SEENSET_OK && !is_hurt),
              "what opens as a copy opens as a view, and is sound there");
    fuzz_must(checked == viewed ||
                  is_directory_hurt(bytes, viewed, copied, checked),
              "every view opens alike");
    /* what a file alone cannot say comes before its payload */
    bool is_other = copied == SEENSET_ESECRET || copied == SEENSET_EHASH ||
                    copied == SEENSET_EJOURNAL;
    bool is_sound = verified == SEENSET_OK || verified == SEENSET_ECORRUPT ||
                    verified == SEENSET_EJOURNAL;
    fuzz_must(copied == verified || copied == SEENSET_ENOMEM ||
                  (is_other && is_sound),
              "verify and open agree");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    void *bytes = NULL;
    fuzz_must(posix_memalign(&bytes, 64, size_bytes + 1) == 0,
              "there is memory for a small file");
    memcpy(bytes, data, size_bytes);
    try_all(bytes, size_bytes);
    fuzz_repair_set(bytes, size_bytes);
    try_all(bytes, size_bytes);
    free(bytes);
    return 0;
}
