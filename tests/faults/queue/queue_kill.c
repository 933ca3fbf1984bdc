/*
 * queue_kill.c - SIGKILL at any moment.
 *
 * A child crawls at random in a real folder and says after each call what it
 * was answered; its parent kills it in the middle, opens the folder and holds
 * the queue to those answers. The folder then lives on: the next child goes on
 * where this one was killed. Each folder has a queue of the next kind, whatever
 * its set remembers URLs in.
 *
 * Under durability `interval` an answer is no promise yet. There the child
 * also says when the log is written and when it was synced: what was answered
 * before a write that was then synced must survive.
 *
 *     test_queue_kill [kills [kinds]]      500 by default, of all kinds of
 *                                          queues; or of those whose names
 *                                          begin with `kinds`
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "queue_model.h"
#include "queue_records.h"

enum {
    KILLS_A_FOLDER = 10,
    LONGEST_MS = 30,
    SCATTERED = 160 /* items, of which a few are left */
};

/* What the child tells, as one write that is atomic on a pipe. */
typedef struct told {
    uint16_t kind;
    uint16_t url;
} told;

enum {
    PUSH_TRIED,
    PUSHED,
    FORGOTTEN,
    ACK_TRIED,
    ACKED,
    WRITING, /* what was answered until now goes to the log */
    SYNCED   /* and is there */
};

typedef struct teller {
    int fd;
    const model *of;
    bool loses_records; /* the planted fault */
    long log_writes;
} teller;

static void tell(const teller *to, int kind, int url)
{
    told said = {(uint16_t)kind, (uint16_t)url};
    if (write(to->fd, &said, sizeof said) != sizeof said)
        _exit(1);
}

/* ---- the child ---- */

static void child_push(teller *to, seenset_queue *queue, test_random *random)
{
    char url[32], data[100] = "";
    int number = (int)test_random_below(random, (uint64_t)to->of->url_count);
    model_url(number, url);
    tell(to, PUSH_TRIED, number);
    const seenset_queue_entry entry = {.url = url,
                                       .url_len = strlen(url),
                                       .data = data,
                                       .data_len = sizeof data};
    int answer = model_push_entry(to->of, queue, &entry, number, false);
    if (answer < 0)
        _exit(2);
    tell(to, PUSHED, number);
}

