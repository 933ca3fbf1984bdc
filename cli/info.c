/*
 * info.c - shows what a set file is and how full it is.
 */
#define _GNU_SOURCE /* argp */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "numbers.h"
#include "options.h"
#include "picture.h"
#include "report.h"
#include "setfile.h"
#include "tables.h"

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
    default:
        return options_one_file(state, key, text, &request->path);
    }
}

static const struct argp info_argp = {
    .options = info_options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Show what a set file is, how full it is, and its true rate of "
           "false positives now."};

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
                 request->path, numbers_grouped(stats->size_bits).text);
        return COMMAND_ERROR;
    }
    if (stats->generation_count > 1) {
        complain("%s: made of %u tables; --bits is for one", request->path,
                 stats->generation_count);
        return COMMAND_ERROR;
    }
    for (uint64_t done = 0; done < stats->size_bits;) {
        uint64_t left = stats->size_bits - done;
        uint64_t count = left < GROUP ? left : GROUP;
        int error = seenset_get_bits(set, done, count, bits);
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
               numbers_grouped(record->added_items).text,
               numbers_grouped(record->capacity_items).text, record->fp_rate,
               numbers_as_bytes(record->payload_bytes).text);
}

static int print_tables(const info_request *request, const seenset_stats *stats)
{
    tables from;
    bool is_wanted =
        request->is_verbose ||
        (stats->generation_count > 1 && stats->generation_count <= FEW_TABLES);
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

static int show(const info_request *request, const seenset *set,
                const seenset_stats *stats)
{
    if (request->picture_path != NULL)
        return draw_picture(request, stats);
    if (request->wants_bits)
        return print_bits(request, set, stats);
    if (request->wants_json) {
        report_json(stdout, request->path, stats);
        return COMMAND_DONE;
    }
    report_row(stdout, "file", "%s", request->path);
    report_text(stdout, stats);
    return print_tables(request, stats);
}

int command_info(int argc, char **argv)
{
    info_request request = {0};
    argp_parse(&info_argp, argc, argv, 0, NULL, &request);
    seenset *set = NULL;
    if (setfile_open(&set, request.path, SEENSET_OPEN_VIEW,
                     request.secret_path) != 0)
        return COMMAND_ERROR;
    seenset_stats stats = {0};
    (void)seenset_get_stats(set, &stats);
    int status = show(&request, set, &stats);
    seenset_free(set);
    return status;
}
