/*
 * json_parse.c - the parser of `dedup --from-format json` alone: each line of a
 * file goes through it, to callbacks that do nothing.
 *
 *     json_parse FILE
 *
 * Prints the number of lines that it took for JSON.
 */
#define _GNU_SOURCE /* getline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

static int on_nothing(void *context)
{
    (void)context;
    return 1;
}

static int on_boolean(void *context, int value)
{
    (void)context;
    (void)value;
    return 1;
}

static int on_number(void *context, const char *text, size_t len)
{
    (void)context;
    (void)text;
    (void)len;
    return 1;
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
    (void)context;
    (void)text;
    (void)len;
    return 1;
}

static const yajl_callbacks callbacks = {.yajl_null = on_nothing,
                                         .yajl_boolean = on_boolean,
                                         .yajl_number = on_number,
                                         .yajl_string = on_string,
                                         .yajl_start_map = on_nothing,
                                         .yajl_map_key = on_string,
                                         .yajl_end_map = on_nothing,
                                         .yajl_start_array = on_nothing,
                                         .yajl_end_array = on_nothing};

/* One parser for all lines, as values in a row: the fastest way there is. */
static unsigned long parse_lines(FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t bytes;
    unsigned long count = 0;
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    if (parser == NULL)
        return 0;
    yajl_config(parser, yajl_allow_multiple_values, 1);
    yajl_config(parser, yajl_dont_validate_strings, 1);
    while ((bytes = getline(&line, &room, file)) > 0)
        count += yajl_parse(parser, (const unsigned char *)line,
                            (size_t)bytes) == yajl_status_ok;
    yajl_free(parser);
    free(line);
    return count;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: json_parse FILE\n");
        return 2;
    }
    printf("%lu\n", parse_lines(file));
    fclose(file);
    return 0;
}