/* A URL is pushed again, or forgotten and then pushed, or not. */
static void child_visit_again(teller *to, seenset_queue *queue,
                              test_random *random)
{
    char url[32];
    int way = (int)test_random_below(random, 3);
    int number =
        to->of->url_count + (int)test_random_below(random, MODEL_AGAIN);
    model_url(number, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    int answer = way == 0 ? 0 : seenset_queue_forget(queue, url, strlen(url));
    if (answer < 0)
        _exit(7);
    if (answer == 1)
        tell(to, FORGOTTEN, number);
    if (way == 2)
        return;
    tell(to, PUSH_TRIED, number);
    answer = model_push_entry(to->of, queue, &entry, number, way == 0);
    if (answer < 0)
        _exit(8);
    if (answer == 1)
        tell(to, PUSHED, number);
}

static void child_pop(teller *to, seenset_queue *queue, test_random *random)
{
    seenset_queue_item item = {0};
    int result = seenset_queue_pop(queue, &item);
    if (result < 0)
        _exit(3);
    if (result == 1 && test_random_below(random, 4) > 0) {
        int number = model_number(item.url, item.url_len);
        tell(to, ACK_TRIED, number);
        if (seenset_queue_ack(queue, item.lease) != 0)
            _exit(4);
        tell(to, ACKED, number);
    }
    seenset_queue_item_free(&item);
}

/*
 * The planted fault: every third write to a log says that it was done and is
 * not, as if answers were given while the records are still in memory.
 */
static ssize_t forgetful_pwrite(void *context, int fd, const void *bytes,
                                size_t size, uint64_t offset)
{
    teller *to = context;
    tell(to, WRITING, 0);
    if (to->loses_records && ++to->log_writes % 3 == 0)
        return (ssize_t)size;
    return ss_io_system.pwrite(NULL, fd, bytes, size, offset);
}

static int telling_datasync(void *context, int fd)
{
    int result = ss_io_system.datasync(NULL, fd);
    if (result == 0)
        tell(context, SYNCED, 0);
    return result;
}

static void child(teller to, const seenset_queue_options *options,
                  const char *folder, uint64_t seed)
{
    seenset_queue *queue;
    test_random random = {seed};
    ss_io io = ss_io_system;
    io.pwrite = forgetful_pwrite;
    io.datasync = telling_datasync;
    io.context = &to;
    if (ss_queue_open(&io, &queue, folder, options) != 0)
        _exit(5);
    for (;;) {
        uint64_t chance = test_random_below(&random, 100);
        if (chance < 10 && to.of->has_lanes)
            child_visit_again(&to, queue, &random);
        else if (chance < 50)
            child_push(&to, queue, &random);
        else if (chance < 96)
            child_pop(&to, queue, &random);
        else if (chance < 99)
            (void)seenset_queue_checkpoint(queue);
        else if (seenset_queue_close(queue) != 0 ||
                 ss_queue_open(&io, &queue, folder, options) != 0)
            _exit(6);
    }
}

/* ---- the parent ---- */

/* What was answered, and what of it a write has taken along. */
typedef struct log_news {
    bool is_pushed[MODEL_URLS], is_acked[MODEL_URLS];
    int again[MODEL_AGAIN], done[MODEL_AGAIN]; /* with all that came before */
    bool is_forgotten[MODEL_AGAIN];
} log_news;

static void promise(model *of, const log_news *news)
{
    for (int i = 0; i < MODEL_URLS; i++) {
        of->is_push_safe[i] |= news->is_pushed[i];
        of->is_ack_safe[i] |= news->is_acked[i];
    }
    memcpy(of->again_safe, news->again, sizeof news->again);
    memcpy(of->done_safe, news->done, sizeof news->done);
    memcpy(of->is_forgotten_safe, news->is_forgotten,
           sizeof news->is_forgotten);
}

/* Of a URL that is visited again. */
static void learn_again(model *of, log_news *answered, log_news *written,
                        int kind, int i)
{
    of->again_tried[i] += kind == PUSH_TRIED;
    of->done_tried[i] += kind == ACK_TRIED;
    answered->again[i] += kind == PUSHED;
    answered->done[i] += kind == ACKED;
    answered->is_forgotten[i] |= kind == FORGOTTEN;
    if (kind == PUSH_TRIED)
        answered->is_forgotten[i] = written->is_forgotten[i] =
            of->is_forgotten_safe[i] = false;
}

static void learn(model *of, log_news *answered, log_news *written, told said)
{
    bool is_of_a_url = said.kind != WRITING && said.kind != SYNCED;
    if (is_of_a_url && said.url >= of->url_count)
        learn_again(of, answered, written, said.kind, said.url - of->url_count);
    switch (said.kind) {
    case PUSHED:
        answered->is_pushed[said.url] = true;
        break;
    case ACK_TRIED:
        of->is_ack_tried[said.url] = true;
        break;
    case ACKED:
        answered->is_acked[said.url] = true;
        break;
    case WRITING:
        *written = *answered;
        break;
    case SYNCED:
        promise(of, written);
        break;
    default:
        break;
    }
    if (of->is_each)
        promise(of, answered);
}

/* All that the child says until it is dead. */
static void listen_to(model *of, int fd)
{
    log_news answered = {.is_pushed = {false}};
    memcpy(answered.again, of->again_safe, sizeof answered.again);
    memcpy(answered.done, of->done_safe, sizeof answered.done);
    memcpy(answered.is_forgotten, of->is_forgotten_safe,
           sizeof answered.is_forgotten);
    log_news written = answered;
    told said;
    while (read(fd, &said, sizeof said) == sizeof said)
        learn(of, &answered, &written, said);
}

static void sleep_some(test_random *random)
{
    long ns = (long)test_random_below(random, LONGEST_MS * 1000000);
    struct timespec time = {0, ns};
    (void)nanosleep(&time, NULL);
}

/* Until the child has said something: on a busy machine that is long after it
 * was started, and kills would meet children that have done nothing. */
static void wait_for_news(int fd)
{
    struct pollfd news = {.fd = fd, .events = POLLIN};
    (void)poll(&news, 1, -1);
}

/* One child's life; false if it ended by itself. Some are killed while they
 * open the queue, and some while they work. */
static bool run_and_kill(model *of, const char *folder, test_random *random,
                         bool loses_records)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    uint64_t seed = test_random_next(random);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        child((teller){.fd = ends[1], .of = of, .loses_records = loses_records},
              &of->options, folder, seed);
    }
    close(ends[1]);
    if (test_random_below(random, 3) != 0)
        wait_for_news(ends[0]);
    sleep_some(random);
    assert_int_equal(kill(pid, SIGKILL), 0);
    listen_to(of, ends[0]);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSIGNALED(status))
        printf("the child ended with status %d\n", WEXITSTATUS(status));
    return WIFSIGNALED(status);
}

/* In memory if there is such a folder: the copy's syncs prove nothing. */
static void name_copy(char copy[100], const char *folder)
{
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(copy, 100, "%s%s.copy", place, strrchr(folder, '/'));
}

/*
 * Holds a copy of the folder to what was told, so that the check, which uses
 * a queue up, does not disturb it.
 */
