/* write.c - a set described by a header, and the header's bytes */
#include "file/header/fields.h"
#include "table/expandable.h"

static void store_rate(uint8_t *bytes, size_t at, double rate)
{
    uint64_t bits;
    memcpy(&bits, &rate, sizeof bits);
    ss_bits_store(bytes + at, 8, bits);
}

size_t ss_header_bytes(const ss_header *header)
{
    return ss_header_arguments_offset(header->version,
                                      header->generation_count) +
           ss_header_arguments_bytes(
               header->version, header->kind.identity.arguments.seed_count);
}

uint64_t ss_header_file_bytes(const ss_header *header)
{
    return header->sums_offset + header->block_count * SS_SUM_BYTES;
}

void ss_header_place(ss_header *header)
{
    uint64_t offset = ss_header_bytes(header), blocks = 0;
    for (uint32_t i = 0; i < header->generation_count; i++) {
        ss_table_record *record = &header->records[i];
        record->payload_offset = offset;
        record->payload_bytes = ss_header_payload_bytes(header, record);
        record->first_block = blocks;
        offset += record->payload_bytes;
        blocks += ss_header_blocks(record->payload_bytes);
    }
    header->sums_offset = offset;
    header->block_count = header->version >= 3 ? blocks : 0;
}

/* A reader refuses a count over 2^53; one that was read may be just below. */
static uint64_t countable(uint64_t added_items)
{
    return added_items < SEENSET_MAX_SIZE_BITS ? added_items
                                               : SEENSET_MAX_SIZE_BITS;
}

/* The oldest that has such tables. */
static uint32_t version_of_table(const ss_table *table)
{
    return ss_fuse_is_packed_shape(&table->fuse)
               ? 7
               : table->layout->traits->first_file_version;
}

/* The oldest from version 3 on that can hold the set. Version 5 has no room for
 * arguments. */
static uint32_t version_of(const seenset *set)
{
    uint32_t version = ss_key_hash_file_version(&set->identity);
    bool has_arguments = ss_header_has_arguments(version);
    for (uint32_t i = 0; i < set->generation_count; i++) {
        uint32_t of_table = version_of_table(&set->generations[i].table);
        version = version > of_table ? version : of_table;
    }
    if (version == 5 && has_arguments)
        return 6;
    return version > 3 ? version : 3;
}

/* The first that does not grow in place: a set has one. */
static const ss_table *first_table(const seenset *set)
{
    uint32_t i = 0;
    while (set->generations[i].table.expand != NULL)
        i++;
    return &set->generations[i].table;
}

static void describe_image(ss_table_record *record, const ss_table *table)
{
    record->is_expandable = true;
    record->image = ss_image_shape_of(table->expand);
    record->size_bits = record->image.size_bits;
}

void ss_header_describe(ss_header *header, const seenset *set)
{
    const ss_table *first = first_table(set);
    header->version = version_of(set);
    header->layout = first->layout->traits->id;
    header->kind =
        (ss_set_params){.on_full = set->on_full,
                        .capacity_items = set->capacity_items,
                        .fp_rate = set->fp_rate,
                        .window_generations = set->window_generations,
                        .window_seconds = set->window_seconds,
                        .is_sliding = set->is_sliding,
                        .identity = set->identity};
    header->hash_check = ss_key_hash_check(&set->identity);
    header->cell_bits = first->cell_bits;
    header->generation_count = set->generation_count;
    for (uint32_t i = 0; i < set->generation_count; i++) {
        const ss_generation *generation = &set->generations[i];
        header->records[i] = (ss_table_record){
            .size_bits = generation->table.size_bits,
            .hash_count = generation->table.hash_count,
            .capacity_items = generation->capacity_items,
            .fp_rate = generation->fp_rate,
            .added_items = countable(ss_set_added_items(generation)),
            .started_seconds = generation->started_seconds,
            .noticed_seconds = generation->noticed_seconds,
            .fuse = generation->table.fuse};
        if (generation->table.expand != NULL)
            describe_image(&header->records[i], &generation->table);
    }
    header->sums_checksum = 0;
    ss_header_place(header);
}

