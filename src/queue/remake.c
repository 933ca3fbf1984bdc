/*
 * remake.c - a queue of other options, made of one that exists.
 *
 * The log of the new queue does not begin at 0. It goes on from the old one's
 * end, with numbers of items that the old one never gave. This has two reasons:
 *
 *   - What was seen and is not an item any more is only in the set, not in the
 *     log. If the set's file is damaged, the log before it is missing, and the
 *     queue is refused. Otherwise a set would be made of the log alone, and
 *     pages be visited again without a word.
 *   - A lease has the number of its item. A worker that comes with one of the
 *     old queue must not end another item of the new.
 *
 * Everything is written with no wait for the disk, made durable by one
 * checkpoint, and becomes a queue by its MANIFEST, which is written after that.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <errno.h>

#include "base/growth.h"
#include "queue/delayed/away.h"
#include "queue/delayed/delayed.h"
#include "queue/inherit.h"
#include "queue/polite.h"
#include "queue/push_parts.h"
#include "queue/remake_hosts.h"

typedef struct remaking {
    const seenset_queue_remake_options *options;
    seenset_queue_report *from_report, *to_report; /* or NULL */
    seenset_queue *from, *to;
    bool respells;      /* the new queue normalises, and the old one did not */
    bool are_counted;   /* the new queue's hosts have the items counted */
    bool moves_handed;  /* now: the items that were handed out, or the others */
    bool has_forgotten; /* the new queue knows what was forgotten by its hash */
    ss_exact spellings; /* if it respells: the URLs of the items, so far */
    char *room;         /* for a normal form */
    size_t room_bytes;
    uint64_t due_ns; /* of the last item that was handed out before */
    seenset_queue_remade done;
} remaking;

/* An error of a call that writes the new queue. */
static int of_new(const remaking *now, int error)
{
    return error == SEENSET_EIO
               ? ss_report_refuse(now->to_report, error, SS_FOLDER_MANIFEST, 0,
                                  "the queue cannot be written")
               : error;
}

/* ---- spelling ---- */

static bool reserve_room(remaking *now, size_t wanted)
{
    const ss_memory *memory = &now->to->memory;
    if (wanted <= now->room_bytes)
        return true;
    char *room = ss_memory_alloc(memory, wanted, 1);
    if (room == NULL)
        return false;
    ss_memory_free(memory, now->room, now->room_bytes, 1);
    now->room = room;
    now->room_bytes = wanted;
    return true;
}

/* Spells a URL as the new queue does. 0, SEENSET_ENOMEM, SEENSET_EURL (it has
 * no such spelling) or SEENSET_EINVAL (it is too long by that). */
static int spell(remaking *now, seenset_queue_entry *entry)
{
    size_t wanted = ss_push_room_for(entry);
    if (now->to->manifest.normalise != SEENSET_QUEUE_NORMALISE_URL)
        return ss_push_is_valid(entry) ? SEENSET_OK : SEENSET_EINVAL;
    if (!reserve_room(now, wanted))
        return SEENSET_ENOMEM;
    return ss_push_normalise(entry, now->room, wanted);
}

static bool has_no_spelling(int error)
{
    return error == SEENSET_EURL || error == SEENSET_EINVAL;
}

/* ---- what was seen ---- */

/* A URL, spelled, is seen from now on. 1 (it is new), 0, or an error. */
static int add_seen(remaking *now, const seenset_queue_entry *entry)
{
    ss_seen *seen = &now->to->seen;
    ss_pushed url = ss_url_set_pushed(&seen->set, entry->url, entry->url_len);
    url.seconds = ss_url_set_now(&seen->set);
    int answer = ss_url_set_add(&seen->set, &url);
    if (answer >= 0 && ss_seen_remember(seen, &url))
        answer = 1;
    return answer;
}

