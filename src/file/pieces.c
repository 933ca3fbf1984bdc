/* pieces.c - see pieces.h */
#include "file/pieces.h"

/* Copies words that others may be setting bits in; how many bits are set. */
static uint64_t copy_words(uint8_t *bytes, const uint64_t *words, size_t count)
{
    uint64_t ones = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = ss_bits_read(&words[i]);
        ss_bits_store(bytes + 8 * i, 8, word);
        ones += ss_bits_count(word);
    }
    return ones;
}

ss_pieces ss_pieces_of(const ss_table *table, uint64_t first)
{
    ss_pieces from = {0};
    if (table->expand == NULL) {
        from.words = table->words + first / sizeof(uint64_t);
        return from;
    }
    ss_image_start(&from.cursor, table->expand);
    ss_image_seek(&from.cursor, first);
    return from;
}

void ss_pieces_next(ss_pieces *from, uint8_t *bytes, size_t size_bytes)
{
    if (from->cursor.expand != NULL) {
        ss_image_next(&from->cursor, bytes, size_bytes);
        return;
    }
    from->set_bits += copy_words(bytes, from->words, size_bytes / 8);
    from->words += size_bytes / 8;
}
