/*
 * queue_peers.c - SQLite, Redis and Scrapy as a crawler's queue.
 *
 * SQLite: a table with a UNIQUE column, INSERT OR IGNORE, 1,000 rows a commit,
 * WAL, synchronous=NORMAL. Redis: SADD for 1,000 URLs pipelined over a Unix
 * socket, then LPUSH for those that were new; nothing is written to disk.
 * Scrapy: RFPDupeFilter and queuelib's FifoDiskQueue, as a job folder uses
 * them, in Python.
 */
#define _GNU_SOURCE /* mkdtemp, popen */
#include "queue_peers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef BENCH_SQLITE
#include <sqlite3.h>
#endif

enum {
    AT_ONCE = 1000
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_queue: %s is left over\n", folder);
}

/* ---- SQLite ---- */

#ifdef BENCH_SQLITE

static void sqlite_push(sqlite3 *base, const bench_urls *urls)
{
    sqlite3_stmt *insert;
    sqlite3_exec(base,
                 "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                 "CREATE TABLE queue(id INTEGER PRIMARY KEY, url TEXT UNIQUE)",
                 NULL, NULL, NULL);
    sqlite3_prepare_v2(base, "INSERT OR IGNORE INTO queue(url) VALUES(?)", -1,
                       &insert, NULL);
    for (size_t i = 0; i < urls->count; i++) {
        if (i % AT_ONCE == 0)
            sqlite3_exec(base, "BEGIN", NULL, NULL, NULL);
        sqlite3_bind_text(insert, 1, bench_url(urls, i), BENCH_URL_BYTES,
                          SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE)
            fprintf(stderr, "bench_queue: %s\n", sqlite3_errmsg(base));
        sqlite3_reset(insert);
        if (i % AT_ONCE == AT_ONCE - 1 || i + 1 == urls->count)
            sqlite3_exec(base, "COMMIT", NULL, NULL, NULL);
    }
    sqlite3_finalize(insert);
}

double bench_sqlite(const bench_urls *urls)
{
    char folder[] = "bench-sqlite-XXXXXX", path[64];
    sqlite3 *base;
    double rate = 0;
    if (mkdtemp(folder) == NULL)
        return 0;
    snprintf(path, sizeof path, "%s/queue.db", folder);
    if (sqlite3_open(path, &base) == SQLITE_OK) {
        double start = now();
        sqlite_push(base, urls);
        rate = (double)urls->count / (now() - start);
    }
    sqlite3_close(base);
    remove_folder(folder);
    return rate;
}

#else

double bench_sqlite(const bench_urls *urls)
{
    (void)urls;
    return 0;
}

#endif

/* ---- Redis ---- */

static int redis_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, path, length + 1);
    for (int tries = 0; tries < 100; tries++) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        (void)nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    return -1;
}

static size_t redis_command(char *to, const char *name, const char *key,
                            const char *url)
{
    int head = sprintf(to, "*3\r\n$%zu\r\n%s\r\n$%zu\r\n%s\r\n$%d\r\n",
                       strlen(name), name, strlen(key), key, BENCH_URL_BYTES);
    memcpy(to + head, url, BENCH_URL_BYTES);
    memcpy(to + head + BENCH_URL_BYTES, "\r\n", 2);
    return (size_t)head + BENCH_URL_BYTES + 2;
}

static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t put = write(fd, bytes, size);
        if (put <= 0)
            return -1;
        bytes += put;
        size -= (size_t)put;
    }
    return 0;
}

/* Reads `count` answers ":<number>\r\n"; is_new[i], unless NULL: it was 1. */
static int redis_answers(int fd, size_t count, char *is_new)
{
    static char bytes[1 << 16];
    size_t done = 0;
    char last = 0, before = 0;
    while (done < count) {
        ssize_t got = read(fd, bytes, sizeof bytes);
        if (got <= 0)
            return -1;
        for (ssize_t i = 0; i < got; i++) {
            if (bytes[i] == '\n') {
                if (is_new != NULL)
                    is_new[done] = before == '1';
                done++;
            }
            if (bytes[i] != '\n' && bytes[i] != '\r')
                before = bytes[i];
            last = bytes[i];
        }
    }
    return last == '\n' ? 0 : -1;
}

