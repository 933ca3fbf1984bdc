/*
 * foreign.mjs - filters in the files of other systems.
 *
 *     import {openForeign} from 'seenset/foreign';
 *     const file = await openForeign(bytes, {column: 'email'});
 *     if (file.has('x@y.example'))
 *         console.log(file.rowGroups('x@y.example'));
 *
 * They are read by a WebAssembly module of its own, seenset-foreign.wasm, which
 * is loaded by the first call. Each file has its own memory, which is given
 * back with the file.
 */
import {SeensetError} from './errors.mjs';
import {ForeignFile} from './foreign_file.mjs';
import {moduleOf, opening} from './foreign_open.mjs';

export {ForeignFile, SeensetError};

/* Written out like this, the address is known to bundlers. */
const own = () => new URL('./seenset-foreign.wasm', import.meta.url);

/** @type {import('./foreign.js').openForeign} */
export const openForeign = opening((wasm) =>
    moduleOf(wasm ?? own(), import.meta.url));
