/*
 * url_set.h - what a queue remembers its URLs in, whatever that is.
 *
 *     a filter      by the hash of a URL, keyed or not: any layout, and windows
 *     with a scheme a filter that needs the URL itself (seenset/hash.h)
 *     exact         the URLs themselves (exact.h)
 *
 * All three take an ss_pushed, whose hash ss_url_set_pushed computes. It is
 * the filter's own. Where the set needs URLs, the hash is keyed with a secret
 * of this handle alone, and only serves to find a URL.
 *
 * A window by age takes each URL at the time in its ss_pushed, which is also in
 * its record. So a set that is made again from the log is the same, bit by bit,
 * whenever that happens.
 */
#ifndef SS_SEEN_URL_SET_H
#define SS_SEEN_URL_SET_H

#include "base/clock.h"
#include "seen/arguments.h"
#include "seen/exact.h"
#include "seenset/seenset.h"

struct ss_folder;

typedef struct ss_url_set {
    seenset *filter; /* NULL while there is none, and of an exact set */
    bool is_ready;   /* it was set up */
    bool is_made;    /* it has a set in it */
    bool is_exact;
    bool is_mapped;  /* is to be: its file is not read (ss_file_map_as) */
    bool needs_urls; /* an exact set, or one with a scheme */
    bool is_timed;   /* a window by age */
    bool is_sliding;
    bool is_window;   /* by number or by age */
    bool is_counting; /* with counters: each URL counts once */
    bool has_begun;   /* something was added, ever */
    ss_exact exact;
    seenset_options options; /* of the filter; of an exact set, its policy */
    uint8_t secret[SEENSET_SECRET_BYTES]; /* the options' */
    ss_arguments arguments;               /* those of the options' scheme */
    seenset_scheme_arguments lent;        /* the same, for the options */
    ss_key_hash hashing;                  /* what URLs are hashed with */
    ss_memory memory;
    /* What a window by age takes for the time: that of the URL which is being
     * added, else the system's. */
    ss_clock told;
    const ss_clock *clock;
    const uint64_t *told_seconds;
} ss_url_set;

/* What a set is to be made of. */
typedef struct ss_url_set_design {
    const seenset_options *options; /* secrets and functions included */
    const ss_arguments *arguments;  /* of its scheme; NULL: none */
    bool is_exact;
    const ss_memory *memory;
    const ss_clock *clock;
} ss_url_set_design;

/* Sets it up, without a set in it. It must not be moved from then on. Returns
 * 0, or SEENSET_EIO: the system gives no random bytes. Free it in any case. */
int ss_url_set_init(ss_url_set *set, const ss_url_set_design *design);
void ss_url_set_free(ss_url_set *set);

/* Makes it empty. Returns 0, or the error of seenset_new. */
int ss_url_set_make(ss_url_set *set);

/* Which file: set-<position> of the queue with that log. */
typedef struct ss_url_set_file {
    const struct ss_folder *folder;
    uint32_t log_id;
    uint64_t position;
} ss_url_set_file;

/* Loads it. Returns 0, SEENSET_EIO, SEENSET_ENOMEM, or another error: the file
 * is damaged, or of another kind. */
int ss_url_set_load(ss_url_set *set, const ss_url_set_file *file);

/* Checks a file as loading does, but keeps nothing of it. A filter takes
 * constant memory for that. */
int ss_url_set_verify(const ss_url_set *set, const ss_url_set_file *file,
                      seenset_file_report *report);

/* Writes the bytes of a file to a descriptor. 0 or SEENSET_EIO. */
int ss_url_set_write(const ss_url_set *set, const ss_url_set_file *file,
                     int fd);

/* A URL with its hash. The set need not be made. Threads: any time. */
ss_pushed ss_url_set_pushed(const ss_url_set *set, const void *url,
                            size_t url_len);

/* The time that a URL pushed now is given; 0 unless the set needs it. */
uint64_t ss_url_set_now(const ss_url_set *set);

/* ---- one URL ---- */

bool ss_url_set_has(const ss_url_set *set, const ss_pushed *url);

/* Would a sliding window, which has it, remember it for longer? */
bool ss_url_set_renews(const ss_url_set *set, const ss_pushed *url);

/* 1 (new), 0 (seen), or the error of seenset_add. */
int ss_url_set_add(ss_url_set *set, const ss_pushed *url);

/* What `from` has seen, `into` has seen, too. Returns 0; SEENSET_EMISMATCH: it
 * cannot take that, as it is of another kind; or an error of seenset_merge. */
int ss_url_set_merge(ss_url_set *into, const ss_url_set *from);

/* ---- many, by their hashes alone ---- */

/* Can they be asked for and added as many? Else one by one. */
bool ss_url_set_takes_hashes(const ss_url_set *set);

void ss_url_set_has_many(const ss_url_set *set, const uint64_t *hashes,
                         size_t count, uint8_t *is_seen);

/* All at the time `seconds`. As seenset_add_hash_many. */
int ss_url_set_add_many(ss_url_set *set, const uint64_t *hashes, size_t count,
                        uint64_t seconds, uint8_t *is_new);

/* ---- what it reports ---- */

/* As seenset_get_info and seenset_get_stats. An exact set has no layout, no
 * tables, no bits and no wrong answers. */
seenset_info ss_url_set_info(const ss_url_set *set);
seenset_stats ss_url_set_stats(const ss_url_set *set);

/* The same at once, as seenset_get_estimate. */
seenset_stats ss_url_set_estimate(const ss_url_set *set);

#endif
