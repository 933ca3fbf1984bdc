/*
 * prometheus.h - figures of sets and queues as Prometheus scrapes them.
 *
 * One gauge for each figure, with a sample for each file, in the text format
 * (version 0.0.4): "# HELP" and "# TYPE", then lines
 *
 *     seenset_added_items{file="a.set"} 1000
 *
 * In a label a backslash, a quote and a newline are escaped; bytes that are not
 * UTF-8 become U+FFFD. The samples of one gauge must be together, so the
 * figures of all files are kept until the end.
 *
 * A queue has those gauges that its set has, and those of its items, which
 * begin with seenset_queue_ and have the names of docs/json.md. It is looked at
 * while others use it, so it is read, and not checked whole.
 */
#ifndef INFO_PROMETHEUS_H
#define INFO_PROMETHEUS_H

#include <stdbool.h>
#include <stdio.h>

#include "seenset/queue.h"
#include "seenset/seenset.h"

typedef struct prometheus_file {
    const char *path;
    bool is_open;  /* false: it could not be read, and what follows is 0 */
    bool is_sound; /* every checksum is right */
    seenset_stats stats;
    seenset_info info;               /* of a queue, is_at_capacity alone */
    double expected_false_positives; /* infinite: they are not known */
    double oldest_key_seconds;       /* NaN: no window by age */
    uint64_t file_bytes;
    bool is_queue; /* a folder; stats are those of its set */
    seenset_queue_stats queue;
} prometheus_file;

void prometheus_print(FILE *out, const prometheus_file *files, size_t count);

#endif
