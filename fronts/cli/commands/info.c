/*
 * info.c - shows what a set file is and how full it is.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "report/picture.h"
#include "report/report.h"
#include "report/tables.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

#define FEW_TABLES 8u /* that are listed without being asked for */
#define MOST_BITS (UINT64_C(1) << 20)

typedef struct info_request {
    const char *path;
    const char *secret_path;
    const char *picture_path;
    bool wants_json, wants_bits, is_verbose, is_forced;
} info_request;

static const struct argp_option info_options[] = {
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object", 0},
    {"verbose", 'v', NULL, 0, "Show every table of a set, however many", 0},
    {"bits", OPTION_BITS, NULL, 0,
     "Print only the bits, 0 and 1, the first one first", 0},
    {"force", OPTION_FORCE, NULL, 0, "Print even more than 1 Mi bits", 0},
    {"picture", OPTION_PICTURE, "PNG", 0,
     "Draw how full each part of the set is, to a PNG file", 0},
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP, 0},
    {0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    info_request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->wants_json = true;
        return 0;
    case 'v':
        request->is_verbose = true;
        return 0;
    case OPTION_BITS:
        request->wants_bits = true;
        return 0;
    case OPTION_FORCE:
        request->is_forced = true;
        return 0;
    case OPTION_PICTURE:
        request->picture_path = text;
        return 0;
    case OPTION_SECRET_FILE:
        request->secret_path = text;
        return 0;
    case ARGP_KEY_END:
        if (request->wants_json + request->wants_bits +
                (request->picture_path != NULL) >
            1)
            argp_error(state, "--json, --bits and --picture: one at a time");
        return 0;
    default:
        return options_one_file(state, key, text, &request->path);
    }
}

static const struct argp info_argp = {
    .options = info_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Show what a set file is, how full it is, and its true rate of "
           "false positives now.\vThe file is checked whole as well: after "
           "the figures of a damaged one the exit status is 2."};

/* ---- bits ---- */

static int print_bits(const info_request *request, const seenset *set,
                      const seenset_stats *stats)
{
    enum {
        GROUP = 4096
    };
    uint8_t bits[GROUP];
    if (stats->size_bits > MOST_BITS && !request->is_forced) {
        complain("%s: has %s bits; --force prints them all the same",
                 request->path, units_grouped(stats->size_bits).text);
        return COMMAND_ERROR;
    }
    if (stats->table_count > 1) {
        complain("%s: made of %u tables; --bits is for one", request->path,
                 stats->table_count);
        return COMMAND_ERROR;
    }
    for (uint64_t done = 0; done < stats->size_bits;) {
        uint64_t left = stats->size_bits - done;
        uint64_t count = left < GROUP ? left : GROUP;
        int error = seenset_get_bits(set, 0, done, count, bits);
        if (error == SEENSET_EUNSUPPORTED)
            complain("%s: a %s set has no bits to print", request->path,
                     seenset_layout_name(stats->layout));
        else if (error != 0)
            setfile_complain(request->path, error);
        if (error != 0)
            return COMMAND_ERROR;
        for (uint64_t i = 0; i < count; i++)
            bits[i] = bits[i] != 0 ? '1' : '0';
        fwrite(bits, 1, count, stdout);
        done += count;
    }
    putchar('\n');
    return COMMAND_DONE;
}

/* ---- the tables of a set that has several ---- */

static void print_table(const tables *from, uint32_t number)
{
    const table_record *record = &from->records[number];
    char label[24];
    snprintf(label, sizeof label, "  table %u", number + 1);
    report_row(stdout, label, "%s of %s keys at %.3g, %s",
               units_grouped(record->added_items).text,
               units_grouped(record->capacity_items).text, record->fp_rate,
               units_as_bytes(record->payload_bytes).text);
}

static int print_tables(const info_request *request, const seenset_stats *stats)
{
    tables from;
    bool is_wanted = request->is_verbose || (stats->table_count > 1 &&
                                             stats->table_count <= FEW_TABLES);
    if (!is_wanted)
        return COMMAND_DONE;
    if (tables_open(&from, request->path, stats) != 0)
        return COMMAND_ERROR;
    for (uint32_t i = 0; i < from.count; i++)
        print_table(&from, i);
    tables_close(&from);
    return COMMAND_DONE;
}

static int draw_picture(const info_request *request, const seenset_stats *stats)
{
    tables from;
    if (tables_open(&from, request->path, stats) != 0)
        return COMMAND_ERROR;
    int status = picture_write(&from, request->picture_path);
    tables_close(&from);
    return status;
}

/* ---- figures that cannot be true together ---- */

/* The standard error of the distinct keys that bits tell of, where `items` are:
 * sqrt(m / k^2 (e^L - 1 - L)), L = k items / m. */
static double error_of_estimate(const seenset_stats *stats, double items)
{
    double k = stats->hash_count;
    double m = (double)stats->size_bits;
    double load = k * items / m;
    return sqrt(m / (k * k) * (expm1(load) - load));
}

/*
 * Each add that was answered "new" set a bit, and those taken for seen set
 * none: added and wrongly dropped keys together are as many as the bits tell
 * of. 10 standard errors, 2 % (threads that were both told "new") and 10 keys
 * off is not chance. Counters, which go down again, and full bits tell less.
 */
static bool is_contradiction(const seenset_stats *stats)
{
    double added = (double)stats->added_items;
    double most = added + 2 * stats->wrong_items;
    double told = stats->estimated_items;
    if (stats->layout == SEENSET_LAYOUT_COUNTING ||
        stats->layout == SEENSET_LAYOUT_SEALED || !(stats->fill < 0.9))
        return false;
    double chance = 10 * error_of_estimate(stats, told) + 10;
    return added > told * 1.02 + chance || told > most * 1.02 + chance;
}

/* Reads the file whole; a person who looks at a set wants to know. */
static int check(const info_request *request, const seenset_stats *stats)
{
    uint64_t file_bytes = 0;
    int status = setfile_verify(request->path, &file_bytes);
    if (status == 0 && is_contradiction(stats))
        complain("%s: %s keys were added, and the bits tell of %.0f: it is not "
                 "the set that was saved; see 'seenset verify', and restore "
                 "it from a copy",
                 request->path, units_grouped(stats->added_items).text,
                 stats->estimated_items);
    return status;
}

static int show(const info_request *request, const seenset *set,
                const seenset_stats *stats)
{
    if (request->picture_path != NULL)
        return draw_picture(request, stats);
    if (request->wants_bits)
        return print_bits(request, set, stats);
    if (request->wants_json) {
        report_json(stdout, request->path, set, stats);
        return COMMAND_DONE;
    }
    report_row(stdout, "file", "%s", request->path);
    report_text(stdout, set, stats);
    return print_tables(request, stats);
}

int command_info(int argc, char **argv)
{
    info_request request = {0};
    arguments_parse(&info_argp, argc, argv, &request);
    seenset *set = NULL;
    if (setfile_open(&set, request.path, SEENSET_OPEN_UNCHECKED,
                     request.secret_path) != 0)
        return COMMAND_ERROR;
    seenset_stats stats = {0};
    (void)seenset_get_stats(set, &stats, sizeof stats);
    int status = show(&request, set, &stats);
    int checked = check(&request, &stats);
    seenset_free(set);
    return checked == 0 ? status : checked;
}
