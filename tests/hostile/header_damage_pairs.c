/*
 * header_damage_pairs.c - two fields of a header at once, each at every
 * extreme, with the checksum made right: who forges a file can forge that too.
 *
 * One field that is off is often caught by another that is not; two that are
 * off together may agree with each other. Either the open says no before it
 * takes memory that the file's length does not warrant, or the set that comes
 * out is safe: it answers, takes keys, reports figures, and can be saved and
 * opened again.
 *
 *     test_header_damage_pairs [n]      1 by default; else of the pairs of
 *                                       values each n-th only
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "forge.h"
#include "set/set.h"
#include "support.h"

enum {
    KEYS = 40,
    ROOM_BYTES = 16384,   /* a handle and its list of tables */
    MOST_BYTES = 4 << 20, /* no set here may grow past that */
    GOLDEN_COUNT = 8,     /* of the golden files */
    SEALED_COUNT = 2,
    BASE_COUNT = GOLDEN_COUNT + SEALED_COUNT + 4,
    SHARED_STEP = 4 /* so seldom is a file opened as shared, too */
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "extreme";

typedef int open_function(seenset **out, const void *bytes, size_t size_bytes,
                          const seenset_open_options *options);

/* A sound file, and how it is opened. */
typedef struct base {
    uint8_t *bytes;
    size_t size_bytes;
    seenset_open_options options;
    test_field fields[TEST_FIELDS_MOST];
    size_t field_count;
} base;

/* Counts over all pairs of a run. */
typedef struct tally {
    open_function *open;
    uint64_t refused, opened;
    uint64_t step;          /* of the pairs of values each step-th is tried */
    uint64_t met;           /* pairs of values, tried or not */
    uint64_t tried, shared; /* files; opened as shared, of `opened` */
    const char *wrong;      /* the first thing that was wrong, or NULL */
} tally;

/* ---- sound files of every kind ---- */

/* Base number i after the golden sets: sealed ones, a keyed window, a scheme,
 * fingerprints, a set that grew. */
static seenset *make_base_set(size_t i)
{
    static const seenset_scheme_arguments seed = {.seed = 7};
    static const seenset_options kinds[] = {
        {.fp_rate = 0.01, .hash_count = 3},
        {.fp_rate = 1e-9, .hash_count = 4},
        {.capacity_items = 30,
         .on_full = SEENSET_ON_FULL_ROTATE,
         .window_generations = 3,
         .window_seconds = 1000,
         .secret = secret},
        {.capacity_items = 50,
         .layout = SEENSET_LAYOUT_COUNTING,
         .counter_bits = 16,
         .scheme = SEENSET_SCHEME_MD5_DIVMOD},
        {.capacity_items = 50, .layout = SEENSET_LAYOUT_FINGERPRINT},
        {.capacity_items = 10, .scheme_arguments = &seed}};
    uint64_t keys[KEYS];
    seenset *set = NULL;
    for (uint64_t k = 0; k < KEYS; k++)
        keys[k] = test_mix(k);
    if (i < SEALED_COUNT) {
        assert_int_equal(seenset_build_sealed_hashes(&set, &kinds[i], keys,
                                                     KEYS, NULL, NULL),
                         SEENSET_OK);
        return set;
    }
    set = test_make(kinds[i]);
    for (size_t k = 0; k < KEYS; k++)
        assert_true(seenset_add(set, &keys[k], sizeof keys[k]) >= 0);
    return set;
}

static void make_base(base *out, size_t i)
{
    /* of each version, and of each kind that a version knows */
    static const size_t goldens[GOLDEN_COUNT] = {0, 2, 3, 4, 5, 6, 9, 11};
    *out = (base){0};
    if (i < GOLDEN_COUNT) {
        out->bytes = test_golden_bytes(goldens[i], &out->size_bytes);
    } else {
        seenset *set = make_base_set(i - GOLDEN_COUNT);
        out->bytes = test_bytes_of(set, &out->size_bytes);
        seenset_free(set);
    }
    out->field_count = test_list_fields(out->bytes, out->fields);
    if (i == GOLDEN_COUNT + SEALED_COUNT)
        out->options.secret = secret;
}

/* ---- is a set safe? ---- */

