/*
 * web.h - how the calls of this folder look from JavaScript.
 *
 * WebAssembly passes numbers only, so no struct crosses the border. A pointer
 * is a number; every other argument that may be large is a double, exact up to
 * 2^53. What is more than one number goes through web_numbers, in an order that
 * the module names itself: web_info stores the fields whose names, in one text,
 * are web_info_names. So no list of fields is written twice.
 *
 * These calls trust their caller, fronts/web/module/, which has checked every
 * number: NaN and what is below 0 or above 2^53 never get here. They return
 * what the library returns.
 */
#ifndef WEB_WASM_WEB_H
#define WEB_WASM_WEB_H

#include <stdint.h>

#include "figures/figures.h"
#include "seenset/seenset.h"

#define WEB_CALL(name) __attribute__((export_name(#name), used)) name

/* A function of the host's, in fronts/web/module/core.mjs. */
#define WEB_HOST(name)                                                         \
    __attribute__((import_module("host"), import_name(#name)))

enum {
    WEB_NUMBER_ROOM = 64
};

/* Where numbers are handed over in both directions. */
extern double web_numbers[WEB_NUMBER_ROOM];

/* The rows of figures.h as names, and as numbers of the struct `from`. Two
 * kinds are not one number: a seed has halves, and seeds have an address. */
#define WEB_NAME(kind, member, name, ...) WEB_NAME_##kind(name)
#define WEB_STORE(kind, member, ...) WEB_STORE_##kind(from.member)

#define WEB_NAME_U32(name) #name " "
#define WEB_NAME_U64 WEB_NAME_U32
#define WEB_NAME_REAL WEB_NAME_U32
#define WEB_NAME_FLAG WEB_NAME_U32
#define WEB_NAME_LAYOUT WEB_NAME_U32
#define WEB_NAME_ON_FULL WEB_NAME_U32
#define WEB_NAME_SCHEME WEB_NAME_U32
#define WEB_NAME_SLIDING WEB_NAME_U32
#define WEB_NAME_SHARED WEB_NAME_U32
#define WEB_NAME_WRONG WEB_NAME_U32
#define WEB_NAME_SEEDS WEB_NAME_U32
#define WEB_NAME_SEED(name) #name "_low " #name "_high "

#define WEB_STORE_U32(value) *next++ = (double)(value);
#define WEB_STORE_U64 WEB_STORE_U32
#define WEB_STORE_REAL WEB_STORE_U32
#define WEB_STORE_FLAG WEB_STORE_U32
#define WEB_STORE_LAYOUT WEB_STORE_U32
#define WEB_STORE_ON_FULL WEB_STORE_U32
#define WEB_STORE_SCHEME WEB_STORE_U32
#define WEB_STORE_SLIDING(value) *next++ = ((value)&SEENSET_FLAG_SLIDING) != 0;
#define WEB_STORE_SHARED(value) *next++ = ((value)&SEENSET_FLAG_SHARED) != 0;
#define WEB_STORE_WRONG WEB_STORE_U32
#define WEB_STORE_SEEDS(value) *next++ = (double)(uintptr_t)(value);
#define WEB_STORE_SEED(value)                                                  \
    *next++ = (uint32_t)(value);                                               \
    *next++ = (double)((value) >> 32);

/* The options that web_numbers holds; what they point to is static, until the
 * next call. */
const seenset_options *web_options(void);

#endif
