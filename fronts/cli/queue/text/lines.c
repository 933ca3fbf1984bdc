/*
 * lines.c - see lines.h.
 */
#define _GNU_SOURCE /* poll */
#include "queue/text/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/queue.h"
#include "stream/magic.h"

enum {
    READ_BYTES = 256 << 10,
    /* An item, the TAB between its parts, and one byte that is too many. */
    LONGEST_BYTES = SEENSET_QUEUE_MAX_ITEM_BYTES + 2
};

static int init(queue_lines *lines, int fd, const char *name, input_mode mode)
{
    *lines = (queue_lines){.fd = fd,
                           .name = name,
                           .block = malloc(READ_BYTES + LONGEST_BYTES + 1)};
    if (lines->block == NULL || input_init(&lines->input) != 0) {
        free(lines->block);
        return -1;
    }
    lines->input.mode = mode;
    input_start(&lines->input, fd);
    return 0;
}

int queue_lines_init(queue_lines *lines, input_mode mode)
{
    return init(lines, STDIN_FILENO, "standard input", mode);
}

int queue_lines_open(queue_lines *lines, const char *path, input_mode mode)
{
    bool is_standard = strcmp(path, "-") == 0;
    int fd = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 &&
        init(lines, fd, is_standard ? "standard input" : path, mode) == 0)
        return 0;
    complain("%s: %s", path, strerror(errno));
    if (fd > STDIN_FILENO)
        close(fd);
    return COMMAND_ERROR;
}

void queue_lines_free(queue_lines *lines)
{
    input_free(&lines->input);
    free(lines->block);
    lines->block = NULL;
}

bool queue_lines_await(const queue_lines *lines, int milliseconds)
{
    struct pollfd input = {.fd = lines->fd, .events = POLLIN};
    return lines->is_at_end || input_is_ready(&lines->input) ||
           poll(&input, 1, milliseconds) != 0;
}

/* What is left of a line that was cut goes, up to its end. */
static void skip(queue_lines *lines)
{
    const char *from = lines->block + lines->at;
    const char *end = memchr(from, '\n', lines->held - lines->at);
    if (end == NULL) {
        lines->at = lines->held = 0;
        return;
    }
    lines->at = (size_t)(end - lines->block) + 1;
    lines->is_skipping = false;
}

/* A set file is not lines. Looks at the first bytes, once there are enough. */
static int check_begin(queue_lines *lines)
{
    if (lines->is_begun || lines->held < MAGIC_BYTES)
        return 0;
    lines->is_begun = true;
    if (!magic_begins_set(lines->block, lines->held))
        return 0;
    complain("%s: %s", lines->name, MAGIC_TEXT);
    return COMMAND_ERROR;
}

/* The input's next bytes; an input that does not wait is waited for. */
static ptrdiff_t read_input(queue_lines *lines)
{
    ptrdiff_t got;
    while ((got = input_read(&lines->input, lines->block + lines->held,
                             READ_BYTES)) == -1 &&
           errno == EAGAIN)
        (void)queue_lines_await(lines, -1);
    return got;
}

static int complain_of_input(const queue_lines *lines, int error)
{
    char text[256];
    if (!input_describe(&lines->input, error, text, sizeof text))
        complain("%s: %s", lines->name, strerror(error));
    else
        complain("%s: %s", lines->name, text);
    return COMMAND_ERROR;
}

int queue_lines_read(queue_lines *lines)
{
    lines->held -= lines->at;
    memmove(lines->block, lines->block + lines->at, lines->held);
    lines->at = 0;
    ptrdiff_t got = read_input(lines);
    if (got == INPUT_AGAIN)
        return 0;
    if (got < 0)
        return complain_of_input(lines, errno);
    lines->held += (size_t)got;
    if (check_begin(lines) != 0)
        return COMMAND_ERROR;
    lines->is_at_end = got == 0;
    if (lines->is_at_end && lines->held > 0)
        lines->block[lines->held++] = '\n';
    if (lines->is_skipping)
        skip(lines);
    return 0;
}

/* The end of what is held, which is not a whole line: given out if too long. */
static bool cut(queue_lines *lines, queue_line *out)
{
    size_t length = lines->held - lines->at;
    if (length < LONGEST_BYTES)
        return false;
    *out = (queue_line){lines->block + lines->at, length, true};
    lines->at = lines->held;
    lines->is_skipping = true;
    return true;
}

bool queue_lines_next(queue_lines *lines, queue_line *out)
{
    const char *from = lines->block + lines->at;
    const char *end = memchr(from, '\n', lines->held - lines->at);
    if (end == NULL)
        return cut(lines, out);
    size_t length = (size_t)(end - from);
    lines->is_begun = true;
    *out = (queue_line){from, length, length >= LONGEST_BYTES};
    lines->at += length + 1;
    return true;
}
