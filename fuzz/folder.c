/* folder.c - files of a queue from bytes; the idea is in folder.h */
#define _POSIX_C_SOURCE 200809L
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "hash/key_hash.h"
#include "queue/handle.h"

enum {
    MOST_FILES = 12,
    MOST_EDITS = 24,
    MOST_CALLS = 80,
    LOG_ID = 0x5EEDBEEF,
    STATE_LEAST_BYTES = 92,
    WINDOW_SECONDS = 1000,
    STEP_SECONDS = 100, /* between two calls on a queue of version 2 */
    EXACT_HEADER_BYTES = 48,
    EXACT_BLOCK_HEADER_BYTES = 8
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "of some fuzzer";

static const char *const prefixes[] = {SS_FOLDER_LOG, SS_FOLDER_STATE,
                                       SS_FOLDER_SET};

static void put(disk *on, const char *name, const void *bytes,
                size_t size_bytes)
{
    char path[SS_FOLDER_NAME_BYTES + 8];
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    fuzz_put_file(disk_io(on), path, bytes, size_bytes);
}

static void remove_file(disk *on, const char *name)
{
    char path[SS_FOLDER_NAME_BYTES + 16];
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    (void)disk_io(on)->unlink(on, path);
}

/* Names are on the disk from now on. */
static disk *settled(disk *on)
{
    fuzz_must(ss_io_sync_folder(disk_io(on), DISK_FOLDER), "a folder syncs");
    return on;
}

/* ---- bytes that are files ---- */

/* Small positions mostly, so that segments can lie end to end. */
static uint64_t take_position(fuzz_bytes *from)
{
    return fuzz_number(from, fuzz_below(from, 8) == 0 ? 8 : 2);
}

disk *folder_of_files(fuzz_bytes *from)
{
    disk *on = disk_new();
    put(on, "LOCK", "", 0);
    for (int i = 0; i < MOST_FILES && from->left > 0; i++) {
        char name[SS_FOLDER_NAME_BYTES] = SS_FOLDER_MANIFEST;
        size_t size_bytes;
        unsigned kind = fuzz_below(from, 5);
        if (kind < 3)
            ss_folder_name(name, prefixes[kind], take_position(from));
        else if (kind == 3)
            snprintf(name, sizeof name, SS_FOLDER_MANIFEST ".tmp");
        size_t wanted = (size_t)fuzz_number(from, 2);
        const uint8_t *bytes = fuzz_take(from, wanted, &size_bytes);
        put(on, name, bytes, size_bytes);
    }
    return settled(on);
}

/* ---- bytes that are a crawl ---- */

/* Of a kind that version 1 of the manifest has fields for. */
static ss_manifest first_manifest(unsigned kind)
{
    return (ss_manifest){.log_id = LOG_ID,
                         .normalise = kind % 8 == 7
                                          ? SEENSET_QUEUE_NORMALISE_URL
                                          : SEENSET_QUEUE_NORMALISE_OFF,
                         .segment_bytes = 4096,
                         .hash = SS_HASH_XXH3_64,
                         .set = {.layout = (seenset_layout)(kind % 3),
                                 .on_full = (seenset_on_full)(kind / 8 % 4),
                                 .capacity_items = 1 + kind % 64,
                                 .fp_rate = 1e-6}};
}

static const uint32_t seeds[3] = {31, 131, 1313};
static const seenset_scheme_arguments a_seed = {.seed = 7};
static const seenset_scheme_arguments a_list = {
    .seeds = seeds, .seed_count = 3, .unit_bits = 16};

/* Keyed, a window by age, a scheme, exact, or with arguments (version 6); each
 * in two ways. */
static ss_manifest second_manifest(unsigned kind)
{
    enum {
        EXACT = 3,
        KINDS = 5
    };
    const bool is_odd = kind % 2 == 1;
    const uint64_t capacity_items = 1 + kind % 32;
    ss_manifest manifest;
    const seenset_options sets[KINDS] = {
        {.secret = secret,
         .capacity_items = capacity_items,
         .on_full = is_odd ? SEENSET_ON_FULL_DEGRADE : SEENSET_ON_FULL_DEFAULT},
        {.capacity_items = capacity_items,
         .on_full = SEENSET_ON_FULL_ROTATE,
         .flags = is_odd ? SEENSET_FLAG_SLIDING : 0,
         .window_seconds = WINDOW_SECONDS},
        {.capacity_items = capacity_items,
         .scheme =
             is_odd ? SEENSET_SCHEME_MD5_DIVMOD : SEENSET_SCHEME_MURMUR3_128},
        {.capacity_items = 32 + capacity_items,
         .on_full = is_odd ? SEENSET_ON_FULL_REFUSE : SEENSET_ON_FULL_DEFAULT},
        {.capacity_items = capacity_items,
         .scheme = is_odd ? SEENSET_SCHEME_POLYNOMIAL : SEENSET_SCHEME_CHAIN,
         .scheme_arguments = is_odd ? &a_list : &a_seed}};
    unsigned which = kind / 32 % KINDS;
    const seenset_queue_options options = {
        .set = &sets[which],
        .segment_bytes = 4096,
        .flags = which == EXACT ? SEENSET_QUEUE_EXACT : 0};
    fuzz_must(ss_manifest_from_options(&manifest, &options) == SEENSET_OK,
              "there is a queue of each kind");
    manifest.log_id = LOG_ID;
    return manifest;
}

/* A queue that was just made, with a log id that is always the same. */
static void put_fresh(disk *on, fuzz_bytes *from, bool is_second)
{
    uint8_t manifest_bytes[SS_MANIFEST_MAX_BYTES];
    uint8_t segment[SS_SEGMENT_HEADER_BYTES];
    unsigned kind = fuzz_below(from, 256);
    const ss_manifest manifest =
        is_second ? second_manifest(kind) : first_manifest(kind);
    size_t size_bytes = ss_manifest_encode(&manifest, manifest_bytes);
    ss_segment_encode(segment, LOG_ID, 0);
    put(on, "LOCK", "", 0);
    put(on, SS_FOLDER_MANIFEST, manifest_bytes, size_bytes);
    put(on, SS_FOLDER_LOG "0000000000000000", segment, sizeof segment);
}

static void push(seenset_queue *queue, fuzz_bytes *from)
{
    char url[40];
    static const uint8_t data[2048];
    int length =
        snprintf(url, sizeof url, "http://a.example/%u", fuzz_below(from, 256));
    (void)seenset_queue_push(queue, url, (size_t)length, data,
                             8u * fuzz_below(from, 256));
}

static void pop(seenset_queue *queue, bool is_acked)
{
    seenset_queue_item item = {0};
    if (seenset_queue_pop(queue, &item) == 1 && is_acked)
        (void)seenset_queue_ack(queue, item.lease);
    seenset_queue_item_free(&item);
}

/* A URL with a priority, once more, to the set only, or forgotten. */
static void visit(seenset_queue *queue, fuzz_bytes *from, unsigned way)
{
    char url[40];
    int length =
        snprintf(url, sizeof url, "http://a.example/%u", fuzz_below(from, 64));
    const seenset_queue_entry entry = {.url = url, .url_len = (size_t)length};
    const seenset_queue_push_options options = {
        .priority = way < 2 ? fuzz_below(from, SEENSET_QUEUE_PRIORITIES) : 0,
        .flags = way == 1   ? SEENSET_QUEUE_AGAIN
                 : way == 2 ? SEENSET_QUEUE_SEEN_ONLY
                            : 0};
    if (way == 3)
        (void)seenset_queue_forget(queue, url, entry.url_len);
    else
        (void)seenset_queue_push_many(queue, &entry, 1, &options, NULL);
}

/* Four ways more if visits are made, too. */
static void call(seenset_queue *queue, fuzz_bytes *from, bool visits)
{
    unsigned which = fuzz_below(from, visits ? 12 : 8);
    switch (which) {
    case 0:
        (void)seenset_queue_checkpoint(queue);
        break;
    case 1:
    case 2:
        pop(queue, true);
        break;
    case 3:
        pop(queue, false);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
        visit(queue, from, which - 8);
        break;
    default:
        push(queue, from);
    }
}

/* Cuts, overwrites and lengthens a file's bytes. */
static void edit_bytes(disk *on, const char *name, fuzz_bytes *from)
{
    static const uint64_t values[] = {0,
                                      1,
                                      UINT64_MAX,
                                      UINT64_MAX - 1,
                                      UINT32_MAX,
                                      INT64_MAX,
                                      INT64_MAX + 1ull,
                                      UINT64_C(1) << 53,
                                      INT32_MAX,
                                      0x10ffffff,
                                      4096,
                                      20};
    size_t *size_bytes, given, room;
    const uint8_t *old = disk_file(on, name, &size_bytes);
    unsigned how = fuzz_below(from, 6);
    size_t at = (size_t)fuzz_number(from, 2) % (*size_bytes + 1);
    size_t other = *size_bytes - at, to;
    uint8_t *bytes = malloc(*size_bytes + UINT16_MAX);
    fuzz_must(bytes != NULL, "there is memory for a file");
    if (*size_bytes > 0)
        memcpy(bytes, old, *size_bytes);
    room = *size_bytes;
    if (how == 0) {
        room = at;
    } else if (how == 1) {
        const uint8_t *more = fuzz_take(from, fuzz_below(from, 256), &given);
        memcpy(bytes + at, more, given);
        room = at + given > room ? at + given : room;
    } else if (how == 2) { /* a part of itself, moved */
        to = (size_t)fuzz_number(from, 2) % (*size_bytes + 1);
        other = other < 256 ? other : 256;
        memmove(bytes + to, bytes + at, other);
        room = to + other > room ? to + other : room;
    } else {
        unsigned width = how == 3 ? 1 : how == 4 ? 4 : 8;
        uint64_t value = values[fuzz_below(from, 12)];
        ss_bits_store(bytes + at, width, value);
        room = at + width > room ? at + width : room;
    }
    put(on, name, bytes, room);
    free(bytes);
}

/* Does something to a file, or to its name. */
static void edit(disk *on, fuzz_bytes *from)
{
    char old[SS_FOLDER_NAME_BYTES] = "", path[64], to[64];
    const char *name = disk_name(on, "", (int)fuzz_below(from, 12));
    unsigned how = fuzz_below(from, 8);
    if (name == NULL)
        return;
    snprintf(old, sizeof old, "%s", name);
    if (how > 1) {
        edit_bytes(on, old, from);
    } else if (how == 0) {
        remove_file(on, old);
    } else {
        const char *prefix = prefixes[fuzz_below(from, 3)];
        ss_folder_name(to, prefix, take_position(from));
        snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, old);
        (void)disk_io(on)->rename(on, path, to);
    }
}

