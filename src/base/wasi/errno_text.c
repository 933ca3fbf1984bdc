/* errno_text.c - the one thing that can go wrong with the host's file */
#include "base/errno_text.h"

#include <string.h>

void ss_errno_text(char *text, size_t room)
{
    static const char words[] = "the file cannot be read";
    size_t length = sizeof words <= room ? sizeof words : room;
    memcpy(text, words, length);
    text[length - 1] = '\0';
}
