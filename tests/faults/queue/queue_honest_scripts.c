/*
 * queue_honest_scripts.c - what is done to a queue while something fails.
 *
 * A script has what was done before, which ends with a kill or a clean end,
 * perhaps what is damaged then, and the calls that are judged. To have another
 * kind of queue, damage or call tried with every fault, add a script. Crawls at
 * random make the calls in orders that nobody thought of.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest.h"

/* A size and a number of hashes need no search for them. */
#define SET_OF_8_KIB                                                           \
    .set = &(const seenset_options)                                            \
    {                                                                          \
        .size_bits = 65536, .hash_count = 8                                    \
    }
#define SMALL_SEGMENTS .segment_bytes = 4096, .snapshot_bytes = 6000

static const seenset_queue_options each = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH, SMALL_SEGMENTS, SET_OF_8_KIB};
static const seenset_queue_options later = {
    .durability = SEENSET_QUEUE_DURABILITY_NONE, SMALL_SEGMENTS, SET_OF_8_KIB};
static const seenset_queue_options plain = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH, SET_OF_8_KIB};
static const seenset_queue_options growing = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH,
    .segment_bytes = 4096,
    .set = &(const seenset_options){
        .capacity_items = 3, .fp_rate = 1e-3, .on_full = SEENSET_ON_FULL_GROW}};
static const seenset_queue_options growing_far = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH,
    .set = &(const seenset_options){.capacity_items = 10,
                                    .fp_rate = 1e-6,
                                    .on_full = SEENSET_ON_FULL_GROW}};
static const seenset_queue_options exact = {.durability =
                                                SEENSET_QUEUE_DURABILITY_EACH,
                                            SMALL_SEGMENTS,
                                            .flags = SEENSET_QUEUE_EXACT};
static const seenset_queue_options refusing = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH,
    .normalise = SEENSET_QUEUE_NORMALISE_URL,
    .set = &(const seenset_options){.capacity_items = 20,
                                    .fp_rate = 1e-3,
                                    .on_full = SEENSET_ON_FULL_REFUSE}};

/* All URLs are of one host, and nothing waits for it. */
static const seenset_queue_politeness at_once = {
    .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES};
static const seenset_queue_options polite = {.durability =
                                                 SEENSET_QUEUE_DURABILITY_EACH,
                                             SMALL_SEGMENTS,
                                             SET_OF_8_KIB,
                                             .politeness = &at_once};
static const seenset_queue_options polite_later = {
    .durability = SEENSET_QUEUE_DURABILITY_NONE,
    SMALL_SEGMENTS,
    SET_OF_8_KIB,
    .politeness = &at_once};

/* ---- what was done before ---- */

static const honest_step nothing[] = {{0}};

/* Several segments, two snapshots, items in all states; then killed. */
static const honest_step crawled[] = {
    {honest_open, 0, 0},       {honest_push, 60, 30},
    {honest_pop, 0, 12},       {honest_ack, 0, 8},
    {honest_checkpoint, 0, 0}, {honest_push, 50, 40},
    {honest_ack, 0, 1},        {0}};

/* The same, closed, with leases. */
static const honest_step closed[] = {
    {honest_open, 0, 0},  {honest_push, 60, 70},
    {honest_pop, 0, 12},  {honest_ack, 0, 3},
    {honest_nack, 5, 0},  {honest_push, 9, 4},
    {honest_close, 0, 0}, {0}};

/* One segment, and a clean end. */
static const honest_step few[] = {
    {honest_open, 0, 0}, {honest_push, 10, 5}, {honest_close, 0, 0}, {0}};

/* The first record after the state is an ack. */
static const honest_step acked[] = {{honest_open, 0, 0},
                                    {honest_push, 10, 3},
                                    {honest_close, 0, 0},
                                    {honest_open, 0, 0},
                                    {honest_pop, 0, 2},
                                    {honest_ack, 0, 2},
                                    {0}};

/* A state with leases, between which items are acked. */
static const honest_step leased[] = {{honest_open, 0, 0},
                                     {honest_push, 10, 6},
                                     {honest_pop, 0, 6},
                                     {honest_ack, 1, 0},
                                     {honest_ack, 2, 0},
                                     {honest_close, 0, 0},
                                     {0}};

/* One of them was acked after the state. */
static const honest_step leased_and_acked[] = {{honest_open, 0, 0},
                                               {honest_push, 10, 6},
                                               {honest_pop, 0, 6},
                                               {honest_ack, 1, 0},
                                               {honest_checkpoint, 0, 0},
                                               {honest_ack, 1, 0},
                                               {0}};

