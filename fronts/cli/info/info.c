/*
 * info.c - shows what set files are and how full they are, and queues likewise.
 *
 * One file is shown as a block, and several as a table of a line each, or as
 * blocks with --verbose. All are shown, whichever is damaged.
 */
#include "text/arguments.h"
#include <stdbool.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/check.h"
#include "command.h"
#include "foreign/foreign_file.h"
#include "info/bits.h"
#include "info/contradiction.h"
#include "info/counters.h"
#include "info/prometheus.h"
#include "info/rows.h"
#include "queue/queue.h"
#include "queue/text/figures.h"
#include "report/audit.h"
#include "report/complain.h"
#include "report/picture.h"
#include "report/report.h"
#include "sets/set_options.h"
#include "sets/set_stream.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

#define FEW_TABLES 8u /* that are listed without --verbose */

typedef struct info_request {
    char **paths;
    int path_count;
    const char *secret_path;
    const char *picture_path;
    const char *bits_path; /* NULL: as text */
    audit_request audit;
    bool wants_json, wants_prometheus, wants_text;
    bool wants_bits, wants_counters, is_verbose, is_forced;
    prometheus_file *scraped; /* path_count of them; only with Prometheus */
} info_request;

/* One of the files, open. */
typedef struct info_file {
    const char *path;
    seenset *set;
    seenset_stats stats;
    uint64_t file_bytes;
    int number; /* from 0 */
} info_file;

static const option_row info_options[] = {
    {"json", OPTION_JSON, NULL, 0,
     "Print a JSON object; of several FILEs, one on each line"},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "text (default), json, or prometheus: gauges for its text collector"},
    {"verbose", 'v', NULL, 0,
     "List all tables, however many, and show several FILEs one by one"},
    {"bits", OPTION_BITS, "BITS", OPTION_VALUE_OPTIONAL,
     "Print only the bits of the set as 0 and 1, in order; or write them as "
     "bytes to the file BITS, which new --bits reads"},
    {"counters", OPTION_COUNTERS, NULL, 0,
     "Print only the counters of a counting set, in order; with --picture, "
     "draw "
     "the highest of each part"},
    {"force", OPTION_FORCE, NULL, 0,
     "With --bits or --counters: print them even if there are more than 1 Mi"},
    {"picture", OPTION_PICTURE, "PNG", 0,
     "Draw how full each part of the set is, in a PNG file"},
    AUDIT_OPTION,
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP},
    SET_OPTIONS_READ,
    {0}};

/* What takes one file, and has a format of its own. */
static bool is_special(const info_request *request)
{
    return request->wants_bits || request->wants_counters ||
           request->picture_path != NULL;
}

/* --counters goes with --picture. */
static void check_options(arguments *state, const info_request *request)
{
    bool is_picture = request->picture_path != NULL;
    bool is_text = request->wants_counters && !is_picture;
    bool is_scraped = request->wants_prometheus;
    if (request->wants_json + is_scraped + request->wants_text > 1)
        arguments_refuse(state, "--json and --format: one of them");
    if (request->wants_json + request->wants_bits + is_text + is_picture > 1)
        arguments_refuse(state,
                         "--json, --bits, --counters and --picture: one at a "
                         "time, or --counters and --picture");
    if (is_scraped && (is_special(request) || request->audit.is_wanted))
        arguments_refuse(state,
                         "--format=prometheus is not for --bits, --counters, "
                         "--picture and --audit");
    if (request->audit.is_wanted && is_special(request))
        arguments_refuse(state, "--audit is not for --bits, --counters and "
                                "--picture");
}

/* What is for one file alone. */
static void check_files(arguments *state, const info_request *request)
{
    int streams = 0;
    for (int i = 0; i < request->path_count; i++) {
        options_check_path(state, "FILE", request->paths[i]);
        streams += set_stream_is(request->paths[i]);
    }
    if (streams > 1)
        arguments_refuse(state,
                         "standard input is read once, so - is one FILE");
    if (request->path_count > 1 && is_special(request))
        arguments_refuse(state,
                         "--bits, --counters and --picture are for one FILE");
    if (request->path_count > 1 && request->secret_path != NULL)
        arguments_refuse(state,
                         "--secret-file is for one FILE; of several, the "
                         "secret of each is in FILE.secret");
}

