/* bits.c - see bits.h */
#include "info/bits.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "report/complain.h"
#include "report/replace.h"
#include "seenset/extra/raw.h"
#include "sets/setfile.h"
#include "text/units.h"

#define MOST_BITS (UINT64_C(1) << 20)

/* Returns 0, or COMMAND_ERROR after a message that says why not. */
static int check_bits(const char *path, const seenset_stats *stats,
                      bool is_forced)
{
    if (stats->size_bits > MOST_BITS && !is_forced)
        complain("%s: has %s bits; --force prints them all the same", path,
                 units_grouped(stats->size_bits).text);
    else if (stats->table_count > 1)
        complain("%s: has %u tables; --bits is for sets of one table", path,
                 stats->table_count);
    else
        return 0;
    return COMMAND_ERROR;
}

int info_bits_print(const char *path, const seenset *set,
                    const seenset_stats *stats, bool is_forced)
{
    enum {
        GROUP = 4096
    };
    uint8_t bits[GROUP];
    if (check_bits(path, stats, is_forced) != 0)
        return COMMAND_ERROR;
    for (uint64_t done = 0; done < stats->size_bits;) {
        uint64_t left = stats->size_bits - done;
        uint64_t count = left < GROUP ? left : GROUP;
        int error = seenset_get_bits(set, 0, done, count, bits);
        if (error != 0) {
            setfile_complain(path, error);
            return COMMAND_ERROR;
        }
        for (uint64_t i = 0; i < count; i++)
            bits[i] = bits[i] != 0 ? '1' : '0';
        fwrite(bits, 1, count, stdout);
        done += count;
    }
    putchar('\n');
    return COMMAND_DONE;
}

typedef struct bytes {
    uint8_t *at;
    size_t count;
} bytes;

/* Returns 0 or an error. */
static int take_bytes(const seenset *set, bytes *out)
{
    int error = seenset_to_bits(set, NULL, &out->count);
    if (error != SEENSET_ESPACE)
        return error;
    out->at = malloc(out->count);
    if (out->at == NULL)
        return SEENSET_ENOMEM;
    return seenset_to_bits(set, out->at, &out->count);
}

static bool write_bytes(void *context, FILE *file)
{
    const bytes *from = context;
    return fwrite(from->at, 1, from->count, file) == from->count;
}

int info_bits_write(const char *path, const seenset *set, const char *bits_path)
{
    bytes taken = {0};
    int status = COMMAND_ERROR;
    int error = take_bytes(set, &taken);
    if (error == 0)
        status = replace_file(bits_path, "--bits", "file of bits", write_bytes,
                              &taken);
    else if (error == SEENSET_EUNSUPPORTED)
        complain("%s: --bits=%s is for sets of one table of bits or counters, "
                 "not for a sealed set or one that grew",
                 path, bits_path);
    else
        setfile_complain(path, error);
    free(taken.at);
    return status;
}
