/*
 * batch.c - see batch.h.
 */
#include "stream/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "seenset/hash.h"

static int resize(batch *keys, size_t bytes)
{
    char *data = realloc(keys->data, bytes + BATCH_SLACK);
    if (data == NULL)
        return -1;
    keys->data = data;
    keys->room = bytes;
    return 0;
}

batch *batch_new(void)
{
    batch *keys = malloc(sizeof *keys);
    if (keys == NULL)
        return NULL;
    memset(keys, 0, offsetof(batch, ends));
    batch_clear(keys);
    if (resize(keys, BATCH_BYTES) == 0)
        return keys;
    free(keys);
    return NULL;
}

void batch_free(batch *keys)
{
    if (keys != NULL) {
        spill_free(keys->long_line);
        forms_free(keys->fields);
        forms_free(keys->urls);
        forms_free(keys->mine);
        free(keys->wide);
        free(keys->times_room);
        if (keys->scratch != NULL)
            keys->free_scratch(keys->scratch);
        free(keys->data);
    }
    free(keys);
}

void batch_clear(batch *keys)
{
    spill_free(keys->long_line);
    keys->long_line = NULL;
    keys->source = (extent){0};
    keys->forms = NULL;
    keys->whole = NULL;
    keys->elsewhere_count = 0;
    keys->rule = NULL;
    keys->times = NULL;
    keys->header = BATCH_HEADER_NONE;
    keys->is_unclosed = false;
    keys->is_divided = false;
    keys->counts_separators = false;
    keys->error = 0;
    keys->count = 0;
    keys->used = 0;
    keys->first_number = 0;
    keys->input_bytes = 0;
    keys->input = "";
    keys->unit = "line";
    if (keys->room > BATCH_BYTES)
        (void)resize(keys, BATCH_BYTES);
}

int batch_reserve(batch *keys, size_t bytes)
{
    size_t room = keys->room;
    while (room < bytes) {
        if (room > SIZE_MAX / 4) {
            errno = ENOMEM;
            return -1;
        }
        room *= 2;
    }
    return room == keys->room ? 0 : resize(keys, room);
}

const char *batch_text(batch *keys)
{
    return keys->long_line != NULL ? spill_map(keys->long_line) : keys->data;
}

void batch_set_long(batch *keys, spill *line)
{
    keys->long_line = line;
    keys->count = 1;
    keys->used = 0;
    keys->ends[0] = (size_t)spill_bytes(line);
}

batch_keys batch_keys_of(batch *keys)
{
    const forms *made = keys->forms;
    if (keys->error != 0) {
        errno = keys->error;
        return (batch_keys){NULL, NULL, NULL, 0};
    }
    if (made != NULL)
        return (batch_keys){forms_base(made), made->starts, made->ends,
                            made->count};
    return (batch_keys){batch_text(keys), NULL, keys->ends, keys->count};
}

static uint64_t count_separators(const char *text, size_t size, char separator)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == separator;
    return count;
}

uint64_t batch_number(batch *keys, size_t i)
{
    if (!keys->counts_separators)
        return keys->first_number + i;
    const char *text = i == 0 ? NULL : batch_text(keys);
    if (text == NULL)
        return keys->first_number;
    return keys->first_number +
           count_separators(text, batch_start(keys, i), text[keys->ends[0]]);
}

/* ---- lines that are read later ---- */

/* The bytes of the next part come first. Returns how many; -1 and errno. */
static ptrdiff_t bring(batch *into)
{
    extent *from = &into->source;
    if (from->bytes > 0)
        return extent_read(from, into->data);
    memmove(into->data, into->data + into->used, from->after);
    return (ptrdiff_t)from->after;
}

void batch_load(batch *into)
{
    extent *from = &into->source;
    if (from->bytes == 0 && from->after == 0)
        return;
    ptrdiff_t got = bring(into);
    from->has_failed = got < 0;
    from->bytes = 0;
    from->after = 0;
    into->error = got < 0 ? errno : 0;
    into->first_number = 0;
    into->input_bytes = 0;
    into->count = 0;
    into->used = 0;
    if (got <= 0)
        return;
    size_t size = (size_t)got;
    if (into->data[size - 1] != from->separator)
        into->data[size++] = from->separator; /* of the slack */
    into->count =
        from->split(into->data, size, from->separator, into->ends, BATCH_LINES);
    into->used = batch_start(into, into->count);
    from->after = size - into->used;
    into->input_bytes = into->used;
}

/* ---- lines without a key ---- */

static size_t header_count(const batch *keys)
{
    return keys->header == BATCH_HEADER_NONE ? 0 : 1;
}

size_t batch_missing_count(const batch *keys)
{
    if (keys->rule == NULL || keys->fields == NULL)
        return 0;
    size_t record_count = keys->count;
    if (record_count > 0)
        record_count -= header_count(keys);
    return record_count - keys->fields->count;
}

/* Lines without a key are of the first shard, so that one run prints them. */
void batch_keep_missing(batch *keys, uint8_t answer)
{
    bool is_kept =
        keys->is_unclosed ||
        (keys->rule != NULL && keys->rule->missing == BATCH_MISSING_KEEP &&
         keys->shard.index == 0);
    if (!is_kept || batch_missing_count(keys) == 0)
        return;
    size_t key = 0;
    for (size_t i = header_count(keys); i < keys->count; i++)
        if (key < keys->fields->count && keys->fields->lines[key] == i)
            key++;
        else
            keys->answers[i] = answer;
}

