/*
 * host.h - what the WebAssembly module asks the page, or Node, for.
 *
 * In WebAssembly there is no operating system: no files, no clock, no random
 * numbers, and no threads here. What the core cannot do without, the host gives
 * by these five functions, which fronts/web/module/core.mjs has. Sizes and
 * offsets are doubles, exact up to 2^53.
 *
 * The host shows at most one file, for the time of one call that opens or
 * verifies it; it has no name, so any path means it (io.c).
 */
#ifndef SS_BASE_WASI_HOST_H
#define SS_BASE_WASI_HOST_H

#include <stddef.h>
#include <stdint.h>

#define SS_HOST(name) __attribute__((import_module("host"), import_name(#name)))

/* Milliseconds since 1970. */
SS_HOST(wall_ms) extern double ss_host_wall_ms(void);

/* Milliseconds since some moment; they never go back. */
SS_HOST(steady_ms) extern double ss_host_steady_ms(void);

/* Fills in random bytes: 0, or -1 where the host has none. */
SS_HOST(fill_random)
extern int32_t ss_host_fill_random(void *bytes, size_t size_bytes);

/* The length of the file, or -1 where none is shown. */
SS_HOST(file_bytes) extern double ss_host_file_bytes(void);

/* Stores the file's bytes from `offset` on, at most size_bytes of them; returns
 * how many, 0 at its end, or -1. */
SS_HOST(read_file)
extern int32_t ss_host_read_file(double offset, void *bytes, size_t size_bytes);

#endif
