/*
 * foreign_inline.mjs - foreign.mjs with its WebAssembly in it, as inline.mjs is
 * of seenset.mjs.
 */
import {SeensetError} from './errors.mjs';
import {ForeignFile} from './foreign_file.mjs';
import {packed} from './foreign_inline_bytes.mjs';
import {moduleOf, opening} from './foreign_open.mjs';
import {compile, sharing} from './library.mjs';
import {unpacked} from './packed.mjs';

export {ForeignFile, SeensetError};

const own = sharing(() => unpacked(packed).then(compile));

/** @type {import('./foreign.js').openForeign} */
export const openForeign = opening((wasm) => wasm == null ? own()
    : moduleOf(wasm, globalThis.location?.href));
