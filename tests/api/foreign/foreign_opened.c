/* foreign_opened.c - see foreign_opened.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void foreign_asked_put(foreign_asked *to, const void *key, size_t length,
                       int answer)
{
    assert_true(length <= FOREIGN_KEY_BYTES);
    if (to->count == to->room) {
        to->room = 2 * to->room + 1000;
        to->bytes = realloc(to->bytes, to->room * sizeof *to->bytes);
        to->keys = realloc(to->keys, to->room * sizeof *to->keys);
        to->answers = realloc(to->answers, to->room);
        assert_true(to->bytes && to->keys && to->answers);
    }
    memcpy(to->bytes[to->count], key, length);
    to->keys[to->count].len = length;
    to->answers[to->count++] = (uint8_t)answer;
}

void foreign_asked_check(foreign_asked *of, const seenset_foreign *file,
                         uint32_t number)
{
    uint8_t *many = malloc(of->count + 1);
    assert_non_null(many);
    for (size_t i = 0; i < of->count; i++)
        of->keys[i].data = of->bytes[i];
    /* any number of keys, over a group or less, and no byte past them */
    for (size_t n = 0; n <= of->count; n = n < 70 ? n + 1 : 3 * n + 1) {
        size_t count = 3 * n + 1 > of->count ? of->count : n;
        memset(many, 7, of->count + 1);
        assert_int_equal(
            seenset_foreign_has_many(file, number, of->keys, count, many), 0);
        assert_memory_equal(many, of->answers, count);
        assert_int_equal(many[count], 7);
    }
    free(many);
    free(of->bytes);
    free(of->keys);
    free(of->answers);
    *of = (foreign_asked){0};
}

void foreign_check_set(const seenset_foreign *file, const seenset *set,
                       const char *name)
{
    foreign_asked asked = {0};
    for (int i = 0; i < 5000; i++) {
        char key[24];
        size_t length = (size_t)snprintf(key, sizeof key, "%s %d", name, i);
        int answer = seenset_foreign_has(file, 0, key, length);
        assert_int_equal(answer, seenset_has(set, key, length));
        assert_true(answer == 1 || i >= FOREIGN_KEYS);
        foreign_asked_put(&asked, key, length, answer);
    }
    foreign_asked_check(&asked, file, 0);
}
