/* memory.c - memory of the module: of keys and answers on their way, of sets */
#include <stdlib.h>

#include "wasm/web.h"

void *WEB_CALL(web_take)(uint32_t size_bytes)
{
    return malloc(size_bytes);
}

void WEB_CALL(web_give)(void *block)
{
    free(block);
}

void WEB_CALL(web_free)(seenset *set)
{
    seenset_free(set);
}
