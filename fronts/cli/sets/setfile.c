/*
 * setfile.c - see setfile.h.
 *
 * The library describes an error in one sentence. A person also needs to know
 * where in the file it is and what to do about it.
 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "sets/setfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/fold.h"
#include "sets/journal_name.h"
#include "sets/secret.h"
#include "sets/set_options.h"
#include "stream/magic.h"
#include "system/beside.h"
#include "text/units.h"

enum {
    SMALL_BYTES = 4 << 20
};

typedef struct advice {
    int error;
    const char *text;
} advice;

static const advice all_advice[] = {
    {SEENSET_ENOMEM, "choose a smaller -n or a larger -p"},
    {SEENSET_ETOOBIG, "choose a smaller -n or a larger -p"},
    {SEENSET_ERATE, "choose a larger -p, or a smaller -n"},
    {SEENSET_EINVAL, "see 'seenset help'"},
    {SEENSET_EFORMAT, "is it the right file?"},
    {SEENSET_EVERSION, "a newer seenset can read it"},
    {SEENSET_ETRUNCATED, "restore it from a copy"},
    {SEENSET_ECORRUPT, "restore it from a copy"},
    {SEENSET_EHASH, "only the program that made it can read it"},
    {SEENSET_EUNSUPPORTED, "use another machine or layout"},
    {SEENSET_ESECRET, "name the right file with --secret-file"},
    {SEENSET_EREADONLY, "open a copy"},
    {SEENSET_EJOURNAL, "bring it along, or give --without-journal"},
};

static const char *advice_for(int error)
{
    for (size_t i = 0; i < sizeof all_advice / sizeof all_advice[0]; i++)
        if (all_advice[i].error == error)
            return all_advice[i].text;
    return "nothing was changed";
}

static void complain_of_system(const char *name)
{
    if (errno == ENOENT)
        complain("%s: %s; 'seenset new' makes a set file", name,
                 strerror(errno));
    else
        complain("%s: %s", name, strerror(errno));
}

void setfile_complain(const char *name, int error)
{
    if (error == SEENSET_EIO)
        complain_of_system(name);
    else
        complain("%s: %s; %s", name, seenset_strerror(error),
                 advice_for(error));
}

void setfile_complain_of_copies(const char *name, int error)
{
    if (error == SEENSET_EUNSUPPORTED)
        complain("%s: its layout cannot count or remove keys; 'seenset new' "
                 "makes a set that can with --layout fingerprint or counting",
                 name);
    else
        setfile_complain_of_content(name, error);
}

void setfile_complain_of_counting(const char *name, int error)
{
    if (error == SEENSET_EUNSUPPORTED)
        complain("%s: not a counting set; 'seenset new --layout counting' "
                 "makes one",
                 name);
    else
        setfile_complain_of_content(name, error);
}

static bool is_about_content(int error)
{
    return error == SEENSET_EFORMAT || error == SEENSET_EVERSION ||
           error == SEENSET_ETRUNCATED || error == SEENSET_ECORRUPT ||
           error == SEENSET_EHASH || error == SEENSET_EJOURNAL;
}

/* Reports why a file was refused, and where, if the file itself is wrong. */
static void complain_of_report(const char *path, int error,
                               const seenset_file_report *report)
{
    struct stat status;
    if (!is_about_content(error)) {
        setfile_complain(path, error);
        return;
    }
    bool is_file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (error == SEENSET_EJOURNAL)
        journal_name_complain(path, report->reason);
    else if (report->file_bytes == 0 && !is_file)
        complain("%s: not a file; is it the right name?", path);
    else if (report->file_bytes == 0)
        complain("%s: empty, and not a set yet; remove it or run 'seenset new' "
                 "to begin one, or restore it from a copy if it was one",
                 path);
    else
        complain("%s: %s (at byte %llu of %llu: %s); %s", path,
                 seenset_strerror(error), (unsigned long long)report->offset,
                 (unsigned long long)report->file_bytes, report->reason,
                 advice_for(error));
}

/* Is it the journal that is at fault, which was looked at after the set? */
static bool is_of_journal(int error, const seenset_file_report *report)
{
    static const char prefix[] = "in its journal";
    return error == SEENSET_EJOURNAL ||
           strncmp(report->reason, prefix, sizeof prefix - 1) == 0;
}

int setfile_verify(const char *path, uint64_t *file_bytes)
{
    seenset_file_report report = {0};
    struct stat status;
    int error = seenset_verify(path, &report);
    if (set_options_without_journal() && is_of_journal(error, &report) &&
        stat(path, &status) == 0) {
        report.file_bytes = (uint64_t)status.st_size;
        error = 0;
    }
    if (error == 0)
        *file_bytes = report.file_bytes;
    else
        complain_of_report(path, error, &report);
    return error == 0 ? 0 : COMMAND_ERROR;
}

void setfile_complain_of_content(const char *path, int error)
{
    uint64_t file_bytes = 0;
    if (!is_about_content(error) || setfile_verify(path, &file_bytes) == 0)
        setfile_complain(path, error);
}

/* Either the secret is wrong or the set is not keyed. Opening the file without
 * a secret decides. */
