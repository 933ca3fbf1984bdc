/*
 * queue_disk_files.c - what a disk in memory holds: contents and names, each
 * twice, as programs see them and as they are on the platters.
 */
#include "queue_disk_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void disk_fail_hard(const char *reason)
{
    fprintf(stderr, "queue_disk: %s\n", reason);
    abort();
}

/* ---- contents ---- */

void disk_content_resize(content *of, size_t size)
{
    if (size > of->room) {
        of->room = size * 2;
        of->bytes = realloc(of->bytes, of->room);
        if (of->bytes == NULL)
            disk_fail_hard("no memory");
    }
    if (size > of->size)
        memset(of->bytes + of->size, 0, size - of->size);
    of->size = size;
}

void disk_content_copy(content *to, const content *from)
{
    disk_content_resize(to, from->size);
    if (from->size > 0)
        memcpy(to->bytes, from->bytes, from->size);
}

void disk_mark_dirty(file *of, size_t from, size_t to)
{
    size_t sectors = to / SECTOR_BYTES + 1;
    if (sectors > of->dirty_room) {
        of->is_dirty = realloc(of->is_dirty, sectors * 2);
        if (of->is_dirty == NULL)
            disk_fail_hard("no memory");
        memset(of->is_dirty + of->dirty_room, 0, sectors * 2 - of->dirty_room);
        of->dirty_room = sectors * 2;
    }
    for (size_t i = from / SECTOR_BYTES; i * SECTOR_BYTES < to; i++)
        of->is_dirty[i] = 1;
}

void disk_file_sync(file *of)
{
    disk_content_copy(&of->safe, &of->now);
    if (of->dirty_room > 0)
        memset(of->is_dirty, 0, of->dirty_room);
}

file *disk_file_at(const disk *of, int number)
{
    return &of->pages[number / PAGE_FILES][number % PAGE_FILES];
}

int disk_file_add(disk *to)
{
    int number = to->file_count++;
    if (number == PAGE_FILES * PAGE_COUNT)
        disk_fail_hard("too many files");
    file **page = &to->pages[number / PAGE_FILES];
    if (*page == NULL)
        *page = calloc(PAGE_FILES, sizeof **page);
    if (*page == NULL)
        disk_fail_hard("no memory");
    return number;
}

/* ---- names ---- */

static void copy_text(char to[NAME_BYTES], const char *from)
{
    size_t length = strlen(from);
    if (length >= NAME_BYTES)
        disk_fail_hard("a long name");
    memcpy(to, from, length + 1);
}

name *disk_find_name(name *names, const char *text)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (names[i].file >= 0 && strcmp(names[i].text, text) == 0)
            return &names[i];
    return NULL;
}

void disk_set_name(name *names, const char *text, int of)
{
    name *found = disk_find_name(names, text);
    for (int i = 0; i < NAME_COUNT && found == NULL; i++)
        if (names[i].file < 0)
            found = &names[i];
    if (found == NULL)
        disk_fail_hard("too many names");
    copy_text(found->text, text);
    found->file = of;
}

void disk_apply(name *names, const change *applied)
{
    name *from = disk_find_name(names, applied->from);
    if (from != NULL)
        from->file = -1;
    if (applied->to[0] != '\0')
        disk_set_name(names, applied->to, applied->file);
}

void disk_change_folder(disk *on, const char *from, const char *to, int of)
{
    if (on->change_count == CHANGE_COUNT)
        disk_fail_hard("too many changes without a sync");
    change *added = &on->changes[on->change_count++];
    copy_text(added->from, from);
    copy_text(added->to, to);
    added->file = of;
    disk_apply(on->now, added);
}
