/*
 * foreign.c - a file of another system: opened, measured and asked.
 *
 * These calls are a module of their own, seenset-foreign.wasm, which is loaded
 * when such a file comes, so that a page without one does not wait for it. What
 * is said of a file is the command's: check/members.h writes what `check
 * --json` prints, and foreign/key_text.h reads keys as `has` does.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include "check/members.h"
#include "foreign/key_text.h"
#include "wasm/web.h"

/* The last refusal: of a file, or of a key. */
static seenset_file_report report;
static key_text_problem problem;

/* secret: 16 bytes of the hash of a block, or NULL. */
int WEB_CALL(web_foreign_open)(seenset_foreign **out, const void *bytes,
                               uint32_t size_bytes, const uint8_t *secret)
{
    const seenset_open_options options = {.report = &report, .secret = secret};
    int error = seenset_foreign_open_bytes(out, bytes, size_bytes, &options);
    web_numbers[0] = (double)report.file_bytes;
    web_numbers[1] = (double)report.offset;
    return error;
}

const char *WEB_CALL(web_report_reason)(void)
{
    return report.reason;
}

void WEB_CALL(web_foreign_close)(seenset_foreign *file)
{
    seenset_foreign_free(file);
}

const char *WEB_CALL(web_foreign_format)(int number)
{
    return seenset_format_name((seenset_format)number);
}

static seenset_foreign_info info_of(const seenset_foreign *file)
{
    seenset_foreign_info info = {0};
    (void)seenset_foreign_get_info(file, &info, sizeof info);
    return info;
}

static seenset_foreign_filter filter_of(const seenset_foreign *file,
                                        uint32_t number)
{
    seenset_foreign_filter filter = {.column = "", .reason = ""};
    (void)seenset_foreign_get_filter(file, number, &filter, sizeof filter);
    return filter;
}

/* ---- what it is ---- */

/* The JSON that a call wrote last. */
static char *written;
static size_t written_bytes;

/* False: out of memory. */
static bool begin_json(json *to)
{
    free(written);
    written = NULL;
    written_bytes = 0;
    FILE *out = open_memstream(&written, &written_bytes);
    if (out != NULL)
        *to = json_start(out, true);
    return out != NULL;
}

/* Its text, until the next call, or NULL: out of memory. */
static const char *end_json(json *to)
{
    json_end(to);
    bool is_whole = ferror(to->out) == 0;
    if (fclose(to->out) != 0)
        is_whole = false;
    return is_whole ? written : NULL;
}

const char *WEB_CALL(web_foreign_info)(const seenset_foreign *file)
{
    seenset_foreign_info info = info_of(file);
    json to;
    if (!begin_json(&to))
        return NULL;
    members_of_file(&to, &info);
    json_count(&to, "filter_count", info.filter_count);
    return end_json(&to);
}

/* What of a filter is in the file, and was not measured. */
const char *WEB_CALL(web_foreign_filter)(const seenset_foreign *file,
                                         uint32_t number)
{
    seenset_foreign_filter filter = filter_of(file, number);
    json to;
    if (!begin_json(&to))
        return NULL;
    json_text(&to, "column", filter.column);
    json_count(&to, "row_group", filter.group);
    json_text(&to, "error",
              filter.error == 0 ? "" : seenset_error_name(filter.error));
    json_text(&to, "because", filter.reason);
    json_count(&to, "reason_offset", filter.reason_offset);
    return end_json(&to);
}

/* The members that `check --json` prints of a filter, in a list of one. */
const char *WEB_CALL(web_foreign_check)(const seenset_foreign *file,
                                        uint32_t number)
{
    measured one = measure_filter(file, number);
    json to;
    if (!begin_json(&to))
        return NULL;
    json_open(&to, "filters", '[');
    members_of_filter(&to, &one);
    json_close(&to, ']');
    return end_json(&to);
}

/* ---- keys ---- */

/* The number of a funnel by its name; 0: there is none, or not for the file's
 * format. Of NULL the usual one, or 0. */
