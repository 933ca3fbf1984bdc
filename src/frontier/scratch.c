/* scratch.c - see scratch.h */
#include "frontier/scratch.h"

#include <errno.h>

#include "base/array.h"
#include "base/crc32c.h"

/* A page that is not used has in `frame` the next that is not. */
struct ss_scratch_page {
    uint32_t frame; /* or SS_PAGE_NONE: it is only in the file */
    uint32_t crc;   /* of its bytes there */
};

/* A frame that is not used has no bytes, and in `page` the next such frame. */
struct ss_frame {
    uint8_t *bytes;
    uint32_t page;
    bool is_changed; /* since it was read or written */
    bool was_used;   /* since the hand came by */
};

void ss_scratch_init(ss_scratch *scratch, const ss_memory *memory,
                     const ss_scratch_file *file)
{
    *scratch = (ss_scratch){.memory = *memory,
                            .fd = -1,
                            .most_frames = SS_SCRATCH_FRAMES,
                            .first_free = SS_PAGE_NONE,
                            .first_free_frame = SS_PAGE_NONE,
                            .kept = SS_PAGE_NONE};
    if (file != NULL)
        scratch->file = *file;
}

void ss_scratch_free(ss_scratch *scratch)
{
    const ss_memory *memory = &scratch->memory;
    for (uint32_t i = 0; i < scratch->frame_count; i++)
        ss_memory_free(memory, scratch->frames[i].bytes, 1, SS_PAGE_BYTES);
    ss_memory_free(memory, scratch->frames, scratch->frame_room,
                   sizeof *scratch->frames);
    ss_memory_free(memory, scratch->pages, scratch->page_room,
                   sizeof *scratch->pages);
    if (scratch->fd >= 0)
        ss_io_close_quietly(scratch->file.io, scratch->fd);
    ss_scratch_init(scratch, memory, NULL);
}

uint64_t ss_scratch_bytes(const ss_scratch *scratch)
{
    return (uint64_t)scratch->frames_in_use * SS_PAGE_BYTES +
           scratch->frame_room * sizeof *scratch->frames +
           scratch->page_room * sizeof *scratch->pages;
}

/* ---- the file ---- */

static uint64_t offset_of(uint32_t page)
{
    return (uint64_t)page * SS_PAGE_BYTES;
}

/* Is there a file for pages? 1, 0 (there will be none) or SEENSET_EIO. */
static int need_file(ss_scratch *scratch)
{
    ss_scratch_file *file = &scratch->file;
    if (file->io == NULL || scratch->fd >= 0)
        return file->io != NULL;
    scratch->fd = file->open(file->context);
    if (scratch->fd >= 0)
        return 1;
    if (!file->is_optional)
        return SEENSET_EIO;
    file->io = NULL;
    return 0;
}

static int write_page(ss_scratch *scratch, ss_frame *frame)
{
    if (!ss_io_pwrite_all(scratch->file.io, scratch->fd, frame->bytes,
                          SS_PAGE_BYTES, offset_of(frame->page)))
        return SEENSET_EIO;
    scratch->pages[frame->page].crc = ss_crc32c(frame->bytes, SS_PAGE_BYTES);
    scratch->writes++;
    frame->is_changed = false;
    return SEENSET_OK;
}

/* Bytes that are not those that were written are an error of the disk. */
static int read_page(ss_scratch *scratch, uint32_t page, uint8_t *bytes)
{
    ssize_t got = ss_io_pread_all(scratch->file.io, scratch->fd, bytes,
                                  SS_PAGE_BYTES, offset_of(page));
    scratch->reads++;
    if (got == SS_PAGE_BYTES &&
        ss_crc32c(bytes, SS_PAGE_BYTES) == scratch->pages[page].crc)
        return SEENSET_OK;
    if (got >= 0)
        errno = EIO;
    return SEENSET_EIO;
}

/* ---- frames ---- */

static void free_frame(ss_scratch *scratch, uint32_t number)
{
    ss_frame *frame = &scratch->frames[number];
    ss_memory_free(&scratch->memory, frame->bytes, 1, SS_PAGE_BYTES);
    *frame = (ss_frame){.page = scratch->first_free_frame};
    scratch->first_free_frame = number;
    scratch->frames_in_use--;
}

/* A frame with bytes of its own, which no page has. */
static int make_frame(ss_scratch *scratch, uint32_t *number)
{
    uint8_t *bytes = ss_memory_alloc(&scratch->memory, 1, SS_PAGE_BYTES);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    *number = scratch->first_free_frame;
    if (*number != SS_PAGE_NONE)
        scratch->first_free_frame = scratch->frames[*number].page;
    else
        *number = scratch->frame_count++;
    scratch->frames[*number] = (ss_frame){.bytes = bytes};
    scratch->frames_in_use++;
    return SEENSET_OK;
}