/* A URL of an exact set. */
static int take_exact(void *context, const uint8_t *bytes, size_t url_len)
{
    remaking *now = context;
    seenset_queue_entry entry = {.url = bytes, .url_len = url_len};
    const ss_pushed url =
        ss_url_set_pushed(&now->from->seen.set, bytes, url_len);
    if (ss_seen_is_forgotten(&now->from->seen, &url))
        return 0;
    int error = spell(now, &entry);
    if (has_no_spelling(error))
        return 0;
    int answer = error == SEENSET_OK ? add_seen(now, &entry) : error;
    return answer < 0 ? answer : 0;
}

/* The hashes of what was forgotten hold in the new set, too. */
static int take_forgotten(remaking *now)
{
    const ss_forgotten *from = &now->from->seen.forgotten;
    ss_forgotten *to = &now->to->seen.forgotten;
    const ss_memory *memory = &now->to->memory;
    size_t count = from->count;
    now->has_forgotten = true;
    if (count == 0)
        return SEENSET_OK;
    uint64_t *hashes = ss_memory_alloc(memory, count, sizeof *hashes);
    if (hashes == NULL || !ss_forgotten_reserve(to, memory, count)) {
        ss_memory_free(memory, hashes, count, sizeof *hashes);
        return SEENSET_ENOMEM;
    }
    ss_forgotten_list(from, hashes);
    for (size_t i = 0; i < count; i++)
        (void)ss_forgotten_add(to, hashes[i]);
    ss_memory_free(memory, hashes, count, sizeof *hashes);
    return SEENSET_OK;
}

/* Why the seen URLs cannot be kept, for the report. */
static const char *obstacle_of(const remaking *now)
{
    const ss_manifest *from = &now->from->manifest, *to = &now->to->manifest;
    if (from->normalise != to->normalise)
        return "their spelling changes, and only bits of them are there";
    if (to->is_exact)
        return "an exact set needs the URLs, and only bits of them are there";
    if (from->hash_check != to->hash_check ||
        !ss_arguments_are_same(&from->arguments, &to->arguments))
        return "the new set hashes them in another way";
    return "the new set cannot take the old one's bits";
}

static int keep_filter(remaking *now)
{
    int error = SEENSET_EMISMATCH;
    const seenset_queue *from = now->from, *to = now->to;
    if (from->seen.added_items == 0)
        error = SEENSET_OK;
    else if (from->manifest.normalise == to->manifest.normalise)
        error = ss_url_set_merge(&now->to->seen.set, &from->seen.set);
    if (error == SEENSET_OK) {
        now->done.is_seen_kept = true;
        return take_forgotten(now);
    }
    if (error == SEENSET_EMISMATCH && now->options->next_seen == NULL)
        return ss_report_refuse(now->from_report, error, SS_FOLDER_SET "*", 0,
                                obstacle_of(now));
    return error == SEENSET_EMISMATCH ? SEENSET_OK : error;
}

static int keep_seen(remaking *now)
{
    const ss_url_set *from = &now->from->seen.set;
    if (now->options->flags != 0)
        return SEENSET_OK;
    if (!from->is_exact)
        return keep_filter(now);
    now->done.is_seen_kept = true;
    return ss_exact_visit(&from->exact, take_exact, now);
}

static int take_seen(remaking *now, seenset_queue_entry *entry)
{
    int error = ss_push_is_valid(entry) ? spell(now, entry) : SEENSET_EINVAL;
    if (has_no_spelling(error)) {
        now->done.refused_urls++;
        return SEENSET_OK;
    }
    int answer = error == SEENSET_OK ? add_seen(now, entry) : error;
    now->done.seen_urls += answer == 1;
    return answer < 0 ? answer : SEENSET_OK;
}

/* What the caller knows to be seen. */
static int take_source(remaking *now)
{
    const seenset_queue_remake_options *options = now->options;
    seenset_queue_entry entry = {0};
    int result = 0;
    while (options->next_seen != NULL &&
           (result = options->next_seen(options->next_seen_context, &entry.url,
                                        &entry.url_len)) == 1) {
        int error = take_seen(now, &entry);
        if (error != SEENSET_OK)
            return error;
    }
    return result < 0 ? result : SEENSET_OK;
}

/* ---- items ---- */

