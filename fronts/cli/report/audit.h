/*
 * audit.h - the false-positive rate of a set, measured beside the promised one.
 *
 * A million keys that were never added are looked up; each that is reported as
 * seen is a false positive. A key is 16 bytes, made from a seed. It is in the
 * set only if somebody added just these bytes: for keys of any other kind, by a
 * chance of 2^-128 for each of them. The seed is printed, and with it the same
 * keys are made again.
 *
 * What a million keys can show has an interval around it: that of Wilson (1927,
 * "Probable inference, the law of succession, and statistical inference"),
 * which holds the true rate in 95 of 100 audits, and is never below 0 or empty.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "text/arguments.h"
#include <stdbool.h>
#include <stdio.h>

#include "report/json.h"
#include "seenset/seenset.h"

/* --audit[=SEED], for the options of a command. */
#define AUDIT_OPTION                                                           \
    {                                                                          \
        "audit", OPTION_AUDIT, "SEED", OPTION_VALUE_OPTIONAL,                  \
            "Look up a million fresh keys, made from SEED (default: random), " \
            "and print the rate measured beside the rate promised"             \
    }

typedef struct audit_request {
    bool is_wanted;
    uint64_t seed; /* 0: any */
} audit_request;

/* Reads --audit. text: its SEED, or NULL. */
void audit_parse(audit_request *request, arguments *state, const char *text);

typedef struct audit {
    uint64_t seed;
    uint64_t key_count, seen_count;
    double fp_rate, low, high; /* measured, and its interval */
    double promised, computed;
} audit;

/* Returns 0 or the error of the library: SEENSET_ECORRUPT of a damaged view. */
int audit_run(audit *out, const audit_request *request, const seenset *set);

/* A table, and a member of a JSON object. */
void audit_print(FILE *out, const audit *result);
void audit_json(json *out, const audit *result);

/* If it is wanted: runs it and prints the table on standard error. name: of the
 * set. Returns 0, or COMMAND_ERROR after a message. */
int audit_report(const audit_request *request, const seenset *set,
                 const char *name);

/*
 * Adds as many keys as the set is planned for, all different, and none of an
 * audit's, with a progress bar. Returns as audit_report.
 */
int audit_fill(seenset *set, const char *name);

#endif