static void complain_of_secret(const char *path, const char *secret_path)
{
    seenset *plain = NULL;
    bool is_keyed = seenset_open(&plain, path, NULL) != 0;
    seenset_free(plain);
    if (is_keyed)
        complain("%s: keyed, and %s is not its secret; name the right file "
                 "with --secret-file",
                 path, secret_path);
    else
        complain("%s: not keyed; leave out --secret-file", path);
}

void setfile_say_missing(const char *name, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (info.journal_missing_items > 0)
        complain("%s: opened without its journal; at most %s of its last keys "
                 "are missing",
                 name, units_grouped(info.journal_missing_items).text);
}

/* Opens with a secret, or without one (NULL). Stores the error in *error, and
 * reports it unless it is SEENSET_ESECRET. */
static int open_reported(seenset **out, const char *path, uint32_t flags,
                         const uint8_t *secret, int *error)
{
    seenset_file_report report = {0};
    seenset_open_options options = {
        .flags = flags, .secret = secret, .report = &report};
    if (set_options_without_journal())
        options.flags |= SEENSET_OPEN_WITHOUT_JOURNAL;
    *error = seenset_open(out, path, &options);
    if (*error == 0)
        setfile_say_missing(path, *out);
    else if (*error != SEENSET_ESECRET)
        complain_of_report(path, *error, &report);
    return *error == 0 ? 0 : COMMAND_ERROR;
}

static int open_with_secret(seenset **out, const char *path, uint32_t flags,
                            const char *secret_path)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    int error;
    if (secret_read(secret_path, path, secret) != 0)
        return COMMAND_ERROR;
    int status = open_reported(out, path, flags, secret, &error);
    secret_wipe(secret);
    if (error == SEENSET_ESECRET)
        complain_of_secret(path, secret_path);
    return status;
}

/* By the secret beside it; or, where that cannot be read and is not asked for,
 * without. */
static int open_keyed(seenset **out, const char *path, uint32_t flags)
{
    int error;
    char *own_path = secret_path_of(path);
    if (own_path == NULL)
        return COMMAND_ERROR;
    bool is_asked_for = (flags & SEENSET_OPEN_WITHOUT_SECRET) == 0;
    int status = is_asked_for || access(own_path, R_OK) == 0
                     ? open_with_secret(out, path, flags, own_path)
                     : open_reported(out, path, flags, NULL, &error);
    free(own_path);
    return status;
}

static int open_any(seenset **out, const char *path, uint32_t flags,
                    const char *secret_path)
{
    int error;
    if (secret_path != NULL)
        return open_with_secret(out, path, flags, secret_path);
    uint32_t first = flags & ~SEENSET_OPEN_WITHOUT_SECRET;
    int status = open_reported(out, path, first, NULL, &error);
    return error == SEENSET_ESECRET ? open_keyed(out, path, flags) : status;
}

/* Is each block checked when it is first touched, or was when it was read? */
static bool is_checked(const seenset *view)
{
    seenset_info info = {0};
    (void)seenset_get_info(view, &info, sizeof info);
    return info.is_checked || info.is_copied;
}

/* A small file is saved whole in about ten milliseconds. Then it has no journal
 * that has to come along when it is copied or piped. */
static bool is_small(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size < SMALL_BYTES;
}

int setfile_open(seenset **out, const char *path, uint32_t flags,
                 const char *secret_path)
{
    uint64_t file_bytes = 0;
    if (flags == SEENSET_OPEN_APPEND &&
        (is_small(path) || !beside_replaces_open()))
        flags = SEENSET_OPEN_COPY;
    int status = open_any(out, path, flags, secret_path);
    if (status != 0 || flags != SEENSET_OPEN_VIEW || is_checked(*out))
        return status;
    status = setfile_verify(path, &file_bytes);
    if (status != 0) {
        seenset_free(*out);
        *out = NULL;
    }
    return status;
}

bool setfile_is_free(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT;
    return S_ISREG(status.st_mode) && status.st_size == 0;
}

int setfile_check_free(const char *path, bool is_forced)
{
    if (is_forced || setfile_is_free(path))
        return 0;
    complain("%s: exists already; --force replaces it", path);
    return COMMAND_ERROR;
}

