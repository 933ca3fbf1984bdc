/* checks.c - blocks of a view, checked when touched; the idea is in checks.h */
#include "set/view/checks.h"

#include "base/lock.h"
#include "expand/state.h"
#include "hash/block_sum.h"
#include "set/batch_hashes.h"
#include "set/view/checks_parts.h"
#include "set/kinds/kind.h"
#include "set/view/deferred.h"
#include "table/table.h"

enum {
    CHUNK_KEYS = 512,
    BLOCK_BITS = SS_BLOCK_BYTES * 8
};

int ss_checks_start(seenset *set, const uint8_t *sums, uint64_t block_count)
{
    ss_checks *made = ss_memory_alloc(&set->memory, 1, sizeof *made);
    if (made == NULL)
        return SEENSET_ENOMEM;
    *made = (ss_checks){
        .sums = sums, .block_count = block_count, .unchecked = block_count};
    made->checked = ss_memory_alloc(
        &set->memory, ss_bits_word_count(block_count), sizeof *made->checked);
    if (made->checked == NULL) {
        ss_memory_free(&set->memory, made, 1, sizeof *made);
        return SEENSET_ENOMEM;
    }
    set->checks = made;
    ss_set_choose_kind(set);
    return SEENSET_OK;
}

void ss_checks_end(seenset *set)
{
    ss_checks *checks = set->checks;
    if (checks == NULL)
        return;
    ss_memory_free(&set->memory, checks->checked,
                   ss_bits_word_count(checks->block_count),
                   sizeof *checks->checked);
    ss_deferred_free(checks->late);
    ss_overlay_free(checks->beside);
    ss_memory_free(&set->memory, checks, 1, sizeof *checks);
    set->checks = NULL;
}

bool ss_checks_has_sums(const seenset *set)
{
    return ss_checks_of(set)->sums != NULL;
}

uint64_t ss_checks_memory_bytes(const seenset *set)
{
    const ss_checks *checks = ss_checks_of(set);
    return checks->block_count == 0
               ? 0
               : sizeof *checks +
                     ss_bits_word_count(checks->block_count) *
                         sizeof *checks->checked +
                     ss_deferred_memory_bytes(checks->late) +
                     ss_overlay_memory_bytes(checks->beside);
}

/* Is there nothing to check, or no more? */
static bool is_checked(const seenset *set)
{
    return __atomic_load_n(&ss_checks_of(set)->unchecked, __ATOMIC_ACQUIRE) ==
           0;
}

/* ---- late hashes ---- */