static bool was_forgotten(const remaking *now, const seenset_queue_listed *item,
                          const ss_pushed *spelled)
{
    const ss_seen *from = &now->from->seen;
    if (now->has_forgotten)
        return ss_seen_is_forgotten(&now->to->seen, spelled);
    const ss_pushed url =
        ss_url_set_pushed(&from->set, item->url, item->url_len);
    return ss_seen_is_forgotten(from, &url);
}

/* An item was handed out before, and so has the one appended last. The lane has
 * none that waits, as these come first. */
static int keep_deliveries(remaking *now, const seenset_queue_listed *item,
                           size_t bytes)
{
    seenset_queue *to = now->to;
    ss_lane *lane = &to->items.lanes[item->priority];
    uint64_t number = to->log.next_item - 1;
    bool is_delayed = item->state == SEENSET_QUEUE_ITEM_DELAYED;
    if (ss_polite_reserve_lease(to) != SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_leased_item *entry = ss_items_add(
        &to->items, &to->memory, item->priority, number, to->log.tail - bytes);
    if (entry == NULL)
        return SEENSET_ENOMEM;
    entry->deliveries = item->deliveries;
    entry->turn = item->deliveries % SS_SHORT_TURNS;
    ss_items_set(&to->items, entry, SS_LEASE_WAITING,
                 is_delayed ? ss_queue_now(to) + (uint64_t)(item->seconds * 1e9)
                            : ++now->due_ns);
    if (to->frontier != NULL) {
        entry->host = to->frontier->reserved;
        ss_leases_set_bytes(&lane->leases, entry, (uint32_t)bytes);
        int error = ss_frontier_set_out(to->frontier, number);
        return of_new(now, error != 0 ? error : ss_delayed_remade(to, lane));
    }
    lane->read_item = number + 1;
    ss_log_reader_seek(&lane->reader, to->log.tail);
    return of_new(now, ss_delayed_remade(to, lane));
}

/* It is forgotten still, though its item was appended. */
static int forget_again(seenset_queue *to, const ss_pushed *url)
{
    if (!ss_forgotten_reserve(&to->seen.forgotten, &to->memory, 1))
        return SEENSET_ENOMEM;
    ss_seen_forget(&to->seen, url);
    return SEENSET_OK;
}

static int append(remaking *now, const seenset_queue_listed *item,
                  const seenset_queue_entry *entry, ss_pushed *url)
{
    seenset_queue *to = now->to;
    const ss_push_way way = {.lane = item->priority,
                             .is_again = true,
                             .is_moved = true,
                             .is_counted = now->are_counted};
    size_t bytes = SS_RECORD_HEADER_BYTES + entry->url_len + entry->data_len +
                   ss_record_push_prefix_bytes(ss_record_push_type(
                       to->seen.set.is_timed, item->priority));
    bool is_forgotten = was_forgotten(now, item, url);
    int error = ss_append_reserve(to, ss_push_bytes(to, entry, &way));
    if (error != SEENSET_OK)
        return of_new(now, error);
    url->seconds = ss_url_set_now(&to->seen.set);
    int answer = ss_push_at_once(to, entry, url, &way);
    if (answer < 0)
        return of_new(now, answer);
    now->done.moved_items++;
    now->done.leased_items += item->state == SEENSET_QUEUE_ITEM_LEASED;
    if (now->moves_handed)
        error = keep_deliveries(now, item, bytes);
    return error == SEENSET_OK && is_forgotten ? forget_again(to, url) : error;
}

/* 1, 0 or an error. */
static int was_handed_out(const seenset_queue *from,
                          const seenset_queue_listed *item)
{
    const ss_lane *lane = &from->items.lanes[item->priority];
    return from->frontier != NULL
               ? ss_away_was_out(from, item->priority, item->number)
               : item->number < lane->read_item;
}

/* A visitor of the old queue's items. */
static int move_item(void *context, const seenset_queue_listed *item)
{
    remaking *now = context;
    int is_handed = was_handed_out(now->from, item);
    if (now->from->frontier == NULL)
        now->moves_handed = is_handed;
    if (is_handed != now->moves_handed)
        return is_handed < 0 ? is_handed : 0;
    seenset_queue_entry entry = {.url = item->url,
                                 .url_len = item->url_len,
                                 .data = item->data,
                                 .data_len = item->data_len};
    int error = now->respells ? spell(now, &entry) : SEENSET_OK;
    if (has_no_spelling(error)) {
        now->done.left_out_items++;
        return 0;
    }
    if (error != SEENSET_OK)
        return error;
    ss_pushed url =
        ss_url_set_pushed(&now->to->seen.set, entry.url, entry.url_len);
    int answer = now->respells ? ss_exact_add(&now->spellings, &url) : 1;
    now->done.joined_items += answer == 0;
    return answer == 1 ? append(now, item, &entry, &url) : answer;
}

/* Those that were handed out come first in their lanes. In a polite queue they
 * are between the others. */
static int move_items(remaking *now)
{
    int error = SEENSET_OK;
    now->moves_handed = true;
    if (now->from->frontier != NULL)
        error = seenset_queue_list(now->from, move_item, now);
    now->moves_handed = false;
    return error == SEENSET_OK ? seenset_queue_list(now->from, move_item, now)
                               : error;
}

/* ---- the whole ---- */

/* Does it need what older libraries do not know? */
static bool needs_extension(const seenset_queue *from)
{
    uint64_t above = 0;
    for (unsigned i = 1; i < SS_LANES; i++)
        above += from->items.lanes[i].unacked_items;
    return above > 0 || from->seen.forgotten.count > 0;
}

/* The new set in memory, with what was seen. Nothing has been written yet. */
static int make_set(remaking *now, const seenset_queue_options *wanted)
{
    seenset_queue *to = now->to;
    int error = ss_manifest_from_options(&to->manifest, wanted);
    if (error != SEENSET_OK)
        return error;
    to->manifest.is_extended |= needs_extension(now->from);
    ss_delayed_remake(now->from, to);
    now->respells =
        to->manifest.normalise == SEENSET_QUEUE_NORMALISE_URL &&
        now->from->manifest.normalise != SEENSET_QUEUE_NORMALISE_URL;
    error = ss_create_set(to);
    return error == SEENSET_OK ? keep_seen(now) : error;
}

/* The folder, and in it all but the manifest. No URL is asked for before the
 * folder is known to be free: the caller may try again, and its list is read.
 */
static int write_queue(remaking *now, const seenset_queue_options *wanted)
{
    const seenset_queue *from = now->from;
    seenset_queue *to = now->to;
    int error = ss_create_lock(to, wanted);
    if (error == SEENSET_EINUSE)
        return ss_report_refuse(now->to_report, error, SS_FOLDER_LOCK, 0,
                                "another process has it open");
    if (error == SEENSET_OK)
        error = ss_create_continued(to, from->log.tail, from->log.next_item,
                                    now->to_report);
    error = of_new(now, error);
    if (error == SEENSET_OK)
        error = take_source(now);
    if (error != SEENSET_OK)
        return error;
    ss_queue_init_numbers(to);
    to->counters.dropped_items = from->counters.dropped_items;
    to->counters.refused_items = from->counters.refused_items;
    to->counters.not_url_items = from->counters.not_url_items;
    error = ss_remake_hosts(now->from, to, &now->are_counted);
    if (error == SEENSET_OK)
        error = move_items(now);
    return error == SEENSET_OK ? of_new(now, ss_checkpoint(to, true)) : error;
}

static void remove_file(const seenset_queue *to, const char *prefix,
                        uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, prefix, position);
    ss_folder_remove(&to->folder, name);
}

