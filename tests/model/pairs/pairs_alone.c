/* pairs_alone.c - the calls that take no set, or make one; see pairs.h */
#include "foreign_files.h"
#include "pairs.h"
#include "seenset/extra/formulas.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "seenset/extra/bits.h"
#include "seenset/plan.h"
#include "seenset/url.h"

static const char *call_version(pair_turn *turn)
{
    (void)turn;
    return strcmp(seenset_version(), SEENSET_VERSION) == 0 ? NULL : "version";
}

static const char *call_version_number(pair_turn *turn)
{
    (void)turn;
    return seenset_version_number() == SEENSET_VERSION_NUMBER
               ? NULL
               : "version_number";
}

static const char *call_hash(pair_turn *turn)
{
    uint32_t n = turn->round % PAIR_KEYS;
    seenset_key key = pair_key(turn->scene, n);
    return seenset_hash(key.data, key.len) == turn->scene->hashes[n] ? NULL
                                                                     : "hash";
}

static const char *call_shard(pair_turn *turn)
{
    uint32_t n = turn->round % PAIR_KEYS;
    return seenset_shard(turn->scene->hashes[n], n + 1) <= n ? NULL : "shard";
}

static const char *call_error_name(pair_turn *turn)
{
    int error = -1 - (int)(turn->round % 5);
    return seenset_error_name(error) != NULL ? NULL : "error_name";
}

static const char *call_strerror(pair_turn *turn)
{
    int error = -1 - (int)(turn->round % 5);
    return seenset_strerror(error) != NULL ? NULL : "strerror";
}

static const char *call_layout_name(pair_turn *turn)
{
    (void)turn;
    return strcmp(seenset_layout_name(SEENSET_LAYOUT_BLOOM), "bloom") == 0
               ? NULL
               : "layout_name";
}

static const char *call_on_full_name(pair_turn *turn)
{
    (void)turn;
    return strcmp(seenset_on_full_name(SEENSET_ON_FULL_GROW), "grow") == 0
               ? NULL
               : "on_full_name";
}

static const char *call_scheme_name(pair_turn *turn)
{
    (void)turn;
    return strcmp(seenset_scheme_name(SEENSET_SCHEME_CHAIN), "chain") == 0
               ? NULL
               : "scheme_name";
}

static const char *call_plan_solve(pair_turn *turn)
{
    seenset_plan plan = {.capacity_items = 1000 + turn->round, .fp_rate = 0.01};
    return seenset_plan_solve(&plan) == SEENSET_OK && plan.size_bits > 0
               ? NULL
               : "plan_solve";
}

static const char *call_plan_grown(pair_turn *turn)
{
    const seenset_plan first = {.capacity_items = 100, .fp_rate = 0.01};
    seenset_plan_growth grown;
    return seenset_plan_grown(&first, 1000 + turn->round, &grown,
                              sizeof grown) == SEENSET_OK &&
                   grown.table_count == 2
               ? NULL
               : "plan_grown";
}

static const char *call_plan_numbers(pair_turn *turn)
{
    (void)turn;
    uint32_t bits_per_key, hash_count;
    double rate = seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 1000, 9586, 7);
    double items = seenset_plan_item_estimate(5000, 9586, 7);
    return rate > 0.005 && rate < 0.02 && items > 500 && items < 2000 &&
                   seenset_plan_wrong_items(SEENSET_LAYOUT_BLOOM, 1000, 9586,
                                            7) > 0 &&
                   seenset_plan_floor_bits(1000, 0.01) > 6000 &&
                   seenset_plan_overflow_bound(1000, 9586, 7, 4) < 1e-9 &&
                   seenset_plan_source_rate(0.01, 20) < 0.001 &&
                   seenset_plan_union_rate(0.01, 20) > 0.1 &&
                   seenset_plan_whole_bits(0.01, &bits_per_key, &hash_count) ==
                       0
               ? NULL
               : "a number of the plan";
}

