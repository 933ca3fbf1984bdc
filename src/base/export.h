/*
 * export.h - marks what libseenset-queue uses of the core that programs may
 * not use.
 *
 * The shared core hides all that is not public, so a name that the queue needs
 * must be exported. It is then listed in src/seenset.map as well, under a
 * version of its own, and tests/project/exports.sh compares the two.
 */
#ifndef SS_BASE_EXPORT_H
#define SS_BASE_EXPORT_H

#define SS_EXPORT __attribute__((visibility("default")))

#endif
