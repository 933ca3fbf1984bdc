/*
 * fuzz_queue.c - any files at all, opened as a queue.
 *
 * Recovery reads what a crash, a bad disk or a stranger left in the folder.
 * Whatever that is, it must end: in an error, or in a queue that works. Then
 * what it handed out and was not acked is handed out again after a restart,
 * what was acked never is, and what verify called sound opens and stays sound.
 * What repair calls mended opens, and is sound. And where nothing but the log
 * says what is in the queue, a reader of its own (told.h) knows the items.
 *
 * The first byte says how the rest is read (folder.h), whether checksums are
 * repaired, how the queue is opened, and which version of the MANIFEST it was
 * made with: that, and whether URLs have priorities, are visited again and
 * forgotten. If a MANIFEST says that its queue is keyed, the secret is given.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "folder.h"
#include "told.h"
#include "queue/handle.h"

enum {
    IS_CRAWL = 1,
    IS_REPAIRED = 2,
    IS_FORGOTTEN = 4, /* no states, no sets */
    KEEPS_LEASES = 8,
    WAITS_FOR_DISK = 16,
    IS_MENDED = 32,    /* verify and repair, too */
    IS_SECOND = 64,    /* a crawl with a MANIFEST of version 2 */
    IS_EXTENDED = 128, /* it becomes version 3 */
    MOST_FILE_BYTES = 8 << 20,
    FRESH = 4 /* URLs that are pushed */
};

typedef struct trial {
    unsigned how;
    seenset_allocator allocator;
    seenset_options set;
    seenset_queue_options options;
    told_items before, after, told;
} trial;

/* ---- a disk that ends ---- */

static int limited_truncate(void *context, int fd, uint64_t size_bytes)
{
    if (size_bytes > MOST_FILE_BYTES) {
        errno = EFBIG;
        return -1;
    }
    return disk_io(context)->truncate(context, fd, size_bytes);
}

static ssize_t limited_pwrite(void *context, int fd, const void *bytes,
                              size_t size_bytes, uint64_t offset)
{
    if (offset > MOST_FILE_BYTES) {
        errno = EFBIG;
        return -1;
    }
    return disk_io(context)->pwrite(context, fd, bytes, size_bytes, offset);
}

static ss_io limited_io(disk *on)
{
    ss_io io = *disk_io(on);
    io.truncate = limited_truncate;
    io.pwrite = limited_pwrite;
    return io;
}

/* ---- using a queue that opened ---- */

static bool is_refusal(int error)
{
    return error == SEENSET_EIO || error == SEENSET_ENOMEM ||
           error == SEENSET_EFORMAT || error == SEENSET_EVERSION ||
           error == SEENSET_EDAMAGED || error == SEENSET_EHASH ||
           error == SEENSET_EINVAL || error == SEENSET_ERATE ||
           error == SEENSET_ETOOBIG || error == SEENSET_EUNSUPPORTED ||
           error == SEENSET_ESECRET;
}

/* Hands out all there is, and acks every third if is_acking. */
static void pop_all(seenset_queue *queue, told_items *out, bool is_acking)
{
    seenset_queue_item item = {0};
    uint64_t highest = SEENSET_QUEUE_PRIORITIES - 1;
    int result;
    *out = (told_items){.is_whole = true};
    for (int i = 0; (result = seenset_queue_pop(queue, &item)) == 1; i++) {
        fuzz_must(!told_has(out, item.number), "an item is handed out once");
        fuzz_must(item.url_len + item.data_len < SS_PAYLOAD_MAX,
                  "an item is no larger than allowed");
        (void)ss_crc32c(item.url, item.url_len);
        (void)ss_crc32c(item.data, item.data_len);
        fuzz_must(item.priority <= highest, "a higher priority comes first");
        highest = item.priority;
        told_add(out, item.number, item.priority);
        if (!out->is_whole)
            break;
        if (is_acking && i % 3 == 0) {
            fuzz_must(seenset_queue_ack(queue, item.lease) == SEENSET_OK,
                      "a lease can be acked");
            item.lease ^= 1u << 8;
        }
        if (i % 3 == 1)
            fuzz_must(seenset_queue_extend(queue, item.lease, 5) == 0,
                      "a lease can be extended");
    }
    fuzz_must(result >= 0 || result == SEENSET_EDAMAGED ||
                  result == SEENSET_ENOMEM || result == SEENSET_EIO,
              "a pop has an answer");
    out->is_whole &= result == 0;
    seenset_queue_item_free(&item);
}

