/* error.c - every error has a name, a number and a text of its own */
#include <string.h>

#include "support.h"

/* Each with its name, by its number. */
#define ROW(error)                                                             \
    {                                                                          \
        error, #error                                                          \
    }

static const struct {
    int error;
    const char *name;
} errors[] = {
    ROW(SEENSET_OK),           ROW(SEENSET_EINVAL),    ROW(SEENSET_ENOMEM),
    ROW(SEENSET_ETOOBIG),      ROW(SEENSET_ERATE),     ROW(SEENSET_EFULL),
    ROW(SEENSET_EUNSUPPORTED), ROW(SEENSET_EREADONLY), ROW(SEENSET_EMISMATCH),
    ROW(SEENSET_EIO),          ROW(SEENSET_EFORMAT),   ROW(SEENSET_EVERSION),
    ROW(SEENSET_ETRUNCATED),   ROW(SEENSET_ECORRUPT),  ROW(SEENSET_EHASH),
    ROW(SEENSET_ESPACE),       ROW(SEENSET_EINUSE),    ROW(SEENSET_EDAMAGED),
    ROW(SEENSET_EPOISONED),    ROW(SEENSET_ELEASE),    ROW(SEENSET_EURL),
    ROW(SEENSET_ESECRET),      ROW(SEENSET_EJOURNAL),  ROW(SEENSET_EBUDGET),
};

static void error_texts_are_distinct(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(errors); i++) {
        assert_true(strlen(seenset_strerror(errors[i].error)) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(seenset_strerror(errors[i].error),
                                    seenset_strerror(errors[j].error));
    }
}

/* The numbers are part of the ABI: 0, -1, -2, ... in order, for ever. */
static void error_numbers_are_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(errors); i++)
        assert_int_equal(errors[i].error, -(int)i);
    assert_int_equal(SEENSET_EINVAL, -1);
    assert_int_equal(SEENSET_EFULL, -5);
    assert_int_equal(SEENSET_ESPACE, -15);
}

static void error_names_are_those_of_the_enum(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(errors); i++)
        assert_string_equal(seenset_error_name(errors[i].error),
                            errors[i].name);
    assert_string_equal(seenset_strerror(SEENSET_ENOMEM), "out of memory");
}

static void error_unknown_is_answered(void **state)
{
    static const int unknown[] = {1,     2,       -(int)TEST_COUNT(errors),
                                  -1000, INT_MAX, INT_MIN};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(unknown); i++) {
        assert_string_equal(seenset_strerror(unknown[i]), "unknown error");
        assert_string_equal(seenset_error_name(unknown[i]), "unknown");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_texts_are_distinct),
        cmocka_unit_test(error_numbers_are_kept),
        cmocka_unit_test(error_names_are_those_of_the_enum),
        cmocka_unit_test(error_unknown_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