bool setfile_is_same(const char *a_path, const char *b_path)
{
    struct stat a;
    struct stat b;
    if (strcmp(a_path, b_path) == 0)
        return true;
    return stat(a_path, &a) == 0 && stat(b_path, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool setfile_is_set(const char *path)
{
    char start[MAGIC_BYTES];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, start, sizeof start) : -1;
    if (fd >= 0)
        close(fd);
    return got > 0 && magic_begins_set(start, (size_t)got);
}

bool setfile_complain_of_rate(const char *name, const seenset_options *options,
                              const char *other_way)
{
    seenset_plan given = {.layout = options->layout,
                          .capacity_items = options->capacity_items,
                          .size_bits = options->size_bits,
                          .hash_count = options->hash_count};
    seenset_plan fewer = {.layout = options->layout,
                          .size_bits = options->size_bits,
                          .fp_rate = 0.01};
    seenset_plan larger = {.layout = options->layout,
                           .capacity_items = options->capacity_items,
                           .fp_rate = 0.01};
    if (options->fp_rate > 0 || given.size_bits == 0 ||
        seenset_plan_solve(&given) != 0 || seenset_plan_solve(&larger) != 0)
        return false;
    if (seenset_plan_solve(&fewer) != 0) /* not even one key */
        fewer.capacity_items = 0;
    complain("%s: %s keys in %s have a false-positive rate of %.3g; at 1 %% "
             "that size is enough for %s keys, and so many keys take %s; give "
             "another -n or -m%s",
             name, units_in_words(options->capacity_items).text,
             units_as_bytes((options->size_bits + 7) / 8).text, given.fp_rate,
             units_in_words(fewer.capacity_items).text,
             units_as_bytes((larger.size_bits + 7) / 8).text, other_way);
    return true;
}

/* The message about a lack of memory says how large the set would be. */
static void complain_of_size(const char *name, const seenset_options *options,
                             int error)
{
    seenset_plan plan = {.layout = options->layout,
                         .capacity_items = options->capacity_items,
                         .fp_rate = options->fp_rate};
    if (error == SEENSET_ENOMEM && seenset_plan_solve(&plan) == 0)
        complain("%s: out of memory: this set takes %s; %s", name,
                 units_as_bytes((plan.size_bits + 7) / 8).text,
                 advice_for(error));
    else
        setfile_complain(name, error);
}

int setfile_new(seenset **out, const seenset_options *options, const char *name)
{
    int error = seenset_new(out, options);
    if (error == SEENSET_ERATE &&
        setfile_complain_of_rate(name, options,
                                 ", or --force makes the set as it is"))
        return COMMAND_ERROR;
    if (error != 0)
        complain_of_size(name, options, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

bool setfile_is_keyed(const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    return info.is_keyed != 0;
}

static int complain_of_save(const char *path, int error)
{
    if (error == SEENSET_EIO && errno == ENOENT)
        setfile_complain(path, error);
    else if (error == SEENSET_EIO)
        complain("%s: cannot be saved: %s; the file is as it was", path,
                 strerror(errno));
    else if (error == SEENSET_EINUSE)
        complain("%s: another program is adding to it; try again when it is "
                 "done",
                 path);
    else if (error == SEENSET_EMISMATCH)
        complain("%s: another program has just saved it; nothing was added, "
                 "run the command again",
                 path);
    else if (error != 0)
        setfile_complain(path, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

int setfile_save(const seenset *set, const char *path)
{
    char *aside = journal_name_before(path);
    int status = complain_of_save(path, seenset_save(set, path));
    journal_name_after(path, aside);
    return status;
}

/* Another program's append takes some milliseconds. */
static int append(seenset *set, const char *path)
{
    set_wait wait = set_wait_begin();
    int error;
    do
        error = seenset_append(set, path);
    while (error == SEENSET_EINUSE && set_wait_pause(&wait));
    return error;
}

int setfile_append(seenset *set, const char *path)
{
    char *aside = journal_name_before(path);
    int error = append(set, path);
    if (error == SEENSET_EUNSUPPORTED)
        error = seenset_save(set, path);
    int status = complain_of_save(path, error);
    journal_name_after(path, aside);
    return status;
}

void setfile_report_stop(const char *path)
{
    complain("%s: stopped by a signal; the set has all lines up to there",
             path);
}

static uint32_t compact_flags(void)
{
    return set_options_without_journal() ? SEENSET_OPEN_WITHOUT_JOURNAL : 0;
}

static int compact_with_secret(const char *path, const char *secret_path)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    if (secret_read(secret_path, path, secret) != 0)
        return COMMAND_ERROR;
    const seenset_open_options options = {.flags = compact_flags(),
                                          .secret = secret};
    int error = fold_journal(path, &options);
    secret_wipe(secret);
    if (error != SEENSET_ESECRET)
        return complain_of_save(path, error);
    complain_of_secret(path, secret_path);
    return COMMAND_ERROR;
}

int setfile_compact(const char *path, const char *secret_path)
{
    seenset_file_report report = {0};
    const seenset_open_options options = {.flags = compact_flags(),
                                          .report = &report};
    if (secret_path != NULL)
        return compact_with_secret(path, secret_path);
    int error = fold_journal(path, &options);
    if (error == SEENSET_ESECRET) {
        char *own_path = secret_path_of(path);
        int status = own_path == NULL ? COMMAND_ERROR
                                      : compact_with_secret(path, own_path);
        free(own_path);
        return status;
    }
    if (!is_about_content(error))
        return complain_of_save(path, error);
    complain_of_report(path, error, &report);
    return COMMAND_ERROR;
}

uint64_t setfile_journal_items(const char *path)
{
    const seenset_open_options options = {.flags = SEENSET_OPEN_UNCHECKED};
    seenset *set = NULL;
    seenset_info info = {0};
    if (seenset_open(&set, path, &options) == 0)
        (void)seenset_get_info(set, &info, sizeof info);
    seenset_free(set);
    return info.journal_items;
}
