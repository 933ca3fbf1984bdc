/* remembered.c - see remembered.h */
#include "set/view/remembered.h"

#include <string.h>

#include "base/map.h"
#include "set/batch_hashes.h"
#include "set/capacity.h"
#include "set/view/checks.h"
#include "set/kinds/kind.h"
#include "set/window.h"
#include "table/expandable.h"

int ss_remembered_start(seenset *set, uint64_t room_count)
{
    ss_remembered *made = ss_memory_alloc(&set->memory, 1, sizeof *made);
    if (made == NULL)
        return SEENSET_ENOMEM;
    if (room_count > 0)
        made->hashes =
            ss_memory_alloc(&set->memory, room_count, sizeof *made->hashes);
    if (room_count > 0 && made->hashes == NULL) {
        ss_memory_free(&set->memory, made, 1, sizeof *made);
        return SEENSET_ENOMEM;
    }
    made->room_count = room_count;
    made->is_whole = !set->is_view;
    set->remembered = made;
    ss_set_choose_kind(set);
    return SEENSET_OK;
}

void ss_remembered_end(seenset *set)
{
    ss_remembered *remembered = set->remembered;
    if (remembered == NULL)
        return;
    ss_memory_free(&set->memory, remembered->hashes, remembered->room_count,
                   sizeof *remembered->hashes);
    ss_memory_free(&set->memory, remembered, 1, sizeof *remembered);
    set->remembered = NULL;
}

/* ---- whole ---- */

/* A copy of a table in memory of its own. False: no memory. */
static bool copy_table(const seenset *set, ss_table *copy,
                       const ss_table *table)
{
    *copy = *table;
    if (table->expand != NULL)
        return ss_set_copy_expand(set, &copy->expand, table->expand) ==
               SEENSET_OK;
    uint64_t count = ss_table_word_count(table);
    copy->words = ss_memory_alloc(&set->memory, count, sizeof *copy->words);
    if (copy->words == NULL)
        return false;
    memcpy(copy->words, table->words, (size_t)count * sizeof *copy->words);
    return true;
}

static void free_table(const seenset *set, ss_table *table)
{
    if (table->expand != NULL)
        ss_expand_free(table->expand);
    else
        ss_memory_free(&set->memory, table->words, ss_table_word_count(table),
                       sizeof *table->words);
}

/* Copies of all tables, with all keys; *newest is as the last generation is to
 * be. False: no memory, and there are none. */
static bool copy_tables(const seenset *set, ss_table tables[SS_MAX_TABLES],
                        ss_generation *newest)
{
    uint32_t count = 0;
    while (count < set->generation_count &&
           copy_table(set, &tables[count], &set->generations[count].table))
        count++;
    if (count == set->generation_count) {
        *newest = *ss_set_newest(set);
        newest->table = tables[count - 1];
        if (ss_checks_give_beside(set, newest) == SEENSET_OK)
            return true;
    }
    while (count-- > 0)
        free_table(set, &tables[count]);
    return false;
}

/* Takes them in place of those that are in the mapping. */
static void take_tables(seenset *set, const ss_table tables[SS_MAX_TABLES],
                        const ss_generation *newest)
{
    for (uint32_t i = 0; i < set->generation_count; i++) {
        ss_table *own = &set->generations[i].table;
        ss_expand_free(own->expand);
        *own = tables[i];
    }
    *ss_set_newest(set) = *newest;
}

int ss_remembered_make_whole(seenset *set)
{
    ss_table tables[SS_MAX_TABLES];
    ss_generation newest;
    ss_remembered *remembered = set->remembered;
    if (remembered->is_whole)
        return SEENSET_OK;
    int error = ss_checks_tables(set);
    if (error == SEENSET_OK && !copy_tables(set, tables, &newest))
        error = SEENSET_ENOMEM;
    if (error != SEENSET_OK)
        return error;
    take_tables(set, tables, &newest);
    ss_checks_end(set);
    ss_map_end(set->mapping, set->mapping_bytes);
    set->mapping = NULL;
    set->mapping_bytes = 0;
    set->is_view = false;
    remembered->is_whole = true;
    ss_set_choose_kind(set);
    ss_capacity_watch(set, remembered->at_capacity,
                      remembered->at_capacity_context);
    return SEENSET_OK;
}

/* ---- adding ---- */

/* Does the newest table take a key, and nobody is to be told of it? */
static bool has_room(const seenset *set)
{
    const ss_generation *newest = ss_set_newest(set);
    bool is_list = set->on_full == SEENSET_ON_FULL_GROW ||
                   set->on_full == SEENSET_ON_FULL_ROTATE;
    if (is_list)
        return newest->added_items < newest->capacity_items;
    return set->remembered->at_capacity == NULL ||
           newest->added_items + 1 < newest->capacity_items;
}

static bool has(const seenset *set, uint64_t hash)
{
    return set->tables->has_hash(set, hash) == 1;
}

