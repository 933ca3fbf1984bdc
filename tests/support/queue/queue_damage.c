/* queue_damage.c - see queue_damage.h */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "forge.h"
#include "support.h"

/* ---- the list ---- */

void damage_list_free(damage_list *list)
{
    free(list->rows);
    *list = (damage_list){0};
}

damage *damage_add(damage_list *to, damage row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(row.what, sizeof row.what, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof row.what - 1);
    if (to->count == to->room) {
        to->room = 2 * to->room + 16;
        to->rows = realloc(to->rows, to->room * sizeof *to->rows);
        assert_non_null(to->rows);
    }
    to->rows[to->count] = row;
    return &to->rows[to->count++];
}

void damage_add_at(damage_list *to, damage row, uint64_t place,
                   const char *what)
{
    snprintf(row.where, sizeof row.where, "%llx", (unsigned long long)place);
    damage_add(to, row, "%s", what);
}

static damage on_file(const char *file, void (*make)(const damage *, disk *))
{
    damage row = {.make = make};
    snprintf(row.file, sizeof row.file, "%s", file);
    return row;
}

static damage at_place(const char *file, void (*make)(const damage *, disk *),
                       size_t at)
{
    damage row = on_file(file, make);
    row.at = at;
    snprintf(row.where, sizeof row.where, "%zu", at);
    return row;
}

/* ---- files ---- */

uint8_t *damage_bytes(disk *on, const char *file, size_t at_least,
                      size_t *size_bytes)
{
    size_t *length = NULL;
    uint8_t *bytes = disk_file(on, file, &length);
    if (bytes == NULL || *length < at_least)
        return NULL;
    *size_bytes = *length;
    return bytes;
}

void damage_write(disk *on, const char *file, const void *bytes,
                  size_t size_bytes)
{
    size_t *length = NULL;
    if (disk_file(on, file, &length) != NULL)
        *length = 0;
    disk_put(on, file, 0, bytes, size_bytes);
}

void damage_name(char name[SS_FOLDER_NAME_BYTES], const char *prefix,
                 uint64_t position)
{
    snprintf(name, SS_FOLDER_NAME_BYTES, "%s%016llx", prefix,
             (unsigned long long)position);
}

void damage_remove(disk *on, const char *file)
{
    char path[sizeof DISK_FOLDER "/" + SS_FOLDER_NAME_BYTES];
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, file);
    (void)disk_io(on)->unlink(on, path);
}

uint32_t damage_log_id(disk *on)
{
    size_t size_bytes;
    const uint8_t *bytes = damage_bytes(on, "MANIFEST", 12, &size_bytes);
    return bytes == NULL ? 0 : (uint32_t)ss_bits_load(bytes + 8, 4);
}

/* ---- what is done ---- */

static void make_gone(const damage *of, disk *on)
{
    damage_remove(on, of->file);
}

static void make_cut(const damage *of, disk *on)
{
    size_t *length = NULL;
    if (disk_file(on, of->file, &length) != NULL && *length > of->at)
        *length = of->at;
}

static void make_changed(const damage *of, disk *on)
{
    size_t size_bytes;
    uint8_t *bytes = damage_bytes(on, of->file, of->at + 1, &size_bytes);
    if (bytes != NULL)
        bytes[of->at] ^= 0x55;
}

static void make_longer(const damage *of, disk *on)
{
    uint8_t more[40];
    size_t size_bytes;
    memset(more, 0xee, sizeof more);
    if (damage_bytes(on, of->file, 0, &size_bytes) != NULL)
        disk_put(on, of->file, size_bytes, more, sizeof more);
}

static void make_forged(const damage *of, disk *on)
{
    size_t size_bytes;
    uint8_t *bytes =
        damage_bytes(on, of->file, of->at + of->size_bytes + 4, &size_bytes);
    if (bytes == NULL)
        return;
    ss_bits_store(bytes + of->at, of->size_bytes, of->value);
    test_repair_sum(bytes, size_bytes);
}

void damage_add_gone(damage_list *to, const char *file)
{
    damage_add(to, on_file(file, make_gone), "%s gone", file);
}

void damage_add_cut(damage_list *to, const char *file, size_t length)
{
    damage_add(to, at_place(file, make_cut, length), "%s cut to", file);
}

void damage_add_changed(damage_list *to, const char *file, size_t at)
{
    damage_add(to, at_place(file, make_changed, at), "%s changed at", file);
}

void damage_add_longer(damage_list *to, const char *file)
{
    damage_add(to, on_file(file, make_longer), "%s 40 bytes longer", file);
}

void damage_add_forged(damage_list *to, const char *file, const char *name,
                       unsigned at, unsigned size_bytes, uint64_t value)
{
    damage row = at_place(file, make_forged, at);
    char what[sizeof row.what];
    row.size_bytes = size_bytes;
    row.value = value;
    snprintf(what, sizeof what, "%.24s: %s (%u) =", file, name, at);
    damage_add_at(to, row, value, what);
}