/* The reader began again before the items that were acked. */
static const honest_step read_again[] = {
    {honest_open, 0, 0},  {honest_push, 10, 6},
    {honest_pop, 0, 6},   {honest_ack, 1, 0},
    {honest_ack, 2, 0},   {honest_close, 0, 0},
    {honest_open, 0, 0},  {honest_push, 10, 1},
    {honest_close, 0, 0}, {0}};

/* Items of three priorities: 12 to 14 are acked, the first of which is pushed
 * again, the next forgotten and pushed, and the last forgotten. */
#define VISIT_AGAIN                                                            \
    {honest_open, 0, 0}, {honest_push, 40, 12}, {honest_push_urgent, 9, 3},    \
        {honest_push_urgent, 4, 3}, {honest_pop, 0, 5}, {honest_ack, 0, 3},    \
        {honest_nack, 0, 0}, {honest_revisit, 12, 0}, {honest_forget, 13, 0},  \
        {honest_push_forgotten, 13, 0},                                        \
    {                                                                          \
        honest_forget, 14, 0                                                   \
    }

static const honest_step visited[] = {VISIT_AGAIN, {0}};

/* More pushes than are added at once, and the set grows among the last. */
static const honest_step grown[] = {
    {honest_open, 0, 0}, {honest_push_many, 264, 4}, {0}};

static const honest_step one_big[] = {
    {honest_open, 0, 0}, {honest_push, HONEST_BIG_BYTES, 0}, {0}};

/* Five segments, and a snapshot in the middle. */
static const honest_step long_ago[] = {{honest_open, 0, 0},
                                       {honest_push, 0, 130},
                                       {honest_checkpoint, 0, 0},
                                       {honest_push, 0, 130},
                                       {0}};

/* One segment, and a set. */
static const honest_step checkpointed[] = {{honest_open, 0, 0},
                                           {honest_push, 10, 3},
                                           {honest_close, 0, 0},
                                           {honest_open, 0, 0},
                                           {honest_checkpoint, 0, 0},
                                           {honest_close, 0, 0},
                                           {0}};

/* Three segments of items, none of which is acked. */
static const honest_step pushed[] = {{honest_open, 0, 0},
                                     {honest_push, 130, 64},
                                     {honest_checkpoint, 0, 0},
                                     {0}};

/* Seven files of delayed items: one more, and they are merged. */
static const honest_step delayed[] = {
    {honest_open, 0, 0},    {honest_push, 10, 45}, {honest_pop, 0, 43},
    {honest_nack, 300, 34}, {honest_close, 0, 0},  {0}};

/* ---- what is done ---- */

static const honest_step life[] = {{honest_open, 0, 0},
                                   {honest_push, 40, 12},
                                   {honest_push_again, 3, 2},
                                   {honest_pop, 0, 6},
                                   {honest_ack, 0, 3},
                                   {honest_nack, 0, 0},
                                   {honest_pop, 0, 2},
                                   {honest_extend, 100, 0},
                                   {honest_push_many, 40, 0},
                                   {honest_pass, 61, 0},
                                   {honest_pop, 0, 7},
                                   {honest_ack_many, 5, 0},
                                   {honest_push, 3000, 3},
                                   {honest_checkpoint, 0, 0},
                                   {honest_pop, 0, 20},
                                   {honest_ack_many, 20, 0},
                                   {honest_sync, 0, 0},
                                   {honest_push, 30, 2},
                                   {honest_stats, 0, 0},
                                   {honest_close, 0, 0},
                                   {honest_verify, 0, 0},
                                   {honest_repair, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_pop, 0, 4},
                                   {honest_ack, 0, 2},
                                   {honest_close, 0, 0},
                                   {0}};

static const honest_step go_on[] = {
    {honest_open, 1, 0}, {honest_push, 40, 3}, {honest_pop, 0, 30},
    {honest_ack, 0, 4},  {honest_pass, 70, 0}, {honest_pop, 0, 12},
    {honest_ack, 0, 0},  {honest_close, 0, 0}, {honest_open, 1, 0},
    {honest_pop, 0, 1},  {honest_close, 0, 0}, {0}};

/* All but a few are acked, which have to be moved out of the old segments. What
 * a verify counts then depends on which of them were. */
