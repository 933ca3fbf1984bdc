/*
 * file.c - sets from the file that the host shows, and to the host.
 *
 * Opening and verifying read the host's file through the core's own calls for
 * paths (src/base/wasi/io.c), so each refusal is the one that any program gets.
 */
#include "wasm/web.h"

/* Takes bytes of a set that is written; 0, or another number to end that. */
WEB_HOST(take_piece)
extern int32_t web_host_take_piece(const void *bytes, uint32_t size_bytes);

static const char the_file[] = "the file";
static seenset_file_report report;

/* The reason of the last refusal. */
const char *WEB_CALL(web_report_reason)(void)
{
    return report.reason;
}

static int reported(int error)
{
    web_numbers[0] = (double)report.file_bytes;
    web_numbers[1] = (double)report.offset;
    return error;
}

/* secret: SEENSET_SECRET_BYTES, or NULL. is_without: a set whose journal is
 * elsewhere is opened all the same. *out is the set. */
int WEB_CALL(web_open)(seenset **out, const uint8_t *secret, int is_without)
{
    unsigned without = is_without ? SEENSET_OPEN_WITHOUT_JOURNAL : 0;
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY | without,
                                    .secret = secret,
                                    .report = &report};
    return reported(seenset_open(out, the_file, &options));
}

int WEB_CALL(web_verify)(void)
{
    return reported(seenset_verify(the_file, &report));
}

/* Stores how many bytes the set's file has. */
int WEB_CALL(web_file_bytes)(const seenset *set)
{
    size_t size_bytes = 0;
    int error = seenset_write_bytes(set, NULL, &size_bytes);
    web_numbers[0] = (double)size_bytes;
    return error == SEENSET_ESPACE ? SEENSET_OK : error;
}

static int hand_over(void *context, const void *bytes, size_t size_bytes)
{
    (void)context;
    return (int)web_host_take_piece(bytes, size_bytes);
}

int WEB_CALL(web_write)(const seenset *set)
{
    return seenset_write(set, hand_over, NULL);
}
