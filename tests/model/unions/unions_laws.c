/* unions_laws.c - what holds for the union of any two sets; see unions.h */
#include "unions.h"

#include <math.h>

/* ---- figures ---- */

bool union_is_right(double said, double truth, double error)
{
    return fabs(said - truth) <= fmax(0.02 * truth, 5.0 * error) + 1.0;
}

double union_stated_error(const seenset *a, const seenset *b)
{
    seenset_overlap overlap;
    return seenset_get_overlap(a, b, &overlap, sizeof overlap) == SEENSET_OK
               ? overlap.union_items_error
               : 0.0;
}

static bool are_near(const seenset *a, const seenset *b, double error)
{
    seenset_stats x = test_stats_of(a), y = test_stats_of(b);
    return union_is_right(x.estimated_items, y.estimated_items, error) &&
           fabs(x.current_fp_rate - y.current_fp_rate) <=
               0.1 * x.current_fp_rate + 1e-9 &&
           fabs(x.fp_rate - y.fp_rate) <= 0.1 * x.fp_rate;
}

/* ---- laws ---- */

union_trio union_make_trio(const union_kind *of, unsigned shared_percent)
{
    uint64_t n = of->keys, first = n - n * shared_percent / 100;
    return (union_trio){.of = of,
                        .a = union_make_of(of, 0, n),
                        .b = union_make_of(of, first, first + n),
                        .c = union_make_of(of, 2 * first, 2 * first + n),
                        .n = n,
                        .first = first,
                        .merge = seenset_merge};
}

void union_free_trio(union_trio *in)
{
    seenset_free(in->a);
    seenset_free(in->b);
    seenset_free(in->c);
}

static seenset *united(const union_trio *in, const seenset *a, const seenset *b)
{
    seenset *both = union_copy(a);
    if (in->merge(both, b) != SEENSET_OK) {
        seenset_free(both);
        return NULL;
    }
    return both;
}

static const char *law_answers(const union_trio *in)
{
    seenset *both = united(in, in->a, in->b);
    const char *wrong = NULL;
    if (both == NULL)
        return "they cannot be merged";
    if (!union_has_keys(both, 0, in->n) ||
        !union_has_keys(both, in->first, in->first + in->n))
        wrong = "a key is forgotten";
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t key = test_mix((UINT64_C(1) << 40) + i);
        if ((seenset_has(in->a, &key, sizeof key) ||
             seenset_has(in->b, &key, sizeof key)) &&
            !seenset_has(both, &key, sizeof key))
            wrong = "an answer is another";
    }
    seenset_free(both);
    return wrong;
}

static const char *law_rate(const union_trio *in)
{
    enum {
        ASKED = 20000
    };
    seenset *both = united(in, in->a, in->b);
    uint64_t seen =
        union_count_seen(both, UINT64_C(1) << 50, (UINT64_C(1) << 50) + ASKED);
    double said = test_stats_of(both).current_fp_rate;
    double fresh = 0.0; /* of keys that a fault added, all are seen */
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t key = test_mix(UNION_FAULTY_KEYS + i);
        fresh += seenset_has(both, &key, sizeof key);
    }
    seenset_free(both);
    if (!test_is_binomial(seen, ASKED, said))
        return "the rate is not what it says";
    return fresh > 500.0 + 1000.0 * said ? "other keys are seen" : NULL;
}

/* Of bytes where counts do not add up, else of keys. */
static bool is_the_same(const union_kind *of, const seenset *a,
                        const seenset *b)
{
    if (!union_counts_keys(of))
        return test_are_equal(a, b);
    return union_is_right(test_stats_of(a).estimated_items,
                          test_stats_of(b).estimated_items, 0.0);
}

static const char *law_again(const union_trio *in)
{
    seenset *twin = union_copy(in->a), *itself = united(in, in->a, twin);
    seenset *both = united(in, in->a, in->b), *again = united(in, both, in->a);
    assert_int_equal(in->merge(again, in->b), SEENSET_OK);
    const char *wrong = NULL;
    if (!is_the_same(in->of, itself, in->a))
        wrong = "a set joined to itself is another";
    else if (!is_the_same(in->of, again, both))
        wrong = "a source that comes again changes the union";
    seenset_free(twin);
    seenset_free(itself);
    seenset_free(both);
    seenset_free(again);
    return wrong;
}

