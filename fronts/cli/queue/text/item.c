/*
 * item.c - see text/item.h.
 */
#include "queue/text/item.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/text/json.h"

/* ---- memory ---- */

static bool make_room(item_text *text, size_t more)
{
    size_t room = text->room == 0 ? 4096 : text->room;
    if (text->room - text->size >= more)
        return true;
    while (room - text->size < more) {
        if (room > SIZE_MAX / 2)
            return false;
        room *= 2;
    }
    char *moved = realloc(text->bytes, room);
    if (moved == NULL)
        return false;
    text->bytes = moved;
    text->room = room;
    return true;
}

/* The caller has made room. */
static void put(item_text *text, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_text(item_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text->bytes + text->size, text->room - text->size,
                         format, arguments);
    va_end(arguments);
    text->size += (size_t)size;
}

/* ---- a line ---- */

item_facts item_facts_of(const seenset_queue_item *item)
{
    return (item_facts){.number = item->number,
                        .lease = item->lease,
                        .deliveries = item->deliveries,
                        .priority = (uint32_t)item->priority,
                        .url = item->url,
                        .url_len = item->url_len,
                        .data = item->data,
                        .data_len = item->data_len,
                        .host = item->host,
                        .host_len = item->host_len};
}

enum {
    FACTS_BYTES = 512 /* all of a line but its URL and data */
};

static void put_line(item_text *text, const item_form *form,
                     const item_facts *item)
{
    if (form->has_lease && item->lease == 0)
        put_text(text, "-\t");
    else if (form->has_lease)
        put_text(text, "%llu\t", (unsigned long long)item->lease);
    if (form->has_state)
        put_text(text, "%s\t%.0f\t%u\t", item->state, ceil(item->seconds),
                 item->priority);
    if (form->has_deliveries)
        put_text(text, "%u\t", item->deliveries);
    if (form->has_host) {
        bool has_host = item->host != NULL;
        put(text, has_host ? item->host : "-", has_host ? item->host_len : 1);
        put(text, "\t", 1);
    }
    put(text, item->url, item->url_len);
    if (form->has_data) {
        put(text, "\t", 1);
        put(text, item->data, item->data_len);
    }
    put(text, "\n", 1);
}

/* ,"NAME":"...", and ,"NAME_base64":"..." if they are not UTF-8 */
static void put_bytes(item_text *text, const char *name, const void *bytes,
                      size_t size)
{
    put_text(text, ",\"%s\":\"", name);
    text->size += json_text_escape(text->bytes + text->size, bytes, size);
    if (!json_text_is_utf8(bytes, size)) {
        put_text(text, "\",\"%s_base64\":\"", name);
        text->size += json_text_base64(text->bytes + text->size, bytes, size);
    }
    put(text, "\"", 1);
}

static void put_json(item_text *text, const item_form *form,
                     const item_facts *item)
{
    if (item->has_no_number)
        put_text(text, "{\"number\":null");
    else
        put_text(text, "{\"number\":%llu", (unsigned long long)item->number);
    if (form->has_lease && item->lease == 0)
        put_text(text, ",\"lease\":null");
    else if (form->has_lease)
        put_text(text, ",\"lease\":%llu", (unsigned long long)item->lease);
    if (form->has_state)
        put_text(text, ",\"state\":\"%s\",\"seconds\":%.3f", item->state,
                 item->seconds);
    put_text(text, ",\"priority\":%u,\"deliveries\":%u", item->priority,
             item->deliveries);
    if (item->host != NULL)
        put_bytes(text, "host", item->host, item->host_len);
    put_bytes(text, "url", item->url, item->url_len);
    put_bytes(text, "data", item->data, item->data_len);
    put(text, "}\n", 2);
}

bool item_text_add(item_text *text, const item_form *form,
                   const item_facts *item)
{
    size_t bytes = item->url_len + item->data_len; /* 1 MiB at most */
    bytes += item->host == NULL ? 0 : item->host_len;
    size_t most = form->is_json ? bytes * JSON_TEXT_MOST_PER_BYTE : bytes;
    if (!make_room(text, most + FACTS_BYTES))
        return false;
    if (form->is_json)
        put_json(text, form, item);
    else
        put_line(text, form, item);
    return true;
}