/* After an error: the folder is empty again, but for its lock. The manifest
 * goes first, so that no queue is left with files missing. */
static void remove_files(const seenset_queue *to)
{
    const ss_positions *segments = &to->log.segments;
    if (!ss_folder_unlink(&to->folder, SS_FOLDER_MANIFEST) && errno != ENOENT)
        return;
    remove_file(to, SS_FOLDER_SET, to->log.tail);
    remove_file(to, SS_FOLDER_STATE, to->log.tail);
    ss_delayed_remove_all(to);
    for (size_t i = segments->count; i > 0; i--)
        remove_file(to, SS_FOLDER_LOG, segments->at[i - 1]);
}

static int make_queue(remaking *now, const seenset_queue_options *wanted)
{
    seenset_queue *to = now->to;
    pthread_mutex_lock(&to->mutex);
    int error = make_set(now, wanted);
    if (error == SEENSET_OK)
        error = write_queue(now, wanted);
    if (error == SEENSET_OK)
        error = of_new(now, ss_create_manifest(to));
    int saved_errno = errno;
    if (error != SEENSET_OK && to->log.segments.count > 0)
        remove_files(to);
    pthread_mutex_unlock(&to->mutex);
    errno = saved_errno;
    return error;
}

static int remake(const ss_io *io, const char *new_dir, remaking *now)
{
    seenset_options set = {0};
    seenset_scheme_arguments arguments;
    seenset_queue_politeness politeness;
    seenset_queue_options wanted = *ss_queue_given(now->options->to);
    if (wanted.set != NULL)
        set = *wanted.set;
    ss_inherit_politeness(&wanted, &politeness, now->from);
    ss_inherit_options(&wanted, &set, &arguments, now->from);
    wanted.durability = SEENSET_QUEUE_DURABILITY_NONE;
    wanted.flags &= ~SEENSET_QUEUE_MUST_EXIST;
    int error = ss_queue_make_handle(&now->to, io, new_dir, &wanted);
    if (error != SEENSET_OK)
        return error;
    ss_exact_init(&now->spellings, &now->to->memory);
    error = make_queue(now, &wanted);
    int saved_errno = errno;
    ss_exact_free(&now->spellings);
    ss_memory_free(&now->to->memory, now->room, now->room_bytes, 1);
    ss_queue_free(now->to);
    errno = saved_errno;
    return error == SEENSET_EPOISONED ? SEENSET_EIO : error;
}

