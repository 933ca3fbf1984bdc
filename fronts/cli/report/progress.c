/*
 * progress.c - see progress.h.
 */
#define _GNU_SOURCE /* lseek */
#include "report/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/clock.h"
#include "system/terminal.h"
#include "text/units.h"

#define FIRST_DRAW_SECONDS 1.0
#define REDRAW_SECONDS 0.1
#define BAR_WIDTH 20

void progress_start(progress *bar, uint64_t total_bytes, bool prints_lines)
{
    *bar = (progress){.total_bytes = total_bytes};
    bar->is_shown = terminal_is(STDERR_FILENO) &&
                    !(prints_lines && terminal_is(STDOUT_FILENO));
    if (bar->is_shown)
        bar->started = bar->drawn = clock_steady_seconds();
}

size_t progress_columns(void)
{
    size_t columns = terminal_columns(STDERR_FILENO);
    return columns > 1 ? columns - 1 : 79;
}

void progress_start_steps(progress *bar, const char *title, uint64_t total)
{
    progress_start(bar, total, false);
    bar->title = title;
}

/* "[=====>    ]  42 %  1.2 GB of 3 GB  512 MB/s  4 s left" */
static void draw(progress *bar, double now)
{
    double rate = (double)bar->done_bytes / (now - bar->started);
    units_text done = units_as_bytes(bar->done_bytes);
    units_text speed = units_as_bytes((uint64_t)rate);
    char text[512];
    if (bar->title != NULL && bar->total_bytes != 0) {
        snprintf(text, sizeof text, "%s %3.0f %%", bar->title,
                 100 * (double)bar->done_bytes / (double)bar->total_bytes);
    } else if (bar->total_bytes == 0 || bar->done_bytes > bar->total_bytes) {
        snprintf(text, sizeof text, "%s  %s/s", done.text, speed.text);
    } else {
        double part = (double)bar->done_bytes / (double)bar->total_bytes;
        char cells[BAR_WIDTH + 1] = {0};
        memset(cells, ' ', BAR_WIDTH);
        memset(cells, '=', (size_t)(part * BAR_WIDTH));
        double left = (double)(bar->total_bytes - bar->done_bytes) / rate;
        snprintf(text, sizeof text, "[%s] %3.0f %%  %s of %s  %s/s  %s left",
                 cells, part * 100, done.text,
                 units_as_bytes(bar->total_bytes).text, speed.text,
                 units_as_seconds(left).text);
    }
    fprintf(stderr, "\r%.*s\033[K", (int)progress_columns(), text);
    fflush(stderr);
    bar->is_drawn = true;
    bar->drawn = now;
}

void progress_advance(progress *bar, uint64_t bytes)
{
    bar->done_bytes += bytes;
    if (!bar->is_shown)
        return;
    double now = clock_steady_seconds();
    if (now - bar->started >= FIRST_DRAW_SECONDS &&
        now - bar->drawn >= REDRAW_SECONDS)
        draw(bar, now);
}

void progress_clear(progress *bar)
{
    if (bar->is_drawn)
        fputs("\r\033[K", stderr);
    bar->is_drawn = false;
}

uint64_t progress_total(char *const *paths, int path_count)
{
    uint64_t total = 0;
    for (int i = 0; i < path_count; i++) {
        struct stat status;
        bool is_stdin = strcmp(paths[i], "-") == 0;
        int error =
            is_stdin ? fstat(STDIN_FILENO, &status) : stat(paths[i], &status);
        if (error != 0 || !S_ISREG(status.st_mode))
            return 0;
        off_t at = is_stdin ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
        if (at >= 0 && at < status.st_size)
            total += (uint64_t)(status.st_size - at);
    }
    return total;
}