static const honest_step leave_few[] = {
    {honest_open, 0, 0},  {honest_pop, 0, 64},  {honest_ack, 1, 20},
    {honest_ack, 2, 20},  {honest_ack, 3, 15},  {honest_push, 40, 2},
    {honest_close, 0, 0}, {honest_open, 0, 0},  {honest_pop, 0, 9},
    {honest_ack, 0, 4},   {honest_close, 0, 0}, {0}};

static const honest_step mend[] = {{honest_verify, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_repair, 0, 0},
                                   {honest_verify, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_push, 40, 3},
                                   {honest_pop, 0, 30},
                                   {honest_ack, 0, 0},
                                   {honest_close, 0, 0},
                                   {honest_verify, 0, 0},
                                   {0}};

/* As mend, but opening does not find it: popping may. */
static const honest_step meet[] = {{honest_verify, 0, 0}, {honest_open, 0, 0},
                                   {honest_pop, 0, 25},   {honest_stats, 0, 0},
                                   {honest_close, 0, 0},  {honest_repair, 0, 0},
                                   {honest_verify, 0, 0}, {honest_open, 0, 0},
                                   {honest_push, 40, 3},  {honest_pop, 0, 30},
                                   {honest_ack, 0, 0},    {honest_close, 0, 0},
                                   {honest_verify, 0, 0}, {0}};

static const honest_step reopen[] = {
    {honest_verify, 0, 0}, {honest_open, 0, 0},
    {honest_push, 40, 3},  {honest_pop, 0, 9},
    {honest_ack, 0, 0},    {honest_close, 0, 0},
    {honest_verify, 0, 0}, {honest_open, 0, 0},
    {honest_close, 0, 0},  {0}};

static const honest_step visits[] = {VISIT_AGAIN,
                                     {honest_checkpoint, 0, 0},
                                     {honest_pop, 0, 4},
                                     {honest_ack, 0, 2},
                                     {honest_push_urgent, 1, 2},
                                     {honest_stats, 0, 0},
                                     {honest_close, 0, 0},
                                     {honest_verify, 0, 0},
                                     {honest_open, 1, 0},
                                     {honest_push_forgotten, 14, 0},
                                     {honest_pop, 0, 30},
                                     {honest_ack, 2, 3},
                                     {honest_close, 0, 0},
                                     {honest_verify, 0, 0},
                                     {0}};

/* What was set for a host is there when the queue is opened again. */
static const honest_step hosts[] = {
    {honest_open, 0, 0},  {honest_push, 40, 12},
    {honest_pop, 0, 2},   {honest_block, 30, 0},
    {honest_pop, 0, 0},   {honest_hosts, 0, 0},
    {honest_pass, 31, 0}, {honest_pop, 0, 2},
    {honest_ack, 0, 2},   {honest_block, 60, 0},
    {honest_close, 0, 0}, {honest_verify, 0, 0},
    {honest_open, 1, 0},  {honest_pop, 0, 0},
    {honest_block, 0, 0}, {honest_pop, 0, 3},
    {honest_ack, 0, 1},   {honest_checkpoint, 0, 0},
    {honest_pop, 0, 2},   {honest_hosts, 1, 0},
    {honest_close, 0, 0}, {0}};

/* Pages are visited again, at once and later. */
static const honest_step changing[] = {
    {honest_open, 0, 0},       {honest_push, 20, 4},
    {honest_pop, 0, 3},        {honest_ack_again, 0, 0},
    {honest_pop, 0, 1},        {honest_ack_again, 60, 1},
    {honest_nack, 0, 0},       {honest_pop, 0, 2},
    {honest_checkpoint, 0, 0}, {honest_ack_again, 0, 0},
    {honest_pass, 61, 0},      {honest_pop, 0, 3},
    {honest_ack, 0, 1},        {honest_close, 0, 0},
    {honest_verify, 0, 0},     {honest_open, 1, 0},
    {honest_pop, 0, 2},        {honest_ack_again, 5, 0},
    {honest_close, 0, 0},      {0}};

