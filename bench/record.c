/*
 * record.c - every figure into a JSON file, with the machine that made it.
 *
 * The file is written as the run goes and ends with record_close: one that
 * was cut short is no JSON, so half a run cannot pass for a whole one.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void put_text(FILE *json, const char *name, const char *text)
{
    fprintf(json, "\"%s\": \"", name);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', json);
        if ((unsigned char)*text >= ' ')
            fputc(*text, json);
    }
    fputs("\"", json);
}

/* What follows ": " in the first line of `path` that starts with `name`; a
 * NULL name asks for the whole first line. */
static void put_line_of(FILE *json, const char *as, const char *path,
                        const char *name)
{
    char line[512] = "";
    const char *value = "unknown";
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (name != NULL && strncmp(line, name, strlen(name)) != 0)
            continue;
        const char *colon = name != NULL ? strchr(line, ':') : NULL;
        value = colon != NULL ? colon + 1 : line;
        break;
    }
    if (file != NULL)
        fclose(file);
    while (*value == ' ' || *value == '\t')
        value++;
    put_text(json, as, value);
    fputs(",\n  ", json);
}

static void put_command(FILE *json, int argc, char **argv)
{
    char command[1024] = "";
    for (int i = 0; i < argc; i++) {
        const char *word = strrchr(argv[i], '/');
        word = word != NULL ? word + 1 : argv[i];
        strncat(command, i > 0 ? " " : "",
                sizeof command - 1 - strlen(command));
        strncat(command, word, sizeof command - 1 - strlen(command));
    }
    put_text(json, "command", command);
    fputs(",\n  ", json);
}

static void put_machine(bench *to)
{
    struct utsname host = {0};
    (void)uname(&host);
    put_line_of(to->json, "processor", "/proc/cpuinfo", "model name");
    put_line_of(to->json, "family", "/proc/cpuinfo", "cpu family");
    put_line_of(to->json, "model", "/proc/cpuinfo", "model\t");
    put_line_of(to->json, "cache", "/proc/cpuinfo", "cache size");
    put_line_of(to->json, "l3",
                "/sys/devices/system/cpu/cpu0/cache/index3/size", NULL);
    put_line_of(to->json, "memory", "/proc/meminfo", "MemTotal");
    put_line_of(to->json, "huge_pages",
                "/sys/kernel/mm/transparent_hugepage/enabled", NULL);
    put_line_of(to->json, "load_at_start", "/proc/loadavg", NULL);
    put_text(to->json, "system", host.sysname);
    fputs(",\n  ", to->json);
    put_text(to->json, "kernel", host.release);
    fprintf(to->json, ",\n  \"cores\": %ld,\n  ",
            sysconf(_SC_NPROCESSORS_ONLN));
}

void record_open(bench *to, const char *path, int argc, char **argv)
{
    to->json = fopen(path, "w");
    require(to->json != NULL, "cannot write the results");
    fputs("{\n  ", to->json);
    put_machine(to);
    put_command(to->json, argc, argv);
#if defined(__clang__)
    put_text(to->json, "compiler", __VERSION__);
#else
    put_text(to->json, "compiler", "gcc " __VERSION__);
#endif
    fputs(",\n  ", to->json);
    put_text(to->json, "seenset", seenset_version());
    char when[32] = "";
    time_t now = time(NULL);
    (void)strftime(when, sizeof when, "%Y-%m-%d", gmtime(&now));
    fputs(",\n  ", to->json);
    put_text(to->json, "date", when);
    fputs(",\n  \"figures\": [", to->json);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *sorted, size_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static void put_label(FILE *json, const label *what)
{
    put_text(json, "subject", what->subject);
    fputs(", ", json);
    put_text(json, "operation", what->operation);
    if (what->twin != NULL) {
        fputs(", ", json);
        put_text(json, "twin", what->twin);
    }
    if (what->keys != NULL) {
        fputs(", ", json);
        put_text(json, "keys", what->keys);
    }
    if (what->answer != NULL) {
        fputs(", ", json);
        put_text(json, "answer", what->answer);
    }
    fprintf(json,
            ", \"items\": %" PRIu64 ", \"fp_rate\": %g, \"batch\": %zu, "
            "\"threads\": %u",
            what->items, what->fp_rate, what->batch, what->threads);
}

void record_figure(bench *to, const label *what, const char *unit,
                   double *values, size_t count, long peak_kib)
{
    qsort(values, count, sizeof *values, compare);
    fprintf(to->json, "%s\n    {", to->figure_count++ > 0 ? "," : "");
    put_label(to->json, what);
    fputs(", ", to->json);
    put_text(to->json, "unit", unit);
    fprintf(to->json,
            ", \"median\": %.6g, \"min\": %.6g, \"max\": %.6g, "
            "\"rounds\": %zu, \"peak_kib\": %ld}",
            median(values, count), values[0], values[count - 1], count,
            peak_kib);
    fflush(to->json);
}

void record_close(bench *to)
{
    fputs("\n  ]\n}\n", to->json);
    require(fclose(to->json) == 0, "cannot write the results");
}
