/*
 * make_golden.c - writes the golden files and the bad set:
 *
 *     build/release/tests/make_golden tests/vectors/golden
 *
 * Run it for a new format version, under new names; the files of old versions
 * stay as they are. What is in them is in golden_sets.c, and, of journals, in
 * api/append_sets.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "append_sets.h"
#include "base/bits.h"

static void write_under(const char *folder, const char *name,
                        const uint8_t *bytes, size_t size_bytes)
{
    char path[TEST_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    test_write_file(path, bytes, size_bytes);
}

/* Sound by every checksum, and it says that it holds `added` keys. */
static void write_claim(const char *folder, const char *name, uint64_t added)
{
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(6, &size_bytes);
    ss_bits_store(bytes + 160, 8, added);
    test_repair_header(bytes, test_header_bytes(bytes));
    write_under(folder, name, bytes, size_bytes);
    free(bytes);
}

static void write_journal(const char *folder, const append_golden *golden)
{
    void *state;
    size_t size_bytes;
    assert_int_equal(append_enter(&state), 0);
    const append_place *place = state;
    append_make_golden(place, golden);
    uint8_t *bytes = test_read_file(place->log_path, &size_bytes);
    write_under(folder, golden->name, bytes, size_bytes);
    free(bytes);
    assert_int_equal(append_leave(&state), 0);
}

int main(int argc, char **argv)
{
    size_t size_bytes;
    if (argc != 2) {
        fprintf(stderr, "usage: make_golden FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        uint8_t *bytes = test_golden_bytes(i, &size_bytes);
        write_under(argv[1], test_goldens[i].name, bytes, size_bytes);
        free(bytes);
    }
    for (size_t i = 0; i < TEST_BAD_COUNT; i++) {
        char name[80];
        uint8_t *bytes = test_golden_bytes(test_bad_origin(i), &size_bytes);
        test_bad_make(i, bytes, &size_bytes);
        snprintf(name, sizeof name, "bad/%s", test_bads[i].name);
        write_under(argv[1], name, bytes, size_bytes);
        free(bytes);
    }
    write_claim(argv[1], "bad/claims-many-keys.seenset", 5000);
    write_claim(argv[1], "bad/claims-few-keys.seenset", 3);
    for (size_t i = 0; i < APPEND_GOLDENS; i++)
        write_journal(argv[1], &append_goldens[i]);
    return 0;
}
