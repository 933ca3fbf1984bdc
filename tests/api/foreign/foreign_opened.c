/* foreign_opened.c - see foreign_opened.h */
#include <stdio.h>

#include "foreign_opened.h"

seenset_foreign *foreign_open_whole(const uint8_t *bytes, size_t size_bytes)
{
    seenset_foreign *file = NULL;
    seenset_file_report report = {0};
    const seenset_open_options options = {.report = &report};
    int error = seenset_foreign_open_bytes(&file, bytes, size_bytes, &options);
    if (error != SEENSET_OK)
        fail_msg("%s: %s, at %llu", seenset_error_name(error), report.reason,
                 (unsigned long long)report.offset);
    assert_int_equal(report.file_bytes, size_bytes);
    assert_string_equal(report.reason, "");
    return file;
}

seenset_foreign_info foreign_info_of(const seenset_foreign *file)
{
    seenset_foreign_info info;
    assert_int_equal(seenset_foreign_get_info(file, &info, sizeof info), 0);
    return info;
}

seenset_foreign_filter foreign_filter_of(const seenset_foreign *file,
                                         uint32_t number)
{
    seenset_foreign_filter filter;
    assert_int_equal(
        seenset_foreign_get_filter(file, number, &filter, sizeof filter), 0);
    return filter;
}

int foreign_refused(const void *bytes, size_t size_bytes, const char *reason)
{
    seenset_file_report report;
    seenset_foreign *file = (seenset_foreign *)&report;
    const seenset_open_options options = {.report = &report};
    int error = seenset_foreign_open_bytes(&file, bytes, size_bytes, &options);
    assert_ptr_equal(file, &report);
    assert_string_equal(report.reason, reason);
    return error;
}

void foreign_check_set(const seenset_foreign *file, const seenset *set,
                       const char *name)
{
    for (int i = 0; i < 5000; i++) {
        char key[24];
        size_t length = (size_t)snprintf(key, sizeof key, "%s %d", name, i);
        int answer = seenset_foreign_has(file, 0, key, length);
        assert_int_equal(answer, seenset_has(set, key, length));
        assert_true(answer == 1 || i >= FOREIGN_KEYS);
    }
}
