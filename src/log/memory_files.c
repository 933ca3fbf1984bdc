/* memory_files.c - an array of files, each an array of bytes */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "log/memory_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/array.h"
#include "base/order.h"

/* The descriptor of the folder; that of file i is i + 1. */
enum {
    FOLDER_FD = 0
};

static int fail(int error)
{
    errno = error;
    return -1;
}

static ss_memory_file *file_of(const ss_memory_files *files, int fd)
{
    return &files->files[fd - 1];
}

/* ---- names ---- */

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The file of that name; of the name "", one that is not used. Or NULL. */
static ss_memory_file *find(const ss_memory_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++) {
        ss_memory_file *file = &files->files[i];
        if (strcmp(file->name, name) == 0 &&
            (name[0] != '\0' || file->open_count == 0))
            return file;
    }
    return NULL;
}

static ss_memory_file *create(ss_memory_files *files, const char *name)
{
    ss_memory_file *file = find(files, "");
    void *block = files->files;
    if (strlen(name) >= sizeof file->name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (file == NULL) {
        if (!ss_array_reserve(files->memory, &block, &files->room,
                              files->count + 1, sizeof *files->files)) {
            errno = ENOMEM;
            return NULL;
        }
        files->files = block;
        file = &files->files[files->count++];
    }
    strcpy(file->name, name);
    return file;
}

/* Gives back the bytes of a file that nobody can get to any more. */
static void forget_unused(ss_memory_files *files, ss_memory_file *file)
{
    if (file->name[0] != '\0' || file->open_count > 0)
        return;
    files->size_bytes -= file->size_bytes;
    files->room_bytes -= file->room;
    ss_memory_free(files->memory, file->bytes, file->room, 1);
    *file = (ss_memory_file){.open_count = 0};
}

/* ---- the table ---- */

static int set_size(ss_memory_files *files, ss_memory_file *file, size_t size)
{
    files->size_bytes += size;
    files->size_bytes -= file->size_bytes;
    file->size_bytes = size;
    return 0;
}

static int memory_open(void *context, const char *path, int flags, mode_t mode)
{
    ss_memory_files *files = context;
    (void)mode;
    if ((flags & O_DIRECTORY) != 0)
        return FOLDER_FD;
    ss_memory_file *file = find(files, name_in(path));
    if (file == NULL && (flags & O_CREAT) == 0)
        return fail(ENOENT);
    if (file == NULL)
        file = create(files, name_in(path));
    if (file == NULL)
        return -1;
    if ((flags & O_TRUNC) != 0)
        set_size(files, file, 0);
    file->open_count++;
    return (int)(file - files->files) + 1;
}

static int memory_close(void *context, int fd)
{
    ss_memory_files *files = context;
    if (fd == FOLDER_FD)
        return 0;
    file_of(files, fd)->open_count--;
    forget_unused(files, file_of(files, fd));
    return 0;
}

static int memory_unlink(void *context, const char *path)
{
    ss_memory_files *files = context;
    ss_memory_file *file = find(files, name_in(path));
    if (file == NULL)
        return fail(ENOENT);
    file->name[0] = '\0';
    forget_unused(files, file);
    return 0;
}

static ssize_t memory_pread(void *context, int fd, void *bytes,
                            size_t size_bytes, uint64_t offset)
{
    const ss_memory_file *file = file_of(context, fd);
    if (offset >= file->size_bytes)
        return 0;
    size_t here = (size_t)ss_lower(size_bytes, file->size_bytes - offset);
    memcpy(bytes, file->bytes + offset, here);
    return (ssize_t)here;
}

/* Room doubles up to the usual size, and is as much as is needed beyond. */
static bool reserve(ss_memory_files *files, ss_memory_file *file, size_t wanted)
{
    if (wanted <= file->room)
        return true;
    size_t room = (size_t)ss_higher(4096, (uint64_t)file->room * 2);
    room = (size_t)ss_higher(ss_lower(room, files->usual_bytes), wanted);
    uint8_t *bytes = ss_memory_alloc(files->memory, room, 1);
    if (bytes == NULL)
        return false;
    if (file->size_bytes > 0)
        memcpy(bytes, file->bytes, file->size_bytes);
    ss_memory_free(files->memory, file->bytes, file->room, 1);
    files->room_bytes += room;
    files->room_bytes -= file->room;
    file->bytes = bytes;
    file->room = room;
    return true;
}

static ssize_t memory_pwrite(void *context, int fd, const void *bytes,
                             size_t size_bytes, uint64_t offset)
{
    ss_memory_files *files = context;
    ss_memory_file *file = file_of(files, fd);
    size_t end;
    if (offset > file->size_bytes ||
        __builtin_add_overflow((size_t)offset, size_bytes, &end))
        return fail(EINVAL); /* nothing leaves a hole */
    if (!reserve(files, file, end))
        return fail(ENOMEM);
    memcpy(file->bytes + offset, bytes, size_bytes);
    if (end > file->size_bytes)
        set_size(files, file, end);
    return (ssize_t)size_bytes;
}

static int memory_truncate(void *context, int fd, uint64_t size_bytes)
{
    ss_memory_files *files = context;
    ss_memory_file *file = file_of(files, fd);
    return size_bytes > file->size_bytes
               ? fail(EINVAL)
               : set_size(files, file, (size_t)size_bytes);
}

static int memory_sync(void *context, int fd)
{
    (void)context;
    (void)fd;
    return 0;
}

/* ---- what a log has no use for ---- */

static ssize_t no_read(void *context, int fd, void *bytes, size_t size_bytes)
{
    (void)context, (void)fd, (void)bytes, (void)size_bytes;
    return fail(ENOSYS);
}

static ssize_t no_write(void *context, int fd, const void *bytes,
                        size_t size_bytes)
{
    (void)context, (void)fd, (void)bytes, (void)size_bytes;
    return fail(ENOSYS);
}

static int no_rename(void *context, const char *from, const char *to)
{
    (void)context, (void)from, (void)to;
    return fail(ENOSYS);
}

static int no_status(void *context, int fd, struct stat *out)
{
    (void)context, (void)fd, (void)out;
    return fail(ENOSYS);
}

static int no_lock(void *context, int fd)
{
    (void)context, (void)fd;
    return fail(ENOSYS);
}

static int no_mkdir(void *context, const char *path, mode_t mode)
{
    (void)context, (void)path, (void)mode;
    return fail(ENOSYS);
}

static int no_list(void *context, const char *path, ss_io_visitor *visit,
                   void *visitor_context)
{
    (void)context, (void)path, (void)visit, (void)visitor_context;
    return fail(ENOSYS);
}

/* ---- the whole ---- */

void ss_memory_files_init(ss_memory_files *files, const ss_memory *memory,
                          const ss_clock *clock, size_t usual_bytes)
{
    *files = (ss_memory_files){.io = {.open = memory_open,
                                      .close = memory_close,
                                      .read = no_read,
                                      .write = no_write,
                                      .sync = memory_sync,
                                      .rename = no_rename,
                                      .unlink = memory_unlink,
                                      .pread = memory_pread,
                                      .pwrite = memory_pwrite,
                                      .datasync = memory_sync,
                                      .truncate = memory_truncate,
                                      .status = no_status,
                                      .lock = no_lock,
                                      .mkdir = no_mkdir,
                                      .list = no_list,
                                      .clock = clock,
                                      .context = files},
                               .memory = memory,
                               .usual_bytes = usual_bytes};
}

void ss_memory_files_free(ss_memory_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        ss_memory_free(files->memory, files->files[i].bytes,
                       files->files[i].room, 1);
    ss_memory_free(files->memory, files->files, files->room,
                   sizeof *files->files);
    files->files = NULL;
    files->count = 0;
}

uint64_t ss_memory_files_memory_bytes(const ss_memory_files *files)
{
    return files->room_bytes + files->room * sizeof *files->files;
}
