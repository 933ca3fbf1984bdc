/*
 * inspect.c - what reads a queue whole: verify and repair.
 */
#include <stdio.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

static int parse_option(int key, char *text, arguments *state)
{
    return queue_parse_access(state, key, text, state->input);
}

static const option_row wait_options[] = {
    QUEUE_SECRET_ROW, QUEUE_WAIT_ROW, {0}};

static const command_syntax verify_syntax = {
    .options = wait_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Check every byte of the queue in DIR. The exit status is 0 if it "
            "is sound, else 2."};
static const command_syntax repair_syntax = {
    .options = wait_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Make the damaged queue in DIR usable again. What is damaged is "
            "lost; a sound queue is not changed."};

static void print_log(const char *dir, const seenset_queue_report *report,
                      const char *verdict)
{
    printf("%s: %s, %s records in %s bytes of log", dir, verdict,
           units_grouped(report->record_count).text,
           units_grouped(report->log_bytes).text);
    if (report->torn_bytes > 0)
        printf(", and %s unfinished bytes at the end",
               units_grouped(report->torn_bytes).text);
    putchar('\n');
}

/* What verify and repair do once the queue is free. */
typedef struct inspection {
    const queue_access *access;
    int (*inspect)(const char *dir, const seenset_queue_options *options);
    seenset_queue_report report;
} inspection;

static int inspect_with(void *context, const seenset_options *set)
{
    inspection *now = context;
    const seenset_queue_options options = {.set = set, .report = &now->report};
    return now->inspect(now->access->dir, &options);
}

static int try_to_inspect(void *context)
{
    inspection *now = context;
    const queue_access *access = now->access;
    return queue_secret_run(&access->secret, access->dir, &access->set,
                            inspect_with, now);
}

/* Did the machine fail, whatever had been found before? */
static bool is_of_machine(int error)
{
    return error == SEENSET_EIO || error == SEENSET_ENOMEM;
}

int queue_verify(int argc, char **argv)
{
    queue_access from = {.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    const char *dir;
    arguments_parse(&verify_syntax, argc, argv, &from);
    dir = from.dir;
    inspection now = {.access = &from, .inspect = seenset_queue_verify};
    int error = queue_wait(dir, from.wait_seconds, try_to_inspect, &now);
    if (error == SEENSET_OK) {
        print_log(dir, &now.report, "sound");
        return COMMAND_DONE;
    }
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(dir, from.wait_seconds);
    if (error > 0 || error == SEENSET_ESECRET)
        return queue_complain_opening(dir, error, &now.report);
    if (now.report.reason[0] == '\0')
        return queue_complain(dir, error);
    queue_complain_report(dir, &now.report, "");
    return COMMAND_ERROR;
}

int queue_repair(int argc, char **argv)
{
    queue_access from = {.wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS};
    const char *dir;
    arguments_parse(&repair_syntax, argc, argv, &from);
    dir = from.dir;
    inspection now = {.access = &from, .inspect = seenset_queue_repair};
    int error = queue_wait(dir, from.wait_seconds, try_to_inspect, &now);
    const seenset_queue_report report = now.report;
    if (error == SEENSET_EINUSE)
        return queue_complain_in_use(dir, from.wait_seconds);
    if (error > 0 || error == SEENSET_ESECRET)
        return queue_complain_opening(dir, error, &report);
    if (report.reason[0] != '\0')
        queue_complain_report(dir, &report, "");
    if (error != SEENSET_OK)
        return report.reason[0] == '\0' || is_of_machine(error)
                   ? queue_complain(dir, error)
                   : COMMAND_ERROR;
    print_log(dir, &report, "sound now");
    if (report.damage_count > 0)
        printf("%s: %s damaged bytes are skipped, %s items are lost\n", dir,
               units_grouped(report.damaged_bytes).text,
               units_grouped(report.lost_items).text);
    return COMMAND_DONE;
}
