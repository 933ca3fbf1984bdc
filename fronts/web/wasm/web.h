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

/* A list of fields is FIELD(name, value) for each of them. */
#define WEB_NAME(name, value) #name " "
#define WEB_STORE(name, value) *next++ = (double)(value);

/* The options that web_numbers holds; what they point to is static, until the
 * next call. */
const seenset_options *web_options(void);

#endif
