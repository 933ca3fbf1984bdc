/*
 * queue_honest_spoils.c - what is damaged in a queue before the calls that are
 * judged (queue_honest_scripts.c).
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest.h"

void honest_spoil_log(disk *on)
{
    disk_flip(on, disk_name(on, "log-", 0), 1000);
    disk_flip(on, disk_name(on, "log-", 1), 500);
}

/* Two segments are damaged, and one in the middle ends too early. */
void honest_spoil_long_log(disk *on)
{
    assert_true(disk_count(on, "log-") >= 5);
    disk_flip(on, disk_name(on, "log-", 1), 1000);
    disk_flip(on, disk_name(on, "log-", 2), 1000);
    disk_cut(on, disk_name(on, "log-", 3), 100);
}

void honest_spoil_second_header(disk *on)
{
    disk_flip(on, disk_name(on, "log-", 1), 9);
}

void honest_spoil_only_header(disk *on)
{
    assert_int_equal(disk_count(on, "log-"), 1);
    disk_flip(on, disk_name(on, "log-", 0), 0);
}

void honest_spoil_snapshots(disk *on)
{
    disk_flip(on, disk_name(on, "set-", 0), 300);
    disk_flip(on, disk_name(on, "state-", 1), 30);
}

/* That of the newest state. */
void honest_spoil_delayed(disk *on)
{
    disk_flip(on, disk_last_name(on, "delayed-"), 4096 + 20);
}

void honest_spoil_only_set(disk *on)
{
    assert_int_equal(disk_count(on, "set-"), 1);
    disk_flip(on, disk_name(on, "set-", 0), 200);
}

void honest_spoil_end(disk *on)
{
    disk_cut(on, disk_last_name(on, "log-"), 3);
}

/* The next segment has a name, and not yet a header. */
void honest_spoil_begun_segment(disk *on)
{
    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES];
    assert_int_equal(disk_count(on, "log-"), 1);
    assert_non_null(disk_file(on, disk_name(on, "log-", 0), &size_bytes));
    ss_folder_name(name, SS_FOLDER_LOG, *size_bytes);
    disk_put(on, name, 0, "SEENLOG", 7);
}
