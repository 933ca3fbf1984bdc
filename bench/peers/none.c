/*
 * none.c - takes the place of a peer that was not installed when the
 * benchmark was built: it reports that and measures nothing.
 */
#include "bench.h"

#ifndef BENCH_LIBBLOOM
void *libbloom_add_tasks(task_list *list, workload *load)
{
    (void)list;
    (void)load;
    fputs("bench: libbloom is left out: it is not installed\n", stderr);
    return NULL;
}

void libbloom_free(void *filter)
{
    (void)filter;
}
#endif

#ifndef BENCH_GLIB
void glib_run(bench *to, workload *load)
{
    (void)to;
    (void)load;
    fputs("bench: GLib is left out: it is not installed\n", stderr);
}
#endif

#ifndef BENCH_KHASH
void khash_run(bench *to, workload *load)
{
    (void)to;
    (void)load;
    fputs("bench: khash is left out: it is not installed\n", stderr);
}
#endif