int WEB_CALL(web_foreign_funnel)(const seenset_foreign *file, const char *name)
{
    seenset_format format = info_of(file).format;
    if (name == NULL)
        return (int)funnel_usual(format);
    funnel found = funnel_find(name);
    return found != FUNNEL_NONE && funnel_is_of(found, format) ? (int)found : 0;
}

/* The name of funnel `number`, "" if it is not for the file's format; NULL: it
 * was the last one. */
const char *WEB_CALL(web_foreign_funnel_name)(const seenset_foreign *file,
                                              int number)
{
    const char *name = funnel_name((funnel)number);
    bool is_taken = funnel_is_of((funnel)number, info_of(file).format);
    return name == NULL || is_taken ? name : "";
}

const char *WEB_CALL(web_foreign_problem)(void)
{
    return problem.text;
}

enum {
    TAKEN_KEYS = 128
};

/* Keys on their way to a filter, in its bytes of them. */
typedef struct taken {
    value values[TAKEN_KEYS];
    seenset_key keys[TAKEN_KEYS];
    uint32_t count;
    funnel_room room; /* of one long key, which is the last of them */
} taken;

/* What is asked of a filter: bytes as web_has_many takes them. */
typedef struct asked {
    const seenset_foreign *file;
    uint32_t number;
    key_form form;
    bool is_text; /* else keys are in the filter's own bytes */
    const uint8_t *data;
    const uint32_t *offsets;
} asked;

/* Puts a key into its place of those taken. 1, or as key_text_read. */
static int take_key(taken *of, const asked *by, const char *key, size_t len)
{
    value *plain = &of->values[of->count];
    int is_read = 1;
    *plain = (value){.data = key, .len = len};
    if (by->is_text)
        is_read = key_text_read(plain, &by->form, &of->room, key, len);
    if (is_read == 0)
        problem = key_text_say(&by->form, key, len);
    of->keys[of->count] = (seenset_key){plain->data, plain->len};
    return is_read;
}

/* Takes keys from number `done` on, before number `end`. 0, or an error. */
static int take(taken *of, const asked *by, uint32_t done, uint32_t end)
{
    const uint32_t *offsets = by->offsets;
    bool is_full = false;
    of->count = 0;
    for (uint32_t i = done; i < end && !is_full; i++) {
        const uint8_t *key = by->data + (offsets[i] - offsets[0]);
        int is_read =
            take_key(of, by, (const char *)key, offsets[i + 1] - offsets[i]);
        if (is_read <= 0)
            return is_read < 0 ? is_read : SEENSET_EINVAL;
        is_full = of->keys[of->count++].data == of->room.bytes ||
                  of->count == TAKEN_KEYS;
    }
    return 0;
}

/*
 * Asks a filter for keys, in pieces; through: a funnel, or 0, for texts, and -1
 * for keys in the filter's own bytes. Stores 1 or 0 for each. SEENSET_EINVAL
 * where there is a problem: a key is not one of the filter.
 */
int WEB_CALL(web_foreign_has_many)(const seenset_foreign *file, uint32_t number,
                                   int through, const uint8_t *data,
                                   const uint32_t *offsets, uint32_t key_count,
                                   uint8_t *answers)
{
    static taken of;
    seenset_foreign_filter filter = filter_of(file, number);
    funnel by = through > 0 ? (funnel)through : FUNNEL_NONE;
    asked what = {file,         number, {&filter, info_of(file).format, by},
                  through >= 0, data,   offsets};
    problem.text[0] = '\0';
    for (uint32_t done = 0; done < key_count; done += of.count) {
        int error = take(&of, &what, done, key_count);
        if (error == 0)
            error = seenset_foreign_has_many(file, number, of.keys, of.count,
                                             answers + done);
        if (error != 0)
            return error;
    }
    return 0;
}

/* ---- a filter as a set ---- */

int WEB_CALL(web_foreign_set)(seenset **out, const seenset_foreign *file,
                              uint32_t number)
{
    return seenset_foreign_set(out, file, number);
}
