/* links.c - see links.h */
#include "frontier/links.h"

#include <errno.h>

enum {
    PAGE_LINKS = SS_PAGE_BYTES / sizeof(ss_link),
    BLOCK_PAGES = SS_BLOCK_ITEMS / PAGE_LINKS
};

typedef struct link_page {
    uint32_t page;  /* counts only if it is there: */
    uint32_t count; /* of items that wait on it, and 1 while it is the newest */
} link_page;

typedef struct link_block {
    ss_block head; /* counts the pages that are there */
    link_page pages[BLOCK_PAGES];
} link_block;

void ss_links_init(ss_links *links, const ss_memory *memory,
                   const ss_scratch_file *file)
{
    ss_blocks_init(&links->blocks, sizeof(link_block));
    ss_scratch_init(&links->scratch, memory, file);
}

void ss_links_free(ss_links *links, const ss_memory *memory)
{
    ss_blocks_free(&links->blocks, memory);
    ss_scratch_free(&links->scratch);
}

static link_page *page_of(const ss_links *links, uint64_t item)
{
    link_block *block = ss_blocks_find(&links->blocks, item);
    return block == NULL ? NULL
                         : &block->pages[item % SS_BLOCK_ITEMS / PAGE_LINKS];
}

static link_page *find_page(const ss_links *links, uint64_t item)
{
    link_page *page = page_of(links, item);
    return page == NULL || page->count == 0 ? NULL : page;
}

/* ---- pages that come and go ---- */

static void leave_page(ss_links *links, const ss_memory *memory, uint64_t item)
{
    link_page *page = page_of(links, item);
    if (--page->count > 0)
        return;
    ss_scratch_remove(&links->scratch, page->page);
    ss_blocks_leave(&links->blocks, memory, item);
}

/* The page of this item stays from now on, and none that did. */
static void hold(ss_links *links, const ss_memory *memory, uint64_t item)
{
    page_of(links, item)->count++;
    if (links->has_newest)
        leave_page(links, memory, links->newest);
    links->has_newest = true;
    links->newest = item;
}

static int add_page(ss_links *links, const ss_memory *memory, uint64_t item)
{
    uint32_t made;
    if (!ss_blocks_reserve(&links->blocks, memory, item))
        return SEENSET_ENOMEM;
    int error = ss_scratch_add(&links->scratch, &made);
    if (error != SEENSET_OK)
        return error;
    *page_of(links, item) = (link_page){.page = made};
    ((link_block *)ss_blocks_find(&links->blocks, item))->head.count++;
    return SEENSET_OK;
}

/* After items were rolled back, the next is on a page before the newest. */
int ss_links_reserve(ss_links *links, const ss_memory *memory, uint64_t item)
{
    const link_page *page = find_page(links, item);
    if (links->has_newest && item / PAGE_LINKS == links->newest / PAGE_LINKS)
        return SEENSET_OK;
    int error = page != NULL ? ss_scratch_keep(&links->scratch, page->page)
                             : add_page(links, memory, item);
    if (error == SEENSET_OK)
        hold(links, memory, item);
    return error;
}

/* ---- items ---- */

void ss_links_add(ss_links *links, uint64_t item, ss_link link)
{
    ss_link *newest = ss_scratch_kept(&links->scratch);
    newest[item % PAGE_LINKS] = link;
    page_of(links, item)->count++;
}

bool ss_links_has_page(const ss_links *links, uint64_t item)
{
    return find_page(links, item) != NULL;
}

/* A chain leads to an item that does not wait only if memory is damaged. */
static int get(ss_links *links, uint64_t item, bool changes, ss_link **out)
{
    void *bytes;
    const link_page *page = find_page(links, item);
    if (page == NULL) {
        errno = EIO;
        return SEENSET_EIO;
    }
    int error = ss_scratch_get(&links->scratch, page->page, changes, &bytes);
    if (error == SEENSET_OK)
        *out = (ss_link *)bytes + item % PAGE_LINKS;
    return error;
}

int ss_links_read(ss_links *links, uint64_t item, ss_link *out)
{
    ss_link *link;
    int error = get(links, item, false, &link);
    if (error == SEENSET_OK)
        *out = *link;
    return error;
}

int ss_links_write(ss_links *links, uint64_t item, ss_link link)
{
    ss_link *there;
    int error = get(links, item, true, &there);
    if (error == SEENSET_OK)
        *there = link;
    return error;
}

int ss_links_set_next(ss_links *links, uint64_t item, uint64_t next)
{
    ss_link *link;
    int error = get(links, item, true, &link);
    if (error == SEENSET_OK)
        link->next = next;
    return error;
}

void ss_links_remove(ss_links *links, const ss_memory *memory, uint64_t item)
{
    leave_page(links, memory, item);
}

uint64_t ss_links_bytes(const ss_links *links)
{
    return ss_blocks_bytes(&links->blocks) + ss_scratch_bytes(&links->scratch);
}