disk *folder_of_crawl(fuzz_bytes *from, folder_kind kind)
{
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    put_fresh(on, from, kind.is_second);
    const seenset_allocator allocator = fuzz_allocator();
    const seenset_queue_options options = {
        .set = &(const seenset_options){.allocator = &allocator,
                                        .secret = folder_secret(on)},
        .durability = SEENSET_QUEUE_DURABILITY_EACH,
        .snapshot_bytes = 5000};
    fuzz_must(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options) == 0,
              "a fresh queue opens");
    unsigned calls = fuzz_below(from, MOST_CALLS);
    bool is_killed = fuzz_below(from, 2) == 1;
    for (unsigned i = 0; i < calls; i++) {
        call(queue, from, kind.is_extended);
        if (kind.is_second)
            disk_pass_ns(on, STEP_SECONDS * UINT64_C(1000000000));
    }
    disk *killed = disk_copy(on);
    fuzz_must(seenset_queue_close(queue) == SEENSET_OK, "a queue closes");
    disk_free(is_killed ? on : killed);
    if (is_killed)
        on = killed;
    (void)settled(on);
    for (int i = 0; i < MOST_EDITS && from->left > 0; i++)
        edit(on, from);
    return settled(on);
}

/* ---- checksums ---- */

static void repair_crc(uint8_t *bytes, size_t covered)
{
    ss_bits_store(bytes + covered, 4, ss_crc32c(bytes, covered));
}

