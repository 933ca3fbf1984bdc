/*
 * remake.c - a new queue of one that exists, with other options.
 *
 * The library does the work, and DIR stays as it is. Beside that, the command
 * brings the secret to where NEW looks for it, reads the list of URLs that were
 * seen, and reports what is not as it was: the worst surprise of a new queue
 * would be that it visits again what DIR had visited.
 */
#define _GNU_SOURCE /* faccessat */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "input/mode.h"
#include "queue/access/access.h"
#include "queue/access/new_queue.h"
#include "queue/access/polite.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "queue/text/lines.h"
#include "report/complain.h"
#include "report/replace.h"
#include "sets/secret.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

/* Of the list: a message was printed. No error of the library has it. */
#define LIST_FAILED (-10000)

typedef struct request {
    queue_access access; /* DIR */
    const char *new_dir;
    new_queue made;
    const char *list;       /* --from, or NULL */
    const char *old_secret; /* --old-secret-file, or NULL */
    input_mode mode;
    bool forgets, is_not_polite;
} request;

static const option_row remake_options[] = {
    {"from", OPTION_FROM, "URLS", 0,
     "The lines of the file URLS (-: standard input) were seen, too"},
    {"forget-seen", QUEUE_OPTION_FORGET_SEEN, NULL, 0,
     "What DIR has seen, and is not an item, is new in NEW"},
    {"secret-file", OPTION_SECRET_FILE, "S", 0,
     "The secret of DIR is in S, and is that of NEW, too; with --keyed: that "
     "of NEW is made in S"},
    {"old-secret-file", QUEUE_OPTION_OLD_SECRET_FILE, "S", 0,
     "With --keyed: the secret of DIR is in S (default: DIR.secret)"},
    QUEUE_WAIT_ROW,
    INPUT_MODE_OPTIONS,
    OPTION_GROUP("Hosts:"),
    QUEUE_POLITE_ROWS,
    {"not-polite", QUEUE_OPTION_NOT_POLITE, NULL, 0,
     "NEW hands out URLs in their order, whatever their hosts"},
    QUEUE_NEW_ROWS("NEW"),
    {0}};

