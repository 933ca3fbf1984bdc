/* ask.c - see ask.h */
#include "foreign/ask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "foreign/key_text.h"
#include "report/complain.h"
#include "sets/set_batch.h"
#include "text/hex.h"

/* Only the files of Guava and Bitcoin do not say how keys become bytes. */
static int choose_funnel(foreign_ask *with)
{
    seenset_format format = with->of.info.format;
    if (with->funnel == FUNNEL_NONE)
        with->funnel = funnel_usual(format);
    if (with->funnel == FUNNEL_NONE || funnel_is_of(with->funnel, format))
        return 0;
    complain("%s: that --funnel is not for files of %s", with->of.path,
             seenset_format_name(format));
    return COMMAND_ERROR;
}

bool foreign_ask_block(foreign_ask *out, const char *text)
{
    enum {
        BYTES = 32
    };
    if (strlen(text) != 2 * BYTES)
        return false;
    for (int i = 0; i < BYTES; i++) {
        int byte = hex_byte(text + 2 * (BYTES - 1 - i));
        if (byte < 0)
            return false;
        if (i < SEENSET_SECRET_BYTES)
            out->block[i] = (uint8_t)byte;
    }
    out->has_block = true;
    return true;
}

/* Asked under the wrong key, it would not have any key. */
static int check_block(const foreign_ask *with)
{
    if (with->of.info.format != SEENSET_FORMAT_BIP158 || with->has_block ||
        with->is_changed)
        return 0;
    complain("%s: the filter of a block is asked with the hash of that block, "
             "which is not in the file: --block HASH",
             with->of.path);
    return COMMAND_ERROR;
}

int foreign_ask_open(foreign_ask *out, const char *name)
{
    int status = foreign_file_open_keyed(&out->of, name,
                                         out->has_block ? out->block : NULL);
    if (status == 0)
        status = check_block(out);
    if (status == 0)
        status = choose_funnel(out);
    if (status == 0 && out->is_changed)
        status = foreign_file_check_change(&out->of);
    if (status == 0)
        status = foreign_file_choose(&out->of);
    if (status != 0) {
        foreign_ask_close(out);
        return status;
    }
    out->has_gaps = foreign_file_has_gaps(&out->of);
    if (out->has_gaps)
        complain("%s: some row groups have no filter of '%s', so any key may "
                 "be there",
                 out->of.path, out->of.column);
    return 0;
}

void foreign_ask_close(foreign_ask *with)
{
    foreign_file_close(&with->of);
    free(with->groups);
    free(with->room.bytes);
    with->room = (funnel_room){0};
    with->groups = NULL;
}

/* Room for the answers of `count` keys more, all 0, or NULL. */
static uint8_t *groups_of(foreign_ask *with, size_t count)
{
    size_t each = with->of.chosen_count;
    size_t needed = (with->asked + count) * each;
    if (needed > with->group_room) {
        size_t room = 2 * needed;
        uint8_t *moved = realloc(with->groups, room);
        if (moved == NULL)
            return NULL;
        with->groups = moved;
        with->group_room = room;
    }
    return memset(with->groups + with->asked * each, 0, count * each);
}

/* The bytes that a filter has of a key. 0, or a negative number. */
static int read_key(foreign_ask *with, value *plain,
                    const seenset_foreign_filter *filter, const char *key,
                    size_t len)
{
    key_form form = {filter, with->of.info.format, with->funnel};
    int is_read = key_text_read(plain, &form, &with->room, key, len);
    if (is_read != 0)
        return is_read < 0 ? is_read : 0;
    complain("%s: %s", with->of.path, key_text_say(&form, key, len).text);
    return SET_BATCH_REPORTED;
}

int foreign_ask_add(void *context, const char *key, size_t len)
{
    value plain;
    foreign_ask *with = context;
    seenset_foreign_filter filter =
        foreign_file_filter(&with->of, with->of.chosen[0]);
    int error = read_key(with, &plain, &filter, key, len);
    return error != 0 ? error : seenset_add(with->set, plain.data, plain.len);
}

/* ---- many keys ---- */

enum {
    TAKEN_KEYS = 128
};

/* Keys that a filter is asked for at once, in its bytes of them. */
typedef struct taken {
    value values[TAKEN_KEYS];
    seenset_key keys[TAKEN_KEYS];
    size_t places[TAKEN_KEYS]; /* where their answers belong */
    size_t count;
} taken;

