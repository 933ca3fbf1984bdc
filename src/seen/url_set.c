/* url_set.c - a filter or the URLs themselves, behind one interface */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "seen/url_set.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "file/file.h"
#include "set/figures/figures.h"
#include "log/folder.h"
#include "seenset/algebra.h"
#include "set/hashed.h"

/* ---- made and freed ---- */

static bool has_scheme(const seenset_options *options)
{
    return options->scheme > SEENSET_SCHEME_CHAIN;
}

/* A set that needs URLs only finds them by the hash: then the secret is of
 * this handle. */
static int init_hashing(ss_url_set *set)
{
    static const ss_scheme_arguments none;
    const ss_scheme_arguments given = ss_arguments_read(&set->arguments);
    uint8_t own[SEENSET_SECRET_BYTES];
    if (!set->needs_urls)
        return ss_key_hash_make(&set->hashing, 0, set->options.secret, &given);
    if (!ss_random_fill(own, sizeof own))
        return SEENSET_EIO;
    return ss_key_hash_make(&set->hashing, 0, own, &none);
}

/* An exact set refuses URLs past its capacity, or takes any number. */
static void init_policy(seenset_options *options)
{
    if (options->on_full != SEENSET_ON_FULL_REFUSE)
        options->on_full = SEENSET_ON_FULL_GROW;
    if (options->capacity_items == 0)
        options->capacity_items = 1000000;
}

/* They are this set's from now on, and so are the seeds. */
static void init_arguments(ss_url_set *set, const ss_arguments *given)
{
    set->options.scheme_arguments = NULL;
    if (given == NULL || !ss_arguments_are_given(given))
        return;
    set->arguments = *given;
    set->lent = ss_arguments_lend(&set->arguments);
    set->options.scheme_arguments = &set->lent;
}

/* The clock of a window by age. */
static uint64_t told_wall_seconds(void *context)
{
    const ss_url_set *set = context;
    return set->told_seconds != NULL ? *set->told_seconds
                                     : ss_clock_wall_seconds(set->clock);
}

int ss_url_set_init(ss_url_set *set, const ss_url_set_design *design)
{
    const seenset_options *options = design->options;
    *set = (ss_url_set){
        .is_ready = true,
        .is_exact = design->is_exact,
        .needs_urls = design->is_exact || has_scheme(options),
        .is_window = options->on_full == SEENSET_ON_FULL_ROTATE,
        .is_timed = options->on_full == SEENSET_ON_FULL_ROTATE &&
                    options->window_seconds > 0,
        .is_sliding = (options->flags & SEENSET_FLAG_SLIDING) != 0,
        .options = *options,
        .memory = *design->memory,
        .clock = design->clock,
        .told = {.wall_seconds = told_wall_seconds, .context = set}};
    set->options.flags |=
        SEENSET_FLAG_ANY_RATE;       /* checked when it was created */
    set->options.at_capacity = NULL; /* not while it is made again: seen.h */
    set->options.allocator = design->memory->allocator.allocate != NULL
                                 ? &set->memory.allocator
                                 : NULL;
    if (options->secret != NULL) {
        memcpy(set->secret, options->secret, sizeof set->secret);
        set->options.secret = set->secret;
    }
    init_arguments(set, design->arguments);
    if (set->is_exact)
        init_policy(&set->options);
    ss_exact_init(&set->exact, &set->memory);
    return init_hashing(set);
}

void ss_url_set_free(ss_url_set *set)
{
    if (!set->is_ready)
        return;
    seenset_free(set->filter);
    ss_exact_free(&set->exact);
    ss_key_hash_wipe(&set->hashing);
    volatile uint8_t *secret = set->secret;
    for (size_t i = 0; i < sizeof set->secret; i++)
        secret[i] = 0;
    *set = (ss_url_set){0};
}

static void adopt(ss_url_set *set)
{
    set->is_made = true;
    if (set->filter == NULL)
        return;
    set->filter->clock = set->is_timed ? &set->told : set->clock;
    set->is_counting = ss_url_set_info(set).counter_bits > 0;
}

int ss_url_set_make(ss_url_set *set)
{
    int error = SEENSET_OK;
    if (set->is_made)
        return SEENSET_OK;
    if (!set->is_exact)
        error = seenset_new(&set->filter, &set->options);
    if (error == SEENSET_OK)
        adopt(set);
    return error;
}