static void parse_format(arguments *state, info_request *request,
                         const char *text)
{
    request->wants_text = strcmp(text, "text") == 0;
    request->wants_prometheus = strcmp(text, "prometheus") == 0;
    bool is_json = strcmp(text, "json") == 0;
    if (!request->wants_text && !request->wants_prometheus && !is_json)
        arguments_refuse(
            state, "--format '%s': it must be text, json or prometheus", text);
    request->wants_json = request->wants_json || is_json;
}

static int parse_option(int key, char *text, arguments *state)
{
    info_request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
        return 0;
    case OPTION_FORMAT:
        parse_format(state, request, text);
        return 0;
    case 'v':
        request->is_verbose = true;
        return 0;
    case OPTION_BITS:
        request->wants_bits = true;
        request->bits_path = text;
        return 0;
    case OPTION_COUNTERS:
        request->wants_counters = true;
        return 0;
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case OPTION_PICTURE:
        request->picture_path = text;
        return 0;
    case OPTION_AUDIT:
        audit_parse(&request->audit, state, text);
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGUMENTS_WORD:
        request->path_count = state->argc - state->next + 1;
        request->paths = options_rest(state);
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    case ARGUMENTS_END:
        check_options(state, request);
        check_files(state, request);
        return 0;
    default:
        return set_options_parse(key, text, state);
    }
}

static const command_syntax info_syntax = {
    .options = info_options,
    .parser = parse_option,
    .operands = "FILE...",
    .text = "Show what set files are, how full they are, and their true "
            "false-positive rates; - is a set from standard input.\vEach file "
            "is checked whole, too. If it is damaged, the figures are printed "
            "and the exit status is 2. Of the folder of a queue, the figures "
            "of 'seenset queue stat' are shown; FILEs may be sets and queues."};

/* ---- the tables ---- */

static void print_table(const seenset *set, uint32_t number)
{
    seenset_table_info table = {0};
    (void)seenset_get_table_info(set, number, &table, sizeof table);
    char label[24];
    snprintf(label, sizeof label, "  table %u", number + 1);
    report_row(stdout, label, "%s of %s keys at %.3g, %s",
               units_grouped(table.added_items).text,
               units_grouped(table.capacity_items).text, table.fp_rate,
               units_as_bytes(table.memory_bytes).text);
}

static void print_tables(const info_request *request, const info_file *of)
{
    uint32_t count = of->stats.table_count;
    bool is_wanted = request->is_verbose || (count > 1 && count <= FEW_TABLES);
    for (uint32_t i = 0; is_wanted && i < count; i++)
        print_table(of->set, i);
}

/* ---- one file ---- */

/* Reads and checks the whole file; what came through a pipe was checked. */
static int check(const info_file *of)
{
    uint64_t file_bytes = 0;
    int status = 0;
    if (!set_stream_is(of->path))
        status = setfile_verify(of->path, &file_bytes);
    if (status == 0 && contradiction_is(&of->stats))
        complain("%s: %s keys were added, but the bits are those of %.0f keys: "
                 "this is not the set that was saved; see 'seenset verify', "
                 "and restore it from a copy",
                 of->path, units_grouped(of->stats.added_items).text,
                 of->stats.estimated_items);
    return status;
}