/* Asks filter number i of the column. `groups`: where the first key's answers
 * by row group are, or NULL. */
static int ask_taken(const foreign_ask *with, uint32_t i, taken *of,
                     uint8_t *answers, uint8_t *groups)
{
    uint8_t is_seen[TAKEN_KEYS];
    int error = seenset_foreign_has_many(with->of.file, with->of.chosen[i],
                                         of->keys, of->count, is_seen);
    for (size_t k = 0; error == 0 && k < of->count; k++) {
        answers[of->places[k]] |= is_seen[k];
        if (groups != NULL)
            groups[of->places[k] * with->of.chosen_count + i] = is_seen[k];
    }
    of->count = 0;
    return error;
}

/* A key that was seen is not asked for again, unless its groups are wanted. The
 * first filter takes each, to say which are no values. */
static int ask_filter(foreign_ask *with, uint32_t i, const seenset_key *keys,
                      size_t count, uint8_t *answers, uint8_t *groups)
{
    taken of;
    seenset_foreign_filter filter =
        foreign_file_filter(&with->of, with->of.chosen[i]);
    int error = 0;
    of.count = 0;
    for (size_t k = 0; error == 0 && k < count; k++) {
        if (i > 0 && answers[k] == 1 && groups == NULL)
            continue;
        value *plain = &of.values[of.count];
        error = read_key(with, plain, &filter, keys[k].data, keys[k].len);
        if (error != 0)
            return error;
        of.keys[of.count] = (seenset_key){plain->data, plain->len};
        of.places[of.count++] = k;
        bool has_room = plain->data == with->room.bytes;
        if (has_room || of.count == TAKEN_KEYS)
            error = ask_taken(with, i, &of, answers, groups);
    }
    return error != 0 ? error : ask_taken(with, i, &of, answers, groups);
}

static int ask_keys(void *context, const seenset_key *keys, size_t count,
                    uint8_t *answers)
{
    foreign_ask *with = context;
    int error = 0;
    uint8_t *groups = with->wants_groups ? groups_of(with, count) : NULL;
    if (with->wants_groups && groups == NULL)
        return SEENSET_ENOMEM;
    memset(answers, with->has_gaps, count);
    for (uint32_t i = 0; error == 0 && i < with->of.chosen_count; i++)
        error = ask_filter(with, i, keys, count, answers, groups);
    with->asked += count;
    return error;
}

int foreign_ask_batch(foreign_ask *with, batch *keys)
{
    with->asked = 0;
    int error = set_batch_ask_many(keys, ask_keys, with);
    if (error == SEENSET_EIO)
        complain("%s: %s", with->of.path, strerror(errno));
    else if (error < 0 && error != SET_BATCH_REPORTED)
        complain("%s: %s", with->of.path, seenset_strerror(error));
    return error;
}

/* ---- row groups ---- */

/* Is row group `group` without a filter of the column? `next` is the first
 * filter that may be of it or of a later one. */
static bool is_gap(const foreign_ask *with, uint32_t group, uint32_t next)
{
    return next == with->of.chosen_count ||
           foreign_file_filter(&with->of, with->of.chosen[next]).group != group;
}

/* "0,3" */
static void put_groups(const foreign_ask *with, const uint8_t *groups,
                       output *out)
{
    uint32_t next = 0;
    bool has_some = false;
    for (uint32_t group = 0; group < with->of.info.group_count; group++) {
        bool is_there = with->has_gaps && is_gap(with, group, next);
        for (; !is_gap(with, group, next); next++)
            is_there |= groups[next] != 0;
        char text[16];
        int length =
            snprintf(text, sizeof text, "%s%u", has_some ? "," : "", group);
        if (is_there)
            output_put(out, text, (size_t)length);
        has_some |= is_there;
    }
}

int64_t foreign_ask_print(const foreign_ask *with, batch *keys, output *out)
{
    const char *text = batch_text(keys);
    int64_t printed = 0;
    size_t key = 0;
    if (text == NULL)
        return -1;
    for (size_t i = 0; i < keys->count; i++) {
        size_t start = batch_start(keys, i);
        if (keys->answers[i] > 1) /* it has no key */
            continue;
        const uint8_t *groups = with->groups + key++ * with->of.chosen_count;
        if (keys->answers[i] != 1)
            continue;
        put_groups(with, groups, out);
        output_put(out, "\t", 1);
        output_put(out, text + start, keys->ends[i] - start + 1);
        printed++;
    }
    return printed;
}
