/* write.c - the file of a set, to the host */
#include "wasm/web.h"

/* Takes bytes of a set that is written; 0, or another number to end that. */
WEB_HOST(take_piece)
extern int32_t web_host_take_piece(const void *bytes, uint32_t size_bytes);

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
