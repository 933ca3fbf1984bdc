/* options.c - seenset_options from numbers, in the order of this list */
#include "wasm/web.h"

#define OPTIONS(FIELD)                                                         \
    FIELD(layout)                                                              \
    FIELD(on_full)                                                             \
    FIELD(capacity)                                                            \
    FIELD(fp_rate)                                                             \
    FIELD(size_bits)                                                           \
    FIELD(hash_count)                                                          \
    FIELD(counter_bits)                                                        \
    FIELD(window_generations)                                                  \
    FIELD(window_seconds)                                                      \
    FIELD(sliding)                                                             \
    FIELD(secret)                                                              \
    FIELD(scheme)                                                              \
    FIELD(seed_low)                                                            \
    FIELD(seed_high)                                                           \
    FIELD(seeds)                                                               \
    FIELD(seed_count)                                                          \
    FIELD(unit_bits)                                                           \
    FIELD(any_rate)

#define PLACE_OF(name) AT_##name,
enum {
    OPTIONS(PLACE_OF) OPTION_COUNT
};
_Static_assert(OPTION_COUNT <= WEB_NUMBER_ROOM, "there is room for them");

#define NAME_OF(name) #name " "
const char *WEB_CALL(web_option_names)(void)
{
    return OPTIONS(NAME_OF);
}

static uint32_t small(int place)
{
    return (uint32_t)web_numbers[place];
}

static const void *address(int place)
{
    return (const void *)(uintptr_t)small(place);
}

const seenset_options *web_options(void)
{
    static seenset_scheme_arguments arguments;
    static seenset_options options;
    arguments = (seenset_scheme_arguments){
        .seed = (uint64_t)small(AT_seed_high) << 32 | small(AT_seed_low),
        .seeds = address(AT_seeds),
        .seed_count = small(AT_seed_count),
        .unit_bits = small(AT_unit_bits)};
    options = (seenset_options){
        .layout = (seenset_layout)small(AT_layout),
        .on_full = (seenset_on_full)small(AT_on_full),
        .capacity_items = (uint64_t)web_numbers[AT_capacity],
        .fp_rate = web_numbers[AT_fp_rate],
        .size_bits = (uint64_t)web_numbers[AT_size_bits],
        .hash_count = small(AT_hash_count),
        .flags = (small(AT_sliding) != 0 ? SEENSET_FLAG_SLIDING : 0) |
                 (small(AT_any_rate) != 0 ? SEENSET_FLAG_ANY_RATE : 0),
        .counter_bits = small(AT_counter_bits),
        .window_generations = small(AT_window_generations),
        .window_seconds = (uint64_t)web_numbers[AT_window_seconds],
        .scheme = (seenset_scheme)small(AT_scheme),
        .secret = address(AT_secret),
        .scheme_arguments = &arguments};
    return &options;
}