static const char *law_order(const union_trio *in)
{
    seenset *ab = united(in, in->a, in->b), *ba = united(in, in->b, in->a);
    bool is_fine = are_near(ab, ba, union_stated_error(in->a, in->b)) &&
                   union_has_keys(ba, 0, in->n) &&
                   union_has_keys(ab, in->first, in->first + in->n);
    seenset_free(ab);
    seenset_free(ba);
    return is_fine ? NULL : "order makes a difference";
}

static const char *law_groups(const union_trio *in)
{
    seenset *ab = united(in, in->a, in->b), *bc = united(in, in->b, in->c);
    seenset *left = united(in, ab, in->c), *right = united(in, in->a, bc);
    double error =
        union_stated_error(in->a, in->b) + union_stated_error(in->b, in->c);
    bool is_fine =
        union_is_right(test_stats_of(left).estimated_items,
                       test_stats_of(right).estimated_items, error) &&
        union_has_keys(left, 0, in->n) && union_has_keys(right, 0, in->n) &&
        union_has_keys(right, in->first, in->first + in->n);
    seenset_free(ab);
    seenset_free(bc);
    seenset_free(left);
    seenset_free(right);
    return is_fine ? NULL : "grouping makes a difference";
}

static const char *law_empty(const union_trio *in)
{
    seenset *none = union_make(in->of);
    seenset *left = united(in, in->a, none), *right = united(in, none, in->a);
    const char *wrong = NULL;
    if (!test_are_equal(left, in->a))
        wrong = "an empty set changes the union";
    else if (!are_near(right, in->a, 0.0) || !union_has_keys(right, 0, in->n))
        wrong = "joined to an empty set it is another";
    seenset_free(none);
    seenset_free(left);
    seenset_free(right);
    return wrong;
}

/* What the union shares with A is A. */
static const char *check_share(const union_trio *in, const seenset *both,
                               double error)
{
    seenset_overlap overlap;
    double n = (double)in->n;
    if (seenset_get_overlap(both, in->a, &overlap, sizeof overlap) !=
        SEENSET_OK)
        return union_counts_keys(in->of) ? NULL : "it cannot be compared";
    return union_is_right(overlap.intersection_items, n, error) &&
                   union_is_right(overlap.a_items, (double)(in->first + in->n),
                                  error)
               ? NULL
               : "what it shares is wrong";
}

static const char *law_keys(const union_trio *in)
{
    seenset *both = united(in, in->a, in->b);
    double truth = (double)(in->first + in->n);
    double error = union_stated_error(in->a, in->b);
    const char *wrong = NULL;
    if (!union_is_right(test_stats_of(both).estimated_items, truth, error))
        wrong = "it says another number of keys";
    else
        wrong = check_share(in, both, error);
    seenset_free(both);
    return wrong;
}

static const char *law_copies(const union_trio *in)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    test_folder_make(&folder);
    test_path(path, &folder, "b.set");
    assert_int_equal(seenset_save(in->b, path), SEENSET_OK);
    seenset_open_options options = {.secret = in->of->options.secret};
    seenset *view = NULL, *both = united(in, in->a, in->b), *by_view = NULL;
    assert_int_equal(seenset_open(&view, path, &options), SEENSET_OK);
    if (in->of->options.window_seconds > 0)
        window_use_clock(view);
    by_view = united(in, in->a, view);
    const char *wrong = NULL;
    if (by_view == NULL || !test_are_equal(by_view, both))
        wrong = "a view of a file is not as good as the set";
    else if (!union_has_keys(by_view, in->first, in->first + in->n))
        wrong = "a key of a view is forgotten";
    seenset_free(view);
    seenset_free(both);
    seenset_free(by_view);
    test_folder_remove(&folder);
    return wrong;
}

static const char *law_many(const union_trio *in)
{
    seenset *both = united(in, in->a, in->b), *many = union_copy(both);
    int rounds = union_counts_keys(in->of) ? 1 : 10;
    for (int i = 0; i < rounds; i++) {
        assert_int_equal(in->merge(many, in->a), SEENSET_OK);
        assert_int_equal(in->merge(many, in->b), SEENSET_OK);
    }
    bool is_fine = is_the_same(in->of, many, both);
    seenset_free(both);
    seenset_free(many);
    return is_fine ? NULL : "many merges of two sources are another union";
}

static const union_law laws[] = {
    {"answers", law_answers, true}, {"rate", law_rate, true},
    {"again", law_again, true},     {"order", law_order, true},
    {"groups", law_groups, true},   {"empty", law_empty, false},
    {"keys", law_keys, true},       {"copies", law_copies, true},
    {"many", law_many, true}};

const union_law *union_laws(size_t *count)
{
    *count = TEST_COUNT(laws);
    return laws;
}
