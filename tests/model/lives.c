/*
 * lives.c - lives of set files: what people and the command do with sets, their
 * journals, secrets and locks, at random, one file at a time.
 *
 * People move, copy and remove files as they like, and so may lose what they
 * remove. The command must not: after each of its runs, killed ones too, some
 * file has every key that some file had before. And what a set answers is what
 * the files beside each other say, or an error that names what to do.
 *
 *     test_lives [STORIES]      500 by default
 *
 * What is in the files is read by lives_files.c. Each short order of such acts
 * is a row of file_orders.c.
 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lives.h"

enum {
    STORIES = 500,
    PLANTED = 40,
    STEPS = 14,
    NAMES = 3,
    PARTS = 4,
    NAME_BYTES = 64
};

static const char *const names[NAMES] = {"a", "b", "old"};
static const char *const parts[PARTS] = {"", ".log", ".secret", ".lock"};

typedef struct life {
    life_folder in;
    test_random random;
    bool is_planted;
    uint64_t held;                      /* keys that some file has */
    char story[STEPS * 2 * NAME_BYTES]; /* what was done */
    char message[LIFE_TEXT_BYTES];      /* of the last command */
    const char *fault;
} life;

static void check_sets(life *of)
{
    for (int i = 0; of->fault == NULL && i < NAMES; i++)
        of->fault = life_check_set(&of->in, names[i]);
}

/* ---- people ---- */

/* A journal that was set aside gets the name of a set's again. */
static void bring_back(life *of, const char *name)
{
    static char paths[LIFE_FILES][TEST_PATH_BYTES];
    char to[TEST_PATH_BYTES];
    int count = life_list(&of->in, paths);
    for (int i = 0; i < count; i++)
        if (strstr(paths[i], ".log.of-") != NULL) {
            (void)rename(paths[i], life_path(&of->in, to, name, ".log"));
            return;
        }
}

static void move_part(life *of, const char *from, const char *to, int part,
                      bool is_copy)
{
    char source[TEST_PATH_BYTES], target[TEST_PATH_BYTES];
    life_path(&of->in, source, from, parts[part]);
    life_path(&of->in, target, to, parts[part]);
    if (strcmp(from, to) == 0)
        return;
    if (is_copy)
        (void)life_copy(source, target);
    else
        (void)rename(source, target);
}

static void tell(life *of, const char *what, const char *from, const char *to,
                 const char *part)
{
    size_t length = strlen(of->story);
    (void)snprintf(of->story + length, sizeof of->story - length,
                   "%s %s%s %s; ", what, from, part, to);
}

static void act_as_people(life *of)
{
    const char *from = names[test_random_below(&of->random, NAMES)];
    const char *to = names[test_random_below(&of->random, NAMES)];
    int part = (int)test_random_below(&of->random, PARTS);
    bool is_copy = test_random_below(&of->random, 2) == 0;
    char path[TEST_PATH_BYTES];
    switch (test_random_below(&of->random, 6)) {
    case 0: /* all that belongs together */
        tell(of, is_copy ? "cp all" : "mv all", from, to, "");
        for (int i = 0; i < PARTS; i++)
            move_part(of, from, to, i, is_copy);
        return;
    case 1:
        tell(of, "rm", from, "", parts[part]);
        (void)unlink(life_path(&of->in, path, from, parts[part]));
        return;
    case 2:
        tell(of, "bring back", from, "", ".log");
        bring_back(of, from);
        return;
    default: /* one file, most often the set */
        if (test_random_below(&of->random, 2) == 0)
            part = 0;
        tell(of, is_copy ? "cp" : "mv", from, to, parts[part]);
        move_part(of, from, to, part, is_copy);
    }
}

/* ---- the command ---- */

/* Planted: the journal that was set aside is removed, as it once was. */
static void plant(const life *of)
{
    static char paths[LIFE_FILES][TEST_PATH_BYTES];
    int count = life_list(&of->in, paths);
    for (int i = 0; i < count; i++)
        if (strstr(paths[i], ".log.of-") != NULL)
            (void)unlink(paths[i]);
}

static void judge(life *of, int status, bool is_killed, const char *path,
                  int key)
{
    if (of->is_planted)
        plant(of);
    uint64_t held = life_look(&of->in);
    if ((of->held & ~held) != 0)
        of->fault = "a command lost a key";
    else if (!is_killed && status == 2 && !life_is_advice(of->message))
        of->fault = "a message does not say what to do";
    else if (!is_killed && (status < 0 || status > 2))
        of->fault = "a command ended in no way that it documents";
    else if (key >= 0 && status == 0 &&
             (life_answers(&of->in, path) >> key & 1) == 0)
        of->fault = "a key that was added is not there";
    of->held = held;
}

/* When a command is killed, in microseconds. */
static int some_time(life *of)
{
    return (int)test_random_below(&of->random, 8000);
}

