/*
 * watch.c - see watch.h.
 */
#include "report/watch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/complain.h"
#include "report/progress.h"
#include "seenset/seenset.h"
#include "stream/clock.h"
#include "system/asked.h"
#include "system/terminal.h"
#include "text/units.h"

#define FIRST_DRAW_SECONDS 1.0
#define REDRAW_SECONDS 0.1
#define MESSAGE_SECONDS 10.0
#define BAR_WIDTH 10

void watch_count(watch *on, const batch *done)
{
    uint64_t new_count = 0;
    uint64_t text_bytes = done->long_line != NULL
                              ? spill_bytes(done->long_line) + 1
                              : batch_start(done, done->count);
    for (size_t i = 0; i < done->count; i++)
        new_count += done->answers[i] == SEENSET_ANSWER_NEW;
    atomic_fetch_add(&on->input_bytes, done->input_bytes);
    atomic_fetch_add(&on->text_bytes, text_bytes);
    atomic_fetch_add(&on->line_count, done->count);
    atomic_fetch_add(&on->new_count, new_count);
}

/* What is known, and a part of it. */
typedef struct watch_text {
    char text[480];
} watch_text;

typedef struct watch_part {
    char text[120];
} watch_part;

/* ", 42 %, 4 s left", or nothing if the size is not known. */
static watch_part describe_left(const watch *on, double seconds)
{
    watch_part out = {""};
    uint64_t done = atomic_load(&on->input_bytes);
    if (on->total_bytes == 0 || done == 0 || done > on->total_bytes)
        return out;
    double part = (double)done / (double)on->total_bytes;
    snprintf(out.text, sizeof out.text, ", %.0f %%, %s left", 100 * part,
             units_as_seconds(seconds * (1 - part) / part).text);
    return out;
}

static watch_text describe(const watch *on)
{
    watch_text out;
    double seconds = clock_steady_seconds() - on->started;
    uint64_t bytes = atomic_load(&on->text_bytes);
    uint64_t lines = atomic_load(&on->line_count);
    uint64_t fresh = atomic_load(&on->new_count);
    double speed = seconds > 0 ? (double)bytes / seconds : 0;
    snprintf(out.text, sizeof out.text, "%s line%s, %.3g %% new, %s/s%s",
             units_grouped(lines).text, lines == 1 ? "" : "s",
             lines > 0 ? 100 * (double)fresh / (double)lines : 0,
             units_as_bytes((uint64_t)speed).text,
             describe_left(on, seconds).text);
    return out;
}

/* "[====      ] ", or nothing if the size is not known. */
static watch_part draw_part(const watch *on)
{
    watch_part out = {""};
    uint64_t done = atomic_load(&on->input_bytes);
    if (on->total_bytes == 0 || done > on->total_bytes)
        return out;
    size_t cells = (size_t)((double)done / (double)on->total_bytes * BAR_WIDTH);
    char bar[BAR_WIDTH + 1] = {0};
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '=', cells);
    snprintf(out.text, sizeof out.text, "[%s] ", bar);
    return out;
}

static void draw(const watch *on)
{
    char text[600];
    snprintf(text, sizeof text, "%s%s", draw_part(on).text, describe(on).text);
    complain_bar(text, progress_columns());
}

static void print(const watch *on)
{
    complain("%s: %s", on->name, describe(on).text);
}

/* Waits for the question, or for the next time to draw or print. Returns
 * whether it was the question. */
static bool await(const watch *on)
{
    double seconds = on->is_bar ? REDRAW_SECONDS : MESSAGE_SECONDS;
    for (;;) {
        if (asked_wait(seconds))
            return true;
        if (on->is_bar || on->mode == WATCH_ALWAYS)
            return false;
    }
}

static void *run(void *argument)
{
    watch *on = argument;
    for (;;) {
        bool is_asked = await(on);
        if (atomic_load(&on->is_over))
            return NULL;
        double passed = clock_steady_seconds() - on->started;
        if (is_asked || !on->is_bar)
            print(on);
        else if (passed >= FIRST_DRAW_SECONDS)
            draw(on);
    }
}

void watch_start(watch *on, bool prints_lines)
{
    on->is_bar = on->mode != WATCH_ASKED && terminal_is(STDERR_FILENO) &&
                 !(prints_lines && terminal_is(STDOUT_FILENO));
    on->started = clock_steady_seconds();
    on->is_running = pthread_create(&on->thread, NULL, run, on) == 0;
}

void watch_end(watch *on)
{
    if (!on->is_running)
        return;
    on->is_running = false;
    atomic_store(&on->is_over, true);
    asked_wake(on->thread);
    (void)pthread_join(on->thread, NULL);
    complain_bar(NULL, 0);
    if (on->mode == WATCH_ALWAYS && !on->is_bar)
        print(on);
}
