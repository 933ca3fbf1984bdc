/*
 * file_orders.c - every order of three acts on the files of a set: what people
 * do to one file or to all of them, and what the command does with what is
 * there then (file_orders_acts.c).
 *
 * The search goes from a set with a journal
 * and an older backup of both through all folders that up to three acts lead
 * to; a folder that two orders lead to is entered once, so that all orders of
 * the rows are covered. After each act an oracle that reads the files in its
 * own way (lives_files.c) asks four things: some file has each key that some
 * file had; a key that its file's name no longer leads to was told of, by an
 * error that names what to do or by the name of the file that has it now; other
 * sets' files are as they were; and each set answers what the files beside it
 * say, or is refused.
 *
 * Longer lives, and commands that are killed, are those of lives.c.
 */
#define _GNU_SOURCE /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_orders.h"

enum {
    STEPS = 3,
    PLANTED_STEPS = 2,
    MOST_NODES = 8192,
    MOST_RUNS = 8192,
    MOST_ANSWERS = 2048
};

enum {
    PART_ROWS = ORDER_PARTS + 1,
    DEED_ROWS = ORDER_DEEDS * PART_ROWS,
    BRING_ROWS = ORDER_NAMES, /* an aside gets its journal's name again */
    RUN_ROWS = ORDER_COMMANDS,
    ROWS = DEED_ROWS + BRING_ROWS + RUN_ROWS
};

typedef struct answer {
    uint16_t set, journal, secret;
    uint64_t keys;
    const char *fault;
} answer;

typedef struct node {
    order_folder folder;
    int parent, row, steps;
} node;

typedef enum fault_kind {
    NO_FAULT,
    ASIDE_REMOVED,
    SILENCE
} fault_kind;

typedef struct search {
    order_store store;
    fault_kind planted;
    order_folder backup;
    node nodes[MOST_NODES];
    int node_count;
    order_run ran[MOST_RUNS];
    int ran_count;
    answer answers[MOST_ANSWERS];
    int answer_count;
    const char *fault;
    const char *message; /* of the command at fault */
} search;

/* ---- the command ---- */

/* Planted: what the command set aside is removed, or it says nothing. */
static void plant(search *of, order_run *out)
{
    char path[TEST_PATH_BYTES];
    if (of->planted == SILENCE && out->status == 0)
        out->message[0] = '\0';
    for (int i = 0; of->planted == ASIDE_REMOVED && i < ORDER_ASIDES; i++)
        if (out->after.aside_names[i] != 0)
            (void)unlink(
                test_path(path, &of->store.in.folder,
                          of->store.aside_names[out->after.aside_names[i]]));
    if (of->planted == ASIDE_REMOVED)
        order_take(&of->store, &out->after);
}

/* The files of the sets that a command names, or of the others. */
static order_folder files_of(const search *of, const order_folder *from,
                             const order_command *command, bool is_others)
{
    unsigned names = command->has_two ? (1u << ORDER_NAMES) - 1 : 1u << ORDER_A;
    return order_only(&of->store, from,
                      is_others ? ((1u << ORDER_NAMES) - 1) & ~names : names);
}

