/*
 * seenset/queue_options.h - how a queue is opened, and the report of a failure.
 *
 * seenset/queue.h includes this header, and has the rules for threads and
 * for errors.
 */
#ifndef SEENSET_QUEUE_OPTIONS_H
#define SEENSET_QUEUE_OPTIONS_H

#include "seenset/options.h"
#include "seenset/url.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The handle of an open queue. */
typedef struct seenset_queue seenset_queue;

/* The longest URL and data of one item, together. */
#define SEENSET_QUEUE_MAX_ITEM_BYTES (UINT32_C(1) << 20)

/* When a call returns: what a crash after that can undo. */
typedef enum seenset_queue_durability {
    SEENSET_QUEUE_DURABILITY_DEFAULT = 0, /* EACH */
    /* When its changes are on the disk. Nothing is lost. */
    SEENSET_QUEUE_DURABILITY_EACH = 1,
    /* At once. Its changes are on the disk interval_seconds later at the
     * latest; a crash of the process or the machine loses at most those of the
     * last interval. */
    SEENSET_QUEUE_DURABILITY_INTERVAL = 2,
    /* At once. Its changes are on the disk after sync, close and each
     * checkpoint. */
    SEENSET_QUEUE_DURABILITY_NONE = 3
} seenset_queue_durability;

/* What is done to a URL before it is looked up and stored. */
typedef enum seenset_queue_normalise {
    /* A new queue: OFF. A queue that exists: as it was made. */
    SEENSET_QUEUE_NORMALISE_DEFAULT = 0,
    /* Nothing. Any bytes can be pushed. */
    SEENSET_QUEUE_NORMALISE_OFF = 1,
    /* seenset_url_normalise (seenset/url.h). Anything but an http or https URL
     * is refused with SEENSET_EURL. */
    SEENSET_QUEUE_NORMALISE_URL = 2
} seenset_queue_normalise;

/* What verify and repair found. An open that fails fills it in as well. */
typedef struct seenset_queue_report {
    char file[48];          /* in the folder; "" if nothing is wrong */
    uint64_t offset;        /* of the first damage in that file */
    char reason[120];       /* one line; "" if nothing is wrong */
    uint64_t segment_count; /* log files */
    uint64_t record_count;  /* sound records in them */
    uint64_t item_count;    /* pushes among these */
    uint64_t log_bytes;     /* size of the log files */
    uint64_t damage_count;  /* places where the log is damaged */
    uint64_t damaged_bytes; /* bytes without a sound record */
    uint64_t lost_items;    /* items that were in the damaged bytes */
    uint64_t torn_bytes;    /* unfinished at the very end: not damage */
    uint64_t reserved[4];   /* 0 */
} seenset_queue_report;

/*
 * The flags of seenset_queue_options. All flags of the two libraries are
 * different bits (seenset/base.h).
 *
 * SEENSET_QUEUE_MUST_EXIST: do not make a queue if there is none.
 *
 * SEENSET_QUEUE_KEEP_LEASES: leases and delays that were written to disk (by
 * close, checkpoint or save_leases) go on. Without it they end, and every item
 * that is not acked is handed out again.
 *
 * SEENSET_QUEUE_EXACT: the URLs themselves instead of a filter; see below.
 *
 * SEENSET_QUEUE_SET_AT_ONCE: seenset_queue_look estimates the figures of the
 * set instead of counting all its bits. Other calls do not use it.
 */
#define SEENSET_QUEUE_MUST_EXIST (UINT32_C(1) << 16)
#define SEENSET_QUEUE_KEEP_LEASES (UINT32_C(1) << 17)
#define SEENSET_QUEUE_EXACT (UINT32_C(1) << 18)
#define SEENSET_QUEUE_SET_AT_ONCE (UINT32_C(1) << 19)

/* The longest delay between two URLs of a host: 366 days. */
#define SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS 31622400.0

/* The most URLs of one host under a lease at a time. */
#define SEENSET_QUEUE_MAX_HOST_LEASES UINT32_C(65535)

/*
 * For seenset_queue_politeness.flags.
 *
 * SEENSET_QUEUE_DELAY_FROM_START: a delay counts from the hand-out of an item,
 * instead of from the end of its lease.
 *
 * SEENSET_QUEUE_NOT_POLITE, for seenset_queue_remake: the new queue is not
 * polite. All other fields must be 0.
 */
#define SEENSET_QUEUE_DELAY_FROM_START (UINT32_C(1) << 24)
#define SEENSET_QUEUE_NOT_POLITE (UINT32_C(1) << 25)