static void repair_log(uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < SS_SEGMENT_HEADER_BYTES)
        return;
    repair_crc(bytes, SS_SEGMENT_HEADER_BYTES - 4);
    for (size_t at = SS_SEGMENT_HEADER_BYTES, payload_bytes;
         at + SS_RECORD_HEADER_BYTES <= size_bytes;
         at += SS_RECORD_HEADER_BYTES + payload_bytes) {
        payload_bytes = (size_t)ss_bits_load(bytes + at + 4, 3);
        if (payload_bytes > size_bytes - at - SS_RECORD_HEADER_BYTES)
            return;
        ss_record_seal(bytes + at, (uint32_t)ss_bits_load(bytes + at + 8, 4),
                       (ss_record_type)bytes[at + 7],
                       ss_bits_load(bytes + at + 12, 8), payload_bytes);
    }
}

/* Of its header, and of each block. */
static void repair_exact(uint8_t *bytes, size_t size_bytes)
{
    size_t at = EXACT_HEADER_BYTES, block_bytes;
    if (size_bytes < EXACT_HEADER_BYTES)
        return;
    repair_crc(bytes, EXACT_HEADER_BYTES - 4);
    for (; at + EXACT_BLOCK_HEADER_BYTES <= size_bytes; at += block_bytes) {
        block_bytes = (size_t)ss_bits_load(bytes + at, 4);
        at += EXACT_BLOCK_HEADER_BYTES;
        if (block_bytes > size_bytes - at)
            return;
        ss_bits_store(bytes + at - 4, 4, ss_crc32c(bytes + at, block_bytes));
    }
}

