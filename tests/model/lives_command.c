/* lives_command.c - how lives.c and file_orders.c run the command and copy
 * files; see lives.h */
#define _GNU_SOURCE /* posix_spawn, O_CLOEXEC */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lives.h"

enum {
    COPY_BYTES = 1 << 14
};

extern char **environ;

static bool is_zero(const char *bytes, size_t count)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* A set of few keys is nearly all zeros, and these take no memory. */
static bool copy_bytes(int from, int to)
{
    char piece[COPY_BYTES];
    off_t size = 0;
    ssize_t got;
    while ((got = read(from, piece, sizeof piece)) > 0) {
        size += got;
        if (is_zero(piece, (size_t)got) ? lseek(to, got, SEEK_CUR) < 0
                                        : write(to, piece, (size_t)got) != got)
            return false;
    }
    return got == 0 && ftruncate(to, size) == 0;
}

bool life_copy(const char *from, const char *to)
{
    struct stat status;
    int in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
    if (in >= 0 && fstat(in, &status) == 0) {
        (void)unlink(to);
        out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                   status.st_mode & 0777);
    }
    bool is_done = out >= 0 && copy_bytes(in, out);
    if (out >= 0)
        close(out);
    if (in >= 0)
        close(in);
    return is_done;
}

static void read_message(const char *path, char out[LIFE_TEXT_BYTES])
{
    life_bytes text = life_map(path);
    size_t length =
        text.count < LIFE_TEXT_BYTES - 1 ? text.count : LIFE_TEXT_BYTES - 1;
    memcpy(out, text.at != NULL ? (const char *)text.at : "", length);
    out[length] = '\0';
    life_unmap(text);
}

int life_run(const life_folder *of, char *const *words, const char *input,
             int killed_after_us, char message[LIFE_TEXT_BYTES])
{
    char in_path[TEST_PATH_BYTES], err_path[TEST_PATH_BYTES];
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    test_path(in_path, &of->folder, ".in");
    test_path(err_path, &of->folder, ".err");
    test_write_file(in_path, input, strlen(input));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in_path, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, err_path,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(
        posix_spawn(&child, words[0], &actions, NULL, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    if (killed_after_us >= 0) {
        usleep((useconds_t)killed_after_us);
        kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    read_message(err_path, message);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool life_is_advice(const char *message)
{
    static const char *const ways[] = {"bring ",        "--without-journal",
                                       "--secret-file", "--force",
                                       "seenset new",   "restore",
                                       "remove ",       "another",
                                       "make both",     "leave out",
                                       "again",         "rename it",
                                       "make them",     "give ",
                                       "right name",    "No such file",
                                       "the same file"};
    for (size_t i = 0; i < TEST_COUNT(ways); i++)
        if (strstr(message, ways[i]) != NULL)
            return true;
    return false;
}