/*
 * A polite queue hands out no URL if its host was asked a moment ago, and hosts
 * take turns. Zero is the default everywhere, so start from {0}: all
 * defaults make hosts take turns, one URL of each at a time, without a delay.
 *
 * A host is the site of a URL (seenset_url_site), as stored, without regard to
 * ASCII case; what is not a URL is a host of its own.
 */
typedef struct seenset_queue_politeness {
    seenset_url_site_kind by; /* what a host is; default
                                 SEENSET_URL_SITE_HOST */
    uint32_t host_leases;     /* of a host at a time: 1, the default, to
                                 SEENSET_QUEUE_MAX_HOST_LEASES */
    double delay_seconds;     /* from the end of one URL of a host to the
                                 hand-out of another: 0 to
                                 SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS; rounded
                                 up to milliseconds */
    uint64_t budget;          /* the most URLs taken from one host, ever;
                                 default 0: any number */
    uint32_t flags;           /* SEENSET_QUEUE_DELAY_FROM_START,
                                 _NOT_POLITE; default none */
    uint32_t reserved32;      /* must be 0 */
    uint64_t reserved[4];     /* must be 0 */
} seenset_queue_politeness;

/*
 * How to open a queue. Zero is the default everywhere, so start from {0}.
 *
 * set, SEENSET_QUEUE_EXACT, normalise and segment_bytes are decided when the
 * queue is made. For a queue that exists, give them as they were when it was
 * made, or leave them NULL or 0 (the same holds for each field of *set).
 *
 * *set is read during the call only. In a new queue its fp_rate is 1e-6 if
 * neither a rate nor a size is given. Its allocator serves the whole handle,
 * items included. A queue cannot have SEENSET_FLAG_SHARED, as its calls take
 * turns at the set; nor a layout that keys cannot be added to one by one.
 *
 * scheme_arguments are decided with the scheme, and kept in the folder. For a
 * queue that exists each of seed, seeds and unit_bits may be left 0, too; one
 * that is given and differs is SEENSET_EMISMATCH.
 *
 * A secret and an index_function are not written to disk: give them to each
 * open, look, verify and repair. A window by age remembers each URL from the
 * time of its push by the system's clock, also when the set is made again from
 * the log. In a sliding window pushing a seen URL renews it: the answer is
 * SEENSET_ANSWER_SEEN, and is as durable as any other. With counters, each URL
 * counts once.
 *
 * SEENSET_QUEUE_EXACT: no filter, but the URLs themselves, in memory and in the
 * files. For small crawls: it takes the bytes of each URL and 28 to 52 more.
 * on_full may be SEENSET_ON_FULL_REFUSE, with capacity_items; otherwise there
 * is no limit. fp_rate may be given and is kept, because there are no false
 * positives. The other fields of *set are for filters only, the secret too: the
 * table is hashed under a secret that each handle makes for itself.
 *
 * politeness is decided when the queue is made, too. A queue that exists is
 * opened with NULL, or with the same rules: others are SEENSET_EMISMATCH, and
 * so are any rules for a queue that is not polite. seenset_queue_remake makes a
 * polite queue of another one, and back. SEENSET_EUNSUPPORTED is returned for
 * SEENSET_URL_SITE_DOMAIN by a library that was built without libpsl.
 *
 * at_capacity belongs to the handle. A call that pushes, or makes pushes
 * durable, calls it while other calls wait; so it may ask the set that it is
 * given, but must not call the queue. An exact set is not a seenset, and never
 * calls it.
 */
typedef struct seenset_queue_options {
    const seenset_options *set; /* NULL: all defaults */
    seenset_queue_normalise normalise;
    seenset_queue_durability durability; /* default EACH */
    double interval_seconds;             /* default 0.1; 0.001 to 3600 */
    double lease_seconds;                /* default 60; up to 1e9 */
    uint64_t segment_bytes;  /* 4 KiB to 1 TiB; default 64 MiB, in memory 1 */
    uint64_t snapshot_bytes; /* of log between two snapshots of the set;
                                default the larger of 256 MiB and two sets */
    uint32_t flags;          /* SEENSET_QUEUE_MUST_EXIST, _KEEP_LEASES, _EXACT,
                                _SET_AT_ONCE; default none */
    uint32_t reserved32;     /* must be 0 */
    seenset_queue_report *report; /* NULL, or where a failed open puts the
                                     reason; verify and repair fill it in */
    const seenset_queue_politeness *politeness; /* NULL: a new queue is not
                                                   polite; one that exists is
                                                   as it was made */
    uint64_t reserved[5];                       /* must be 0 */
} seenset_queue_options;

#ifdef __cplusplus
}
#endif
#endif