static int run_audit(const info_request *request, const info_file *of,
                     audit *out)
{
    int error = audit_run(out, &request->audit, of->set);
    if (error == SEENSET_ESECRET)
        complain("%s: keyed, and --audit needs its secret; name that with "
                 "--secret-file",
                 set_stream_name(of->path));
    else if (error != 0)
        setfile_complain(of->path, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

/* One thing that is not the figures. */
static int show_special(const info_request *request, const info_file *of)
{
    if (request->picture_path != NULL)
        return picture_write(of->set, of->path, request->picture_path,
                             request->wants_counters);
    if (request->wants_counters)
        return info_counters_print(of->path, of->set, &of->stats,
                                   request->is_forced);
    if (request->bits_path != NULL)
        return info_bits_write(of->path, of->set, request->bits_path);
    return info_bits_print(of->path, of->set, &of->stats, request->is_forced);
}

static void print_json(const info_request *request, const info_file *of,
                       const audit *measured)
{
    json out = json_start(stdout, request->path_count > 1);
    report_json(&out, of->path, of->set, &of->stats);
    json_count(&out, "file_bytes", of->file_bytes);
    if (measured != NULL)
        audit_json(&out, measured);
    json_end(&out);
}

static void print_block(const info_request *request, const info_file *of,
                        const audit *measured)
{
    if (of->number > 0)
        putchar('\n');
    report_row(stdout, "file", "%s", set_stream_name(of->path));
    report_text(stdout, of->set, &of->stats);
    if (measured != NULL)
        audit_print(stdout, measured);
    print_tables(request, of);
}

static bool is_row(const info_request *request)
{
    return request->path_count > 1 && !request->is_verbose &&
           !request->audit.is_wanted;
}

static int show_figures(const info_request *request, const info_file *of)
{
    audit measured;
    bool is_measured = request->audit.is_wanted;
    if (is_measured && run_audit(request, of, &measured) != 0)
        return COMMAND_ERROR;
    const audit *found = is_measured ? &measured : NULL;
    if (request->wants_json)
        print_json(request, of, found);
    else if (is_row(request))
        rows_print(of->path, &of->stats);
    else
        print_block(request, of, found);
    return COMMAND_DONE;
}

static double expected(const seenset_stats *stats)
{
    return stats->is_wrong_at_least ? (double)INFINITY : stats->wrong_items;
}

/* Figures for later. Samples of one gauge are together. */
static int scrape(const info_request *request, const info_file *of)
{
    prometheus_file *to = &request->scraped[of->number];
    to->is_open = true;
    to->stats = of->stats;
    (void)seenset_get_info(of->set, &to->info, sizeof to->info);
    to->expected_false_positives = expected(&to->stats);
    to->oldest_key_seconds = report_oldest_key_seconds(of->set);
    to->file_bytes = of->file_bytes;
    to->is_sound = check(of) == 0;
    return to->is_sound ? COMMAND_DONE : COMMAND_ERROR;
}

/* Bits for another system are those of a sound file; people may see others. */
static int report(const info_request *request, const info_file *of)
{
    bool is_first = request->bits_path != NULL;
    if (request->wants_prometheus)
        return scrape(request, of);
    if (is_first && check(of) != 0)
        return COMMAND_ERROR;
    int status = is_special(request) ? show_special(request, of)
                                     : show_figures(request, of);
    int checked = is_first ? 0 : check(of);
    return checked == 0 ? status : checked;
}

/* ---- a queue ---- */

static void scrape_queue(prometheus_file *to, const queue_look *seen)
{
    to->is_open = true;
    to->stats = seen->set;
    to->stats.wrong_items = seen->stats.wrong_items;
    to->stats.is_wrong_at_least = seen->stats.is_wrong_at_least;
    to->info.is_at_capacity = figures_is_at_capacity(&seen->set);
    to->expected_false_positives = expected(&to->stats);
    to->queue = seen->stats;
}

/* One of several: in a table, the line of its set. */
static void show_queue_figures(const info_request *request, int number,
                               const queue_look *seen)
{
    const char *dir = request->paths[number];
    if (request->wants_json) {
        figures_print_json(dir, seen, NULL);
    } else if (is_row(request)) {
        rows_print_queue(dir, &seen->set);
    } else {
        if (number > 0)
            putchar('\n');
        if (request->path_count > 1)
            report_row(stdout, "queue", "%s", dir);
        figures_print(seen);
    }
}

/* A folder with a MANIFEST: its figures are those of `queue stat`. */
static int show_queue(const info_request *request, int number)
{
    const char *dir = request->paths[number];
    const queue_access access = {.dir = dir,
                                 .secret.path = request->secret_path};
    queue_look seen;
    if (request->wants_prometheus)
        request->scraped[number].is_queue = true;
    if (is_special(request) || request->audit.is_wanted) {
        complain("%s: a queue, for which there are --json, --format and "
                 "--secret-file only",
                 dir);
        return COMMAND_ERROR;
    }
    if (queue_look_at(&seen, &access) != 0)
        return COMMAND_ERROR;
    if (request->wants_prometheus)
        scrape_queue(&request->scraped[number], &seen);
    else
        show_queue_figures(request, number, &seen);
    return COMMAND_DONE;
}

/* ---- all files ---- */

static int show_set(const info_request *request, int number)
{
    struct stat status = {0};
    info_file of = {.path = request->paths[number], .number = number};
    if (set_stream_open(&of.set, of.path,
                        SEENSET_OPEN_UNCHECKED | SEENSET_OPEN_WITHOUT_SECRET,
                        request->secret_path, &of.file_bytes) != 0)
        return COMMAND_ERROR;
    if (!set_stream_is(of.path) && stat(of.path, &status) == 0)
        of.file_bytes = (uint64_t)status.st_size;
    (void)seenset_get_stats(of.set, &of.stats, sizeof of.stats);
    int result = report(request, &of);
    seenset_free(of.set);
    return result;
}

static bool is_foreign(const char *path)
{
    return !set_stream_is(path) && foreign_file_is(path);
}

/* A file of another system: as `check` shows it. */
static int show_foreign(const info_request *request, int number)
{
    const char *path = request->paths[number];
    if (is_special(request) || request->audit.is_wanted ||
        request->wants_prometheus || request->secret_path != NULL) {
        complain("%s: a file of another system, for which there is --json only",
                 path);
        return COMMAND_ERROR;
    }
    if (number > 0 && !request->wants_json)
        putchar('\n');
    int status =
        check_foreign_at(path, request->wants_json, request->path_count > 1);
    return status == COMMAND_ERROR ? status : COMMAND_DONE;
}

static int show_file(const info_request *request, int number)
{
    if (is_foreign(request->paths[number]))
        return show_foreign(request, number);
    return queue_is_at(request->paths[number]) ? show_queue(request, number)
                                               : show_set(request, number);
}

/* Is there anything to be put in a table? */
static bool has_rows(const info_request *request)
{
    bool has_some = false;
    for (int i = 0; i < request->path_count; i++)
        has_some |= !is_foreign(request->paths[i]);
    return has_some && is_row(request) && !request->wants_json &&
           !request->wants_prometheus;
}

static int show_files(const info_request *request)
{
    int worst = COMMAND_DONE;
    if (has_rows(request))
        rows_print_titles();
    for (int i = 0; i < request->path_count; i++) {
        int status = show_file(request, i);
        if (status > worst)
            worst = status;
    }
    return worst;
}

static int show_gauges(info_request *request)
{
    size_t count = (size_t)request->path_count;
    request->scraped = calloc(count, sizeof *request->scraped);
    if (request->scraped == NULL) {
        complain("info: %s", strerror(errno));
        return COMMAND_ERROR;
    }
    for (size_t i = 0; i < count; i++)
        request->scraped[i].path = request->paths[i];
    int status = show_files(request);
    prometheus_print(stdout, request->scraped, count);
    free(request->scraped);
    return status;
}

int command_info(int argc, char **argv)
{
    info_request request = {0};
    arguments_parse(&info_syntax, argc, argv, &request);
    return request.wants_prometheus ? show_gauges(&request)
                                    : show_files(&request);
}