static void encode_fixed(const ss_header *header, uint8_t *bytes)
{
    const ss_set_params *kind = &header->kind;
    memcpy(bytes + AT_MAGIC, ss_header_magic, sizeof ss_header_magic);
    ss_bits_store(bytes + AT_VERSION, 4, header->version);
    ss_bits_store(bytes + AT_HEADER_BYTES, 4, ss_header_bytes(header));
    ss_bits_store(bytes + AT_FILE_BYTES, 8, ss_header_file_bytes(header));
    ss_bits_store(bytes + AT_HASH, 4, kind->identity.hash);
    ss_bits_store(bytes + AT_SCHEME, 4, kind->identity.scheme);
    ss_bits_store(bytes + AT_HASH_CHECK, 8, header->hash_check);
    ss_bits_store(bytes + AT_LAYOUT, 4, header->layout);
    ss_bits_store(bytes + AT_ON_FULL, 4, kind->on_full);
    ss_bits_store(bytes + AT_GENERATION_COUNT, 4, header->generation_count);
    if (header->version == 1)
        return;
    ss_bits_store(bytes + AT_PLACE_BITS, 4, header->cell_bits);
    ss_bits_store(bytes + AT_WINDOW_GENERATIONS, 4, kind->window_generations);
    ss_bits_store(bytes + AT_WINDOW_SECONDS, 8, kind->window_seconds);
    ss_bits_store(bytes + AT_WHOLE_CAPACITY, 8, kind->capacity_items);
    store_rate(bytes, AT_WHOLE_RATE, kind->fp_rate);
    if (header->version == 2)
        return;
    ss_bits_store(bytes + AT_FLAGS, 4, kind->is_sliding ? FLAG_SLIDING : 0);
    ss_bits_store(bytes + AT_BLOCK_BYTES, 8, SS_BLOCK_BYTES);
    ss_bits_store(bytes + AT_SUMS_OFFSET, 8, header->sums_offset);
    ss_bits_store(bytes + AT_SUMS_BYTES, 8, header->block_count * SS_SUM_BYTES);
    ss_bits_store(bytes + AT_SUMS_CHECKSUM, 8, header->sums_checksum);
}

static void encode_image(const ss_image_shape *image, uint8_t *bytes)
{
    ss_bits_store(bytes + IN_LAYOUT, 4, ss_expandable_traits.id);
    ss_bits_store(bytes + IN_UNIT_BITS, 4, image->unit_bits);
    ss_bits_store(bytes + IN_SEGMENT_COUNT, 8, image->segments);
}

static void encode_record(const ss_table_record *record,
                          const ss_header *header, uint8_t *bytes)
{
    uint32_t version = header->version;
    ss_bits_store(bytes + IN_SIZE_BITS, 8, record->size_bits);
    ss_bits_store(bytes + IN_HASH_COUNT, 4, record->hash_count);
    ss_bits_store(bytes + IN_CAPACITY_ITEMS, 8, record->capacity_items);
    store_rate(bytes, IN_FP_RATE, record->fp_rate);
    ss_bits_store(bytes + IN_ADDED_ITEMS, 8, record->added_items);
    ss_bits_store(bytes + IN_PAYLOAD_OFFSET, 8, record->payload_offset);
    ss_bits_store(bytes + IN_PAYLOAD_BYTES, 8, record->payload_bytes);
    ss_bits_store(bytes + IN_PAYLOAD_CHECKSUM, 8, record->payload_checksum);
    if (version == 1)
        return;
    ss_bits_store(bytes + IN_STARTED_SECONDS, 8, record->started_seconds);
    ss_bits_store(bytes + IN_FINGERPRINT_BITS, 4,
                  record->fuse.fingerprint_bits);
    ss_bits_store(bytes + IN_SEGMENT_LENGTH, 8, record->fuse.segment_length);
    ss_bits_store(bytes + IN_SEGMENT_COUNT, 8, record->fuse.segment_count);
    ss_bits_store(bytes + IN_SEED, 8, record->fuse.seed);
    if (version > 2)
        ss_bits_store(bytes + IN_NOTICED_SECONDS, 8, record->noticed_seconds);
    if (version > 5)
        ss_bits_store(bytes + IN_LAYOUT, 4, header->layout);
    if (record->is_expandable)
        encode_image(&record->image, bytes);
}

static void encode_arguments(const ss_scheme_arguments *arguments,
                             uint8_t *bytes)
{
    ss_bits_store(bytes + OF_SEED, 8, arguments->seed);
    ss_bits_store(bytes + OF_UNIT_BITS, 4, arguments->unit_bits);
    ss_bits_store(bytes + OF_SEED_COUNT, 4, arguments->seed_count);
    for (uint32_t i = 0; i < arguments->seed_count; i++)
        ss_bits_store(bytes + OF_SEEDS + 4 * (size_t)i, 4, arguments->seeds[i]);
}

void ss_header_encode(const ss_header *header, uint8_t *bytes)
{
    uint32_t version = header->version;
    size_t header_bytes = ss_header_bytes(header);
    memset(bytes, 0, header_bytes);
    encode_fixed(header, bytes);
    for (uint32_t i = 0; i < header->generation_count; i++)
        encode_record(&header->records[i], header,
                      bytes + SS_HEADER_FIXED_BYTES +
                          i * ss_header_record_bytes(version));
    if (ss_header_has_arguments(version))
        encode_arguments(&header->kind.identity.arguments,
                         bytes + ss_header_arguments_offset(
                                     version, header->generation_count));
    ss_bits_store(bytes + AT_CHECKSUM, 8,
                  ss_header_checksum(bytes, header_bytes));
}
