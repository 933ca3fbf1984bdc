/*
 * header_damage_rows.c - fields of a header, what they are forged to be, and
 * what everyone who reads the file must answer.
 *
 * Every refusal of a field has a row, and those whose limit is a number have
 * one on each side of it. The last rows have brought other filters down: links
 * are given as project#number of the issue or the change.
 */
#include "header_damage.h"

#include <stdlib.h>

#include "file/header/header.h"

/* Of a record, in a file of either version. */
#define IN_FIRST(at) (128 + (at))
#define IN_SECOND(at) (256 + (at))

#define ONE UINT64_C(0x3FF0000000000000) /* 1.0 */
#define MOST (UINT64_C(1) << 53)         /* of items, and of bits */

/* A field of a set that is forged, and what comes of it. */
#define FIELD(at_, size_bytes_, value_)                                        \
    {                                                                          \
        .at = (at_), .size_bytes = (size_bytes_), .value = (value_)            \
    }
#define ROW(set_, at, size_bytes, value, error_, offset_, reason_)             \
    {                                                                          \
        .set = (set_), .changes = {FIELD(at, size_bytes, value)},              \
        .error = (error_), .offset = (offset_), .reason = (reason_)            \
    }
#define OPENS(set, at, size_bytes, value)                                      \
    ROW(set, at, size_bytes, value, SEENSET_OK, 0, "")

/* A size of 2^shift bits, and what follows from it, in a file without them. */
#define HUGE(shift)                                                            \
    .set = BLOOM,                                                              \
    .changes = {FIELD(IN_FIRST(0), 8, UINT64_C(1) << (shift)),                 \
                FIELD(IN_FIRST(48), 8, UINT64_C(1) << ((shift)-3)),            \
                FIELD(16, 8, 192 + (UINT64_C(1) << ((shift)-3)))}
#define EMPTY_CHAIN(set_)                                                      \
    {                                                                          \
        .set = (set_),                                                         \
        .changes = {FIELD(48, 4, 0), FIELD(12, 4, 128), FIELD(16, 8, 128)},    \
        .error = SEENSET_ECORRUPT, .offset = 48, .reason = bad_count,          \
        .cut_to = 128                                                          \
    }
#define NO_RATE(bits)                                                          \
    ROW(BLOOM, IN_FIRST(24), 8, bits, SEENSET_ECORRUPT, IN_FIRST(24), bad_rate)
/* The number that is there and so many more. */
#define MORE(set_, at_, more, offset_, reason_)                                \
    {                                                                          \
        .set = (set_),                                                         \
        .changes = {{.at = (at_),                                              \
                     .size_bytes = 8,                                          \
                     .value = (uint64_t)(more),                                \
                     .is_added = true}},                                       \
        .error = SEENSET_ECORRUPT, .offset = (offset_), .reason = (reason_)    \
    }
#define OFFSET(at)                                                             \
    ROW(GROWN, IN_SECOND(40), 8, at, SEENSET_ECORRUPT, IN_SECOND(40),          \
        bad_payload)
/* A width that is shifted by, and a length that is a power of two. */
#define SHIFT(width, length)                                                   \
    ROW(COUNTING, 52, 4, width, SEENSET_ECORRUPT, 52, bad_places),             \
        ROW(SEALED, IN_FIRST(72), 4, width, SEENSET_ECORRUPT, IN_FIRST(0),     \
            bad_shape),                                                        \
        ROW(SEALED, IN_FIRST(80), 8, length, SEENSET_ECORRUPT, IN_FIRST(0),    \
            bad_shape)

static const char bad_count[] = "the number of generations is out of range",
                  bad_hash[] = "the hash or the index scheme is unknown",
                  bad_version[] = "the format version is not 1 to 7",
                  bad_layout[] = "the layout is unknown to this version",
                  other_layout[] = "the table's layout is not the set's",
                  bad_policy[] = "the policy is unknown to this version",
                  bad_places[] = "no table has places of this width",
                  bad_window[] = "the window does not fit the set",
                  bad_many[] = "more tables than the policy makes",
                  bad_flag[] = "a flag is unknown to this version",
                  bad_blocks[] = "the blocks are not of 4096 bytes",
                  bad_sums[] = "the sums are not where the tables end",
                  bad_promise[] = "the whole set's promise is out of range",
                  bad_reserved[] = "reserved bytes are in use",
                  bad_shape[] = "no table has this size and hash count",
                  bad_capacity[] = "the capacity is outside its range",
                  bad_rate[] = "the false-positive rate is outside (0, 1]",
                  bad_added[] = "more keys than a table can hold",
                  bad_payload[] = "the payload is not where its size puts it",
                  bad_length[] = "the file size does not fit the table's",
                  bad_magic[] = "the first 8 bytes are not seenset's",
                  bad_check[] = "the writer's hash gave other values",
                  bad_scheme[] = "no such set can have an index scheme",
                  bad_on_full[] = "this layout cannot do that when full",
                  bad_header[] = "the header's length does not fit it",
                  cut_payload[] = "the file ends inside the payload";

