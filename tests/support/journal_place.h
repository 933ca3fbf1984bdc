/*
 * journal_place.h - a folder for a set's file and its journal, made before each
 * test and removed after it:
 *
 *     cmocka_unit_test_setup_teardown(name, journal_place_enter,
 *                                     journal_place_leave)
 */
#ifndef JOURNAL_PLACE_H
#define JOURNAL_PLACE_H

#include "support.h"

typedef struct journal_place {
    test_folder folder;
    char path[TEST_PATH_BYTES]; /* of a set that is not there yet */
    char log_path[TEST_PATH_BYTES];
    char other_path[TEST_PATH_BYTES]; /* of any other file */
} journal_place;

int journal_place_enter(void **state);
int journal_place_leave(void **state);

#endif
