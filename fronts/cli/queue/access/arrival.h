/*
 * arrival.h - waiting for items: is there anything new in a queue's folder?
 *
 * A push appends to the newest file of the log, and what gives leases back
 * writes a new state. Both can be seen from outside, by a stat of the folder
 * and one of that file, without opening the queue, which reads its set.
 */
#ifndef QUEUE_ACCESS_ARRIVAL_H
#define QUEUE_ACCESS_ARRIVAL_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

/* What a folder was like at one moment. */
typedef struct arrival_mark {
    struct timespec folder_time;
    char newest[32]; /* file of the log; "": none */
    off_t newest_bytes;
} arrival_mark;

void arrival_look(arrival_mark *out, const char *dir);

/*
 * Waits until the folder is not as it was, or until that time of
 * clock_steady_seconds. Returns at once if it has changed since the mark.
 */
void arrival_await(const arrival_mark *since, const char *dir, double until);

#endif