static bool is_part(double x)
{
    return x >= 0.0 && x <= 1.0;
}

/* The figures of a set are numbers. */
static bool are_stats_sane(const seenset *set)
{
    seenset_stats stats;
    return seenset_get_stats(set, &stats, sizeof stats) == SEENSET_OK &&
           is_part(stats.fill) && is_part(stats.fp_rate) &&
           is_part(stats.current_fp_rate) && is_part(stats.overflow_bound) &&
           stats.estimated_items >= 0.0 && stats.wrong_items >= 0.0 &&
           stats.set_bits <= stats.size_bits &&
           stats.added_items <= SEENSET_MAX_SIZE_BITS * SS_MAX_GENERATIONS;
}

/* Is this an answer that seenset.h allows an add? */
static bool is_answer(const seenset *set, int answer)
{
    if (ss_set_is_sealed(set))
        return answer == SEENSET_EUNSUPPORTED;
    if (set->is_view || set->is_copied_view)
        return answer == SEENSET_EREADONLY;
    bool is_growth_error = answer == SEENSET_ENOMEM ||
                           answer == SEENSET_ERATE || answer == SEENSET_ETOOBIG;
    return answer == 0 || answer == 1 ||
           (answer == SEENSET_EFULL &&
            set->on_full == SEENSET_ON_FULL_REFUSE) ||
           (is_growth_error && (set->on_full == SEENSET_ON_FULL_GROW ||
                                set->on_full == SEENSET_ON_FULL_ROTATE));
}

static const char *use_keys(seenset *set)
{
    uint64_t count;
    for (uint64_t i = 1000; i < 1000 + KEYS; i++) {
        int answer = seenset_add(set, &i, sizeof i);
        if (!is_answer(set, answer))
            return "an add answered what it must not";
        if (answer >= 0 && seenset_has(set, &i, sizeof i) != 1)
            return "a key was forgotten";
        (void)seenset_has(set, &answer, sizeof answer);
        if (seenset_count(set, &i, sizeof i, &count) == SEENSET_OK && i % 2)
            (void)seenset_remove(set, &i, sizeof i);
    }
    return NULL;
}