/* ---- files ---- */

static void path_of(const ss_url_set_file *file, char path[SS_PATH_MAX])
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, SS_FOLDER_SET, file->position);
    ss_folder_path(file->folder, path, name);
}

static ss_exact_file exact_file_of(const ss_url_set *set,
                                   const ss_url_set_file *file)
{
    return (ss_exact_file){.log_id = file->log_id,
                           .position = file->position,
                           .identity = &set->hashing};
}

/* Reads a file of URLs, for which *report is filled in. */
static int read_exact(const ss_url_set *set, ss_exact *exact,
                      const ss_url_set_file *file, seenset_file_report *report)
{
    const ss_io *io = file->folder->io;
    const ss_exact_file from = exact_file_of(set, file);
    const char *reason = "";
    char path[SS_PATH_MAX];
    path_of(file, path);
    int fd = ss_io_open(io, path, O_RDONLY, 0);
    if (fd < 0)
        return SEENSET_EIO;
    int error = ss_exact_read(exact, io, fd, &from, &report->offset, &reason);
    ss_io_close_quietly(io, fd);
    snprintf(report->reason, sizeof report->reason, "%s", reason);
    return error;
}

static int load_filter(ss_url_set *set, const ss_url_set_file *file)
{
    const ss_io *io = file->folder->io;
    char path[SS_PATH_MAX];
    path_of(file, path);
    return set->is_mapped
               ? ss_file_map_as(io, &set->options, &set->filter, path)
               : ss_file_load_as(io, &set->options, &set->filter, path);
}

int ss_url_set_load(ss_url_set *set, const ss_url_set_file *file)
{
    seenset_file_report report = {0};
    int error = set->is_exact ? read_exact(set, &set->exact, file, &report)
                              : load_filter(set, file);
    if (error == SEENSET_OK)
        adopt(set);
    set->has_begun = set->is_made;
    return error;
}

int ss_url_set_verify(const ss_url_set *set, const ss_url_set_file *file,
                      seenset_file_report *report)
{
    char path[SS_PATH_MAX];
    ss_exact exact;
    path_of(file, path);
    if (!set->is_exact)
        return ss_file_verify_as(file->folder->io, &set->options, path, report);
    *report = (seenset_file_report){0};
    ss_exact_init(&exact, &set->memory);
    int error = read_exact(set, &exact, file, report);
    ss_exact_free(&exact);
    return error;
}

int ss_url_set_write(const ss_url_set *set, const ss_url_set_file *file, int fd)
{
    const ss_io *io = file->folder->io;
    const ss_exact_file to = exact_file_of(set, file);
    if (!set->is_exact)
        return ss_file_write(io, fd, set->filter);
    return ss_exact_write(&set->exact, io, fd, &to) ? SEENSET_OK : SEENSET_EIO;
}

/* ---- URLs ---- */

ss_pushed ss_url_set_pushed(const ss_url_set *set, const void *url,
                            size_t url_len)
{
    return (ss_pushed){.hash = ss_key_hash_of(&set->hashing, url, url_len),
                       .url = url,
                       .url_len = url_len};
}

uint64_t ss_url_set_now(const ss_url_set *set)
{
    return set->is_timed ? ss_clock_wall_seconds(set->clock) : 0;
}

bool ss_url_set_has(const ss_url_set *set, const ss_pushed *url)
{
    if (set->is_exact)
        return ss_exact_has(&set->exact, url);
    if (set->needs_urls)
        return seenset_has(set->filter, url->url, url->url_len) == 1;
    return ss_hashed_has(set->filter, url->hash) == 1;
}

bool ss_url_set_renews(const ss_url_set *set, const ss_pushed *url)
{
    return set->is_sliding && ss_hashed_renews(set->filter, url->hash);
}

static bool refuses_another(const ss_url_set *set)
{
    return set->options.on_full == SEENSET_ON_FULL_REFUSE &&
           set->exact.count >= set->options.capacity_items;
}

static int add_exact(ss_url_set *set, const ss_pushed *url)
{
    if (refuses_another(set) && !ss_exact_has(&set->exact, url))
        return SEENSET_EFULL;
    return ss_exact_add(&set->exact, url);
}

/* Time is told until the URLs are added. The first span of a window begins with
 * its first URL, also when the set is made again from the log. */