static void repair_set(uint8_t *bytes, size_t size_bytes)
{
    static const char exact[] = "SEENURL";
    if (size_bytes > sizeof exact && memcmp(bytes, exact, 7) == 0)
        repair_exact(bytes, size_bytes);
    else
        fuzz_repair_set(bytes, size_bytes);
}

static bool is_manifest(const char *name, size_t size_bytes)
{
    return strcmp(name, SS_FOLDER_MANIFEST) == 0 &&
           (size_bytes == SS_MANIFEST_BYTES ||
            (size_bytes >= SS_MANIFEST_2_BYTES &&
             size_bytes <= SS_MANIFEST_MAX_BYTES));
}

void folder_repair(disk *on)
{
    const char *name;
    for (int i = 0; (name = disk_name(on, "", i)) != NULL; i++) {
        size_t *size_bytes;
        uint8_t *bytes = disk_file(on, name, &size_bytes);
        if (is_manifest(name, *size_bytes))
            repair_crc(bytes, *size_bytes - 4);
        else if (strncmp(name, SS_FOLDER_LOG, 4) == 0)
            repair_log(bytes, *size_bytes);
        else if (strncmp(name, SS_FOLDER_STATE, 6) == 0 &&
                 *size_bytes >= STATE_LEAST_BYTES)
            repair_crc(bytes, *size_bytes - 4);
        else if (strncmp(name, SS_FOLDER_SET, 4) == 0)
            repair_set(bytes, *size_bytes);
    }
}

void folder_forget(disk *on)
{
    for (int i = 1; i < 3; i++) {
        const char *name;
        while ((name = disk_name(on, prefixes[i], 0)) != NULL) {
            char copy[SS_FOLDER_NAME_BYTES + 8];
            snprintf(copy, sizeof copy, "%s", name);
            remove_file(on, copy);
        }
    }
    (void)settled(on);
}

const uint8_t *folder_secret(disk *folder)
{
    size_t *size_bytes;
    const uint8_t *bytes = disk_file(folder, SS_FOLDER_MANIFEST, &size_bytes);
    bool is_keyed = bytes != NULL && *size_bytes >= 16 &&
                    ss_bits_load(bytes + 12, 4) == SS_HASH_SIPHASH_2_4_128;
    return is_keyed ? secret : NULL;
}