static const char *check_copy(const model *of, const char *folder)
{
    char command[300], copy[100];
    name_copy(copy, folder);
    snprintf(command, sizeof command, "rm -rf %s && cp -r %s %s", copy, folder,
             copy);
    assert_int_equal(system(command), 0);
    return model_check(of, &ss_io_system, copy);
}

static void remove_both(const char *folder)
{
    char command[300], copy[100];
    name_copy(copy, folder);
    snprintf(command, sizeof command, "rm -rf %s %s", folder, copy);
    assert_int_equal(system(command), 0);
}

/* Folders in whose logs items were moved. */
static int folders_with_moves;

static bool has_moved(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    bool is_so = false;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[400];
        size_t size_bytes;
        if (strncmp(entry->d_name, SS_FOLDER_LOG, strlen(SS_FOLDER_LOG)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        uint8_t *log = test_read_file(path, &size_bytes);
        is_so |= records_have_moved(log, size_bytes);
        free(log);
    }
    closedir(dir);
    return is_so;
}

/* A polite queue begins with a log of few items, which have to be moved. */
static void scatter(model *of, const char *folder)
{
    seenset_queue *queue = NULL;
    assert_int_equal(ss_queue_open(&ss_io_system, &queue, folder, &of->options),
                     0);
    model_scatter(of, queue, SCATTERED);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_false(has_moved(folder));
}

/* A folder's life of several kills; NULL, or what was broken. */
static const char *kill_often(test_random *random, const model_kind *kind,
                              seenset_queue_durability durability,
                              bool loses_records)
{
    char on_disk[] = "/tmp/seenset-kill-XXXXXX";
    char in_memory[] = "/dev/shm/seenset-kill-XXXXXX";
    bool is_on_disk =
        test_random_below(random, 2) == 0 || access("/dev/shm", W_OK) != 0;
    char *folder = is_on_disk ? on_disk : in_memory; /* slow and fast syncs */
    const char *wrong = NULL;
    model of;
    model_init(&of, 0, durability);
    model_set_kind(&of, kind);
    of.options.interval_seconds = 0.001;
    of.url_count = MODEL_URLS - MODEL_AGAIN;
    of.has_lanes = test_random_below(random, 2) == 0;
    assert_non_null(mkdtemp(folder));
    if (kind->politeness != NULL)
        scatter(&of, folder);
    for (int i = 0; i < KILLS_A_FOLDER && wrong == NULL; i++) {
        if (!run_and_kill(&of, folder, random, loses_records))
            wrong = "the child could not go on";
        else
            wrong = check_copy(&of, folder);
    }
    folders_with_moves += kind->politeness != NULL && has_moved(folder);
    remove_both(folder);
    return wrong;
}

/* Of the folder of this number. */
static const model_kind *kind_of(int folder)
{
    return &model_kinds[(size_t)folder % model_kind_count];
}

typedef struct goal {
    int kills;
    const char *kinds; /* how their names begin */
} goal;

static void survive(const goal *to, int kills,
                    seenset_queue_durability durability)
{
    test_random random = {11};
    int folder = 0;
    for (int i = 0; i < kills; i += KILLS_A_FOLDER) {
        const model_kind *kind = model_kind_after(&folder, to->kinds);
        const char *wrong = kill_often(&random, kind, durability, false);
        if (wrong != NULL)
            fail_msg("after about %d kills, %s: %s", i, kind->name, wrong);
    }
    printf("%d kills, items were moved in %d folders\n", kills,
           folders_with_moves);
}

static void queue_survives_being_killed(void **state)
{
    const goal *to = *state;
    survive(to, to->kills, SEENSET_QUEUE_DURABILITY_EACH);
}

static void queue_keeps_what_an_interval_synced(void **state)
{
    const goal *to = *state;
    survive(to, to->kills / 5, SEENSET_QUEUE_DURABILITY_INTERVAL);
}

/* Where a kill falls is up to the machine: sooner or later it is caught. */
static void check_is_caught(seenset_queue_durability durability)
{
    test_random random = {12};
    int caught = 0;
    for (int i = 0; i < 2000 && caught == 0; i++)
        caught += kill_often(&random, kind_of(i), durability, true) != NULL;
    assert_int_equal(caught, 1);
}

static void answers_before_the_write_are_caught(void **state)
{
    (void)state;
    check_is_caught(SEENSET_QUEUE_DURABILITY_EACH);
}

static void syncs_before_the_write_are_caught(void **state)
{
    (void)state;
    check_is_caught(SEENSET_QUEUE_DURABILITY_INTERVAL);
}

int main(int argc, char **argv)
{
    goal to = {argc > 1 ? atoi(argv[1]) : 500, argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(queue_survives_being_killed, &to),
        cmocka_unit_test_prestate(queue_keeps_what_an_interval_synced, &to),
        cmocka_unit_test(answers_before_the_write_are_caught),
        cmocka_unit_test(syncs_before_the_write_are_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