/* The first argument is DIR, the second NEW. */
static int take_name(arguments *state, char *text, request *to)
{
    if (to->access.dir == NULL)
        to->access.dir = text;
    else if (to->new_dir == NULL)
        to->new_dir = text;
    else
        arguments_refuse(state, "one DIR and one NEW only");
    return 0;
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    if (new_queue_parse(key, text, state, &to->made) == 0 ||
        queue_polite_parse(key, text, state, &to->access.rules) == 0 ||
        input_mode_parse(key, state, &to->mode) == 0)
        return 0;
    switch (key) {
    case ARGUMENTS_WORD:
        return take_name(state, text, to);
    case ARGUMENTS_END:
        new_queue_check(state, &to->made);
        queue_polite_check(state, &to->access.rules);
        if (to->is_not_polite && to->access.rules.is_polite)
            arguments_refuse(state, "--polite or --not-polite, not both");
        if (to->old_secret != NULL && !to->made.is_keyed)
            arguments_refuse(state, "--old-secret-file is for --keyed");
        if (to->new_dir == NULL)
            arguments_refuse(state, to->access.dir == NULL
                                        ? "which DIR, and NEW?"
                                        : "which NEW?");
        return 0;
    case ARGUMENTS_NONE:
        return 0;
    case OPTION_FROM:
        to->list = text;
        return 0;
    case QUEUE_OPTION_NOT_POLITE:
        to->is_not_polite = true;
        return 0;
    case QUEUE_OPTION_FORGET_SEEN:
        to->forgets = true;
        return 0;
    case QUEUE_OPTION_OLD_SECRET_FILE:
        to->old_secret = text;
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax remake_syntax = {
    .options = remake_options,
    .parser = parse_option,
    .operands = "DIR NEW",
    .text =
        "Make the queue NEW of the queue in DIR, with another size, rate, "
        "window, normalisation or set. What no option names is as in DIR, "
        "which is not changed.\vNEW has all items that are not acked, with "
        "their data, priorities and deliveries. Leased items are handed out "
        "again. The URLs that were seen are kept if the new set can take "
        "them; if not, bring them with --from, or give --forget-seen. The "
        "secret of a keyed queue goes along, in NEW.secret; with --keyed it "
        "is a new one, and the set cannot be kept. "
        "NEW is a whole queue or none: if the command was killed, delete "
        "NEW with 'seenset queue delete --force'."};

/* ---- the list ---- */

typedef struct remaking {
    const request *from;
    queue_lines lines; /* of the list */
    seenset_queue_report old_report, new_report;
    seenset_queue_remade done;
    const seenset_options *old_set; /* with the secret of DIR */
    bool has_old_secret;            /* DIR is keyed, and its file was read */
} remaking;

/* The next line of the list; one that is too long is refused by its length. */
static int next_seen(void *context, const void **url, size_t *url_len)
{
    queue_lines *lines = context;
    queue_line line;
    while (!queue_lines_next(lines, &line)) {
        if (lines->is_at_end)
            return 0;
        if (queue_lines_read(lines) != 0)
            return LIST_FAILED;
    }
    *url = line.bytes;
    *url_len = line.length;
    return 1;
}

/* ---- secrets ---- */

/* The rules of NEW, *room; NULL: those of DIR. */
static const seenset_queue_politeness *
politeness_of(const request *from, seenset_queue_politeness *room)
{
    if (!from->is_not_polite)
        return queue_polite_options(&from->access.rules, room);
    *room = (seenset_queue_politeness){.flags = SEENSET_QUEUE_NOT_POLITE};
    return room;
}

/* With the options of the new set, and those of the old in now->old_set. */
static int make(void *context, const seenset_options *set)
{
    remaking *now = context;
    const request *from = now->from;
    const seenset_queue_options old = {.set = now->old_set,
                                       .report = &now->old_report};
    seenset_queue_politeness room;
    const seenset_queue_options made = {
        .set = set,
        .politeness = politeness_of(from, &room),
        .flags = from->made.is_exact ? SEENSET_QUEUE_EXACT : 0,
        .normalise = from->made.normalise,
        .report = &now->new_report};
    seenset_queue_remake_options options = {
        .from = &old,
        .to = &made,
        .next_seen_context = &now->lines,
        .flags = from->forgets ? SEENSET_QUEUE_FORGET_SEEN : 0};
    if (from->list != NULL)
        options.next_seen = next_seen;
    return seenset_queue_remake(from->access.dir, from->new_dir, &options,
                                &now->done, sizeof now->done);
}

/* Under a secret of NEW's own. One that was there before may be that of DIR. */
static int make_keyed(void *context, const seenset_options *set)
{
    remaking *now = context;
    const request *from = now->from;
    const char *given = from->access.secret.path;
    const uint8_t *old = now->old_set->secret;
    if (old == NULL || memcmp(old, set->secret, SEENSET_SECRET_BYTES) != 0)
        return make(context, set);
    complain("%s%s: has the secret of %s; --keyed makes a new one: remove the "
             "file, or name another with --secret-file",
             given == NULL ? from->new_dir : given,
             given == NULL ? ".secret" : "", from->access.dir);
    return 1;
}

/* DIR is keyed by a secret in DIR.secret: NEW looks for it in NEW.secret, which
 * goes again if NEW is not made. */
static int make_with_copy(remaking *now)
{
    const request *from = now->from;
    char *path = secret_path_of(from->new_dir);
    if (path == NULL)
        return 1;
    bool was_there = access(path, F_OK) == 0;
    int error = secret_carry(from->access.dir, NULL, from->new_dir);
    if (error == 0) {
        error = make(now, &from->made.set);
        if (error != SEENSET_OK && !was_there)
            (void)unlink(path);
    }
    free(path);
    return error;
}

/* With the options of the old set. */
static int make_from(void *context, const seenset_options *set)
{
    remaking *now = context;
    const request *from = now->from;
    const queue_secret fresh = {.path = from->access.secret.path,
                                .is_keyed = true};
    now->old_set = set;
    now->has_old_secret = set->secret != NULL;
    if (from->made.is_keyed)
        return queue_secret_run(&fresh, from->new_dir, &from->made.set,
                                make_keyed, now);
    if (set->secret == NULL || from->made.is_exact ||
        from->access.secret.path != NULL)
        return make(now, &from->made.set);
    return make_with_copy(now);
}

/* A file that --secret-file names with --keyed is for NEW. */
static int try_to_remake(void *context)
{
    remaking *now = context;
    const request *from = now->from;
    queue_secret old = from->access.secret;
    if (from->made.is_keyed)
        old.path = from->old_secret;
    return queue_secret_run(&old, from->access.dir, &from->access.set,
                            make_from, now);
}

/* ---- reports ---- */

static void say_count(const char *dir, uint64_t count, const char *one,
                      const char *many)
{
    if (count > 0)
        complain("%s: %s %s", dir, units_grouped(count).text,
                 count == 1 ? one : many);
}

static void say_what_changed(const remaking *now)
{
    const char *dir = now->from->access.dir;
    const seenset_queue_remade *done = &now->done;
    say_count(dir, done->leased_items,
              "item is leased: it can be handed out of the new queue at once",
              "items are leased: they can be handed out of the new queue at "
              "once");
    say_count(dir, done->joined_items,
              "item was left out: one before it has the same URL now",
              "items were left out: one before each has the same URL now");
    say_count(dir, done->left_out_items, "item that is not a URL was left out",
              "items that are not URLs were left out");
    say_count(now->lines.name, done->refused_urls,
              "line that is not a URL was left out",
              "lines that are not URLs were left out");
}

static int say_done(const remaking *now)
{
    const request *from = now->from;
    const seenset_queue_remade *done = &now->done;
    printf("%s: %s item%s", from->new_dir,
           units_grouped(done->moved_items).text,
           done->moved_items == 1 ? "" : "s");
    if (done->is_seen_kept)
        printf("; what was seen is kept");
    if (from->list != NULL)
        printf("; %s URL%s of the list %s seen, too",
               units_grouped(done->seen_urls).text,
               done->seen_urls == 1 ? "" : "s",
               done->seen_urls == 1 ? "is" : "are");
    else if (!done->is_seen_kept)
        printf("; other URLs that were seen are forgotten");
    putchar('\n');
    say_what_changed(now);
    return COMMAND_DONE;
}

static int complain_of_new(const request *from,
                           const seenset_queue_report *report, int error)
{
    const char *advice = "";
    if (error == SEENSET_EIO)
        return queue_complain(from->new_dir, error);
    if (error == SEENSET_EDAMAGED)
        advice = ": what is left of a queue that was not made to its end; "
                 "'seenset queue delete --force' deletes it";
    queue_complain_report(from->new_dir, report, advice);
    return COMMAND_ERROR;
}

/* Which options, and which data, do not go together is known by the set only.
 */
static int complain_of_set(const request *from, int error)
{
    if (error == SEENSET_EFULL)
        complain("%s: the new set is full before all URLs are in it; give a "
                 "larger -n",
                 from->new_dir);
    else if (error == SEENSET_EINVAL && from->made.set.scheme_arguments != NULL)
        complain("%s: --seed, --seeds or --units: not for the scheme of %s; "
                 "name another with --scheme",
                 from->new_dir, from->access.dir);
    else
        complain("%s: %s", from->new_dir, seenset_strerror(error));
    return COMMAND_ERROR;
}

/* --secret-file, which other messages advise, is for NEW here. */
static int complain_of_old_secret(const request *from, const char *reason)
{
    complain("%s: %s; with --keyed, name the file of %s's secret with "
             "--old-secret-file",
             from->access.dir, reason, from->access.dir);
    return COMMAND_ERROR;
}

static int complain_of(const remaking *now, int error)
{
    const request *from = now->from;
    const char *dir = from->access.dir;
    bool is_old = from->made.is_keyed && now->old_report.reason[0] != '\0';
    if (is_old &&
        (error == SEENSET_ESECRET || (error > 0 && !now->has_old_secret)))
        return complain_of_old_secret(from, now->old_report.reason);
    if (error > 0 || error == LIST_FAILED)
        return COMMAND_ERROR;
    if (error == SEENSET_EINUSE && now->new_report.reason[0] == '\0')
        return queue_complain_in_use(dir, from->access.wait_seconds);
    if (error == SEENSET_EMISMATCH && now->old_report.reason[0] != '\0') {
        complain("%s: URLs that were seen cannot be kept: %s; bring them with "
                 "--from, or forget them with --forget-seen",
                 dir, now->old_report.reason);
        return COMMAND_ERROR;
    }
    if (now->new_report.reason[0] != '\0')
        return complain_of_new(from, &now->new_report, error);
    if (now->old_report.reason[0] != '\0')
        return queue_complain_opening(dir, error, &now->old_report);
    return error == SEENSET_EIO ? queue_complain(dir, error)
                                : complain_of_set(from, error);
}

/* ---- the folder ---- */

/* What was made goes again; a folder that has a queue now is another's. */
static void remove_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    if (faccessat(folder, "MANIFEST", F_OK, 0) != 0) {
        (void)unlinkat(folder, "LOCK", 0);
        (void)rmdir(path);
    }
    close(folder);
}

/* Its name is durable before DIR may be deleted. Returns 0, or COMMAND_ERROR
 * after a message. */
static int sync_parent(const char *path)
{
    if (replace_sync_folder(path) == 0)
        return 0;
    complain("%s: %s", path, strerror(errno));
    return COMMAND_ERROR;
}

static int remake(remaking *now)
{
    const request *from = now->from;
    bool was_there = access(from->new_dir, F_OK) == 0;
    int error = queue_wait(from->access.dir, from->access.wait_seconds,
                           try_to_remake, now);
    if (error == SEENSET_OK)
        return sync_parent(from->new_dir) == 0 ? say_done(now) : COMMAND_ERROR;
    int saved_errno = errno;
    if (!was_there && error != SEENSET_EINUSE)
        remove_folder(from->new_dir);
    errno = saved_errno;
    return complain_of(now, error);
}

static int check_names(const request *from)
{
    struct stat old, made;
    if (stat(from->access.dir, &old) != 0 || stat(from->new_dir, &made) != 0 ||
        old.st_dev != made.st_dev || old.st_ino != made.st_ino)
        return 0;
    complain("%s: this is DIR itself; a new queue needs another folder",
             from->new_dir);
    return COMMAND_ERROR;
}

static int run(const request *from)
{
    remaking now = {.from = from};
    int status = check_names(from);
    if (status == 0 && from->list != NULL)
        status = queue_lines_open(&now.lines, from->list, from->mode);
    if (status != 0)
        return status;
    status = remake(&now);
    if (from->list != NULL)
        queue_lines_free(&now.lines);
    return status;
}

int queue_remake(int argc, char **argv)
{
    request from = {.access.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS,
                    .made.is_remake = true};
    arguments_parse(&remake_syntax, argc, argv, &from);
    char *dir = queue_name_of(from.access.dir);
    char *new_dir = queue_name_of(from.new_dir);
    int status = COMMAND_ERROR;
    if (dir == NULL || new_dir == NULL) {
        complain("%s: %s", from.access.dir, strerror(errno));
    } else {
        from.access.dir = dir;
        from.new_dir = new_dir;
        new_queue_say(new_dir, &from.made);
        status = run(&from);
    }
    free(dir);
    free(new_dir);
    return status;
}
