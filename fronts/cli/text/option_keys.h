/*
 * option_keys.h - the keys of options that have no short form.
 *
 * They are one list, since a command has options of several files: two that are
 * equal would be one option. Those of queue begin at 0x200
 * (queue/access/access.h).
 */
#ifndef OPTION_KEYS_H
#define OPTION_KEYS_H

/* The options from here on are a group of the help, under a title. */
#define OPTION_GROUP(title)                                                    \
    {                                                                          \
        NULL, 0, NULL, 0, title                                                \
    }

enum {
    OPTION_FORCE = 0x100,
    OPTION_JSON,
    OPTION_LAYOUT,
    OPTION_ON_FULL,
    OPTION_SET,
    OPTION_STATS,
    OPTION_THREADS,
    OPTION_SECRET_FILE,
    OPTION_KEYED,
    OPTION_WINDOW,
    OPTION_WINDOW_TABLES,
    OPTION_COUNTER_BITS,
    OPTION_SCHEME,
    OPTION_BITS,
    OPTION_PICTURE,
    OPTION_SLIDING,
    OPTION_COUNTERS,
    OPTION_FROM,
    OPTION_SAVE_EVERY,
    OPTION_NORMALISE,
    OPTION_STRICT,
    OPTION_AUDIT,
    OPTION_TABLE,
    OPTION_PLOT,
    OPTION_GROWS_TO,
    OPTION_ANNOTATE,
    OPTION_FORMAT,
    OPTION_PARTIAL,
    OPTION_REPEATS_TO,
    OPTION_TIMES,
    OPTION_DRY_RUN,
    OPTION_EXIT_STATUS,
    OPTION_PROGRESS,
    OPTION_NO_PROGRESS,
    OPTION_FROM_FORMAT,
    OPTION_CSV,
    OPTION_JSON_LINES,
    OPTION_MISSING,
    OPTION_IGNORE_CASE,
    OPTION_NO_HEADER,
    OPTION_NO_DECOMPRESS,
    OPTION_SEED,
    OPTION_SEEDS,
    OPTION_UNITS,
    OPTION_WITHOUT_JOURNAL,
    OPTION_WAIT,
    OPTION_UNION,
    OPTION_SHARD,
    OPTION_ROW_GROUPS,
    OPTION_FUNNEL,
    OPTION_BLOCK,
    OPTION_EXACT,
    OPTION_TIME_FIELD,
    OPTION_TIME_JUMP
};

#endif