static int redis_batch(int fd, const bench_urls *urls, size_t from, char *out)
{
    char is_new[AT_ONCE];
    size_t size = 0, new_count = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        size +=
            redis_command(out + size, "SADD", "s", bench_url(urls, from + i));
    if (write_all(fd, out, size) != 0 ||
        redis_answers(fd, AT_ONCE, is_new) != 0)
        return -1;
    size = 0;
    for (size_t i = 0; i < AT_ONCE; i++) {
        if (!is_new[i])
            continue;
        size +=
            redis_command(out + size, "LPUSH", "q", bench_url(urls, from + i));
        new_count++;
    }
    if (write_all(fd, out, size) != 0)
        return -1;
    return redis_answers(fd, new_count, NULL);
}

static double redis_push(const char *path, const bench_urls *urls)
{
    static char out[AT_ONCE * 128];
    int fd = redis_connect(path), failed = 0;
    if (fd < 0)
        return 0;
    double start = now();
    for (size_t i = 0; i + AT_ONCE <= urls->count && !failed; i += AT_ONCE)
        failed = redis_batch(fd, urls, i, out);
    double seconds = now() - start;
    close(fd);
    return failed ? 0 : (double)urls->count / seconds;
}

double bench_redis(const bench_urls *urls)
{
    char folder[] = "/tmp/bench-redis-XXXXXX", path[64];
    double rate = 0;
    if (mkdtemp(folder) == NULL)
        return 0;
    snprintf(path, sizeof path, "%s/socket", folder);
    fflush(NULL);
    pid_t server = fork();
    if (server == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL)
            execlp("redis-server", "redis-server", "--port", "0",
                   "--unixsocket", path, "--save", "", "--appendonly", "no",
                   (char *)NULL);
        _exit(127);
    }
    int status = 0;
    (void)nanosleep(&(struct timespec){0, 200000000}, NULL);
    if (server > 0 && waitpid(server, &status, WNOHANG) == 0) {
        rate = redis_push(path, urls);
        kill(server, SIGTERM);
        (void)waitpid(server, &status, 0);
    }
    remove_folder(folder);
    return rate;
}

/* ---- Scrapy ---- */

static const char scrapy_program[] =
    "import sys, time, tempfile, shutil\n"
    "from scrapy.dupefilters import RFPDupeFilter\n"
    "from scrapy import Request\n"
    "from queuelib import FifoDiskQueue\n"
    "urls = [l.rstrip() for l in open(sys.argv[1])]\n"
    "folder = tempfile.mkdtemp()\n"
    "seen = RFPDupeFilter(folder)\n"
    "queue = FifoDiskQueue(folder + '/queue')\n"
    "start = time.monotonic()\n"
    "for url in urls:\n"
    "    if not seen.request_seen(Request(url)):\n"
    "        queue.push(url.encode())\n"
    "print(len(urls) / (time.monotonic() - start))\n"
    "queue.close(); shutil.rmtree(folder)\n";

static int write_scrapy_files(const char *folder, const bench_urls *urls)
{
    char path[64];
    snprintf(path, sizeof path, "%s/urls", folder);
    FILE *list = fopen(path, "w");
    snprintf(path, sizeof path, "%s/push.py", folder);
    FILE *program = fopen(path, "w");
    if (list == NULL || program == NULL)
        return -1;
    for (size_t i = 0; i < urls->count; i++)
        fprintf(list, "%.*s\n", BENCH_URL_BYTES, bench_url(urls, i));
    fputs(scrapy_program, program);
    return fclose(list) | fclose(program);
}

double bench_scrapy(const bench_urls *urls)
{
    char folder[] = "/tmp/bench-scrapy-XXXXXX", command[160];
    double rate = 0;
    if (mkdtemp(folder) == NULL)
        return 0;
    snprintf(command, sizeof command,
             "/usr/bin/python3 %s/push.py %s/urls 2>%s/errors", folder, folder,
             folder);
    if (write_scrapy_files(folder, urls) == 0) {
        FILE *out = popen(command, "r");
        if (out != NULL && fscanf(out, "%lf", &rate) != 1)
            rate = 0;
        if (out != NULL)
            (void)pclose(out);
    }
    remove_folder(folder);
    return rate;
}