/* Five delayed items are more than memory has; they come back from a file. */
static const honest_step delays[] = {{honest_open, 0, 0},
                                     {honest_push, 20, 9},
                                     {honest_push_urgent, 9, 2},
                                     {honest_pop, 0, 9},
                                     {honest_nack, 30, 5},
                                     {honest_ack_again, 50, 1},
                                     {honest_pop, 0, 2},
                                     {honest_stats, 0, 0},
                                     {honest_checkpoint, 0, 0},
                                     {honest_pass, 31, 0},
                                     {honest_pop, 0, 3},
                                     {honest_ack, 1, 2},
                                     {honest_close, 0, 0},
                                     {honest_verify, 0, 0},
                                     {honest_open, 1, 0},
                                     {honest_pass, 20, 0},
                                     {honest_pop, 0, 2},
                                     {honest_stats, 0, 0},
                                     {honest_close, 0, 0},
                                     {honest_open, 0, 0},
                                     {honest_pop, 0, 12},
                                     {honest_close, 0, 0},
                                     {0}};

static const honest_step merges[] = {
    {honest_open, 1, 0}, {honest_nack, 200, 6}, {honest_stats, 0, 0},
    {honest_pop, 0, 2},  {honest_pass, 201, 0}, {honest_pop, 0, 3},
    {honest_ack, 1, 1},  {honest_close, 0, 0},  {honest_verify, 0, 0},
    {honest_open, 1, 0}, {honest_pass, 100, 0}, {honest_pop, 0, 8},
    {honest_ack, 0, 2},  {honest_close, 0, 0},  {0}};

static const honest_step big[] = {{honest_open, 0, 0},
                                  {honest_push, 10, 2},
                                  {honest_push, HONEST_BIG_BYTES, 0},
                                  {honest_push, 10, 2},
                                  {honest_pop, 0, 4},
                                  {honest_nack, 0, 4},
                                  {honest_pop, 0, 5},
                                  {honest_ack_many, 4, 0},
                                  {honest_pop, 0, 2},
                                  {honest_close, 0, 0},
                                  {honest_verify, 0, 0},
                                  {0}};

static const honest_step lines[] = {{honest_open, 0, 0},
                                    {honest_push_lines, 20, 0},
                                    {honest_push, 10, 2},
                                    {honest_push_lines, 20, 0},
                                    {honest_push, 10, 2},
                                    {honest_pop, 0, 5},
                                    {honest_push_again, 1, 0},
                                    {honest_close, 0, 0},
                                    {0}};

/* What was leased comes again, once a lease is over. */
static const honest_step take_all[] = {{honest_open, 0, 0},
                                       {honest_pop, 0, 4},
                                       {honest_pass, 61, 0},
                                       {honest_pop, 0, 5},
                                       {honest_ack, 0, 2},
                                       {honest_close, 0, 0},
                                       {0}};

static const honest_step take_on[] = {{honest_open, 1, 0},
                                      {honest_pop, 0, 1},
                                      {honest_pass, 61, 0},
                                      {honest_pop, 0, 5},
                                      {honest_ack, 0, 2},
                                      {honest_close, 0, 0},
                                      {0}};

/* ---- the scripts ---- */

