/* journal_place.c - see journal_place.h */
#include "journal_place.h"

#include <stdlib.h>

int journal_place_enter(void **state)
{
    journal_place *at = malloc(sizeof *at);
    assert_non_null(at);
    test_folder_make(&at->folder);
    test_path(at->path, &at->folder, "set");
    test_path(at->log_path, &at->folder, "set.log");
    test_path(at->other_path, &at->folder, "other");
    *state = at;
    return 0;
}

int journal_place_leave(void **state)
{
    journal_place *at = *state;
    test_folder_remove(&at->folder);
    free(at);
    return 0;
}