void batch_cut(batch *keys, size_t count)
{
    keys->count = count;
    if (keys->rule != NULL && keys->fields != NULL)
        forms_cut(keys->fields, count);
    bool is_part = keys->forms != NULL && keys->forms == keys->mine;
    const forms *whole = is_part ? keys->whole : keys->forms;
    if (whole != NULL && whole == keys->urls)
        forms_cut(keys->urls, count);
    if (!is_part)
        return;
    forms_cut(keys->mine, count);
    keys->elsewhere_count =
        (keys->whole != NULL ? keys->whole->count : count) - keys->mine->count;
}

/* ---- stages ---- */

static void hash_each(uint64_t *hashes, const batch_keys *from)
{
    for (size_t i = 0; i < from->count; i++) {
        size_t start = batch_key_start(from, i);
        hashes[i] = seenset_hash(from->text + start, from->ends[i] - start);
    }
}

void batch_hash(batch *keys)
{
    if (keys->long_line != NULL && keys->forms == NULL) {
        keys->hashes[0] = spill_hash(keys->long_line);
        return;
    }
    batch_keys from = batch_keys_of(keys);
    if (from.text != NULL)
        hash_each(keys->hashes, &from);
}

/* Returns 0, or -1 and errno. */
static int hash_each_widely(batch *keys)
{
    if (keys->long_line != NULL && keys->forms == NULL)
        return wide_of_line(keys->wide, keys->long_line, keys->wide_secret);
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return -1;
    for (size_t i = 0; i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        keys->wide[i] =
            wide_of(from.text + start, from.ends[i] - start, keys->wide_secret);
    }
    return 0;
}

void batch_hash_widely(batch *keys)
{
    if (keys->wide_secret == NULL || keys->error != 0)
        return;
    if (keys->wide == NULL)
        keys->wide = malloc(BATCH_LINES * sizeof *keys->wide);
    if (keys->wide == NULL)
        keys->error = ENOMEM;
    else if (hash_each_widely(keys) != 0)
        keys->error = errno;
}

/* Makes *memory the empty keys of this batch. Returns 0, or -1 and errno. */
static int start_forms(forms **memory)
{
    if (*memory == NULL)
        *memory = forms_new(BATCH_LINES);
    if (*memory == NULL)
        return -1;
    forms_clear(*memory);
    return 0;
}

/* Makes room for times, if the rule finds them. Returns 0, or -1 and errno. */
static int start_times(batch *keys)
{
    if (!keys->rule->has_times)
        return 0;
    if (keys->times_room == NULL)
        keys->times_room = malloc(BATCH_LINES * sizeof *keys->times_room);
    keys->times = keys->times_room;
    return keys->times != NULL ? 0 : -1;
}

void batch_extract(batch *keys)
{
    batch_load(keys);
    if (keys->rule == NULL)
        return;
    if (start_forms(&keys->fields) != 0 || start_times(keys) != 0 ||
        keys->rule->extract(keys->rule, keys) != 0)
        keys->error = errno;
    keys->forms = keys->fields;
}

/* Returns 0, or -1 and errno. */
static int normalise_each(batch *keys)
{
    int error = 0;
    if (keys->long_line != NULL && keys->forms == NULL) {
        forms_refuse(keys->urls, 0, "it is longer than 65536 bytes");
        return 0;
    }
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return -1;
    for (size_t i = 0; error == 0 && i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        error = forms_add_url(keys->urls, batch_line(keys, i),
                              from.text + start, from.ends[i] - start);
    }
    return error;
}

void batch_normalise(batch *keys)
{
    if (keys->error == 0 &&
        (start_forms(&keys->urls) != 0 || normalise_each(keys) != 0))
        keys->error = errno;
    keys->forms = keys->urls;
}

static bool is_mine(const batch *keys, uint64_t hash)
{
    return seenset_shard(hash, keys->shard.count) == keys->shard.index;
}

/* Returns 0, or -1 and errno. */
static int take_each(batch *keys)
{
    batch_keys from = batch_keys_of(keys);
    if (from.text == NULL)
        return -1;
    keys->mine->base = from.text;
    for (size_t i = 0; i < from.count; i++) {
        size_t start = batch_key_start(&from, i);
        uint64_t hash = seenset_hash(from.text + start, from.ends[i] - start);
        if (is_mine(keys, hash))
            forms_point(keys->mine, batch_line(keys, i), start, from.ends[i]);
    }
    keys->elsewhere_count = from.count - keys->mine->count;
    return 0;
}

void batch_take_shard(batch *keys)
{
    bool is_long = keys->long_line != NULL && keys->forms == NULL;
    keys->whole = keys->forms;
    keys->elsewhere_count = 0;
    if (keys->shard.count <= 1 || keys->error != 0 ||
        (is_long && is_mine(keys, spill_hash(keys->long_line))))
        return;
    if (start_forms(&keys->mine) != 0 || (!is_long && take_each(keys) != 0))
        keys->error = errno;
    if (is_long)
        keys->elsewhere_count = 1;
    keys->forms = keys->mine;
}
