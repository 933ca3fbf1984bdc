/*
 * file_orders_acts.c - the acts on the files of a set, as rows of two tables:
 * what people do to one file (mv, cp, rm, restore it from a backup), to the
 * set, its journal, its secret and its lock or to all of them; and what the
 * command is asked to do.
 */
#include <stdio.h>
#include <string.h>

#include "file_orders.h"

const order_deed order_deeds[ORDER_DEEDS] = {
    {"mv", ORDER_A, ORDER_OLD, false},
    {"mv", ORDER_OLD, ORDER_A, false},
    {"cp", ORDER_A, ORDER_OLD, true},
    {"cp", ORDER_OLD, ORDER_A, true},
    {"restore", ORDER_BACKUP, ORDER_A, true},
    {"restore", ORDER_BACKUP, ORDER_OLD, true},
    {"rm", ORDER_A, -1, false},
    {"rm", ORDER_OLD, -1, false},
};

const order_command order_commands[ORDER_COMMANDS] = {
    {{"new", "-n", "2900000", "S"}, false},
    {{"new", "-n", "2900000", "--keyed", "S"}, false},
    {{"add", "S", "K"}, false},
    {{"add", "--without-journal", "S", "K"}, false},
    {{"dedup", "-n", "2900000", "--set", "S"}, false},
    {{"compact", "S"}, false},
    {{"verify", "S"}, false},
    {{"merge", "S", "S", "T"}, true},
    {{"merge", "S", "T"}, true},
    {{"rename", "S", "T"}, true},
};

/* ---- people ---- */

void order_do(const order_folder *backup, order_folder *in,
              const order_deed *what, int which_part)
{
    for (int part = 0; part < ORDER_PARTS; part++) {
        uint16_t content = what->from == ORDER_BACKUP
                               ? backup->slots[part]
                               : in->slots[what->from * ORDER_PARTS + part];
        if ((which_part != ORDER_ALL_PARTS && which_part != part) ||
            content == 0)
            continue;
        if (what->to >= 0)
            in->slots[what->to * ORDER_PARTS + part] = content;
        if (!what->stays)
            in->slots[what->from * ORDER_PARTS + part] = 0;
    }
}

void order_bring_back(order_folder *in, int name)
{
    if (in->aside_names[0] == 0)
        return;
    in->slots[name * ORDER_PARTS + 1] = in->asides[0];
    for (int i = 0; i < ORDER_ASIDES; i++) {
        bool is_last = i + 1 == ORDER_ASIDES;
        in->aside_names[i] = is_last ? 0 : in->aside_names[i + 1];
        in->asides[i] = is_last ? 0 : in->asides[i + 1];
    }
}

/* ---- the command ---- */

bool order_adds(const order_command *command)
{
    return strcmp(command->words[0], "add") == 0 ||
           strcmp(command->words[0], "dedup") == 0;
}

int order_new_key(order_store *of, const order_folder *in)
{
    uint64_t held = order_held(of, in);
    int key = 0;
    while ((held >> key & 1) != 0)
        key++;
    assert_true(key < ORDER_KEYS);
    return key;
}

void order_run_command(order_store *of, order_run *out)
{
    static const char path[] = SEENSET_COMMAND_PATH;
    char s[TEST_PATH_BYTES], t[TEST_PATH_BYTES], key[LIFE_KEY_BYTES] = "";
    char line[LIFE_KEY_BYTES + 1] = "";
    char *words[8] = {(char *)(uintptr_t)path};
    life_path(&of->in, s, order_names[ORDER_A], "");
    life_path(&of->in, t, order_names[ORDER_OLD], "");
    if (out->key >= 0)
        life_key(key, out->key);
    if (strcmp(out->command->words[0], "dedup") == 0)
        (void)snprintf(line, sizeof line, "%s\n", key);
    for (int i = 0; i < 6 && out->command->words[i] != NULL; i++) {
        char *word = (char *)(uintptr_t)out->command->words[i];
        words[i + 1] = strcmp(word, "S") == 0   ? s
                       : strcmp(word, "T") == 0 ? t
                       : strcmp(word, "K") == 0 ? key
                                                : word;
    }
    out->status = life_run(&of->in, words, line, LIFE_NOT_KILLED, out->message);
    order_take(of, &out->after);
}