/* Writes what is there: the page of the word is the set's own then. */
static void own_page(uint64_t *word)
{
    uint64_t zero = 0;
    (void)__atomic_compare_exchange_n(word, &zero, 0, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
}

/*
 * Makes the pages of a block the set's own, before they are read. To read a
 * page of a file first makes the system map its neighbours as well, which takes
 * several times as long as to copy it. A block may begin in one page and end in
 * the next.
 */
static void own_block(const ss_generation *generation, uint64_t of)
{
    size_t size_bytes;
    uint64_t *words = (uint64_t *)ss_checks_block(generation, of, &size_bytes);
    own_page(words);
    own_page(words + size_bytes / sizeof *words - 1);
}

/* Holds a block against its sum, once: later it may have hashes that the sum
 * does not know. */
static bool try_block(const seenset *set, uint64_t of)
{
    ss_checks *checks = set->checks;
    ss_deferred *late = checks->late;
    const ss_generation *newest = ss_set_newest(set);
    if (ss_checks_is_set(checks->checked, newest->first_block + of))
        return true;
    if (ss_checks_set_bit(late->tried, of)) {
        own_block(newest, of);
        if (!ss_checks_is_sound(set, newest, of))
            ss_checks_set_bit(late->bad, of);
    }
    return !ss_checks_is_set(late->bad, of);
}

/* Adds hash `number` to all of its blocks, unless it was. Blocks count as
 * checked if they were sound. */
static void add_late(const seenset *set, uint32_t number)
{
    ss_deferred *late = set->checks->late;
    ss_generation *newest = ss_set_newest(set);
    uint64_t hash = late->hashes[number], blocks[SS_DEFERRED_MOST_BLOCKS];
    if (!ss_checks_set_bit(late->added, number))
        return;
    ss_deferred_list_blocks(&newest->table, hash, blocks);
    for (uint32_t i = 0; i < late->places; i++)
        (void)try_block(set, blocks[i]);
    if (!newest->table.layout->add(&newest->table, hash))
        late->known_items++;
    if (--late->left > 0)
        return;
    (void)__atomic_fetch_sub(&newest->added_items, late->known_items,
                             __ATOMIC_RELAXED);
    late->known_items = 0;
}

/* Adds what block `of` of the newest table is to have. Is it sound? */
static bool complete_block(const seenset *set, uint64_t of)
{
    ss_deferred *late = set->checks->late;
    ss_lock_take(&late->lock);
    uint32_t entry = ss_deferred_first(late, of);
    for (; entry != 0; entry = ss_deferred_next(late, entry))
        add_late(set, ss_deferred_number(late, entry));
    bool is_good = try_block(set, of);
    if (is_good)
        ss_checks_set(set, ss_set_newest(set)->first_block + of);
    ss_lock_give(&late->lock);
    return is_good;
}

/* Was any of these blocks of the newest table read already? */
static bool is_read(const seenset *set, const uint64_t *blocks)
{
    const ss_checks *checks = set->checks;
    uint64_t first = ss_set_newest(set)->first_block;
    bool is_any = false;
    for (uint32_t i = 0; !is_any && i < checks->late->places; i++)
        is_any = ss_checks_is_set(checks->checked, first + blocks[i]);
    return is_any;
}

static bool has_late_list(seenset *set)
{
    ss_checks *checks = set->checks;
    const ss_generation *newest = ss_set_newest(set);
    if (checks == NULL || set->mapping == NULL)
        return false;
    if (checks->late == NULL)
        checks->late =
            ss_deferred_new(&set->memory, &newest->table,
                            checks->block_count - newest->first_block);
    return checks->late != NULL;
}

bool ss_checks_add_late(seenset *set, uint64_t hash)
{
    uint64_t blocks[SS_DEFERRED_MOST_BLOCKS];
    ss_generation *newest = ss_set_newest(set);
    bool is_counting = newest->table.layout->count != NULL;
    if (!has_late_list(set))
        return false;
    ss_deferred *late = set->checks->late;
    if (!is_counting && ss_deferred_has(late, hash))
        return true;
    ss_deferred_list_blocks(&newest->table, hash, blocks);
    if (!ss_deferred_put(late, &newest->table, blocks, hash))
        return false;
    newest->added_items++;
    if (is_read(set, blocks))
        add_late(set, late->count - 1);
    return true;
}

void ss_checks_settle(const seenset *set)
{
    ss_deferred *late = ss_checks_of(set)->late;
    if (late == NULL || ss_set_newest(set)->table.layout->count == NULL)
        return;
    for (uint32_t i = 0; i < late->count; i++) {
        ss_lock_take(&late->lock);
        add_late(set, i);
        ss_lock_give(&late->lock);
    }
}

/* ---- blocks ---- */

/* Can block `of` of a table be read? */
static bool check_block(const seenset *set, const ss_generation *generation,
                        uint64_t of)
{
    ss_checks *checks = set->checks;
    uint64_t block = generation->first_block + of;
    if (ss_checks_is_set(checks->checked, block))
        return true;
    if (checks->late != NULL && generation == ss_set_newest(set) &&
        ss_deferred_first(checks->late, of) != 0)
        return complete_block(set, of);
    if (!ss_checks_is_sound(set, generation, of))
        return false;
    ss_checks_set(set, block);
    return true;
}

/* All the blocks that hold bits `first` to `last` of a table. */
static bool check_range(const seenset *set, const ss_generation *generation,
                        uint64_t first, uint64_t last)
{
    for (uint64_t of = first / BLOCK_BITS; of <= last / BLOCK_BITS; of++)
        if (!check_block(set, generation, of))
            return false;
    return true;
}

/* A counter that begins in one block may end in the next. */
static bool check_bits(const seenset *set, const ss_generation *generation,
                       const uint64_t *bits, uint32_t count)
{
    uint32_t cell_bits = generation->table.cell_bits;
    bool is_sound = true;
    for (uint32_t i = 0; is_sound && i < count; i++)
        is_sound =
            check_range(set, generation, bits[i], bits[i] + cell_bits - 1);
    return is_sound;
}

/* ---- all that a call reads ---- */

static bool check_table(const seenset *set, const ss_generation *generation)
{
    if (generation->table.expand != NULL)
        return ss_checks_segments(set, generation);
    uint64_t bits = ss_set_word_count(generation) * SS_WORD_BITS;
    return check_range(set, generation, 0, bits - 1);
}

int ss_checks_all(const seenset *set)
{
    if (is_checked(set))
        return SEENSET_OK;
    for (uint32_t i = 0; i < set->generation_count; i++)
        if (!check_table(set, &set->generations[i]))
            return SEENSET_ECORRUPT;
    return SEENSET_OK;
}

int ss_checks_tables(const seenset *set)
{
    int error = ss_checks_all(set);
    for (uint32_t i = 0;
         error == SEENSET_OK && set->is_view && i < set->generation_count; i++)
        if (!ss_table_is_sound(&set->generations[i].table))
            error = SEENSET_ECORRUPT;
    return error;
}

int ss_checks_bits(const seenset *set, const ss_generation *generation,
                   uint64_t first, uint64_t count)
{
    if (count == 0 || is_checked(set) || generation->table.expand != NULL)
        return SEENSET_OK;
    return check_range(set, generation, first, first + count - 1)
               ? SEENSET_OK
               : SEENSET_ECORRUPT;
}

/* What the lookup of a hash reads, in a table. */
static bool check_place(const seenset *set, const ss_generation *generation,
                        uint64_t hash)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    const ss_table *table = &generation->table;
    if (table->expand != NULL)
        return ss_checks_segment(set, generation, hash);
    uint32_t count = table->layout->list_bits(table, hash, bits);
    return check_bits(set, generation, bits, count);
}

