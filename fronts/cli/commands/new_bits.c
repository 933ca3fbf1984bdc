/* new_bits.c - see new_bits.h */
#include "commands/new_bits.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "sets/setfile.h"

typedef struct bytes {
    uint8_t *at;
    size_t count, room;
} bytes;

/* To the end, whatever kind of file it is. False: errno has the reason. */
static bool read_all(FILE *file, bytes *into)
{
    while (!feof(file) && !ferror(file)) {
        if (into->count == into->room) {
            size_t room = into->room == 0 ? 1 << 16 : 2 * into->room;
            uint8_t *moved = realloc(into->at, room);
            if (moved == NULL)
                return false;
            into->at = moved;
            into->room = room;
        }
        into->count +=
            fread(into->at + into->count, 1, into->room - into->count, file);
    }
    return !ferror(file);
}

static int read_file(const char *path, bytes *into)
{
    FILE *file = fopen(path, "rb");
    bool is_read = file != NULL && read_all(file, into);
    if (!is_read)
        complain("%s: %s", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    return is_read ? 0 : COMMAND_ERROR;
}

int new_bits_read(seenset **out, const seenset_options *options,
                  const char *bits_path, const char *name)
{
    bytes bits = {0};
    int status = read_file(bits_path, &bits);
    if (status != 0) {
        free(bits.at);
        return status;
    }
    int error = seenset_from_bits(out, options, bits.at, bits.count);
    free(bits.at);
    if (error == SEENSET_EINVAL)
        complain("%s: its %llu bytes are not the bits of such a table; give -m "
                 "in bits, as 9585058b, if the last byte is not full",
                 bits_path, (unsigned long long)bits.count);
    else if (error != 0)
        setfile_complain(name, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}