static const char *use_batches(seenset *set)
{
    uint64_t numbers[KEYS];
    seenset_key keys[KEYS];
    uint8_t answers[KEYS];
    for (size_t i = 0; i < KEYS; i++) {
        numbers[i] = 2000 + i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    if (!is_answer(set, seenset_add_many(set, keys, KEYS, answers)))
        return "a batch answered what it must not";
    if (seenset_has_many(set, keys, KEYS, answers) != SEENSET_OK)
        return "a batch was not asked for";
    return NULL;
}

/* Bytes written, opened again and written again are the same bytes. */
static const char *use_file(const seenset *set, seenset_open_options options)
{
    size_t size_bytes, again_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    seenset *opened = NULL;
    const char *wrong = NULL;
    options.flags = SEENSET_OPEN_COPY;
    if (seenset_open_bytes(&opened, bytes, size_bytes, &options) !=
        SEENSET_OK) {
        free(bytes);
        return "what was saved cannot be opened again";
    }
    uint8_t *again = test_bytes_of(opened, &again_bytes);
    if (size_bytes != again_bytes || memcmp(bytes, again, size_bytes) != 0)
        wrong = "what was opened again is another set";
    free(again);
    free(bytes);
    seenset_free(opened);
    return wrong;
}

/* How much sets overlap is asked of the views that a file was opened as: that
 * takes longest, and copies hold the same, checked and in memory of their own. */
static const char *use_algebra(seenset *set)
{
    seenset *copy = NULL;
    seenset_overlap likeness = {0};
    int error = seenset_copy(&copy, set);
    if (error != SEENSET_OK)
        return error == SEENSET_ENOMEM ? NULL : "no copy can be made";
    (void)seenset_merge(copy, set);
    (void)test_is_superset(copy, set);
    if (set->is_view)
        error = seenset_get_overlap(copy, set, &likeness, sizeof likeness);
    (void)seenset_intersect(copy, set);
    bool is_sane = true;
    for (uint32_t i = 0; i < copy->generation_count; i++)
        is_sane &= copy->generations[i].added_items <= SEENSET_MAX_SIZE_BITS;
    seenset_free(copy);
    if (error == SEENSET_OK && !is_part(likeness.jaccard))
        return "sets are alike beyond measure";
    return is_sane ? NULL : "a merged set holds more keys than there can be";
}

static const char *use(seenset *set, const seenset_open_options *options)
{
    /* a set that can be added to is asked after that: it takes a while */
    if (set->is_view && !are_stats_sane(set))
        return "the statistics are no numbers";
    const char *wrong = use_file(set, *options);
    if (wrong == NULL)
        wrong = use_algebra(set);
    if (wrong == NULL)
        wrong = use_keys(set);
    if (wrong == NULL)
        wrong = use_batches(set);
    if (wrong == NULL && !set->is_view && !are_stats_sane(set))
        wrong = "the statistics are no numbers";
    return wrong != NULL ? wrong : use_file(set, *options);
}

/* Opens bytes; what is wrong with how that went, or NULL. */
static const char *judge(tally *of, const base *file, uint32_t flags,
                         bool may_open)
{
    test_memory memory;
    seenset *set = NULL;
    const char *wrong = NULL;
    seenset_open_options options = file->options;
    test_memory_init(&memory);
    memory.most_bytes = MOST_BYTES;
    options.flags = flags;
    options.allocator = &memory.allocator;
    int error = of->open(&set, file->bytes, file->size_bytes, &options);
    if (memory.largest_bytes > file->size_bytes + ROOM_BYTES)
        wrong = "memory was taken that the file does not warrant";
    else if ((error == SEENSET_OK) != (set != NULL))
        wrong = "a set without success, or the other way round";
    else if (error == SEENSET_OK && !may_open)
        wrong = "a field was believed that must not differ";
    else if (error == SEENSET_OK)
        wrong = use(set, &file->options);
    of->opened += error == SEENSET_OK;
    of->shared += error == SEENSET_OK && (flags & SEENSET_FLAG_SHARED) != 0;
    of->refused += error != SEENSET_OK;
    seenset_free(set);
    return memory.live_blocks == 0 ? wrong : "memory was kept";
}

/* ---- all pairs ---- */

/* May the file open with this field as it is now? A view does not read payloads
 * and sums whole, and so not their checksums. */
static bool may_open(const test_field *field, uint64_t old, uint64_t value,
                     uint32_t flags)
{
    bool is_checksum = strcmp(field->name, "payload_checksum") == 0 ||
                       strcmp(field->name, "sums_checksum") == 0;
    return old == value || field->may_differ ||
           (is_checksum && flags == SEENSET_OPEN_VIEW);
}

static uint64_t load(const base *file, size_t field)
{
    const test_field *of = &file->fields[field];
    return ss_bits_load(file->bytes + of->at, of->size_bytes);
}

static void store(base *file, size_t field, uint64_t value)
{
    const test_field *of = &file->fields[field];
    ss_bits_store(file->bytes + of->at, of->size_bytes, value);
}

static void try_values(tally *of, base *file, const size_t fields[2],
                       const uint64_t olds[2], const uint64_t values[2])
{
    static const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_COPY,
                                    SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED};
    size_t header_bytes = test_header_bytes(file->bytes);
    if (of->met++ % of->step != 0)
        return;
    for (int i = 0; i < 2; i++)
        store(file, fields[i], values[i]);
    test_repair_header(file->bytes, header_bytes);
    bool is_shared_too = of->tried++ % SHARED_STEP == 0;
    for (size_t way = 0; way < TEST_COUNT(ways) - !is_shared_too; way++) {
        uint32_t flags = ways[way];
        bool may = true;
        for (int i = 0; i < 2; i++)
            may &=
                may_open(&file->fields[fields[i]], olds[i], values[i], flags);
        const char *wrong = judge(of, file, flags, may);
        if (wrong != NULL && of->wrong == NULL)
            of->wrong = wrong;
        if (wrong != NULL && of->open == seenset_open_bytes)
            printf("  %s = %llx, %s = %llx, flags %u: %s\n",
                   file->fields[fields[0]].name, (unsigned long long)values[0],
                   file->fields[fields[1]].name, (unsigned long long)values[1],
                   flags, wrong);
    }
    for (int i = 0; i < 2; i++)
        store(file, fields[i], olds[i]);
}

