/*
 * inline.d.ts - the types of inline.mjs: seenset.mjs with its WebAssembly in it.
 * A relative place that load() is given is one beside the page, or the worker.
 */
export * from './seenset.js';