const honest_script honest_scripts[] = {
    {"a life", &each, nothing, NULL, life, 0, false},
    {"a life, synced later", &later, nothing, NULL, life, 0, false},
    {"a life with an exact set", &exact, nothing, NULL, life, 0, false},
    {"priorities and visits again", &each, nothing, NULL, visits, 0, false},
    {"visits again, killed", &each, visited, NULL, reopen, 0, false},
    {"pages that change", &each, nothing, NULL, changing, 0, false},
    {"polite, pages that change", &polite, nothing, NULL, changing, 0, false},
    {"delays", &each, nothing, NULL, delays, 0, false},
    {"delays, synced later", &later, nothing, NULL, delays, 0, false},
    {"delays that are merged", &each, delayed, NULL, merges, 0, false},
    {"damaged delays", &each, delayed, honest_spoil_delayed, meet, 0, false},
    {"polite, delays", &polite, nothing, NULL, delays, 0, false},
    {"polite, delays, synced later", &polite_later, nothing, NULL, delays, 0,
     false},
    {"polite, delays that are merged", &polite, delayed, NULL, merges, 0,
     false},
    {"polite, damaged delays", &polite, delayed, honest_spoil_delayed, meet, 0,
     false},
    {"a polite life", &polite, nothing, NULL, life, 0, false},
    {"a polite life, synced later", &polite_later, nothing, NULL, life, 0,
     false},
    {"polite, priorities and visits again", &polite, nothing, NULL, visits, 0,
     false},
    {"polite, killed", &polite, crawled, NULL, reopen, 0, false},
    {"polite, leases that go on", &polite, closed, NULL, go_on, 0, false},
    {"polite, a log that is cleaned", &polite, pushed, NULL, leave_few, 0,
     true},
    {"polite, a log that is cleaned, synced later", &polite_later, pushed, NULL,
     leave_few, 0, true},
    {"hosts that are set", &polite, nothing, NULL, hosts, 0, false},
    {"hosts that are set, synced later", &polite_later, nothing, NULL, hosts, 0,
     false},
    {"polite, a damaged log", &polite, crawled, honest_spoil_log, mend, 2,
     false},
    {"polite, damaged snapshots", &polite, crawled, honest_spoil_snapshots,
     meet, 0, false},
    {"killed", &each, crawled, NULL, reopen, 0, false},
    {"killed, synced later", &later, crawled, NULL, reopen, 0, false},
    {"closed", &plain, few, NULL, take_all, 0, false},
    {"acked", &plain, acked, NULL, take_all, 0, false},
    {"leased", &plain, leased, NULL, take_all, 0, false},
    {"leased and acked", &plain, leased_and_acked, NULL, take_all, 0, false},
    {"leases that go on", &plain, leased_and_acked, NULL, take_on, 0, false},
    {"leases and delays that go on", &each, closed, NULL, go_on, 0, false},
    {"read again", &plain, read_again, NULL, take_all, 0, false},
    {"grown", &growing_far, grown, NULL, take_all, 0, false},
    {"a big item", &plain, one_big, NULL, take_all, 0, false},
    {"big items", &growing, nothing, NULL, big, 0, false},
    {"lines", &refusing, nothing, NULL, lines, 0, false},
    {"torn", &each, crawled, honest_spoil_end, reopen, 1, false},
    {"unborn", &each, few, honest_spoil_begun_segment, reopen, 0, false},
    {"a damaged log", &each, crawled, honest_spoil_log, mend, 2, false},
    {"a log damaged in three places", &each, long_ago, honest_spoil_long_log,
     mend, 4, false},
    {"a damaged header", &each, crawled, honest_spoil_second_header, meet, 0,
     false},
    {"the only header", &plain, few, honest_spoil_only_header, mend, 0, false},
    {"damaged snapshots", &each, crawled, honest_spoil_snapshots, meet, 0,
     false},
    {"the only set", &plain, checkpointed, honest_spoil_only_set, meet, 0,
     false},
};
const size_t honest_script_count = TEST_COUNT(honest_scripts);

/* ---- at random ---- */

static int below(test_random *random, uint64_t limit)
{
    return (int)test_random_below(random, limit);
}

/* One call of any kind but those of a closed queue. */
static honest_step draw(test_random *random)
{
    int chance = below(random, 100);
    if (chance < 30)
        return (honest_step){honest_push, below(random, 300), 0};
    if (chance < 35)
        return (honest_step){honest_push_again, below(random, 40), 0};
    if (chance < 42)
        return (honest_step){honest_push_many, 1 + below(random, 8), 0};
    if (chance < 68)
        return (honest_step){honest_pop, 0, 0};
    if (chance < 88)
        return (honest_step){honest_ack, below(random, 8), 0};
    if (chance < 90)
        return (honest_step){honest_ack_many, 2 + below(random, 6), 0};
    if (chance < 95)
        return (honest_step){honest_nack, below(random, 2), 0};
    if (chance < 98)
        return (honest_step){honest_sync, 0, 0};
    return (honest_step){honest_checkpoint, 0, 0};
}

honest_script honest_crawl(int number, honest_step steps[HONEST_CRAWL_STEPS])
{
    static const honest_script crawls[HONEST_CRAWLS] = {
        {.name = "crawl 1", .options = &each},
        {.name = "crawl 2", .options = &each},
        {.name = "crawl 3, synced later", .options = &later}};
    honest_script script = crawls[number];
    test_random random = {(uint64_t)number};
    int count = 0;
    script.before = nothing;
    script.steps = steps;
    steps[count++] = (honest_step){honest_open, 0, 0};
    steps[count++] = (honest_step){honest_push, 9, 0};
    while (count < HONEST_CRAWL_STEPS - 4) {
        if (below(&random, 50) > 0) {
            steps[count++] = draw(&random);
            continue;
        }
        steps[count++] = (honest_step){honest_close, 0, 0};
        steps[count++] = (honest_step){honest_open, 0, 0};
    }
    steps[count++] = (honest_step){honest_close, 0, 0};
    steps[count] = (honest_step){NULL, 0, 0};
    return script;
}