static void try_pair(tally *of, base *file, size_t a, size_t b)
{
    const size_t fields[2] = {a, b};
    const uint64_t olds[2] = {load(file, a), load(file, b)};
    uint64_t values[2];
    for (size_t i = 0; test_extreme(i, file->fields[a].size_bytes, &values[0]);
         i++) {
        for (size_t j = 0;
             test_extreme(j, file->fields[b].size_bytes, &values[1]); j++)
            try_values(of, file, fields, olds, values);
    }
}

static void try_all(tally *of, size_t number)
{
    base file;
    make_base(&file, number);
    for (size_t a = 0; a < file.field_count; a++) {
        for (size_t b = 0; b < a; b++)
            try_pair(of, &file, a, b);
    }
    free(file.bytes);
}

static void pairs_of_extremes_are_refused_or_safe(void **state)
{
    uint64_t opened = 0, refused = 0, shared = 0;
    for (size_t i = 0; i < BASE_COUNT; i++) {
        tally of = {.open = seenset_open_bytes,
                    .step = *(const uint64_t *)*state};
        try_all(&of, i);
        if (of.wrong != NULL)
            fail_msg("file %zu: %s", i, of.wrong);
        assert_true(of.opened > 0 && of.refused > of.opened);
        opened += of.opened;
        shared += of.shared;
        refused += of.refused;
    }
    assert_true(shared > 0);
    printf("  %llu headers refused, %llu opened and used, %llu as shared\n",
           (unsigned long long)refused, (unsigned long long)opened,
           (unsigned long long)shared);
}

/* ---- planted ---- */

/* Takes the memory that the file says it needs before it looks further. */
static int open_greedily(seenset **out, const void *bytes, size_t size_bytes,
                         const seenset_open_options *options)
{
    const seenset_allocator *allocator = options->allocator;
    size_t claimed = (size_t)ss_bits_load((const uint8_t *)bytes + 16, 8);
    if (claimed == 0)
        return SEENSET_ETRUNCATED;
    void *block = allocator->allocate(allocator->context, claimed, 64);
    if (block != NULL)
        allocator->release(allocator->context, block, claimed);
    return seenset_open_bytes(out, bytes, size_bytes, options);
}

/* Does not look at the reserved bytes. */
static int open_carelessly(seenset **out, const void *bytes, size_t size_bytes,
                           const seenset_open_options *options)
{
    uint8_t *changed = malloc(size_bytes);
    seenset_open_options copying = *options;
    copying.flags = SEENSET_OPEN_COPY;
    assert_non_null(changed);
    memcpy(changed, bytes, size_bytes);
    memset(changed + 88, 0, 32);
    if (test_header_bytes(changed) <= size_bytes)
        test_repair_header(changed, test_header_bytes(changed));
    int error = seenset_open_bytes(out, changed, size_bytes, &copying);
    free(changed);
    return error;
}

/* Believes a count of keys that no table can hold. */
static int open_gullibly(seenset **out, const void *bytes, size_t size_bytes,
                         const seenset_open_options *options)
{
    int error = seenset_open_bytes(out, bytes, size_bytes, options);
    if (error == SEENSET_OK)
        (*out)->generations[0].added_items = UINT64_MAX;
    return error;
}

static void careless_readers_are_caught(void **state)
{
    static const struct {
        open_function *open;
        const char *wrong;
    } readers[] = {
        {open_greedily, "memory was taken that the file does not warrant"},
        {open_carelessly, "a field was believed that must not differ"},
        {open_gullibly, "the statistics are no numbers"}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(readers); i++) {
        tally of = {.open = readers[i].open, .step = 1};
        base file;
        make_base(&file, 0);
        for (size_t a = 0; a < file.field_count; a++)
            try_pair(&of, &file, a, 16); /* reserved bytes at 88 */
        assert_non_null(of.wrong);
        assert_string_equal(of.wrong, readers[i].wrong);
        free(file.bytes);
    }
}

int main(int argc, char **argv)
{
    uint64_t step = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(pairs_of_extremes_are_refused_or_safe, &step),
        cmocka_unit_test(careless_readers_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