/* Can the key be added to the newest table as it is, and be remembered? */
static bool fits(const seenset *set, uint64_t now)
{
    const ss_remembered *remembered = set->remembered;
    return (remembered->room_count == 0 ||
            remembered->count < remembered->room_count) &&
           set->journal_items + remembered->count < remembered->most_items &&
           has_room(set) && !ss_window_would_turn(set, now);
}

/* The same of a table that grows in place. A sliding window adds what only its
 * older tables have, or its newest if another one is due. */
static bool is_there_or_beside(const seenset *set, uint64_t hash, uint64_t now)
{
    if (set->tables->repeats_keys && ss_window_would_turn(set, now))
        return false;
    return ss_checks_is_beside(set, hash) ||
           (has(set, hash) && !set->tables->renews(set, hash));
}

bool ss_remembered_renews(const seenset *set, uint64_t hash)
{
    if (ss_checks_hash(set, hash) != SEENSET_OK)
        return false;
    if (!ss_checks_is_beside(set, hash))
        return set->tables->renews(set, hash);
    return set->tables->repeats_keys &&
           ss_window_would_turn(set, ss_set_now(set));
}

/* Would adding the hash change nothing? */
static bool is_there(const seenset *set, uint64_t hash, uint64_t now)
{
    if (ss_set_is_expanded(set))
        return is_there_or_beside(set, hash, now);
    return ss_set_newest(set)->table.layout->count == NULL &&
           !set->tables->repeats_keys && has(set, hash);
}

static void remember(ss_remembered *remembered, uint64_t hash)
{
    if (remembered->room_count > 0)
        remembered->hashes[remembered->count] = hash;
    remembered->count++;
}

/* Of a table that grows in place: it is not there. */
static int add_beside(seenset *set, uint64_t hash)
{
    uint8_t bytes[sizeof hash];
    bool is_seen = set->tables->renews(set, hash);
    ss_bits_store(bytes, sizeof bytes, hash);
    int error = ss_checks_put_beside(set, bytes, 1, 0);
    if (error != SEENSET_OK)
        return error;
    remember(set->remembered, hash);
    return !is_seen;
}

static int add_and_remember(seenset *set, uint64_t hash, uint64_t now)
{
    if (ss_set_is_expanded(set))
        return add_beside(set, hash);
    const ss_generation *newest = ss_set_newest(set);
    uint64_t before = newest->added_items;
    int answer = set->tables->add_at(set, hash, now);
    bool is_changed = newest->table.layout->count != NULL
                          ? answer >= 0
                          : newest->added_items != before;
    if (is_changed)
        remember(set->remembered, hash);
    return answer;
}

int ss_remembered_add(seenset *set, uint64_t hash)
{
    uint64_t now = ss_set_now(set);
    int error = ss_checks_hash(set, hash);
    if (error != SEENSET_OK)
        return error;
    if (is_there(set, hash, now))
        return 0;
    if (fits(set, now))
        return add_and_remember(set, hash, now);
    error = ss_remembered_make_whole(set);
    return error == SEENSET_OK ? set->kind->add_hash(set, hash) : error;
}

/* What is left of a batch after `done`, of which one could not be added. */
static void refuse_rest(const ss_batch *batch, size_t done, uint8_t *is_new)
{
    if (is_new != NULL)
        memset(is_new + done, SEENSET_ANSWER_REFUSED, batch->count - done);
}

/* A set that refuses still answers for the keys that it has. */
int ss_remembered_add_many(seenset *set, const ss_batch *batch, uint8_t *is_new)
{
    int first_error = SEENSET_OK;
    for (size_t i = 0; i < batch->count; i++) {
        int answer = set->kind->add_hash(
            set, ss_batch_hashes_one(&set->identity, batch, i));
        if (answer < 0 && answer != SEENSET_EFULL) {
            refuse_rest(batch, i, is_new);
            return answer;
        }
        if (is_new != NULL)
            is_new[i] = answer < 0 ? SEENSET_ANSWER_REFUSED : (uint8_t)answer;
        if (answer < 0)
            first_error = answer;
    }
    return first_error;
}

/* ---- what was remembered ---- */

static int replay_expanded(seenset *set, const uint8_t *hashes, uint64_t count)
{
    ss_generation *newest = ss_set_newest(set);
    if (set->is_view)
        return ss_checks_put_beside(
            set, hashes, count,
            set->remembered != NULL ? set->remembered->count : 0);
    for (uint64_t i = 0; i < count; i++) {
        int answer =
            ss_expand_add(newest->table.expand,
                          ss_bits_load(hashes + i * sizeof i, sizeof i));
        if (answer < 0)
            return answer;
        newest->added_items += (uint64_t)answer;
    }
    return SEENSET_OK;
}

int ss_remembered_replay(seenset *set, const uint8_t *hashes, uint64_t count)
{
    ss_generation *newest = ss_set_newest(set);
    if (ss_set_is_expanded(set))
        return replay_expanded(set, hashes, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t hash = ss_bits_load(hashes + i * sizeof hash, sizeof hash);
        if (ss_checks_add_late(set, hash))
            continue;
        (void)ss_checks_newest(set, hash);
        newest->added_items += newest->table.layout->add(&newest->table, hash);
    }
    return SEENSET_OK;
}
