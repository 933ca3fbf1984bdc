/*
 * replay.c - a fuzzer without a fuzzer: each file of the folders named goes
 * through LLVMFuzzerTestOneInput once, in memory of exactly its size.
 *
 *     replay FOLDER...
 *     replay --must-break FOLDER...
 *
 * A run without files fails. With --must-break, for a build with a fault
 * planted, some file must make the fuzzer abort.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "replay: %s: %s\n", path, what);
    exit(1);
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fail("cannot be opened", path);
    size_t size_bytes = (size_t)status.st_size;
    uint8_t *bytes = malloc(size_bytes + (size_bytes == 0));
    if (bytes == NULL || fread(bytes, 1, size_bytes, file) != size_bytes)
        fail("cannot be read", path);
    fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, size_bytes);
    free(bytes);
}

static long replay_folder(const char *folder)
{
    char path[4096];
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    long replayed = 0;
    if (count < 0)
        fail("cannot be listed", folder);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        free(names[i]);
        if (!is_file(path))
            continue;
        replay_file(path);
        replayed++;
    }
    free(names);
    if (replayed == 0)
        fail("there is nothing to replay", folder);
    return replayed;
}

static int replay_all(char *const *folders)
{
    long replayed = 0;
    for (; *folders != NULL; folders++)
        replayed += replay_folder(*folders);
    printf("%ld inputs\n", replayed);
    return 0;
}

/* In another process, which has to abort. */
static int replay_broken(char *const *folders)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        exit(replay_all(folders));
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail("cannot be run", "a process of its own");
    bool is_broken = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    puts(is_broken ? "the planted fault was found" : "nothing was found");
    return is_broken ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--must-break") == 0)
        return replay_broken(argv + 2);
    if (argc < 2)
        fail("which folder?", "usage");
    return replay_all(argv + 1);
}
