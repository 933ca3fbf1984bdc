/*
 * funnel.h - how the keys of a filter of Guava or Bitcoin became bytes, which
 * its file does not say. The names are those of --funnel.
 *
 *     utf8    Funnels.stringFunnel(UTF_8); the key is the bytes of the text
 *     bytes   Funnels.byteArrayFunnel(): the same
 *     utf16   Funnels.unencodedCharsFunnel(): two bytes for each UTF-16 unit,
 *             the low one first
 *     int     Funnels.integerFunnel(): a decimal number of 32 bits
 *     long    Funnels.longFunnel(): of 64 bits
 *     hex     Bitcoin: two hexadecimal digits a byte, in the order of the
 *             bytes; the scripts of a block's filter are keys of this kind
 *     txid    Bitcoin: a transaction's id of 64 digits, as it is shown, which
 *             is the last byte first; after it :N for an output of it
 */
#ifndef FUNNEL_H
#define FUNNEL_H

#include "foreign/value.h"

typedef enum funnel {
    FUNNEL_NONE, /* none was named */
    FUNNEL_UTF8,
    FUNNEL_BYTES,
    FUNNEL_UTF16,
    FUNNEL_INT,
    FUNNEL_LONG,
    FUNNEL_HEX,
    FUNNEL_TXID
} funnel;

/* FUNNEL_NONE: there is none of that name. */
funnel funnel_find(const char *name);

/* NULL: there is no funnel of that number. */
const char *funnel_name(funnel of);

/* That of the files of a format where none is named, or FUNNEL_NONE. */
funnel funnel_usual(seenset_format format);

/* Are there keys in files of the format that became bytes so? */
bool funnel_is_of(funnel of, seenset_format format);

/* Does it leave the bytes of a key as they are? */
bool funnel_keeps(funnel of);

/* What a key must be: "text in UTF-8". */
const char *funnel_words(funnel of);

/* Memory for the longest key so far; all 0 at first, and to be freed. */
typedef struct funnel_room {
    uint8_t *bytes;
    size_t count;
} funnel_room;

/*
 * The bytes of a key; out->data may be in the room, until the next call.
 * Returns 1; 0: the text is not a value of that kind; or SEENSET_ENOMEM.
 */
int funnel_read(value *out, funnel of, funnel_room *room, const char *text,
                size_t len);

#endif
