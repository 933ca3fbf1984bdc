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
#include "commands/info_bits.h"
#include "commands/info_counters.h"
#include "report/audit.h"
#include "report/complain.h"
#include "report/picture.h"
#include "report/report.h"
#include "sets/setfile.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

#define FEW_TABLES 8u /* that are listed without --verbose */

typedef struct info_request {
    const char *path;
    const char *secret_path;
    const char *picture_path;
    const char *bits_path; /* NULL: as text */
    audit_request audit;
    bool wants_json, wants_bits, wants_counters, is_verbose, is_forced;
} info_request;

static const struct argp_option info_options[] = {
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object", 0},
    {"verbose", 'v', NULL, 0, "List all tables, however many", 0},
    {"bits", OPTION_BITS, "BITS", OPTION_ARG_OPTIONAL,
     "Print only the bits of the set as 0 and 1, in order; or write them as "
     "bytes to the file BITS, which new --bits reads",
     0},
    {"counters", OPTION_COUNTERS, NULL, 0,
     "Print only the counters of a counting set, in order; with --picture, "
     "draw "
     "the highest of each part",
     0},
    {"force", OPTION_FORCE, NULL, 0,
     "With --bits or --counters: print them even if there are more than 1 Mi",
     0},
    {"picture", OPTION_PICTURE, "PNG", 0,
     "Draw how full each part of the set is, in a PNG file", 0},
    AUDIT_OPTION,
    {"secret-file", OPTION_SECRET_FILE, "S", 0, OPTION_SECRET_FILE_HELP, 0},
    {0}};

/* --counters goes with --picture. */
static void check_options(struct argp_state *state, const info_request *request)
{
    bool is_picture = request->picture_path != NULL;
    bool is_text = request->wants_counters && !is_picture;
    if (request->wants_json + request->wants_bits + is_text + is_picture > 1)
        argp_error(state, "--json, --bits, --counters and --picture: one at a "
                          "time, or --counters and --picture");
    if (request->audit.is_wanted &&
        (request->wants_bits || request->wants_counters || is_picture))
        argp_error(state, "--audit is not for --bits, --counters and "
                          "--picture");
}

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
    case ARGP_KEY_END:
        check_options(state, request);
        return 0;
    default:
        return options_one_file(state, key, text, &request->path);
    }
}

static const struct argp info_argp = {
    .options = info_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Show what a set file is, how full it is, and its true "
           "false-positive rate.\vThe whole file is checked, too. If it is "
           "damaged, the figures are printed and the exit status is 2."};

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

static void print_tables(const info_request *request, const seenset *set,
                         uint32_t count)
{
    bool is_wanted = request->is_verbose || (count > 1 && count <= FEW_TABLES);
    for (uint32_t i = 0; is_wanted && i < count; i++)
        print_table(set, i);
}

/* ---- figures that cannot be true together ---- */

/* The standard error of the number of distinct keys estimated from the bits, if
 * there are `items`: sqrt(m / k^2 (e^L - 1 - L)), L = k items / m. */
static double error_of_estimate(const seenset_stats *stats, double items)
{
    double k = stats->hash_count;
    double m = (double)stats->size_bits;
    double load = k * items / m;
    return sqrt(m / (k * k) * (expm1(load) - load));
}

/*
 * A key that was answered "new" set at least one bit; a false positive set
 * none. So the added and the wrongly dropped keys together are about as many as
 * the bits show. A difference of 10 standard errors, 2 % (two threads may both
 * get "new" for one key) and 10 keys is not chance. Counters, which are
 * decremented, tables of a weak hash, and nearly full ones show less.
 */
static bool is_contradiction(const seenset_stats *stats)
{
    double added = (double)stats->added_items;
    double most = added + 2 * stats->wrong_items;
    double shown = stats->estimated_items;
    if (stats->counter_bits != 0 || stats->fingerprint_bits != 0 ||
        stats->is_skewed || !(stats->fill < 0.9))
        return false;
    double chance = 10 * error_of_estimate(stats, shown) + 10;
    return added > shown * 1.02 + chance || shown > most * 1.02 + chance;
}

/* Reads and checks the whole file. */
static int check(const info_request *request, const seenset_stats *stats)
{
    uint64_t file_bytes = 0;
    int status = setfile_verify(request->path, &file_bytes);
    if (status == 0 && is_contradiction(stats))
        complain("%s: %s keys were added, but the bits are those of %.0f keys: "
                 "this is not the set that was saved; see 'seenset verify', "
                 "and restore it from a copy",
                 request->path, units_grouped(stats->added_items).text,
                 stats->estimated_items);
    return status;
}

static int run_audit(const info_request *request, const seenset *set,
                     audit *out)
{
    int error = audit_run(out, &request->audit, set);
    if (error != 0)
        setfile_complain(request->path, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

static int show(const info_request *request, const seenset *set,
                const seenset_stats *stats)
{
    if (request->picture_path != NULL)
        return picture_write(set, request->path, request->picture_path,
                             request->wants_counters);
    if (request->wants_counters)
        return info_counters_print(request->path, set, stats,
                                   request->is_forced);
    if (request->bits_path != NULL)
        return info_bits_write(request->path, set, request->bits_path);
    if (request->wants_bits)
        return info_bits_print(request->path, set, stats, request->is_forced);
    audit measured;
    bool is_measured = request->audit.is_wanted;
    if (is_measured && run_audit(request, set, &measured) != 0)
        return COMMAND_ERROR;
    if (request->wants_json) {
        report_json(stdout, request->path, set, stats);
        if (is_measured)
            audit_print_json(stdout, &measured);
        report_json_end(stdout);
        return COMMAND_DONE;
    }
    report_row(stdout, "file", "%s", request->path);
    report_text(stdout, set, stats);
    if (is_measured)
        audit_print(stdout, &measured);
    print_tables(request, set, stats->table_count);
    return COMMAND_DONE;
}

/* Bits for another system are those of a sound file; people may see others. */
static int report(const info_request *request, const seenset *set,
                  const seenset_stats *stats)
{
    bool is_first = request->bits_path != NULL;
    if (is_first && check(request, stats) != 0)
        return COMMAND_ERROR;
    int status = show(request, set, stats);
    int checked = is_first ? 0 : check(request, stats);
    return checked == 0 ? status : checked;
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
    int status = report(&request, set, &stats);
    seenset_free(set);
    return status;
}
