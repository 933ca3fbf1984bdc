/*
 * crc32c.h - the checksum of a log record: CRC-32C (Castagnoli), the one that
 * processors compute themselves.
 *
 * It finds every error burst of up to 32 bits and every odd number of flipped
 * bits, which is what a torn or rotten record looks like. There are two ways to
 * the same number, the processor's instruction and a table; each call chooses
 * by a cached flag of what the processor has.
 */
#ifndef SS_BASE_CRC32C_H
#define SS_BASE_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* The checksum of size_bytes bytes; ss_crc32c("123456789", 9) is 0xE3069283. */
SS_EXPORT uint32_t ss_crc32c(const void *bytes, size_t size_bytes);

/* The kernels, each over a state that starts and ends inverted. */
uint32_t ss_crc32c_portable(uint32_t state, const uint8_t *bytes,
                            size_t size_bytes);
bool ss_crc32c_has_hardware(void);
uint32_t ss_crc32c_hardware(uint32_t state, const uint8_t *bytes,
                            size_t size_bytes);

#endif