static bool are_equal(const order_folder *a, const order_folder *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* What a command does follows from the files of the sets that it names, so it
 * is run once for each such group of files. */
static const order_run *run_once(search *of, const order_folder *in,
                                 const order_command *command)
{
    order_folder before = files_of(of, in, command, false);
    order_folder others = files_of(of, in, command, true);
    int key = order_adds(command) ? order_new_key(&of->store, in) : -1;
    for (int i = 0; i < of->ran_count; i++)
        if (of->ran[i].command == command && of->ran[i].key == key &&
            are_equal(&of->ran[i].before, &before))
            return &of->ran[i];
    assert_true(of->ran_count < MOST_RUNS);
    order_run *out = &of->ran[of->ran_count++];
    *out = (order_run){.command = command, .before = before, .key = key};
    order_put(&of->store, in);
    order_run_command(&of->store, out);
    plant(of, out);
    order_folder left = files_of(of, &out->after, command, true);
    if (!are_equal(&left, &others))
        of->fault = "a command changed the files of another set";
    out->after = files_of(of, &out->after, command, false);
    return out;
}

/* ---- the oracle ---- */

/* What a set answers beside its files, which it is asked once. */
static uint64_t answers(search *of, const order_folder *in, int name)
{
    const uint16_t *at = in->slots + name * ORDER_PARTS;
    char path[TEST_PATH_BYTES];
    if (at[0] == 0)
        return 0;
    for (int i = 0; i < of->answer_count; i++) {
        const answer *known = &of->answers[i];
        if (known->set == at[0] && known->journal == at[1] &&
            known->secret == at[2])
            return known->keys;
    }
    assert_true(of->answer_count < MOST_ANSWERS);
    order_put(&of->store, in);
    life_find_secrets(&of->store.in);
    answer *out = &of->answers[of->answer_count++];
    *out = (answer){at[0], at[1], at[2], 0, NULL};
    out->fault = life_check_set(&of->store.in, order_names[name]);
    out->keys = life_answers(
        &of->store.in, life_path(&of->store.in, path, order_names[name], ""));
    if (out->fault != NULL)
        of->fault = out->fault;
    return out->keys;
}

static uint64_t reach(search *of, const order_folder *in)
{
    uint64_t keys = 0;
    for (int name = 0; name < ORDER_NAMES; name++)
        keys |= answers(of, in, name);
    return keys;
}

static int aside_of(const order_folder *in, int name)
{
    for (int i = 0; i < ORDER_ASIDES; i++)
        if (in->aside_names[i] == name)
            return in->asides[i];
    return 0;
}

/* The keys that some file had under a name where they are no longer. */
static uint64_t moved_keys(search *of, const order_folder *before,
                           const order_folder *after)
{
    order_store *store = &of->store;
    uint64_t keys = 0;
    for (int i = 0; i < ORDER_SLOTS; i++)
        keys |= order_keys_of(store, before, before->slots[i]) &
                ~order_keys_of(store, after, after->slots[i]);
    for (int i = 0; i < ORDER_ASIDES; i++)
        if (before->aside_names[i] != 0)
            keys |= order_keys_of(store, before, before->asides[i]) &
                    ~order_keys_of(store, after,
                                   aside_of(after, before->aside_names[i]));
    return keys;
}

/* Does a message name a file of the folder that another name was given? */
static bool names_aside(const search *of, const order_folder *in,
                        const char *message)
{
    for (int i = 0; i < ORDER_ASIDES; i++)
        if (in->aside_names[i] != 0 &&
            strstr(message, of->store.aside_names[in->aside_names[i]]) != NULL)
            return true;
    return false;
}

static void judge(search *of, const order_folder *before,
                  const order_folder *after, const order_run *ran)
{
    order_store *store = &of->store;
    uint64_t gone = order_held(store, before) & ~order_held(store, after);
    uint64_t reached = reach(of, after);
    uint64_t hidden =
        (moved_keys(of, before, after) | reach(of, before)) & ~reached;
    bool is_told = ran->status == 2 ? life_is_advice(ran->message)
                                    : names_aside(of, after, ran->message);
    if (gone != 0)
        of->fault = "a command lost a key";
    else if (hidden != 0 && !is_told)
        of->fault = "keys went out of sight without a word";
    else if (ran->status == 2 && !is_told)
        of->fault = "a message does not say what to do";
    else if (ran->status < 0 || ran->status > 2)
        of->fault = "a command ended in no way that it documents";
    else if (ran->key >= 0 && ran->status == 0 &&
             (answers(of, after, ORDER_A) >> ran->key & 1) == 0)
        of->fault = "a key that was added is not there";
    of->message = ran->message;
}

/* ---- the search ---- */

/* The files of the sets of a command become what they were when it was run. */
static order_folder apply(const search *of, const order_folder *in,
                          const order_run *ran)
{
    order_folder out = files_of(of, in, ran->command, true);
    if (ran->command->has_two)
        return ran->after;
    memcpy(out.slots + ORDER_A * ORDER_PARTS,
           ran->after.slots + ORDER_A * ORDER_PARTS,
           ORDER_PARTS * sizeof *out.slots);
    for (int i = 0; i < ORDER_ASIDES && ran->after.aside_names[i] != 0; i++) {
        int at = 0;
        while (at < ORDER_ASIDES && out.aside_names[at] != 0 &&
               out.aside_names[at] < ran->after.aside_names[i])
            at++;
        assert_int_equal(out.aside_names[ORDER_ASIDES - 1], 0);
        for (int j = ORDER_ASIDES - 1; j > at; j--) {
            out.aside_names[j] = out.aside_names[j - 1];
            out.asides[j] = out.asides[j - 1];
        }
        out.aside_names[at] = ran->after.aside_names[i];
        out.asides[at] = ran->after.asides[i];
    }
    return out;
}

static order_folder act(search *of, const order_folder *before, int row)
{
    order_folder after = *before;
    if (row < DEED_ROWS) {
        order_do(&of->backup, &after, &order_deeds[row / PART_ROWS],
                 row % PART_ROWS);
    } else if (row < DEED_ROWS + BRING_ROWS) {
        order_bring_back(&after, row - DEED_ROWS);
    } else {
        const order_run *ran =
            run_once(of, before, &order_commands[row - DEED_ROWS - BRING_ROWS]);
        after = apply(of, before, ran);
        if (of->fault == NULL)
            judge(of, before, &after, ran);
    }
    (void)reach(of, &after); /* the sets are asked, and checked */
    return after;
}

static void enter(search *of, const order_folder *folder, int parent, int row)
{
    for (int i = 0; i < of->node_count; i++)
        if (are_equal(&of->nodes[i].folder, folder))
            return;
    assert_true(of->node_count < MOST_NODES);
    of->nodes[of->node_count++] = (node){
        *folder, parent, row, parent < 0 ? 0 : of->nodes[parent].steps + 1};
}

/* Makes the set with a journal and the backup of an older one. */
static void begin(search *of, bool is_keyed)
{
    const order_command first[] = {
        {{"new", "-n", "2900000", is_keyed ? "--keyed" : "--on-full=grow", "S"},
         false},
        {{"add", "S", "K"}, false},
        {{"compact", "S"}, false},
        {{"add", "S", "K"}, false}};
    order_folder in;
    for (size_t i = 0; i < TEST_COUNT(first); i++) {
        order_run out = {.command = &first[i],
                         .key = i == 1   ? 0
                                : i == 3 ? 1
                                         : -1};
        order_run_command(&of->store, &out);
        assert_int_equal(out.status, 0);
        in = out.after;
        if (i == 1)
            of->backup = in;
    }
    char lock[TEST_PATH_BYTES]; /* as a command that was killed leaves it */
    test_write_file(life_path(&of->store.in, lock, "a", ".lock"), "", 0);
    order_take(&of->store, &in);
    for (int part = 0; part < ORDER_PARTS; part++)
        assert_true(in.slots[part] != 0 || (part == 2 && !is_keyed));
    enter(of, &in, -1, -1);
}

static void tell(const search *of, int at, int row, char *out, size_t size)
{
    char before[256] = "";
    if (at < 0 || row < 0) {
        (void)snprintf(out, size, "a set with a journal");
        return;
    }
    tell(of, of->nodes[at].parent, of->nodes[at].row, before, sizeof before);
    if (row < DEED_ROWS)
        (void)snprintf(out, size, "%s; %s %s%s to %s", before,
                       order_deeds[row / PART_ROWS].verb,
                       order_deeds[row / PART_ROWS].from == ORDER_BACKUP
                           ? "backup"
                           : order_names[order_deeds[row / PART_ROWS].from],
                       row % PART_ROWS == ORDER_ALL_PARTS
                           ? " (all)"
                           : order_parts[row % PART_ROWS],
                       order_deeds[row / PART_ROWS].to < 0
                           ? "nowhere"
                           : order_names[order_deeds[row / PART_ROWS].to]);
    else if (row < DEED_ROWS + BRING_ROWS)
        (void)snprintf(out, size, "%s; bring back %s.log", before,
                       order_names[row - DEED_ROWS]);
    else
        (void)snprintf(out, size, "%s; %s a", before,
                       order_commands[row - DEED_ROWS - BRING_ROWS].words[0]);
}

/* All orders of so many acts; ends at the first fault, with its story. */
static const char *find_fault(search *of, bool is_keyed, fault_kind planted,
                              int steps, char story[], size_t story_bytes)
{
    memset(of, 0, sizeof *of);
    order_store_make(&of->store);
    of->planted = planted;
    begin(of, is_keyed);
    for (int at = 0; at < of->node_count && of->nodes[at].steps < steps; at++)
        for (int row = 0; row < ROWS && of->fault == NULL; row++) {
            const order_folder before = of->nodes[at].folder;
            order_folder after = act(of, &before, row);
            if (of->fault != NULL)
                tell(of, at, row, story, story_bytes);
            else
                enter(of, &after, at, row);
        }
    order_store_remove(&of->store);
    return of->fault;
}

static void orders_hide_no_key(bool is_keyed)
{
    search *of = malloc(sizeof *of);
    char story[1024] = "";
    assert_non_null(of);
    const char *fault =
        find_fault(of, is_keyed, NO_FAULT, STEPS, story, sizeof story);
    if (fault != NULL)
        fail_msg("%s: %s\n%s", story, fault,
                 of->message != NULL ? of->message : "");
    printf("%d acts, %d folders, %d runs of the command, %d sets opened\n",
           ROWS, of->node_count, of->ran_count, of->answer_count);
    free(of);
}

static void files_of_a_set_in_any_order_hide_no_key(void **state)
{
    (void)state;
    orders_hide_no_key(false);
}

static void files_of_a_keyed_set_in_any_order_hide_no_key(void **state)
{
    (void)state;
    orders_hide_no_key(true);
}

static void planted_faults_are_found(void **state)
{
    search *of = malloc(sizeof *of);
    char story[1024];
    (void)state;
    assert_non_null(of);
    assert_string_equal(find_fault(of, false, ASIDE_REMOVED, PLANTED_STEPS,
                                   story, sizeof story),
                        "a command lost a key");
    assert_string_equal(
        find_fault(of, false, SILENCE, PLANTED_STEPS, story, sizeof story),
        "keys went out of sight without a word");
    free(of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_a_set_in_any_order_hide_no_key),
        cmocka_unit_test(files_of_a_keyed_set_in_any_order_hide_no_key),
        cmocka_unit_test(planted_faults_are_found),
    };
    if (access("/dev/shm", W_OK) == 0)
        (void)setenv("TMPDIR", "/dev/shm", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