/* The frame whose page has gone longest without being used, or nearly so. */
static uint32_t choose_frame(ss_scratch *scratch)
{
    for (;;) {
        uint32_t number = scratch->hand;
        ss_frame *frame = &scratch->frames[number];
        scratch->hand = (number + 1) % scratch->frame_count;
        if (frame->bytes == NULL || frame->page == scratch->kept)
            continue;
        if (!frame->was_used)
            return number;
        frame->was_used = false;
    }
}

/* Takes a frame from its page, which is in the file then. */
static int take_frame(ss_scratch *scratch, uint32_t *number)
{
    *number = choose_frame(scratch);
    ss_frame *frame = &scratch->frames[*number];
    int error = frame->is_changed ? write_page(scratch, frame) : SEENSET_OK;
    if (error == SEENSET_OK)
        scratch->pages[frame->page].frame = SS_PAGE_NONE;
    return error;
}

/* One more. */
static int make_more(ss_scratch *scratch, uint32_t *number)
{
    void *frames = scratch->frames;
    if (!ss_array_reserve(&scratch->memory, &frames, &scratch->frame_room,
                          (size_t)scratch->frame_count + 1,
                          sizeof *scratch->frames))
        return SEENSET_ENOMEM;
    scratch->frames = frames;
    return make_frame(scratch, number);
}

/* A frame that no page has, with any bytes. Where the file is optional and
 * cannot be written, what it has is still read. */
static int need_frame(ss_scratch *scratch, uint32_t *number)
{
    if (scratch->frames_in_use < scratch->most_frames)
        return make_more(scratch, number);
    int has_file = need_file(scratch);
    if (has_file < 0)
        return has_file;
    if (has_file == 1) {
        int error = take_frame(scratch, number);
        if (error == SEENSET_OK || !scratch->file.is_optional)
            return error;
        scratch->most_frames = UINT32_MAX;
    }
    return make_more(scratch, number);
}

static void give_frame(ss_scratch *scratch, uint32_t number, uint32_t page,
                       bool is_changed)
{
    ss_frame *frame = &scratch->frames[number];
    frame->page = page;
    frame->is_changed = is_changed;
    frame->was_used = true;
    scratch->pages[page].frame = number;
}

/* ---- pages ---- */

static int reserve_page(ss_scratch *scratch)
{
    void *pages = scratch->pages;
    if (scratch->first_free != SS_PAGE_NONE)
        return SEENSET_OK;
    if (scratch->page_count == SS_PAGE_NONE ||
        !ss_array_reserve(&scratch->memory, &pages, &scratch->page_room,
                          (size_t)scratch->page_count + 1,
                          sizeof *scratch->pages))
        return SEENSET_ENOMEM;
    scratch->pages = pages;
    return SEENSET_OK;
}

static uint32_t next_page(ss_scratch *scratch)
{
    uint32_t page = scratch->first_free;
    if (page == SS_PAGE_NONE)
        return scratch->page_count++;
    scratch->first_free = scratch->pages[page].frame;
    return page;
}

int ss_scratch_add(ss_scratch *scratch, uint32_t *page)
{
    uint32_t number;
    int error = reserve_page(scratch);
    if (error == SEENSET_OK)
        error = need_frame(scratch, &number);
    if (error != SEENSET_OK)
        return error;
    *page = next_page(scratch);
    memset(scratch->frames[number].bytes, 0, SS_PAGE_BYTES);
    give_frame(scratch, number, *page, true);
    scratch->kept = *page;
    return SEENSET_OK;
}

static int load(ss_scratch *scratch, uint32_t page)
{
    uint32_t number;
    int error = need_frame(scratch, &number);
    if (error != SEENSET_OK)
        return error;
    error = read_page(scratch, page, scratch->frames[number].bytes);
    if (error == SEENSET_OK)
        give_frame(scratch, number, page, false);
    else
        free_frame(scratch, number);
    return error;
}

int ss_scratch_get(ss_scratch *scratch, uint32_t page, bool changes,
                   void **bytes)
{
    if (scratch->pages[page].frame == SS_PAGE_NONE) {
        int error = load(scratch, page);
        if (error != SEENSET_OK)
            return error;
    }
    ss_frame *frame = &scratch->frames[scratch->pages[page].frame];
    frame->was_used = true;
    frame->is_changed |= changes;
    *bytes = frame->bytes;
    return SEENSET_OK;
}

int ss_scratch_keep(ss_scratch *scratch, uint32_t page)
{
    void *bytes;
    int error = ss_scratch_get(scratch, page, true, &bytes);
    if (error == SEENSET_OK)
        scratch->kept = page;
    return error;
}

void *ss_scratch_kept(ss_scratch *scratch)
{
    ss_frame *frame = &scratch->frames[scratch->pages[scratch->kept].frame];
    frame->was_used = frame->is_changed = true;
    return frame->bytes;
}

void ss_scratch_remove(ss_scratch *scratch, uint32_t page)
{
    ss_scratch_page *gone = &scratch->pages[page];
    if (gone->frame != SS_PAGE_NONE)
        free_frame(scratch, gone->frame);
    if (scratch->kept == page)
        scratch->kept = SS_PAGE_NONE;
    gone->frame = scratch->first_free;
    scratch->first_free = page;
}
