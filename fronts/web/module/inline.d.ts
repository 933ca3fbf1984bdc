/*
 * inline.d.ts - the types of inline.mjs: seenset.mjs with its WebAssembly in it.
 */
import type {Library} from './seenset.js';

export * from './seenset.js';

/**
 * Makes a library of the WebAssembly that is in this file. Calls without an
 * argument share one instance; with {} it is a new one, with memory of its own.
 */
export function load(options?: Record<string, never>): Promise<Library>;
