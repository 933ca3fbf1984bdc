/*
 * remove.c - takes keys out of a counting or fingerprint set file, one copy of
 * each.
 */
#include "command.h"
#include "commands/key_command.h"
#include "report/complain.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/units.h"

typedef struct remove_request {
    key_command work;
    uint64_t key_count;    /* so far */
    uint64_t absent_count; /* that were not in the set */
    uint64_t stuck_count;  /* whose counters are full, and stay so */
    uint64_t full;         /* what a full counter counts, or more */
} remove_request;

static const option_row remove_options[] = {
    KEY_COMMAND_OPTIONS("Lines end with NUL instead of newline"),
    SET_OPTIONS_WAIT,
    {0}};

static const command_syntax remove_syntax = {
    .options = remove_options,
    .parser = key_command_parse,
    .operands = "FILE [KEY...]",
    .text =
        "Remove keys from a counting or fingerprint set file, one copy of "
        "each: the KEYs or, without any, the lines of standard input.\vOnly "
        "remove keys that were added: to remove a false positive damages "
        "the counts of other keys. The exit status is 0 if all keys were in "
        "the set, 1 if one was not, and 2 after an error. A key whose "
        "counters are full stays in the set, and a message says so."};

/* Returns 1 (taken out), 0 (it was not in the set) or the library's error. */
static int remove_key(remove_request *request, const char *key, size_t len)
{
    seenset *set = request->work.set;
    uint64_t count = 0;
    int error = seenset_count(set, key, len, &count);
    if (error != 0)
        return error;
    request->stuck_count += count == request->full;
    return seenset_remove(set, key, len);
}

/* Returns 0 or the library's error. */
static int remove_batch(void *context, batch *keys)
{
    remove_request *request = context;
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return SEENSET_EIO;
    for (size_t i = 0; i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        int removed =
            remove_key(request, from.text + start, from.ends[i] - start);
        if (removed < 0)
            return removed;
        request->key_count++;
        request->absent_count += removed == 0;
    }
    return 0;
}

static void report_stuck_slots(const remove_request *request)
{
    complain("%s: %s of %s keys stay in the set: they were added %llu times, "
             "or share a slot that was cut when there was no room; a set with "
             "a larger -n cuts none",
             request->work.path, units_grouped(request->stuck_count).text,
             units_grouped(request->key_count).text,
             (unsigned long long)request->full);
}

static void report_stuck(const remove_request *request)
{
    seenset_info info = {0};
    if (request->stuck_count == 0)
        return;
    (void)seenset_get_info(request->work.set, &info, sizeof info);
    if (layouts_words(info.layout)->has_slots) {
        report_stuck_slots(request);
        return;
    }
    complain("%s: %s of %s keys stay in the set: their counters are full, at "
             "%llu, and how often they were added is not known; a set with "
             "more --counter-bits counts further",
             request->work.path, units_grouped(request->stuck_count).text,
             units_grouped(request->key_count).text,
             (unsigned long long)request->full);
}

static int remove_and_save(void *context)
{
    remove_request *request = context;
    key_command *work = &request->work;
    int error = 0;
    request->full = set_batch_full_count(work->set);
    key_command_need(work, true, true);
    bool is_read = key_command_each(request, remove_batch, false, &error);
    if (error != 0)
        setfile_complain_of_copies(work->path, error);
    if (error != 0 || !is_read || setfile_save(work->set, work->path) != 0)
        return COMMAND_ERROR;
    report_stuck(request);
    if (request->absent_count == 0)
        return COMMAND_DONE;
    complain("%s: %s of %s keys were not in it", work->path,
             units_grouped(request->absent_count).text,
             units_grouped(request->key_count).text);
    return COMMAND_NOTHING;
}

int command_remove(int argc, char **argv)
{
    remove_request request = {.work.separator = '\n'};
    arguments_parse(&remove_syntax, argc, argv, &request);
    return key_command_change(&request, remove_and_save);
}
