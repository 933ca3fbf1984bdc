/*
 * arrival.c - see arrival.h.
 */
#define _GNU_SOURCE /* openat, nanosleep */
#include "queue/access/arrival.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stream/clock.h"

#define PAUSE_SECONDS 0.05

/* The name of the last file of the log: names have positions of one width, so
 * the order of the names is that of the log. */
static void find_newest(arrival_mark *mark, const char *dir)
{
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    mark->newest[0] = '\0';
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, "log-", 4) == 0 &&
            strlen(entry->d_name) < sizeof mark->newest &&
            strcmp(entry->d_name, mark->newest) > 0)
            snprintf(mark->newest, sizeof mark->newest, "%.31s", entry->d_name);
    if (folder != NULL)
        closedir(folder);
}

/* Reads the folder only if it is not that of the mark. Returns whether the mark
 * had to be changed. */
static bool refresh(arrival_mark *mark, const char *dir)
{
    struct stat folder = {0}, newest = {0};
    arrival_mark was = *mark;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        (void)fstat(fd, &folder);
    mark->folder_time = folder.st_mtim;
    bool is_other = was.folder_time.tv_sec != folder.st_mtim.tv_sec ||
                    was.folder_time.tv_nsec != folder.st_mtim.tv_nsec;
    if (is_other)
        find_newest(mark, dir);
    if (fd >= 0 && mark->newest[0] != '\0')
        (void)fstatat(fd, mark->newest, &newest, AT_SYMLINK_NOFOLLOW);
    mark->newest_bytes = newest.st_size;
    if (fd >= 0)
        close(fd);
    return is_other || was.newest_bytes != mark->newest_bytes;
}

void arrival_look(arrival_mark *out, const char *dir)
{
    *out = (arrival_mark){0};
    (void)refresh(out, dir);
}

void arrival_await(const arrival_mark *since, const char *dir, double until)
{
    arrival_mark now = *since;
    double left;
    while (!refresh(&now, dir) && (left = until - clock_steady_seconds()) > 0) {
        double pause = left < PAUSE_SECONDS ? left : PAUSE_SECONDS;
        struct timespec time = {.tv_nsec = (long)(pause * 1e9)};
        (void)nanosleep(&time, NULL);
    }
}