static const char *call_bits(pair_turn *turn)
{
    uint8_t field[2] = {0};
    char text[17];
    size_t room = sizeof text;
    uint64_t ones = 0;
    (void)turn;
    return seenset_bits_set(field, 2, 9) == 0 &&
                   seenset_bits_toggle(field, 2, 3) == 0 &&
                   seenset_bits_clear(field, 2, 9) == 0 &&
                   seenset_bits_test(field, 2, 3) == 1 &&
                   seenset_bits_count(field, 2, &ones) == 0 && ones == 1 &&
                   seenset_bits_print(field, 2, text, &room) == 0 &&
                   strcmp(text, "0001000000000000") == 0
               ? NULL
               : "a field of bits";
}

static const char *call_make_secret(pair_turn *turn)
{
    uint8_t secret[SEENSET_SECRET_BYTES];
    (void)turn;
    return seenset_make_secret(secret) == SEENSET_OK ? NULL : "make_secret";
}

static const char *call_plan_solve_scheme(pair_turn *turn)
{
    seenset_plan plan = {.capacity_items = 100 + turn->round, .fp_rate = 0.01};
    int error =
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_POLYNOMIAL, NULL);
    bool is_power = (plan.size_bits & (plan.size_bits - 1)) == 0;
    return error == SEENSET_OK && plan.size_bits > 0 && is_power
               ? NULL
               : "plan_solve_scheme";
}

static const char *call_from_bits(pair_turn *turn)
{
    const seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                                     .hash_count = 3};
    uint8_t bytes[40] = {0};
    seenset *made;
    bytes[turn->round % 40] = 1;
    if (seenset_from_bits(&made, &options, bytes, sizeof bytes) != SEENSET_OK)
        return "from_bits fails";
    uint64_t set_bits = test_stats_of(made).set_bits;
    seenset_free(made);
    return set_bits == 1 ? NULL : "from_bits makes another set";
}

static const char *call_new(pair_turn *turn)
{
    const seenset_options options = {.capacity_items = 100 + turn->round};
    seenset *made;
    if (seenset_new(&made, &options) != SEENSET_OK)
        return "new fails";
    int answer = seenset_add(made, "a", 1);
    seenset_free(made);
    return answer == 1 ? NULL : "new makes a set that is not empty";
}

/* Has it the old keys? Freed in any case. */
static const char *judge_opened(const pair_turn *turn, int error,
                                seenset *opened)
{
    if (error != SEENSET_OK)
        return "open fails";
    bool holds = true;
    for (uint32_t i = 0; i < PAIR_OLD; i++) {
        seenset_key key = pair_key(turn->scene, i);
        holds &= seenset_has(opened, key.data, key.len) == 1;
    }
    seenset_free(opened);
    return holds ? NULL : "open forgets a key";
}

static const char *call_open(pair_turn *turn)
{
    seenset *opened = NULL;
    uint32_t flags = turn->round % 2 ? SEENSET_OPEN_VIEW : SEENSET_OPEN_COPY;
    int error = seenset_open(&opened, turn->scene->path,
                             &(seenset_open_options){.flags = flags});
    return judge_opened(turn, error, opened);
}

