/* files.c - runs as states name them, and those that none names */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/delayed.h"

#include <errno.h>

static size_t count_runs(const seenset_queue *queue)
{
    size_t count = 0;
    for (unsigned i = 0; i < SS_LANES; i++)
        count += queue->items.lanes[i].delays.count;
    return count;
}

/* Puts a run in its place by number. */
static void put_run(ss_state *state, const ss_run *run)
{
    size_t place = state->run_count++;
    for (; place > 0 && state->runs[place - 1].name.number > run->name.number;
         place--)
        state->runs[place] = state->runs[place - 1];
    state->runs[place] = (ss_state_run){
        .name = run->name, .next = run->next, .shift_ns = run->shift_ns};
}

bool ss_delayed_names(ss_positions *names, const ss_memory *memory,
                      const ss_state *state)
{
    ss_positions_free(names, memory);
    for (size_t i = 0; i < state->run_count; i++)
        if (!ss_positions_add(names, memory, state->runs[i].name.number))
            return false;
    return true;
}

int ss_delayed_list(seenset_queue *queue, ss_state *state)
{
    size_t room = count_runs(queue);
    state->has_runs = queue->manifest.has_runs;
    state->next_run = queue->delayed_files.next_number;
    state->run_count = 0;
    if (!state->has_runs)
        return SEENSET_OK;
    state->runs =
        ss_memory_alloc(&queue->memory, room + 1, sizeof *state->runs);
    if (state->runs == NULL)
        return SEENSET_ENOMEM;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_delays *delays = &queue->items.lanes[i].delays;
        state->lanes[i].delayed_items = delays->items;
        if (queue->frontier == NULL) /* else it follows from the log */
            state->lanes[i].gone = delays->gone;
        for (size_t j = 0; j < delays->count; j++)
            if (delays->runs[j].next < delays->runs[j].name.count)
                put_run(state, &delays->runs[j]);
    }
    return ss_delayed_names(&queue->delayed_files.named[0], &queue->memory,
                            state)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

void ss_delayed_free_list(const seenset_queue *queue, ss_state *state)
{
    if (state->runs != NULL)
        ss_memory_free(&queue->memory, state->runs, count_runs(queue) + 1,
                       sizeof *state->runs);
    state->runs = NULL;
}

/* ---- files that nothing needs ---- */

static bool has(const ss_positions *numbers, uint64_t number)
{
    return numbers->count > 0 &&
           numbers->at[ss_positions_place(numbers, number)] == number;
}

static bool is_open(const seenset_queue *queue, uint64_t number)
{
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_delays *delays = &queue->items.lanes[i].delays;
        for (size_t j = 0; j < delays->count; j++)
            if (delays->runs[j].name.number == number)
                return true;
    }
    return false;
}

/* One that cannot be removed stays until the next time; and all do while an
 * older state is left over, which may name any. */
void ss_delayed_remove_unnamed(seenset_queue *queue)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_delayed_files *files = &queue->delayed_files;
    size_t kept = 0;
    int saved_errno = errno;
    if (ss_snapshots_has_leftover(&queue->snapshots))
        return;
    for (size_t i = 0; i < files->there.count; i++) {
        uint64_t number = files->there.at[i];
        ss_run_file_name(name, number);
        bool is_needed = has(&files->named[1], number) ||
                         has(&files->named[2], number) ||
                         is_open(queue, number);
        if (is_needed ||
            (!ss_folder_unlink(&queue->folder, name) && errno != ENOENT))
            files->there.at[kept++] = number;
    }
    files->there.count = kept;
    errno = saved_errno;
}

void ss_delayed_not_written(seenset_queue *queue)
{
    ss_positions_free(&queue->delayed_files.named[0], &queue->memory);
}

void ss_delayed_written(seenset_queue *queue, bool is_same_position)
{
    ss_positions *named = queue->delayed_files.named;
    if (!is_same_position) {
        ss_positions_free(&named[2], &queue->memory);
        named[2] = named[1];
    } else {
        ss_positions_free(&named[1], &queue->memory);
    }
    named[1] = named[0];
    named[0] = (ss_positions){0};
    ss_delayed_remove_unnamed(queue);
}

void ss_delayed_remove_all(const seenset_queue *queue)
{
    char name[SS_FOLDER_NAME_BYTES];
    const ss_positions *there = &queue->delayed_files.there;
    for (size_t i = 0; i < there->count; i++) {
        ss_run_file_name(name, there->at[i]);
        ss_folder_remove(&queue->folder, name);
    }
}
