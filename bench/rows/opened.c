/*
 * opened.c - peers that are given as shared objects (peer.h).
 */
#include "rows.h"

#include <dlfcn.h>
#include <string.h>

static bench_peer_rows *rows_of(const char *path)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        fprintf(stderr, "bench: %s\n", dlerror());
    require(object != NULL, "a peer cannot be opened");
    void *found = dlsym(object, "bench_peer_row");
    require(found != NULL, "a peer without bench_peer_row (rows/peer.h)");
    bench_peer_rows *rows;
    memcpy(&rows, &found, sizeof rows);
    return rows;
}

void rows_add_opened(contestants *list, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bench_peer_rows *rows = rows_of(paths[i]);
        const bench_peer *row;
        for (size_t k = 0; (row = rows(k)) != NULL; k++)
            contestant_add(list, row, "peer");
    }
}