static void tell(ss_url_set *set, const uint64_t *seconds)
{
    set->told_seconds = seconds;
    if (set->is_timed && !set->has_begun)
        seenset_clear(set->filter);
    set->has_begun = true;
}

/* The log has no record of a URL that is seen. So in a window by age time goes
 * on with new ones only, but in a sliding one, whose renewals are records. */
static bool is_turned_by_new(const ss_url_set *set)
{
    return set->is_timed && !set->is_sliding;
}

int ss_url_set_add(ss_url_set *set, const ss_pushed *url)
{
    if (set->is_exact)
        return add_exact(set, url);
    if (set->is_counting && ss_url_set_has(set, url))
        return 0; /* the log does not have it twice, either */
    if (set->needs_urls)
        return seenset_add(set->filter, url->url, url->url_len);
    tell(set, &url->seconds);
    int answer =
        is_turned_by_new(set) && ss_hashed_has(set->filter, url->hash) == 1
            ? 0
            : ss_hashed_add(set->filter, url->hash);
    set->told_seconds = NULL;
    return answer;
}

int ss_url_set_merge(ss_url_set *into, const ss_url_set *from)
{
    if (into->is_exact || from->is_exact)
        return SEENSET_EMISMATCH;
    int error = seenset_merge(into->filter, from->filter);
    if (error == SEENSET_EUNSUPPORTED || error == SEENSET_ETOOBIG)
        return SEENSET_EMISMATCH;
    into->has_begun |= error == SEENSET_OK;
    return error;
}

bool ss_url_set_takes_hashes(const ss_url_set *set)
{
    return !set->needs_urls && !set->is_sliding && !set->is_counting;
}

void ss_url_set_has_many(const ss_url_set *set, const uint64_t *hashes,
                         size_t count, uint8_t *is_seen)
{
    ss_hashed_has_many(set->filter, hashes, count, is_seen);
}

/* Answers go to is_seen. */
static bool has_all(const ss_url_set *set, const uint64_t *hashes, size_t count,
                    uint8_t *is_seen)
{
    size_t seen = 0;
    ss_hashed_has_many(set->filter, hashes, count, is_seen);
    while (seen < count && is_seen[seen] == 1)
        seen++;
    return seen == count;
}

int ss_url_set_add_many(ss_url_set *set, const uint64_t *hashes, size_t count,
                        uint64_t seconds, uint8_t *is_new)
{
    int error = SEENSET_OK;
    tell(set, &seconds);
    if (is_turned_by_new(set) && has_all(set, hashes, count, is_new))
        memset(is_new, 0, count);
    else
        error = ss_hashed_add_many(set->filter, hashes, count, is_new);
    set->told_seconds = NULL;
    return error;
}

/* ---- what it reports ---- */

static seenset_info exact_info(const ss_url_set *set)
{
    return (seenset_info){.on_full = set->options.on_full,
                          .capacity_items = set->options.capacity_items,
                          .added_items = set->exact.count,
                          .memory_bytes = ss_exact_memory_bytes(&set->exact),
                          .is_at_capacity =
                              set->options.on_full == SEENSET_ON_FULL_REFUSE &&
                              set->exact.count >= set->options.capacity_items};
}

seenset_info ss_url_set_info(const ss_url_set *set)
{
    seenset_info info;
    if (set->is_exact)
        return exact_info(set);
    (void)seenset_get_info(set->filter, &info, sizeof info);
    return info;
}

static seenset_stats exact_stats(const ss_url_set *set)
{
    const seenset_info info = exact_info(set);
    return (seenset_stats){.on_full = info.on_full,
                           .capacity_items = info.capacity_items,
                           .added_items = info.added_items,
                           .estimated_items = (double)info.added_items,
                           .memory_bytes = info.memory_bytes};
}

seenset_stats ss_url_set_stats(const ss_url_set *set)
{
    seenset_stats stats;
    if (set->is_exact)
        return exact_stats(set);
    (void)seenset_get_stats(set->filter, &stats, sizeof stats);
    return stats;
}

seenset_stats ss_url_set_estimate(const ss_url_set *set)
{
    ss_set_state state;
    if (set->is_exact)
        return exact_stats(set);
    (void)ss_figures_take(set->filter, SS_ESTIMATE_BYTES, &state);
    return ss_figures_stats(set->filter, &state);
}