const header_row header_rows[] = {
    ROW(BLOOM, 0, 1, 'x', SEENSET_EFORMAT, 0, bad_magic),
    ROW(BLOOM, 7, 1, 'x', SEENSET_EFORMAT, 0, bad_magic),
    ROW(BLOOM, 8, 4, 0, SEENSET_EVERSION, 8, bad_version),
    ROW(BLOOM, 8, 4, 8, SEENSET_EVERSION, 8, bad_version),
    ROW(BLOOM, 8, 4, 7, SEENSET_ECORRUPT, 12, bad_header),
    ROW(BLOOM, 8, 4, 6, SEENSET_ECORRUPT, 12, bad_header),
    ROW(GROWN_3, 8, 4, 5, SEENSET_EVERSION, 40, bad_layout),
    ROW(BLOOM, 12, 4, 191, SEENSET_ECORRUPT, 12, bad_header),
    ROW(BLOOM, 48, 4, 0, SEENSET_ECORRUPT, 48, bad_count),
    ROW(BLOOM, 48, 4, 2, SEENSET_ECORRUPT, 48, bad_count),
    ROW(GROWN, 48, 4, 0, SEENSET_ECORRUPT, 48, bad_count),
    ROW(GROWN, 48, 4, SS_MAX_GENERATIONS + 1, SEENSET_ECORRUPT, 48, bad_count),
    ROW(BLOOM, 24, 4, 0, SEENSET_EHASH, 24, bad_hash),
    ROW(BLOOM, 24, 4, 2, SEENSET_EHASH, 24, bad_hash),
    ROW(BLOOM, 28, 4, 2, SEENSET_EHASH, 24, bad_hash),
    ROW(GROWN, 28, 4, 2, SEENSET_EHASH, 24, bad_hash),
    ROW(SCHEME, 28, 4, 1, SEENSET_EHASH, 24, bad_hash),
    ROW(SCHEME, 28, 4, 77, SEENSET_EHASH, 24, bad_hash),
    ROW(BLOOM, 32, 1, 0, SEENSET_EHASH, 32, bad_check),
    ROW(SCHEME, 32, 1, 0, SEENSET_EHASH, 32, bad_check),
    ROW(BLOOM, 40, 4, 0, SEENSET_EVERSION, 40, bad_layout),
    ROW(BLOOM, 40, 4, SEENSET_LAYOUT_COUNTING, SEENSET_EVERSION, 40,
        bad_layout),
    ROW(BLOOM, 40, 4, SEENSET_LAYOUT_SEALED, SEENSET_EVERSION, 40, bad_layout),
    ROW(GROWN, 40, 4, 0, SEENSET_EVERSION, 40, bad_layout),
    ROW(GROWN, 40, 4, 5, SEENSET_EVERSION, 40, bad_layout),
    OPENS(BLOOM, 44, 4, SEENSET_ON_FULL_REFUSE),
    ROW(BLOOM, 44, 4, SEENSET_ON_FULL_ROTATE, SEENSET_EVERSION, 44, bad_policy),
    ROW(BLOOM, 44, 4, SEENSET_ON_FULL_ROTATE + 1, SEENSET_EVERSION, 44,
        bad_policy),
    ROW(BLOOM, 44, 4, 0, SEENSET_EVERSION, 44, bad_policy),
    ROW(BLOOM, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_EVERSION, 44, bad_policy),
    ROW(GROWN, 44, 4, 0, SEENSET_EVERSION, 44, bad_policy),
    ROW(GROWN, 44, 4, SEENSET_ON_FULL_ROTATE + 1, SEENSET_EVERSION, 44,
        bad_policy),
    ROW(GROWN, 44, 4, SEENSET_ON_FULL_REFUSE, SEENSET_ECORRUPT, 48, bad_many),
    ROW(SCHEME, 40, 4, SEENSET_LAYOUT_BLOCKED, SEENSET_ECORRUPT, 28,
        bad_scheme),
    ROW(SCHEME, 44, 4, SEENSET_ON_FULL_REFUSE, SEENSET_ECORRUPT, 28,
        bad_scheme),
    ROW(COUNTING, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_ECORRUPT, 44,
        bad_on_full),
    ROW(SEALED, 44, 4, SEENSET_ON_FULL_ROTATE, SEENSET_ECORRUPT, 44,
        bad_on_full),
    ROW(BLOOM, 52, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(BLOOM, 119, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(COUNTING, 52, 4, 1, SEENSET_ECORRUPT, 52, bad_places),
    ROW(COUNTING, 52, 4, 17, SEENSET_ECORRUPT, 52, bad_places),
    ROW(SLOTS, 8, 4, 3, SEENSET_EVERSION, 40, bad_layout),
    ROW(SLOTS, 44, 4, SEENSET_ON_FULL_GROW, SEENSET_ECORRUPT, 44,
        "this layout cannot do that when full"),
    ROW(SLOTS, 52, 4, 4, SEENSET_ECORRUPT, 52, bad_places),
    ROW(SLOTS, IN_FIRST(0), 8, 256, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(SLOTS, IN_FIRST(8), 4, 7, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(SLOTS, IN_FIRST(8), 4, 57, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    /* a table that grows in place: its layout, its shape, and no more */
    ROW(GROWN_6, 8, 4, 3, SEENSET_ECORRUPT, 12, bad_header),
    ROW(GROWN_6, 40, 4, SEENSET_LAYOUT_EXPANDABLE, SEENSET_EVERSION, 40,
        bad_layout),
    ROW(GROWN_6, IN_SECOND(12), 4, 0, SEENSET_EVERSION, IN_SECOND(12),
        other_layout),
    ROW(GROWN_6, IN_SECOND(12), 4, 2, SEENSET_EVERSION, IN_SECOND(12),
        other_layout),
    ROW(GROWN_6, IN_SECOND(12), 4, 99, SEENSET_EVERSION, IN_SECOND(12),
        other_layout),
    ROW(GROWN_6, IN_SECOND(12), 4, SEENSET_LAYOUT_BLOCKED, SEENSET_ECORRUPT,
        IN_SECOND(0), bad_shape),
    ROW(GROWN_6, IN_FIRST(12), 4, SEENSET_LAYOUT_EXPANDABLE, SEENSET_ECORRUPT,
        IN_FIRST(0), bad_shape),
    ROW(GROWN_6, IN_SECOND(8), 4, 0, SEENSET_ECORRUPT, IN_SECOND(0), bad_shape),
    ROW(GROWN_6, IN_SECOND(8), 4, 2, SEENSET_ECORRUPT, IN_SECOND(0), bad_shape),
    ROW(GROWN_6, IN_SECOND(0), 8, 0, SEENSET_ECORRUPT, IN_SECOND(0), bad_shape),
    MORE(GROWN_6, IN_SECOND(0), 512, IN_SECOND(0), bad_shape),
    MORE(GROWN_6, IN_SECOND(0), UINT64_C(1) << 62, IN_SECOND(0), bad_shape),
    ROW(GROWN_6, IN_SECOND(72), 4, 7, SEENSET_ECORRUPT, IN_SECOND(0),
        bad_shape),
    ROW(GROWN_6, IN_SECOND(72), 4, 13, SEENSET_ECORRUPT, IN_SECOND(0),
        bad_shape),
    ROW(GROWN_6, IN_SECOND(72), 4, UINT32_MAX, SEENSET_ECORRUPT, IN_SECOND(0),
        bad_shape),
    ROW(GROWN_6, IN_SECOND(88), 8, 0, SEENSET_ECORRUPT, IN_SECOND(0),
        bad_shape),
    ROW(GROWN_6, IN_SECOND(88), 8, 2, SEENSET_ECORRUPT, IN_SECOND(0),
        bad_shape),
    ROW(GROWN_6, IN_SECOND(88), 8, UINT64_MAX / 9 + 1, SEENSET_ECORRUPT,
        IN_SECOND(0), bad_shape),
    ROW(GROWN_6, IN_SECOND(76), 4, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN_6, IN_SECOND(80), 8, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN_6, IN_SECOND(96), 8, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN_6, IN_SECOND(112), 8, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN, 52, 4, 0, SEENSET_ECORRUPT, 52, bad_places),
    ROW(GROWN, 52, 4, 4, SEENSET_ECORRUPT, 52, bad_places),
    ROW(GROWN, 56, 4, 2, SEENSET_ECORRUPT, 56, bad_window),
    ROW(GROWN, 64, 8, 1, SEENSET_ECORRUPT, 56, bad_window),
    ROW(WINDOW, 56, 4, 1, SEENSET_ECORRUPT, 56, bad_window),
    ROW(WINDOW, 56, 4, 2, SEENSET_ECORRUPT, 48, bad_many),
    /* of 3 tables */
    ROW(WINDOW_3, 56, 4, 2, SEENSET_ECORRUPT, 48, bad_many),
    ROW(GROWN_3, 48, 4, SS_MAX_TABLES + 1, SEENSET_ECORRUPT, 48, bad_count),
    ROW(GROWN_3, 60, 4, 1, SEENSET_ECORRUPT, 56, bad_window),
    OPENS(WINDOW_3, 60, 4, 1),
    /* it slides */
    ROW(WINDOW_3, 60, 4, 2, SEENSET_EVERSION, 60, bad_flag),
    ROW(WINDOW_3, 63, 1, 1, SEENSET_EVERSION, 60, bad_flag),
    ROW(GROWN_3, 88, 8, 8192, SEENSET_EVERSION, 88, bad_blocks),
    ROW(GROWN_3, 96, 8, 0, SEENSET_ECORRUPT, 96, bad_sums),
    ROW(GROWN_3, 104, 8, 0, SEENSET_ECORRUPT, 96, bad_sums),
    OPENS(GROWN_3, IN_SECOND(104), 8, 7),
    /* noticed */
    ROW(GROWN_3, IN_SECOND(112), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(SEALED_3, IN_FIRST(112), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    OPENS(WINDOW, 56, 4, 3),
    OPENS(WINDOW, 56, 4, SS_MAX_GENERATIONS),
    ROW(WINDOW, 56, 4, SS_MAX_GENERATIONS + 1, SEENSET_ECORRUPT, 56,
        bad_window),
    OPENS(WINDOW, 64, 8, UINT64_MAX),
    ROW(GROWN, 72, 8, 0, SEENSET_ECORRUPT, 72, bad_promise),
    OPENS(GROWN, 72, 8, 1),
    OPENS(GROWN, 72, 8, MOST),
    ROW(GROWN, 72, 8, MOST + 1, SEENSET_ECORRUPT, 72, bad_promise),
    ROW(GROWN, 80, 8, 0, SEENSET_ECORRUPT, 72, bad_promise),
    OPENS(GROWN, 80, 8, 1),
    OPENS(GROWN, 80, 8, ONE),
    ROW(GROWN, 80, 8, ONE + 1, SEENSET_ECORRUPT, 72, bad_promise),
    ROW(GROWN, 60, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(GROWN, 63, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(GROWN, 88, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(GROWN, 119, 1, 1, SEENSET_EVERSION, 88, bad_reserved),
    ROW(BLOOM, IN_FIRST(0), 8, 0, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(BLOOM, IN_FIRST(8), 4, 0, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    OPENS(BLOOM, IN_FIRST(8), 4, 255),
    ROW(BLOOM, IN_FIRST(8), 4, 256, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(GROWN, IN_SECOND(8), 4, 256, SEENSET_ECORRUPT, IN_SECOND(0), bad_shape),
    ROW(SEALED, IN_FIRST(8), 4, 2, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(SEALED, IN_FIRST(72), 4, 9, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(SEALED, IN_FIRST(80), 8, 3, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(SEALED, IN_FIRST(88), 8, UINT64_MAX, SEENSET_ECORRUPT, IN_FIRST(0),
        bad_shape),
    /* packed slots: of a width of version 7 and in it, and nothing else */
    ROW(SEALED, IN_FIRST(72), 4, 7, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(PACKED, 8, 4, 6, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(PACKED, 8, 4, 5, SEENSET_ECORRUPT, 12, bad_header),
    ROW(PACKED, 40, 4, SEENSET_LAYOUT_BLOOM, SEENSET_EVERSION, 40, bad_layout),
    ROW(PACKED, 40, 4, SEENSET_LAYOUT_FINGERPRINT, SEENSET_EVERSION, 40,
        bad_layout),
    ROW(PACKED, IN_FIRST(12), 4, 0, SEENSET_EVERSION, IN_FIRST(12),
        other_layout),
    ROW(PACKED, IN_FIRST(12), 4, SEENSET_LAYOUT_EXPANDABLE, SEENSET_EVERSION,
        IN_FIRST(12), other_layout),
    ROW(PACKED, IN_FIRST(72), 4, 3, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(PACKED, IN_FIRST(72), 4, 6, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(PACKED, IN_FIRST(72), 4, 8, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    ROW(PACKED, IN_FIRST(72), 4, 33, SEENSET_ECORRUPT, IN_FIRST(0), bad_shape),
    MORE(PACKED, IN_FIRST(0), -56, IN_FIRST(0), bad_shape),
    MORE(PACKED, IN_FIRST(88), UINT64_C(1) << 62, IN_FIRST(0), bad_shape),
    ROW(PACKED, IN_FIRST(76), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    ROW(BLOOM, IN_FIRST(16), 8, 0, SEENSET_ECORRUPT, IN_FIRST(16),
        bad_capacity),
    OPENS(BLOOM, IN_FIRST(16), 8, 1),
    OPENS(BLOOM, IN_FIRST(16), 8, MOST),
    ROW(BLOOM, IN_FIRST(16), 8, MOST + 1, SEENSET_ECORRUPT, IN_FIRST(16),
        bad_capacity),
    ROW(GROWN, IN_SECOND(16), 8, 0, SEENSET_ECORRUPT, IN_SECOND(16),
        bad_capacity),
    ROW(BLOOM, IN_FIRST(24), 8, 0, SEENSET_ECORRUPT, IN_FIRST(24), bad_rate),
    OPENS(BLOOM, IN_FIRST(24), 8, ONE),
    OPENS(BLOOM, IN_FIRST(24), 8, ONE - (UINT64_C(1) << 52)), /* 0.5 */
    NO_RATE(UINT64_C(1) << 63),                               /* -0 */
    NO_RATE((ONE - (UINT64_C(1) << 52)) | UINT64_C(1) << 63), /* -0.5 */
    NO_RATE(UINT64_C(0x7FF0000000000000)),                    /* infinity */
    NO_RATE(UINT64_C(0x7FF8000000000000)),                    /* NaN */
    ROW(BLOOM, IN_FIRST(24), 8, ONE + 1, SEENSET_ECORRUPT, IN_FIRST(24),
        bad_rate),
    ROW(GROWN, IN_SECOND(24), 8, 0, SEENSET_ECORRUPT, IN_SECOND(24), bad_rate),
    OPENS(BLOOM, IN_FIRST(32), 8, MOST),
    ROW(BLOOM, IN_FIRST(32), 8, MOST + 1, SEENSET_ECORRUPT, IN_FIRST(32),
        bad_added),
    ROW(GROWN, IN_SECOND(32), 8, MOST + 1, SEENSET_ECORRUPT, IN_SECOND(32),
        bad_added),
    ROW(BLOOM, IN_FIRST(12), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    ROW(BLOOM, IN_FIRST(15), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    ROW(GROWN, IN_SECOND(12), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN, IN_SECOND(72), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(GROWN, IN_SECOND(127), 1, 1, SEENSET_EVERSION, IN_SECOND(12),
        bad_reserved),
    ROW(SEALED, IN_FIRST(76), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    ROW(SEALED, IN_FIRST(104), 1, 1, SEENSET_EVERSION, IN_FIRST(12),
        bad_reserved),
    OPENS(GROWN, IN_FIRST(64), 8, UINT64_MAX),
    /* started */
    ROW(BLOOM, IN_FIRST(40), 8, 191, SEENSET_ECORRUPT, IN_FIRST(40),
        bad_payload),
    ROW(BLOOM, IN_FIRST(48), 8, 1, SEENSET_ECORRUPT, IN_FIRST(40), bad_payload),
    ROW(GROWN, IN_SECOND(40), 8, 1, SEENSET_ECORRUPT, IN_SECOND(40),
        bad_payload),
    ROW(GROWN, IN_SECOND(48), 8, 1, SEENSET_ECORRUPT, IN_SECOND(40),
        bad_payload),
    ROW(BLOOM, 16, 8, 1, SEENSET_ECORRUPT, 16, bad_length),
    ROW(GROWN, 16, 8, 1, SEENSET_ECORRUPT, 16, bad_length),
    /* sizes that agree among themselves, but not with the file: six bytes made
     * a reader allocate 17 GB, guava#8463 */
    {HUGE(11), .error = SEENSET_ETRUNCATED, .offset = 320,
     .reason = cut_payload},
    {HUGE(32), .error = SEENSET_ETRUNCATED, .offset = 320,
     .reason = cut_payload},
    {HUGE(53), .error = SEENSET_ETRUNCATED, .offset = 320,
     .reason = cut_payload},
    {HUGE(54), .error = SEENSET_ECORRUPT, .offset = IN_FIRST(0),
     .reason = bad_shape},
    {HUGE(50), .error = SEENSET_ETRUNCATED, .offset = 192,
     .reason = cut_payload, .cut_to = 192},
    /* a chain that was said to have no filter was indexed at -1: RedisBloom, in
     * redis/docs#2333; or could be written and not read: dragonfly#8104 */
    EMPTY_CHAIN(BLOOM),
    EMPTY_CHAIN(GROWN),
    EMPTY_CHAIN(COUNTING),
    EMPTY_CHAIN(WINDOW),
    EMPTY_CHAIN(GROWN_3),
    EMPTY_CHAIN(WINDOW_3),
    EMPTY_CHAIN(SEALED_3),
    EMPTY_CHAIN(SEALED),
    EMPTY_CHAIN(SCHEME),
    /* hash % size with a size of 0, from a peer's message or an empty list:
     * CVE-2013-5700 (Bitcoin), bits-and-blooms/bloom#32, redisson#739; and a
     * window of one table, whose spans are divided by one less */
    {.set = BLOOM,
     .changes = {FIELD(IN_FIRST(0), 8, 0), FIELD(IN_FIRST(48), 8, 0),
                 FIELD(16, 8, 192)},
     .error = SEENSET_ECORRUPT,
     .offset = IN_FIRST(0),
     .reason = bad_shape,
     .cut_to = 192},
    {.set = WINDOW,
     .changes = {FIELD(56, 4, 1), FIELD(64, 8, 10)},
     .error = SEENSET_ECORRUPT,
     .offset = 56,
     .reason = bad_window},
    /* chunks were copied to wherever their cursor said: RedisBloom#726 */
    OFFSET(0),
    OFFSET(128),
    OFFSET(384) /* where the first is */,
    OFFSET(UINT64_MAX - 63),
    MORE(GROWN, IN_SECOND(40), 8, IN_SECOND(40), bad_payload),
    MORE(GROWN, IN_SECOND(40), -8, IN_SECOND(40), bad_payload),
    /* width * depth wrapped around to a small block that was then written past:
     * RedisBloom#1054; here segments of 4 slots, 2^62 too many */
    MORE(SEALED, IN_FIRST(88), UINT64_C(1) << 62, IN_FIRST(0), bad_shape),
    /* 1 << n2 for an n2 out of a file: RedisBloom#996 */
    SHIFT(0, 1),
    SHIFT(17, 8),
    SHIFT(31, UINT64_C(1) << 31),
    SHIFT(63, UINT64_C(1) << 63),
    SHIFT(64, 64),
    SHIFT(65, 2),
    SHIFT(128, 128),
    SHIFT(UINT32_MAX, UINT64_C(1) << 32),
};
const size_t header_row_count = TEST_COUNT(header_rows);

/* ---- the sets that are changed ---- */

static seenset *make(int number)
{
    static const seenset_key keys[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    static const seenset_options whole_bytes = {.fp_rate = 0x1p-8};
    seenset *set = NULL;
    if (number == SCHEME)
        return test_make(
            (seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                              .on_full = SEENSET_ON_FULL_DEGRADE,
                              .scheme = SEENSET_SCHEME_MD5_DIVMOD});
    assert_int_equal(seenset_build_sealed(&set, &whole_bytes, keys,
                                          TEST_COUNT(keys), NULL, NULL),
                     SEENSET_OK);
    return set;
}

uint8_t *header_bytes_of(int number, size_t *size_bytes)
{
    if (number < TEST_GOLDEN_COUNT)
        return test_golden_bytes((size_t)number, size_bytes);
    seenset *set = make(number);
    uint8_t *bytes = test_bytes_of(set, size_bytes);
    seenset_free(set);
    test_to_version(2, bytes, size_bytes);
    return bytes;
}
