/*
 * file.c - sets from the file that the host shows.
 *
 * Opening and verifying read the host's file through the core's own calls for
 * paths (src/base/wasi/io.c), so each refusal is the one that any program gets.
 */
#include "wasm/web.h"

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
