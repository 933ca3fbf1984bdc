/*
 * count.c - prints how often a counting or fingerprint set file has each key.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "commands/key_command.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct count_request {
    key_command work;
    bool is_found;
    uint64_t full; /* what a full counter counts, or more */
} count_request;

static const option_row count_options[] = {
    KEY_COMMAND_OPTIONS("Lines end with NUL, in and out"), {0}};

static const command_syntax count_syntax = {
    .options = count_options,
    .parser = key_command_parse,
    .operands = "FILE [KEY...]",
    .text =
        "Print for each key how many copies a counting or fingerprint set "
        "file holds, a TAB and the key: for the KEYs or, without any, for "
        "the lines of standard input.\vA count may be too high, but not too "
        "low, up to the largest value of a counter (15 for 4 bits), which "
        "is printed as >=15. The exit status is 0 if a key was in the set, "
        "1 if none was, and 2 after an error. The header of CSV comes first, "
        "with 'count' before it."};

/* The count and the line, with the separator that follows it. */
static void print_count(count_request *request, uint64_t count, batch *keys,
                        size_t line)
{
    char text[24];
    output *out = &request->work.out;
    int length =
        snprintf(text, sizeof text, "%s%llu\t",
                 count == request->full ? ">=" : "", (unsigned long long)count);
    size_t start = batch_start(keys, line);
    output_put(out, text, (size_t)length);
    output_put(out, batch_text(keys) + start, keys->ends[line] - start + 1);
}

/* The header of CSV is that of the counts, too. */
static void print_header(count_request *request, batch *keys, const char *text)
{
    if (keys->header != BATCH_HEADER_PRINTED || keys->count == 0)
        return;
    output_put(&request->work.out, "count\t", 6);
    output_put(&request->work.out, text, keys->ends[0] + 1);
}

/* Lines first..end-1 have no key. Prints 0 for those that are kept, whose
 * answer is 0. Returns end. */
static size_t print_missing_before(count_request *request, batch *keys,
                                   size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (keys->answers[i] == 0)
            print_count(request, 0, keys, i);
    return end;
}

/* Returns 0 or the library's error. */
static int print_counts(void *context, batch *keys)
{
    count_request *request = context;
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return SEENSET_EIO;
    size_t line = 0;
    print_header(request, keys, batch_text(keys));
    memset(keys->answers, SEENSET_ANSWER_NOT_A_URL, keys->count);
    batch_keep_missing(keys, 0);
    for (size_t i = 0; i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        uint64_t count = 0;
        int error = seenset_count(request->work.set, from.text + start,
                                  from.ends[i] - start, &count);
        if (error != 0)
            return error;
        line = print_missing_before(request, keys, line, batch_line(keys, i));
        print_count(request, count, keys, line++);
        request->is_found = request->is_found || count > 0;
    }
    (void)print_missing_before(request, keys, line, keys->count);
    return 0;
}

static int count_all(void *context)
{
    count_request *request = context;
    int error = 0;
    request->full = set_batch_full_count(request->work.set);
    key_command_need(&request->work, true, true);
    bool is_read = key_command_each(request, print_counts, true, &error);
    if (error != 0)
        setfile_complain_of_copies(request->work.path, error);
    return key_command_finish(&request->work, is_read && error == 0,
                              request->is_found);
}

int command_count(int argc, char **argv)
{
    count_request request = {.work.separator = '\n'};
    arguments_parse(&count_syntax, argc, argv, &request);
    return key_command_query(&request, count_all);
}
