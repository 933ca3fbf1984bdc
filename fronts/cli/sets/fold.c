/*
 * fold.c - see fold.h.
 */
#include "sets/fold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "sets/journal_name.h"
#include "system/beside.h"

static bool has_journal(const char *path)
{
    char *log = journal_name_of(path);
    bool is_there = log == NULL || access(log, F_OK) == 0;
    free(log);
    return is_there;
}

int fold_journal(const char *path, const seenset_open_options *options)
{
    seenset_open_options copy = *options;
    seenset *set = NULL;
    if (beside_replaces_open() || !has_journal(path))
        return seenset_compact(path, options);
    copy.flags |= SEENSET_OPEN_COPY;
    int error = seenset_open(&set, path, &copy);
    if (error == 0)
        error = seenset_save(set, path);
    seenset_free(set);
    return error;
}
