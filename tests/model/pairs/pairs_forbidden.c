/* pairs_forbidden.c - a pair that may not run, in a process of its own */
#define _GNU_SOURCE /* environ */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pairs.h"

int pair_status_of_forbidden(char *program)
{
    char argument[] = "forbidden";
    char *const arguments[] = {program, argument, NULL};
    posix_spawn_file_actions_t quiet; /* of what the sanitizer reports */
    pid_t pid;
    int status = 0;
    assert_int_equal(posix_spawn_file_actions_init(&quiet), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO,
                                                      "/dev/null", O_WRONLY, 0),
                     0);
    assert_int_equal(
        posix_spawn(&pid, program, &quiet, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&quiet);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