static void act_as_command(life *of)
{
    static const char command[] = SEENSET_COMMAND_PATH;
    static const struct {
        const char *words[7]; /* S and T: names of sets; K: a key */
        bool is_line;         /* the key is a line of standard input */
    } runs[] = {{{"new", "-n", "2900000", "S"}, false},
                {{"new", "-n", "2900000", "--keyed", "S"}, false},
                {{"add", "S", "K"}, false},
                {{"add", "S", "K"}, false},
                {{"add", "--without-journal", "S", "K"}, false},
                {{"dedup", "-n", "2900000", "--set", "S"}, true},
                {{"dedup", "-n", "2900000", "--set", "S"}, true},
                {{"merge", "S", "S", "T"}, false},
                {{"merge", "S", "T"}, false},
                {{"compact", "S"}, false},
                {{"rename", "S", "T"}, false},
                {{"verify", "S"}, false}};
    char s[TEST_PATH_BYTES], t[TEST_PATH_BYTES], key[LIFE_KEY_BYTES],
        line[32] = "";
    char *words[9] = {(char *)(uintptr_t)command};
    size_t which = test_random_below(&of->random, TEST_COUNT(runs));
    const char *name = names[test_random_below(&of->random, NAMES)];
    const char *other = names[test_random_below(&of->random, NAMES)];
    bool is_killed = test_random_below(&of->random, 8) == 0, adds = false;
    life_path(&of->in, s, name, "");
    life_path(&of->in, t, other, "");
    life_key(key, of->in.key_count);
    for (int i = 0; runs[which].words[i] != NULL; i++) {
        char *word = (char *)(uintptr_t)runs[which].words[i];
        adds = adds || strcmp(word, "K") == 0;
        words[i + 1] = strcmp(word, "S") == 0   ? s
                       : strcmp(word, "T") == 0 ? t
                       : strcmp(word, "K") == 0 ? key
                                                : word;
    }
    if (runs[which].is_line)
        (void)snprintf(line, sizeof line, "%s\n", key);
    adds = adds || runs[which].is_line;
    tell(of, words[1], name, other, is_killed ? " (killed)" : "");
    of->in.key_count += adds;
    int status =
        life_run(&of->in, words, line,
                 is_killed ? some_time(of) : LIFE_NOT_KILLED, of->message);
    judge(of, status, is_killed, s,
          adds && !is_killed ? of->in.key_count - 1 : -1);
}

/* While somebody has the lock, nothing is written. */
static void act_with_lock(life *of)
{
    char path[TEST_PATH_BYTES], lock[TEST_PATH_BYTES];
    const char *name = names[test_random_below(&of->random, NAMES)];
    char *words[] = {
        (char *)(uintptr_t)SEENSET_COMMAND_PATH, (char *)(uintptr_t) "add",
        life_path(&of->in, path, name, ""), (char *)(uintptr_t) "locked", NULL};
    int fd = open(life_path(&of->in, lock, name, ".lock"),
                  O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    tell(of, "locked", name, "", "");
    int status = life_run(&of->in, words, "", LIFE_NOT_KILLED, of->message);
    if (status != 2 || strstr(of->message, "--wait") == NULL)
        of->fault = "a set was written that was locked";
    close(fd);
    judge(of, status, false, path, -1);
}

/* ---- lives ---- */

static const char *live(life *of, uint64_t seed)
{
    *of = (life){.random = {seed}, .is_planted = of->is_planted};
    test_folder_make(&of->in.folder);
    for (int i = 0; of->fault == NULL && i < STEPS; i++) {
        uint64_t who = test_random_below(&of->random, 20);
        if (i < 2 || who >= 8)
            act_as_command(of);
        else if (who == 0)
            act_with_lock(of);
        else
            act_as_people(of);
        of->held = life_look(&of->in);
        if (of->fault == NULL)
            check_sets(of);
    }
    test_folder_remove(&of->in.folder);
    return of->fault;
}

static void lives_lose_no_key(void **state)
{
    static life one;
    const int *stories = *state;
    for (uint64_t seed = 1; seed <= (uint64_t)*stories; seed++)
        if (live(&one, seed * 1000003) != NULL)
            fail_msg("life %llu: %s\n%s\n%s", (unsigned long long)seed,
                     one.fault, one.story, one.message);
}

/* Planted: journals that are set aside are removed. */
static void a_life_that_loses_a_key_is_caught(void **state)
{
    static life one;
    int caught = 0;
    (void)state;
    one.is_planted = true;
    for (uint64_t seed = 1; caught == 0 && seed <= PLANTED; seed++) {
        const char *fault = live(&one, seed * 1000003);
        caught += fault != NULL && strcmp(fault, "a command lost a key") == 0;
    }
    assert_true(caught > 0);
}

int main(int argc, char **argv)
{
    int stories = argc > 1 ? atoi(argv[1]) : STORIES;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(lives_lose_no_key, &stories),
        cmocka_unit_test(a_life_that_loses_a_key_is_caught),
    };
    if (access("/dev/shm", W_OK) == 0)
        (void)setenv("TMPDIR", "/dev/shm", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
