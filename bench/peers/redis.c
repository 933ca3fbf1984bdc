/*
 * redis.c - Redis over a Unix socket, on a server started for it and
 * ended after: what asking another process costs.
 *
 * Each key is a SADD of its own, so that each has an answer, pipelined
 * PIPELINE at a time; queries are SMISMEMBER with as many members. The server
 * saves nothing and runs on any core that the kernel gives it.
 */
#define _GNU_SOURCE /* mkdtemp, pipe ends */
#include "bench.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PIPELINE = 1000,
    ROOM = PIPELINE * 128
};

typedef struct redis {
    char folder[64];
    char path[80];
    pid_t server;
    int socket;
    char out[ROOM], in[ROOM];
} redis;

static bool start_server(redis *r)
{
    strcpy(r->folder, "/tmp/seenset-bench-XXXXXX");
    if (mkdtemp(r->folder) == NULL)
        return false;
    snprintf(r->path, sizeof r->path, "%s/redis", r->folder);
    r->server = fork();
    if (r->server == 0) {
        unpin();
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(127);
        execlp("redis-server", "redis-server", "--port", "0", "--unixsocket",
               r->path, "--save", "", "--appendonly", "no", "--dir", r->folder,
               (char *)NULL);
        _exit(127);
    }
    return r->server > 0;
}

/* Tries for three seconds; false if the server is not there. */
static bool meet_server(redis *r)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, r->path);
    r->socket = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int i = 0; i < 300 && waitpid(r->server, NULL, WNOHANG) == 0; i++) {
        if (connect(r->socket, (struct sockaddr *)&address, sizeof address) ==
            0)
            return true;
        usleep(10000);
    }
    return false;
}

static void stop_server(redis *r)
{
    close(r->socket);
    (void)kill(r->server, SIGTERM);
    (void)waitpid(r->server, NULL, 0);
    unlink(r->path);
    rmdir(r->folder);
}

static void send_all(redis *r, size_t size_bytes)
{
    for (size_t sent = 0; sent < size_bytes;) {
        ssize_t n = write(r->socket, r->out + sent, size_bytes - sent);
        require(n > 0, "Redis went away");
        sent += (size_t)n;
    }
}

/* Reads lines until `count` of them began with ':'; their digits, in order. */
static void receive(redis *r, uint8_t *answers, size_t count)
{
    bool is_number = false;
    size_t got = 0;
    while (got < count) {
        ssize_t n = read(r->socket, r->in, sizeof r->in);
        require(n > 0, "Redis went away");
        for (ssize_t i = 0; i < n; i++) {
            if (is_number && r->in[i] != '\r')
                answers[got] = (uint8_t)(r->in[i] - '0');
            got += is_number && r->in[i] == '\r';
            is_number = r->in[i] == ':' || (is_number && r->in[i] != '\r');
        }
    }
}

static size_t put_key(char *to, const char *url, size_t url_bytes)
{
    int head = sprintf(to, "$%zu\r\n", url_bytes);
    memcpy(to + head, url, url_bytes);
    memcpy(to + head + url_bytes, "\r\n", 2);
    return (size_t)head + url_bytes + 2;
}

static size_t batch_from(const task *work, size_t i)
{
    size_t left = work->keys->count - i;
    return left < PIPELINE ? left : PIPELINE;
}

static void add(const task *work)
{
    static const char command[] = "*3\r\n$4\r\nSADD\r\n$1\r\ns\r\n";
    redis *r = work->subject;
    size_t count = 0;
    for (size_t i = 0; i < work->keys->count; i += count) {
        size_t size = 0;
        count = batch_from(work, i);
        for (size_t j = i; j < i + count; j++) {
            memcpy(r->out + size, command, sizeof command - 1);
            size += sizeof command - 1;
            size += put_key(r->out + size, work->keys->url_keys[j].data,
                            work->keys->url_bytes);
        }
        send_all(r, size);
        receive(r, work->load->answers + i, count);
    }
}

static void has(const task *work)
{
    redis *r = work->subject;
    size_t count = 0;
    for (size_t i = 0; i < work->keys->count; i += count) {
        count = batch_from(work, i);
        size_t size = (size_t)sprintf(
            r->out, "*%zu\r\n$10\r\nSMISMEMBER\r\n$1\r\ns\r\n", count + 2);
        for (size_t j = i; j < i + count; j++)
            size += put_key(r->out + size, work->keys->url_keys[j].data,
                            work->keys->url_bytes);
        send_all(r, size);
        receive(r, work->load->answers + i, count);
    }
}

static void empty(const task *work)
{
    redis *r = work->subject;
    uint8_t answer = 0;
    strcpy(r->out, "*2\r\n$3\r\nDEL\r\n$1\r\ns\r\n");
    send_all(r, strlen(r->out));
    receive(r, &answer, 1);
}

void redis_run(bench *to, workload *load)
{
    static task_list list;
    list.count = 0;
    redis *r = take(1, sizeof *r);
    bool is_started = start_server(r);
    if (is_started && meet_server(r)) {
        const exact_peer peer = {"Redis", load->url_name, empty, add, has};
        exact_push(&list, &peer, r, load);
        for (size_t i = 0; i < list.count; i++)
            list.tasks[i].label.batch = PIPELINE;
        rounds_run(to, &list);
    } else {
        fputs("bench: Redis is left out: redis-server did not start\n", stderr);
    }
    if (is_started)
        stop_server(r);
    free(r);
}
