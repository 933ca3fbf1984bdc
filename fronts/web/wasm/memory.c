/* memory.c - memory of the module, for keys and answers on their way */
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
