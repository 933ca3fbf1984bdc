/*
 * queue_honest.h - an error must not become a success on its way up.
 *
 * This is the harness for all that can fail while a queue is used. A script is
 * a row of calls on a queue, which may be damaged first. It runs once on a
 * sound machine, which gives the right answers, and what the queue holds after
 * each call: it must be what was pushed and not acked. Then it runs again and
 * again while another operation of the disk fails, or another allocation, and
 * is held to this:
 *
 *   - a call that gives the right answer has done what it did the first time:
 *     under durability `each`, on the platters;
 *   - it has not passed over an operation that failed, but for the removal of
 *     a file, or a checkpoint that is due;
 *   - any other answer is the error that was planted, with its errno; the
 *     queue then holds what it did before the call, or after it, and so does
 *     what a power cut leaves of it;
 *   - made again while everything still fails, the call gives the error again;
 *     on a sound machine, it and all that follow it give the right answers;
 *   - unless a sync failed, or a group that was written in part cannot be
 *     removed from the log: then every later call reports that;
 *   - a verify changes nothing;
 *   - neither memory nor descriptors are left over.
 */
#ifndef QUEUE_HONEST_H
#define QUEUE_HONEST_H

#include "queue/handle.h"
#include "queue_disk.h"
#include "support.h"

enum {
    HONEST_URLS = 1024, /* of the world, at most */
    HONEST_LIE = 99,    /* an answer that is wrong on a sound machine, too */
    HONEST_STEPS = 400, /* of a script, repetitions counted */
    HONEST_BIG_BYTES = 300000 /* of data: more than is read at once */
};

typedef struct honest_run {
    disk *on;
    test_memory memory;
    seenset_queue_options options;
    seenset_queue_report report;
    seenset_queue *queue; /* NULL: closed */
    seenset_queue_item item;
    uint64_t leases[HONEST_URLS]; /* the oldest first */
    int leased_urls[HONEST_URLS];
    int lease_count;
    int next_url;
    bool is_pushed[HONEST_URLS], is_acked[HONEST_URLS];
    uint64_t digest;  /* of what the last call gave */
    bool is_meddling; /* planted: a verify changes a file */
} honest_run;

/* Makes one call; `count` is what it wants to know. */
typedef int honest_call(honest_run *run, int count);

honest_call honest_open;           /* 1: keep leases */
honest_call honest_close;          /* 0 */
honest_call honest_push;           /* a new URL, and so many bytes of data */
honest_call honest_push_again;     /* that URL, or an earlier one */
honest_call honest_push_urgent;    /* a new URL, with that priority */
honest_call honest_revisit;        /* an acked URL, again */
honest_call honest_forget;         /* an acked URL */
honest_call honest_push_forgotten; /* that URL */
honest_call honest_push_many;      /* so many, every third an old one */
honest_call honest_push_lines;     /* the same, and every fifth is no URL */
honest_call honest_pop;            /* 0 */
honest_call honest_ack;            /* which lease, from 0, the oldest */
honest_call honest_nack;      /* the delay in seconds; of the oldest lease */
honest_call honest_ack_again; /* the same, as visited */
honest_call honest_extend;    /* the seconds; of the same */
honest_call honest_ack_many;  /* every second of so many, and an unknown one */
honest_call honest_sync, honest_checkpoint, honest_stats; /* 0 */
honest_call honest_verify, honest_repair; /* 0; of a closed queue */
honest_call honest_pass;                  /* no call: seconds go by */
honest_call honest_block; /* another host than that of all, so many seconds */
honest_call honest_hosts; /* 0 */

typedef struct honest_step {
    honest_call *call;
    int count;
    int times; /* 0 is once */
} honest_step;

typedef struct honest_script {
    const char *name;
    const seenset_queue_options *options;
    const honest_step *before; /* nothing fails; then the process is killed */
    void (*spoil)(disk *on);   /* and this happens to its disk; may be NULL */
    const honest_step *steps;  /* both end with a step without a call */
    int most_lost;             /* so many items may that cost */
    bool frees_log; /* segments go; those that a fault or a power cut leaves
                       before a gap are not needed, and a verify names them */
} honest_script;

/* queue_honest_spoils.c */
void honest_spoil_log(disk *on);
void honest_spoil_long_log(disk *on);
void honest_spoil_second_header(disk *on);
void honest_spoil_only_header(disk *on);
void honest_spoil_snapshots(disk *on);
void honest_spoil_delayed(disk *on);
void honest_spoil_only_set(disk *on);
void honest_spoil_end(disk *on);
void honest_spoil_begun_segment(disk *on);

extern const honest_script honest_scripts[];
extern const size_t honest_script_count;

enum {
    HONEST_CRAWLS = 3,
    HONEST_CRAWL_STEPS = 130
};

/* One of so many scripts that are drawn at random; its steps are written to
 * `steps`, which must last as long. */
honest_script honest_crawl(int number, honest_step steps[HONEST_CRAWL_STEPS]);

typedef struct honest_fault {
    long at; /* the operation or, if is_memory, allocation; from 1 */
    bool is_memory;
    bool is_lasting; /* until a call fails */
    bool is_short;   /* no error: half of a read or write is done */
    bool is_half;    /* the same, and what follows fails until a call does */
    int error;       /* of the operation; 0: EIO */
    /* planted: what the oracle has to notice */
    bool is_lost;     /* a write does nothing and reports success */
    bool is_hidden;   /* a call that fails gives the right answer instead */
    bool is_lying;    /* syncs of the log do nothing */
    bool is_forgiven; /* the queue forgets that it cannot go on */
    bool is_meddling; /* no error, but a verify changes a file */
} honest_fault;

typedef struct honest_verdict {
    const char *wrong; /* NULL: nothing */
    int step;          /* where it was seen */
    int result;        /* of the call there */
    bool is_hit;       /* the fault was reached */
    bool is_told;      /* a call failed, as it should */
} honest_verdict;

typedef struct honest_oracle honest_oracle;

/* Runs the script on a sound machine. */
honest_oracle *honest_new(const honest_script *script);
void honest_free(honest_oracle *oracle);

/* The same, with this fault. */
honest_verdict honest_judge(const honest_oracle *oracle, honest_fault fault);

#endif
