/*
 * map.c - files as memory, by views of sections.
 *
 * A view of a file keeps the section, and the section the file, so both handles
 * may be closed at once. A file that is shorter than the view is refused.
 */
#include "base/map.h"

#include "base/windows/handle.h"

static void *map(int fd, size_t size_bytes, DWORD protection, DWORD access)
{
    HANDLE section =
        CreateFileMappingW(ss_windows_handle(fd), NULL, protection, 0, 0, NULL);
    void *view = NULL;
    if (section != NULL)
        view = MapViewOfFile(section, access, 0, 0, size_bytes);
    if (view == NULL)
        (void)ss_windows_fail();
    if (section != NULL)
        CloseHandle(section);
    return view;
}

void *ss_map_file(int fd, size_t size_bytes)
{
    return map(fd, size_bytes, PAGE_READONLY, FILE_MAP_READ);
}

void *ss_map_file_as_copy(int fd, size_t size_bytes)
{
    return map(fd, size_bytes, PAGE_WRITECOPY, FILE_MAP_COPY);
}

/* Windows sets memory aside for all pages that may be written. */
void *ss_map_file_for_few(int fd, size_t size_bytes)
{
    return ss_map_file_as_copy(fd, size_bytes);
}

void ss_map_end(void *mapping, size_t size_bytes)
{
    (void)size_bytes;
    if (mapping != NULL)
        UnmapViewOfFile(mapping);
}
