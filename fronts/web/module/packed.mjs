/*
 * packed.mjs - WebAssembly that is in a script: gzipped, so that it is as few
 * bytes to send as the file is, and in base64.
 */
import {SeensetError} from './errors.mjs';

/** @param {string} base64 @returns {Promise<ArrayBuffer>} */
export async function unpacked(base64) {
    if (typeof DecompressionStream === 'undefined')
        throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED', 'This host has no ' +
            'DecompressionStream, which the module in this script needs: ' +
            'import seenset/asset, whose module is a file.');
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const {readable, writable} = new DecompressionStream('gzip');
    const writer = writable.getWriter();
    for (const written of [writer.write(bytes), writer.close()])
        written.catch(() => {}); // the reader is told
    return new Response(readable).arrayBuffer();
}
