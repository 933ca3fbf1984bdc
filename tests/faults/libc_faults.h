/*
 * libc_faults.h - the C library's memory and threads, failing on demand.
 *
 * A test that links libc_faults.c has malloc and its kin, mmap and
 * pthread_create replaced, in its own code and in every shared library it
 * loads: what uriparser and libidn2 ask for fails as well.
 *
 * A sanitizer replaces the same functions and leaves no room for another: in
 * such a build nothing is replaced and libc_faults_can says so.
 */
#ifndef LIBC_FAULTS_H
#define LIBC_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

bool libc_faults_can(void);

/* The call number fail_at from now on, from 1, fails: and all after it, if
 * is_lasting. Any thread's calls count. */
void libc_faults_arm(size_t fail_at, bool is_lasting);

/* Nothing fails any more. The number of calls that did. */
size_t libc_faults_disarm(void);

/* Every mapping of a file fails with this errno from now on; 0: none. */
void libc_faults_refuse_maps(int error);

/* Was it a thread that could not be started? */
bool libc_faults_hit_thread(void);

/* What is not given back yet. */
typedef struct libc_live {
    long blocks;
    long mapped_bytes;
} libc_live;

libc_live libc_faults_live(void);

#endif