/* The same in every table. */
static int check_hash(const seenset *set, uint64_t hash)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; i < set->generation_count; i++)
        if (!check_place(set, &set->generations[i], hash))
            error = SEENSET_ECORRUPT;
    return error;
}

/* The same where the places come from a scheme: in the only table. */
static int check_scheme_key(const seenset *set, const void *key, size_t key_len)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    const ss_generation *only = set->generations;
    const ss_table *table = &only->table;
    uint32_t count = table->layout->list_key_bits(table, key, key_len, bits);
    return check_bits(set, only, bits, count) ? SEENSET_OK : SEENSET_ECORRUPT;
}

int ss_checks_key(const seenset *set, const void *key, size_t key_len)
{
    if (is_checked(set))
        return SEENSET_OK;
    return ss_key_hash_is_hash(&set->identity)
               ? check_hash(set, ss_key_hash_of(&set->identity, key, key_len))
               : check_scheme_key(set, key, key_len);
}

int ss_checks_hash(const seenset *set, uint64_t hash)
{
    return is_checked(set) ? SEENSET_OK : check_hash(set, hash);
}

int ss_checks_newest(const seenset *set, uint64_t hash)
{
    if (is_checked(set))
        return SEENSET_OK;
    return check_place(set, ss_set_newest(set), hash) ? SEENSET_OK
                                                      : SEENSET_ECORRUPT;
}

int ss_checks_has_hash(const seenset *set, uint64_t hash)
{
    if (ss_checks_is_beside(set, hash))
        return 1;
    int error = is_checked(set) ? SEENSET_OK : check_hash(set, hash);
    if (error != SEENSET_OK)
        return ss_checks_has_sound(set, hash) ? 1 : error;
    return set->tables->has_hash(set, hash);
}

int ss_checks_has(const seenset *set, const void *key, size_t key_len)
{
    if (ss_key_hash_is_hash(&set->identity))
        return ss_checks_has_hash(set,
                                  ss_key_hash_of(&set->identity, key, key_len));
    const ss_table *only = &set->generations[0].table;
    int error = ss_checks_key(set, key, key_len);
    return only->layout->has_key(only, key, key_len) ? 1 : error;
}

/* ---- many ---- */

/* One key of a batch. hash: filled in where keys are hashed. */
static int check_one(const seenset *set, const ss_batch *batch, size_t i,
                     uint64_t *hash)
{
    if (!ss_key_hash_is_hash(&set->identity)) {
        uint8_t bytes[sizeof(uint64_t)];
        seenset_key key = ss_batch_key(batch, i, bytes);
        return ss_checks_key(set, key.data, key.len);
    }
    *hash = ss_batch_hashes_one(&set->identity, batch, i);
    return is_checked(set) ? SEENSET_OK : check_hash(set, *hash);
}

static void ask(const seenset *set, const ss_batch *batch, uint8_t *is_seen)
{
    (void)set->tables->has_many(set, batch, is_seen);
}

/* Asks for the keys of a chunk that touch no damaged block. */
static void ask_sound(const seenset *set, const ss_batch *chunk,
                      const bool *is_bad, uint8_t *is_seen)
{
    for (size_t i = 0; i < chunk->count; i++) {
        ss_batch one = ss_batch_part(chunk, i, 1);
        if (!is_bad[i])
            ask(set, &one, &is_seen[i]);
        else
            is_seen[i] = 1;
    }
}

/* Keys that touch a damaged block count as seen. */
static int has_chunk(const seenset *set, const ss_batch *chunk,
                     uint8_t *is_seen)
{
    uint64_t hashes[CHUNK_KEYS];
    bool is_bad[CHUNK_KEYS];
    int error = SEENSET_OK;
    for (size_t i = 0; i < chunk->count; i++) {
        is_bad[i] = check_one(set, chunk, i, &hashes[i]) != SEENSET_OK;
        if (is_bad[i])
            error = SEENSET_ECORRUPT;
    }
    ss_batch ready = *chunk;
    if (ss_key_hash_is_hash(&set->identity))
        ready.hashes = hashes;
    if (error == SEENSET_OK)
        ask(set, &ready, is_seen);
    else
        ask_sound(set, &ready, is_bad, is_seen);
    ss_checks_mark_beside(set, hashes, chunk->count, is_seen);
    return error;
}

int ss_checks_has_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen)
{
    int first_error = SEENSET_OK;
    if (is_checked(set) && ss_checks_beside_count(set) == 0) {
        ask(set, batch, is_seen);
        return SEENSET_OK;
    }
    for (size_t done = 0, count; done < batch->count; done += count) {
        count = batch->count - done;
        count = count < CHUNK_KEYS ? count : CHUNK_KEYS;
        ss_batch chunk = ss_batch_part(batch, done, count);
        int error = has_chunk(set, &chunk, is_seen + done);
        if (error != SEENSET_OK)
            first_error = error;
    }
    return first_error;
}
