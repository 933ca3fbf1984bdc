/*
 * peak.c - runs a command and writes its peak memory, in KiB, to a file.
 *
 *     peak FILE COMMAND [ARGUMENT...]
 *
 * What the kernel counted for the child when it ended (getrusage), so that
 * even a command of a few milliseconds is measured. Exits as the command did.
 */
#define _GNU_SOURCE

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_number(const char *path, long number)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    int is_bad = fprintf(file, "%ld\n", number) < 0;
    return fclose(file) != 0 || is_bad ? -1 : 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: peak FILE COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) < 0 ||
        write_number(argv[1], used.ru_maxrss) != 0) {
        perror("peak");
        return 2;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
