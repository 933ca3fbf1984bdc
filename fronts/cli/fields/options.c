/*
 * options.c - see options.h.
 */
#include "fields/options.h"

#include <errno.h>
#include <string.h>

#include "text/units.h"

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    char low = (char)(digit | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* What a backslash and the rest of the text mean: a byte, or -1. */
static int read_escape(const char *text)
{
    static const char names[] = "t\tn\nr\r0\0\\\\";
    if (text[0] == 'x' && text[1] != '\0' && text[2] != '\0') {
        int high = hex_digit(text[1]), low = hex_digit(text[2]);
        bool is_byte = high >= 0 && low >= 0 && text[3] == '\0';
        return is_byte ? 16 * high + low : -1;
    }
    if (text[0] == '\0' || text[1] != '\0')
        return -1;
    for (size_t i = 0; i + 1 < sizeof names - 1; i += 2)
        if (names[i] == text[0])
            return (unsigned char)names[i + 1];
    return -1;
}

static char read_delimiter(arguments *state, const char *text)
{
    int byte = -1;
    if (text[0] == '\\' && text[1] != '\0')
        byte = read_escape(text + 1);
    else if (text[0] != '\0' && text[1] == '\0')
        byte = (unsigned char)text[0];
    if (byte < 0)
        arguments_refuse(
            state,
            "-d '%s': it must be one byte, or one of \\t, \\0, \\\\ and "
            "\\x1f",
            text);
    return (char)byte;
}

static batch_missing read_missing(arguments *state, const char *text)
{
    static const char *const names[] = {"keep", "drop", "error"};
    static const batch_missing values[] = {
        BATCH_MISSING_KEEP, BATCH_MISSING_DROP, BATCH_MISSING_ERROR};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0)
            return values[i];
    arguments_refuse(state, "--missing '%s': it must be keep, drop or error",
                     text);
    return BATCH_MISSING_KEEP;
}

static void read_format(arguments *state, const char *text, fields *into)
{
    if (strcmp(text, "csv") == 0)
        into->is_csv = true;
    else if (strcmp(text, "json") == 0)
        into->is_json = true;
    else if (strcmp(text, "columns") == 0)
        into->is_columns = true;
    else
        arguments_refuse(
            state, "--from-format '%s': it must be columns, csv or json", text);
}

static uint64_t read_jump(arguments *state, const char *text)
{
    double seconds;
    if (units_read_time(text, &seconds) != NULL ||
        !(seconds >= 1 && seconds <= 1e15))
        arguments_refuse(state,
                         "--time-jump '%s': it must be a time of at least a "
                         "second, such as 90s, 15m, 24h, 7d or 2w",
                         text);
    return (uint64_t)seconds;
}