/* What pop_all acked is gone. */
static void drop_acked(told_items *from)
{
    told_items left = {.is_whole = from->is_whole};
    for (size_t i = 0; i < from->count; i++)
        if (i % 3 != 0)
            told_add(&left, from->numbers[i], from->priorities[i]);
    *from = left;
}

static void push_some(seenset_queue *queue, told_items *to)
{
    for (int i = 0; i < FRESH; i++) {
        char url[40];
        seenset_queue_stats stats;
        int length = snprintf(url, sizeof url, "http://fresh.example/%d", i);
        fuzz_must(seenset_queue_get_stats(queue, &stats, sizeof stats) == 0,
                  "a queue tells");
        int answer = seenset_queue_push(queue, url, (size_t)length, "x", 1);
        fuzz_must(answer == 0 || answer == 1 || answer == SEENSET_EFULL ||
                      answer == SEENSET_ENOMEM || answer == SEENSET_EIO ||
                      answer == SEENSET_ERATE || answer == SEENSET_ETOOBIG,
                  "a push has an answer");
        if (answer == 1)
            told_add(to, stats.pushed_items, 0);
        if (answer == 1)
            fuzz_must(seenset_queue_push(queue, url, (size_t)length, "", 0) ==
                          0,
                      "what was pushed is seen");
    }
}

/* Visits a URL again, with a priority, and forgets it. */
static void visit_again(seenset_queue *queue, told_items *to)
{
    static const char url[] = "http://fresh.example/0";
    const seenset_queue_entry entry = {.url = url, .url_len = sizeof url - 1};
    const seenset_queue_push_options again = {.priority = 7,
                                              .flags = SEENSET_QUEUE_AGAIN};
    seenset_queue_stats stats;
    fuzz_must(seenset_queue_get_stats(queue, &stats, sizeof stats) == 0,
              "a queue tells");
    if (seenset_queue_push_many(queue, &entry, 1, &again, NULL) != 0)
        return;
    told_add(to, stats.pushed_items, 7);
    if (seenset_queue_forget(queue, url, entry.url_len) != 1)
        return;
    int answer = seenset_queue_push(queue, url, entry.url_len, "", 0);
    fuzz_must(answer != 0, "what was forgotten is new");
    if (answer == 1)
        told_add(to, stats.pushed_items + 1, 0);
}

/* Each priority has as many items as it says. */
static void check_priorities(const seenset_queue_stats *stats,
                             const told_items *of)
{
    uint64_t counts[SEENSET_QUEUE_PRIORITIES] = {0};
    for (size_t i = 0; i < of->count; i++)
        counts[of->priorities[i]]++;
    for (int i = 0; i < SEENSET_QUEUE_PRIORITIES && of->is_whole; i++)
        fuzz_must(stats->priority_items[i] == counts[i],
                  "a queue knows how many items each priority has");
}

/* Leases that went on from before end first, and so all is handed out. */
static void use(trial *of, disk *on, seenset_queue *queue)
{
    seenset_queue_stats stats;
    disk_pass_ns(on, UINT64_C(1) << 40);
    pop_all(queue, &of->before, true);
    of->told = of->before;
    drop_acked(&of->before);
    push_some(queue, &of->before);
    if ((of->how & IS_EXTENDED) != 0)
        visit_again(queue, &of->before);
    fuzz_must(seenset_queue_get_stats(queue, &stats, sizeof stats) == 0,
              "a queue tells");
    fuzz_must(!of->before.is_whole ||
                  stats.pending_items + stats.leased_items == of->before.count,
              "a queue knows how many items it has");
    check_priorities(&stats, &of->before);
    if (seenset_queue_checkpoint(queue) != SEENSET_OK)
        of->before.is_whole = false;
    if (seenset_queue_close(queue) != SEENSET_OK)
        of->before.is_whole = false;
}

static int open_on(trial *of, const ss_io *io, seenset_queue **queue)
{
    *queue = NULL;
    int error = ss_queue_open(io, queue, DISK_FOLDER, &of->options);
    fuzz_must((error == SEENSET_OK) == (*queue != NULL),
              "a queue is there when, and only when, it opened");
    fuzz_must(error == SEENSET_OK || is_refusal(error), "open has an answer");
    return error;
}

/* Opens, uses, closes, and looks again. */
static int try_open(trial *of, const disk *folder)
{
    seenset_queue *queue;
    disk *on = disk_copy(folder);
    ss_io io = limited_io(on);
    int error = open_on(of, &io, &queue);
    if (error == SEENSET_OK) {
        use(of, on, queue);
        int again = open_on(of, &io, &queue);
        fuzz_must(again == SEENSET_OK || !of->before.is_whole,
                  "what was closed can be opened");
        if (again == SEENSET_OK) {
            disk_pass_ns(on, UINT64_C(1) << 41);
            pop_all(queue, &of->after, false);
            told_compare(&of->before, &of->after, "no item is lost",
                         "no item comes back");
            (void)seenset_queue_close(queue);
        }
    }
    disk_free(on);
    return error;
}