/* Without what only a remake takes. */
static bool are_new_valid(const seenset_queue_options *to)
{
    seenset_queue_options others = *to;
    if (ss_inherit_is_off(to->politeness))
        others.politeness = NULL;
    return ss_queue_are_options_valid(&others);
}

static bool are_options_valid(const seenset_queue_remake_options *options)
{
    return (options->flags & ~SEENSET_QUEUE_FORGET_SEEN) == 0 &&
           options->reserved32 == 0 && SS_GROWTH_IS_UNUSED(options) &&
           are_new_valid(ss_queue_given(options->to));
}

int ss_queue_remake(const ss_io *from_io, const char *dir, const ss_io *to_io,
                    const char *new_dir,
                    const seenset_queue_remake_options *options,
                    seenset_queue_remade *out, size_t out_bytes)
{
    static const seenset_queue_remake_options defaults = {0};
    remaking now = {.options = options == NULL ? &defaults : options};
    if (dir == NULL || new_dir == NULL || !are_options_valid(now.options) ||
        (out != NULL && out_bytes == 0))
        return SEENSET_EINVAL;
    seenset_queue_options from = *ss_queue_given(now.options->from);
    now.from_report = from.report;
    now.to_report = ss_queue_given(now.options->to)->report;
    if (now.to_report != NULL)
        *now.to_report = (seenset_queue_report){0};
    from.durability = SEENSET_QUEUE_DURABILITY_DEFAULT;
    from.flags |= SEENSET_QUEUE_MUST_EXIST | SEENSET_QUEUE_KEEP_LEASES;
    int error = ss_queue_open_as(from_io, &now.from, dir, &from, SS_FOR_USE);
    if (error != SEENSET_OK)
        return error;
    error = remake(to_io, new_dir, &now);
    ss_queue_free(now.from);
    if (error != SEENSET_OK || out == NULL)
        return error;
    return ss_growth_hand_out(out, out_bytes, &now.done, sizeof now.done);
}

int seenset_queue_remake(const char *dir, const char *new_dir,
                         const seenset_queue_remake_options *options,
                         seenset_queue_remade *out, size_t out_bytes)
{
    return ss_queue_remake(&ss_io_system, dir, &ss_io_system, new_dir, options,
                           out, out_bytes);
}
