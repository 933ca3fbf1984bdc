/* crc32c.c - the checksum: its vector, and the processor beside the table */
#include "base/crc32c.h"
#include "support.h"

static void crc32c_is_castagnoli(void **state)
{
    (void)state;
    uint8_t bytes[300];
    test_random random = {1};
    assert_int_equal(ss_crc32c("123456789", 9), 0xE3069283);
    assert_int_equal(ss_crc32c("", 0), 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)test_random_next(&random);
    for (size_t i = 0; ss_crc32c_has_hardware() && i < sizeof bytes; i++)
        assert_int_equal(ss_crc32c_portable(1, bytes, i),
                         ss_crc32c_hardware(1, bytes, i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_is_castagnoli),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