/* ---- verify and repair ---- */

static int verify(const trial *of, disk *on)
{
    seenset_queue_report report;
    const seenset_queue_options options = {.set = &of->set, .report = &report};
    ss_io io = limited_io(on);
    int error = ss_queue_verify(&io, DISK_FOLDER, &options);
    fuzz_must(error == SEENSET_OK || is_refusal(error), "verify has an answer");
    fuzz_must(error != SEENSET_EDAMAGED || report.reason[0] != '\0',
              "damage has a reason");
    return error;
}

static void try_repair(trial *of, const disk *folder)
{
    seenset_queue *queue;
    disk *on = disk_copy(folder);
    ss_io io = limited_io(on);
    const seenset_queue_options options = {.set = &of->set};
    int error = ss_queue_repair(&io, DISK_FOLDER, &options);
    fuzz_must(error == SEENSET_OK || is_refusal(error), "repair has an answer");
    if (error == SEENSET_OK) {
        fuzz_must(verify(of, on) == SEENSET_OK, "what was repaired is sound");
        fuzz_must(open_on(of, &io, &queue) == SEENSET_OK,
                  "what was repaired opens");
        use(of, on, queue);
    }
    disk_free(on);
}

/* May the set that the manifest asks for be made here? */
static bool is_set_small(const trial *of, disk *folder)
{
    ss_manifest manifest;
    size_t *size_bytes;
    seenset *set = NULL;
    seenset_allocator allocator = fuzz_allocator();
    const uint8_t *bytes = disk_file(folder, SS_FOLDER_MANIFEST, &size_bytes);
    if (bytes == NULL ||
        ss_manifest_decode(&manifest, bytes, *size_bytes) != SEENSET_OK ||
        manifest.is_exact)
        return true;
    const seenset_scheme_arguments lent =
        ss_arguments_lend(&manifest.arguments);
    manifest.set.scheme_arguments = &lent;
    manifest.set.allocator = &allocator;
    manifest.set.secret = of->set.secret;
    int error = seenset_new(&set, &manifest.set);
    seenset_free(set);
    return error != SEENSET_ENOMEM;
}

/* What verify and repair say must hold for what open says. */
static void try_mending(trial *of, disk *folder, int opened)
{
    disk *on = disk_copy(folder);
    int verified = verify(of, on);
    disk_free(on);
    fuzz_must(verified != SEENSET_OK || opened == SEENSET_OK ||
                  opened == SEENSET_ENOMEM,
              "what is sound opens");
    if (is_set_small(of, folder))
        try_repair(of, folder);
}

static void try_all(trial *of, disk *folder)
{
    told_items told;
    int opened = try_open(of, folder);
    if ((of->how & IS_FORGOTTEN) != 0 && opened == SEENSET_OK) {
        told_read(&told, folder);
        told_compare(&told, &of->told, "what the log has is handed out",
                     "what is handed out is in the log");
    }
    if ((of->how & IS_MENDED) != 0)
        try_mending(of, folder, opened);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    fuzz_bytes from = {data, size_bytes};
    trial *of = calloc(1, sizeof *of);
    fuzz_must(of != NULL, "there is memory for a list of items");
    of->how = fuzz_below(&from, 256);
    of->allocator = fuzz_allocator();
    of->set = (seenset_options){.allocator = &of->allocator};
    of->options = (seenset_queue_options){
        .set = &of->set,
        .durability = (of->how & WAITS_FOR_DISK) != 0
                          ? SEENSET_QUEUE_DURABILITY_EACH
                          : SEENSET_QUEUE_DURABILITY_NONE,
        .flags =
            SEENSET_QUEUE_MUST_EXIST |
            ((of->how & KEEPS_LEASES) != 0 ? SEENSET_QUEUE_KEEP_LEASES : 0)};
    const folder_kind kind = {.is_second = (of->how & IS_SECOND) != 0,
                              .is_extended = (of->how & IS_EXTENDED) != 0};
    disk *folder = (of->how & IS_CRAWL) != 0 ? folder_of_crawl(&from, kind)
                                             : folder_of_files(&from);
    if ((of->how & IS_FORGOTTEN) != 0)
        folder_forget(folder);
    if ((of->how & IS_REPAIRED) != 0)
        folder_repair(folder);
    of->set.secret = folder_secret(folder);
    try_all(of, folder);
    disk_free(folder);
    free(of);
    return 0;
}