static const char *call_open_bytes(pair_turn *turn)
{
    seenset *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_read_file(turn->scene->path, &size_bytes);
    int error =
        seenset_open_bytes(&opened, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
    free(bytes);
    return judge_opened(turn, error, opened);
}

/* The report is each call's own. */
static const char *call_open_reporting(pair_turn *turn)
{
    seenset *opened = NULL;
    seenset_file_report report = {.reason = "?"};
    seenset_open_options options = {
        .flags = turn->round % 2 ? SEENSET_OPEN_UNCHECKED : SEENSET_OPEN_COPY,
        .report = &report};
    int error = seenset_open(&opened, turn->scene->path, &options);
    const char *wrong = judge_opened(turn, error, opened);
    return wrong == NULL && report.reason[0] != '\0' ? "open reports a reason"
                                                     : wrong;
}

static const char *call_read(pair_turn *turn)
{
    seenset *opened = NULL;
    test_stream stream = {.piece_bytes = 5000};
    stream.bytes = test_read_file(turn->scene->path, &stream.size_bytes);
    int error = seenset_read(&opened, test_stream_read, &stream, NULL);
    test_stream_free(&stream);
    return judge_opened(turn, error, opened);
}

static const char *call_verify(pair_turn *turn)
{
    seenset_file_report report;
    return seenset_verify(turn->scene->path, &report) == SEENSET_OK
               ? NULL
               : "verify finds damage";
}

/* Of a file without a journal, which stays as it is. */
static const char *call_compact(pair_turn *turn)
{
    return seenset_compact(turn->scene->path, NULL) == SEENSET_OK
               ? call_verify(turn)
               : "compact fails";
}

static const char *call_seal(pair_turn *turn)
{
    seenset *made = NULL;
    seenset_key keys[PAIR_OLD];
    for (uint32_t i = 0; i < PAIR_OLD; i++)
        keys[i] = pair_key(turn->scene, i);
    int error = seenset_build_sealed(&made, NULL, keys, PAIR_OLD, NULL, NULL);
    return judge_opened(turn, error, made);
}

static const char *call_seal_hashes(pair_turn *turn)
{
    seenset *made = NULL;
    uint64_t hashes[PAIR_OLD];
    memcpy(hashes, turn->scene->hashes, sizeof hashes);
    int error =
        seenset_build_sealed_hashes(&made, NULL, hashes, PAIR_OLD, NULL, NULL);
    return judge_opened(turn, error, made);
}

static const char *call_url_normalise(pair_turn *turn)
{
    static const char url[] = "HTTP://B\u00FCcher.example/a/../b";
    static const char normal[] = "http://xn--bcher-kva.example/b";
    char out[sizeof normal - 1];
    size_t out_bytes = sizeof out;
    (void)turn;
    int error =
        seenset_url_normalise(url, sizeof url - 1, out, &out_bytes, NULL);
    return error == SEENSET_OK && out_bytes == sizeof out &&
                   memcmp(out, normal, sizeof out) == 0
               ? NULL
               : "url_normalise writes something else";
}

static const char *call_url_site(pair_turn *turn)
{
    static const char url[] = "https://a@b.example:9/c";
    size_t start = 0, len = 0;
    (void)turn;
    int error = seenset_url_site(url, sizeof url - 1,
                                 SEENSET_URL_SITE_HOST_PORT, &start, &len);
    return error == SEENSET_OK && start == 10 && len == 11
               ? NULL
               : "url_site finds something else";
}

static const char *call_item_free(pair_turn *turn)
{
    seenset_queue_item item = {0};
    (void)turn;
    seenset_queue_item_free(&item);
    return item.memory == NULL ? NULL : "item_free";
}

/* A file of a scene of its own; those of queues are no such files. */
static const char *call_foreign(pair_turn *turn)
{
    seenset_foreign *file = NULL, *other = NULL;
    seenset_foreign_info info;
    seenset_foreign_filter filter;
    seenset *set = NULL;
    size_t size_bytes;
    uint8_t *bytes = foreign_dcso_make(&size_bytes);
    size_t room_bytes = 0;
    uint8_t is_seen = 0;
    const seenset_key key = {.data = "dcso 7", .len = 6};
    const seenset_plan plan = {.capacity_items = 10, .fp_rate = 0.1};
    bool is_done =
        seenset_foreign_open_bytes(&file, bytes, size_bytes, NULL) == 0 &&
        seenset_foreign_get_info(file, &info, sizeof info) == 0 &&
        seenset_foreign_get_filter(file, 0, &filter, sizeof filter) == 0 &&
        seenset_foreign_has(file, 0, "dcso 7", 6) == 1 &&
        seenset_foreign_has_many(file, 0, &key, 1, &is_seen) == 0 &&
        is_seen == 1 && seenset_foreign_set(&set, file, 0) == 0 &&
        seenset_foreign_write_bytes(file, set, NULL, &room_bytes) ==
            SEENSET_ESPACE &&
        room_bytes == size_bytes &&
        seenset_foreign_save(file, set, "no/such/folder") == SEENSET_EIO &&
        seenset_foreign_new_bytes(SEENSET_FORMAT_GUAVA, 0, &plan, NULL,
                                  &room_bytes) == SEENSET_ESPACE &&
        seenset_foreign_open(&other, turn->scene->path, NULL) ==
            SEENSET_EFORMAT &&
        seenset_has(set, "dcso 7", 6) == 1 &&
        strcmp(seenset_format_name(info.format), "dcso") == 0 &&
        strcmp(seenset_value_type_name(filter.value_type), "bytes") == 0;
    seenset_free(set);
    seenset_foreign_free(file);
    free(bytes);
    return is_done ? NULL : "a file of another system";
}

const pair_row pair_alone_rows[] = {
    {"seenset_version", PAIR_ALONE, call_version},
    {"seenset_version_number", PAIR_ALONE, call_version_number},
    {"seenset_hash", PAIR_ALONE, call_hash},
    {"seenset_shard", PAIR_ALONE, call_shard},
    {"seenset_scheme_name", PAIR_ALONE, call_scheme_name},
    {"seenset_error_name", PAIR_ALONE, call_error_name},
    {"seenset_strerror", PAIR_ALONE, call_strerror},
    {"seenset_layout_name", PAIR_ALONE, call_layout_name},
    {"seenset_on_full_name", PAIR_ALONE, call_on_full_name},
    {"seenset_plan_solve", PAIR_ALONE, call_plan_solve},
    {"seenset_plan_fp_rate", PAIR_ALONE, call_plan_numbers},
    {"seenset_url_normalise", PAIR_ALONE, call_url_normalise},
    {"seenset_url_site", PAIR_ALONE, call_url_site},
    {"seenset_plan_item_estimate", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_wrong_items", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_floor_bits", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_overflow_bound", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_source_rate", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_union_rate", PAIR_ALONE, call_plan_numbers},
    {"seenset_plan_whole_bits", PAIR_ALONE, call_plan_numbers},
    {"seenset_bits_clear", PAIR_ALONE, call_bits},
    {"seenset_bits_count", PAIR_ALONE, call_bits},
    {"seenset_bits_print", PAIR_ALONE, call_bits},
    {"seenset_bits_set", PAIR_ALONE, call_bits},
    {"seenset_bits_test", PAIR_ALONE, call_bits},
    {"seenset_bits_toggle", PAIR_ALONE, call_bits},
    {"seenset_make_secret", PAIR_ALONE, call_make_secret},
    {"seenset_plan_grown", PAIR_ALONE, call_plan_grown},
    {"seenset_plan_solve_scheme", PAIR_ALONE, call_plan_solve_scheme},
    {"seenset_from_bits", PAIR_ALONE, call_from_bits},
    {"seenset_new", PAIR_ALONE, call_new},
    {"seenset_open", PAIR_ALONE, call_open},
    {"seenset_open", PAIR_ALONE, call_open_reporting},
    {"seenset_open_bytes", PAIR_ALONE, call_open_bytes},
    {"seenset_read", PAIR_ALONE, call_read},
    {"seenset_verify", PAIR_ALONE, call_verify},
    {"seenset_compact", PAIR_ALONE, call_compact},
    {"seenset_build_sealed", PAIR_ALONE, call_seal},
    {"seenset_build_sealed_hashes", PAIR_ALONE, call_seal_hashes},
    {"seenset_queue_item_free", PAIR_ALONE, call_item_free},
    {"seenset_foreign_free", PAIR_ALONE, call_foreign},
    {"seenset_foreign_get_filter", PAIR_ALONE, call_foreign},
    {"seenset_foreign_get_info", PAIR_ALONE, call_foreign},
    {"seenset_foreign_has", PAIR_ALONE, call_foreign},
    {"seenset_foreign_has_many", PAIR_ALONE, call_foreign},
    {"seenset_foreign_new_bytes", PAIR_ALONE, call_foreign},
    {"seenset_foreign_open", PAIR_ALONE, call_foreign},
    {"seenset_foreign_open_bytes", PAIR_ALONE, call_foreign},
    {"seenset_foreign_save", PAIR_ALONE, call_foreign},
    {"seenset_foreign_set", PAIR_ALONE, call_foreign},
    {"seenset_foreign_write_bytes", PAIR_ALONE, call_foreign},
    {"seenset_format_name", PAIR_ALONE, call_foreign},
    {"seenset_value_type_name", PAIR_ALONE, call_foreign},
};
const size_t pair_alone_row_count = TEST_COUNT(pair_alone_rows);
