/*
 * glib.c - GLib's GHashTable as a set of strings: exact, and it keeps
 * every key (here the caller's own, so that it copies nothing).
 *
 * Its best use for "is it new": g_hash_table_add answers that in one call.
 */
#include "bench.h"

#include <glib.h>

static void empty(const task *work)
{
    GHashTable **table = work->subject;
    g_clear_pointer(table, g_hash_table_destroy);
    *table = g_hash_table_new(g_str_hash, g_str_equal);
}

static void add(const task *work)
{
    GHashTable *table = *(GHashTable **)work->subject;
    const window *keys = work->keys;
    char *url = keys->urls;
    for (size_t i = 0; i < keys->count; i++, url += keys->url_bytes + 1)
        work->load->answers[i] = (uint8_t)g_hash_table_add(table, url);
}

static void has(const task *work)
{
    GHashTable *table = *(GHashTable **)work->subject;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < keys->count; i++, url += keys->url_bytes + 1)
        work->load->answers[i] = (uint8_t)g_hash_table_contains(table, url);
}

void glib_run(bench *to, workload *load)
{
    static task_list list;
    list.count = 0;
    GHashTable *table = NULL;
    const exact_peer peer = {"GLib GHashTable", load->url_name, empty, add,
                             has};
    exact_push(&list, &peer, &table, load);
    rounds_run(to, &list);
    g_hash_table_destroy(table);
}
