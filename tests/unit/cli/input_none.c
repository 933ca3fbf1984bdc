/*
 * input_none.c - a build without zlib, libzstd and liblzma: what they would
 * read is recognised and refused by name, and text is text.
 */
#include "support.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"

/* What input_read returns for a pipe with these bytes; the message in text. */
static ptrdiff_t read_bytes(const char *bytes, size_t size, input_mode mode,
                            char text[300])
{
    int ends[2];
    char into[64];
    input_stream from;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, size), (ssize_t)size);
    close(ends[1]);
    assert_int_equal(input_init(&from), 0);
    from.mode = mode;
    input_start(&from, ends[0]);
    ptrdiff_t got;
    do
        got = input_read(&from, into, sizeof into);
    while (got == INPUT_AGAIN);
    text[0] = '\0';
    if (got < 0)
        assert_true(input_describe(&from, errno, text, 300));
    input_free(&from);
    return got;
}

static void input_names_the_library_it_lacks(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *said[4];
    } cases[] = {
        {"\x1f\x8b\x08", 3, {"gzip", "zlib", "zlib1g-dev", "gzip -dc"}},
        {"\x28\xb5\x2f\xfd", 4, {"zstd", "libzstd", "libzstd-dev", "zstd -dc"}},
        {"\x5e\x2a\x4d\x18", 4, {"zstd", "libzstd", "libzstd-dev", "zstd -dc"}},
        {"\xfd"
         "7zXZ\0",
         6,
         {"xz", "liblzma", "liblzma-dev", "xz -dc"}}};
    char text[300];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            read_bytes(cases[i].bytes, cases[i].size, INPUT_RECOGNISED, text),
            -1);
        for (size_t j = 0; j < 4; j++)
            assert_non_null(strstr(text, cases[i].said[j]));
        assert_int_equal(
            read_bytes(cases[i].bytes, cases[i].size, INPUT_AS_IS, text),
            cases[i].size);
    }
}

static void input_gives_text_as_it_is(void **state)
{
    static const char *const texts[] = {"a\n",
                                        "\x1f",
                                        "\x1f\x8b",
                                        ("\xfd"
                                         "7zXZ"),
                                        "\x28\xb5\x2f",
                                        "P*M\x17",
                                        "P*M"};
    char text[300];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t size = strlen(texts[i]);
        assert_int_equal(read_bytes(texts[i], size, INPUT_RECOGNISED, text),
                         size);
        assert_int_equal(read_bytes(texts[i], size, INPUT_COMPRESSED, text),
                         -1);
        assert_non_null(strstr(text, "leave out -z"));
    }
    assert_int_equal(read_bytes("", 0, INPUT_RECOGNISED, text), 0);
    assert_int_equal(read_bytes("", 0, INPUT_COMPRESSED, text), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_names_the_library_it_lacks),
        cmocka_unit_test(input_gives_text_as_it_is),
    };
    return cmocka_run_group_tests_name("input_none", tests, NULL, NULL);
}
