/*
 * forge.h - files forged on purpose: every field of a header by its name, to
 * be set to anything, and checksums made right again.
 *
 * The table is docs/format.md's, written once more by hand, so that it is not
 * the encoder's own idea of where a field lies.
 */
#ifndef TEST_FORGE_H
#define TEST_FORGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_field {
    const char *name;
    unsigned at, size_bytes;
    bool may_differ; /* other values can be right, and make another set */
} test_field;

enum {
    TEST_FIELDS_MOST = 64
};

/* The fields of a sound header's fixed part, of its first and its last record,
 * and of its arguments; how many. */
size_t test_list_fields(const uint8_t *bytes,
                        test_field fields[TEST_FIELDS_MOST]);

/* Is the sound header of version 1? */
bool test_is_version_1(const uint8_t *bytes);

/*
 * Value number i that a field of size_bytes bytes is tried with; false past
 * the last. Around the limits of 31, 32, 53 and 64 bits, as integers and as
 * bits of a double: infinities, NaN, -0 and the least and greatest denormal.
 */
bool test_extreme(size_t i, unsigned size_bytes, uint64_t *value);

/* Makes right the checksum that a file of a queue has in its last 4 bytes. */
void test_repair_sum(uint8_t *bytes, size_t size_bytes);

#endif