int fields_parse(int key, char *text, arguments *state, fields *into)
{
    switch (key) {
    case 'f':
        into->list = text;
        return 0;
    case 'd':
        into->style.delimiter = read_delimiter(state, text);
        into->has_delimiter = true;
        return 0;
    case OPTION_FROM_FORMAT:
        read_format(state, text, into);
        return 0;
    case OPTION_CSV:
        into->is_csv = true;
        return 0;
    case OPTION_NO_HEADER:
        into->has_no_header = true;
        return 0;
    case OPTION_JSON_LINES: /* of drafts; elsewhere it is what is printed */
        arguments_refuse(state,
                         "--json: lines of JSON are read by --from-format "
                         "json");
        return 0;
    case OPTION_MISSING:
        into->style.missing = read_missing(state, text);
        into->has_missing = true;
        return 0;
    case OPTION_TIME_FIELD:
        into->time_list = text;
        return 0;
    case OPTION_TIME_JUMP:
        into->most_jump_seconds = read_jump(state, text);
        return 0;
    case OPTION_IGNORE_CASE:
        into->style.ignores_case = true;
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

/* What is wrong with the options together, or NULL. */
static const char *find_conflict(const fields *from, bool has_words)
{
    bool reads_fields =
        from->list != NULL || from->is_csv || from->time_list != NULL;
    if (from->is_csv && from->is_json)
        return "lines are csv or json, not both";
    if (from->is_columns && (from->is_csv || from->is_json))
        return "lines are columns or csv or json, only one of them";
    if (from->is_json && from->list == NULL && from->time_list == NULL)
        return "--from-format json needs a path, such as -f .user.id";
    if (from->is_json && !json_is_there())
        return "--from-format json: this seenset was built without libyajl, "
               "which reads JSON";
    if (from->is_json && from->has_delimiter)
        return "-d is not for --from-format json";
    if (from->has_no_header && !from->is_csv)
        return "--no-header is for --csv";
    if (from->has_delimiter && !reads_fields)
        return "-d is for -f, which says which field";
    if (from->has_missing && from->list == NULL && from->time_list == NULL)
        return "--missing is for -f";
    if (from->most_jump_seconds > 0 && from->time_list == NULL)
        return "--time-jump is for --time-field";
    if (has_words && from->time_list != NULL)
        return "--time-field is for keys in lines, and KEYs have no time";
    if (has_words && reads_fields)
        return "-f and --csv are for keys in lines, and not for KEYs, which "
               "are keys already";
    return NULL;
}

static const char *find_bad_delimiter(const fields *from)
{
    const column_style *style = &from->style;
    if (style->delimiter == style->separator)
        return "-d is the byte that ends a line, and cannot be between fields";
    if (from->is_csv && (style->delimiter == '"' || style->delimiter == '\r'))
        return "-d cannot be a quote or a CR with --csv";
    return NULL;
}

/* Appends the fields of a list. Returns 0, or as selection_read. */
static int append_columns(fields *from, const char *option, const char *list,
                          selection_text *wrong)
{
    selection more;
    int error = selection_read(&more, option, list, from->is_csv, wrong);
    if (error == 0)
        error = selection_append(&from->selected, &more);
    return error;
}

static int append_paths(fields *from, const char *option, const char *list,
                        selection_text *wrong)
{
    json_paths more;
    int error = json_paths_read(&more, option, list, wrong);
    if (error == 0)
        error = json_paths_append(&from->json.paths, &more);
    return error;
}

/* Reads the list of an option. */
static void read_list(arguments *state, fields *from, const char *option,
                      const char *list)
{
    selection_text wrong = {""};
    int error = from->is_json ? append_paths(from, option, list, &wrong)
                              : append_columns(from, option, list, &wrong);
    if (error == -1)
        arguments_refuse(state, "%s", wrong.text);
    else if (error != 0)
        arguments_refuse(state, "%s: %s", option, strerror(ENOMEM));
    else if (from->selected.has_names && from->has_no_header)
        arguments_refuse(state,
                         "%s '%s': with --no-header fields have no names, only "
                         "numbers",
                         option, list);
}

/* Reads --time-field, after -f. */
static void read_time(arguments *state, fields *from)
{
    size_t before = from->selected.count + from->json.paths.count;
    read_list(state, from, "--time-field", from->time_list);
    if (from->selected.count + from->json.paths.count != before + 1)
        arguments_refuse(state, "--time-field '%s': it must be one field",
                         from->time_list);
    time_field_start(&from->time, from->time_list);
}

void fields_check(arguments *state, fields *from, char separator,
                  bool has_words)
{
    /* only JSON has paths */
    if (from->time_list != NULL && from->time_list[0] == '.' && !from->is_csv &&
        !from->is_columns)
        from->is_json = true;
    const char *wrong = find_conflict(from, has_words);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    from->style.separator = separator;
    from->style.is_csv = from->is_csv;
    from->style.kernels = field_kernels_here(0);
    if (!from->has_delimiter)
        from->style.delimiter = from->is_csv ? ',' : '\t';
    wrong = find_bad_delimiter(from);
    if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    if (from->list != NULL)
        read_list(state, from, "-f", from->list);
    if (from->time_list != NULL)
        read_time(state, from);
}
