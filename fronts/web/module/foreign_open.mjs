/*
 * foreign_open.mjs - opens a file of another system, in a module that
 * foreign.mjs or foreign_inline.mjs finds. Each file has its own memory, which
 * is given back with the file.
 */
import {secretOf} from './block_hash.mjs';
import {Core} from './core.mjs';
import {SeensetError, invalid, sentence} from './errors.mjs';
import {ForeignFile} from './foreign_file.mjs';
import {checkOptions} from './options.mjs';
import {addressOf, compile} from './library.mjs';
import {eachPiece, isGzipped, sourceOf, unpack} from './source.mjs';

const NAME = 'seenset-foreign.wasm';
const MOST_BYTES = 2 ** 32 - (1 << 24);
const FORMAT = 'SEENSET_EFORMAT';
const CORRUPT = 'SEENSET_ECORRUPT';
const TRUNCATED = 'SEENSET_ETRUNCATED';

const compiled = new Map();

/**
 * The module at a place, or of bytes, compiled once for each place.
 * @param {string} here what a place is relative to
 */
export function moduleOf(wasm, here) {
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm))
        return compile(wasm);
    const place = addressOf(wasm, here);
    const url = place.href.endsWith('/') ? new URL(NAME, place) : place;
    if (!compiled.has(url.href)) {
        const coming = compile(url);
        coming.catch(() => compiled.delete(url.href)); // to be tried again
        compiled.set(url.href, coming);
    }
    return compiled.get(url.href);
}

async function newCore(module) {
    const core = new Core();
    core.start(await WebAssembly.instantiate(module, core.imports));
    return core;
}

function formatNames(core) {
    const names = [];
    for (let i = 1;; i++) {
        const name = core.text(core.exports.web_foreign_format(i));
        if (name === 'unknown')
            return names.join(', ');
        names.push(name);
    }
}

/** Why a file was refused, with the byte at fault. */
function refusal(core, code) {
    const report = {fileBytes: core.number(0), offset: core.number(1),
        reason: core.text(core.exports.web_report_reason())};
    const error = core.error(code);
    const {errorName} = error;
    if (errorName === FORMAT)
        error.message = 'It is not a file of another system that is known: ' +
            `${formatNames(core)}.`;
    else
        error.message = sentence(`${core.text(core.exports.web_error_text(
            code))}. At byte ${report.offset}: ${report.reason}`,
        [CORRUPT, TRUNCATED].includes(errorName) ? TRUNCATED : '');
    return Object.assign(error, {report});
}

/** Opens bytes of the memory; returns the file's address. */
function openAt(core, place, size, secret = 0) {
    const code = core.exports.web_foreign_open(core.made, place, size,
        secret);
    if (code < 0)
        throw refusal(core, code);
    return core.takeMade();
}

/* The same with the hash of a block of Bitcoin, which only such a file takes. */
function openKeyed(core, place, size, block) {
    const secret = secretOf(block);
    try {
        return core.withBytes(secret, (at) => openAt(core, place, size, at));
    } catch (error) {
        if (error.errorName !== 'SEENSET_EINVAL')
            throw error;
        throw invalid('block is for the filter of a block of Bitcoin ' +
            '(BIP-158), which this is not.');
    }
}

function checkSize(size) {
    if (size > MOST_BYTES)
        throw new SeensetError(-2, 'SEENSET_ENOMEM', `The file has ${size} ` +
            'bytes, and it is read into memory, of which there are 4 GiB at ' +
            'most. Open it with the seenset command.');
}

/* Is what a file unpacks to one that is known, by its first bytes? */
function recognise(core, start) {
    core.withBytes(start, (place) => {
        try {
            core.exports.web_foreign_close(openAt(core, place, start.length));
        } catch (error) {
            if (error.errorName === FORMAT)
                throw error;
        }
    });
}

async function loadBytes(core, source) {
    checkSize(source.size);
    const place = core.alloc(source.size);
    let end = place;
    await eachPiece(source, (piece) => {
        core.u8().set(piece, end);
        end += piece.length;
    });
    return place;
}

async function openIn(module, file, asked) {
    let source = sourceOf(file);
    const core = await newCore(module);
    const isPacked = await isGzipped(source);
    if (isPacked)
        source = sourceOf(await unpack(source,
            (start) => recognise(core, start), checkSize));
    const place = await loadBytes(core, source);
    return new ForeignFile(core, (block) => block === undefined
        ? openAt(core, place, source.size)
        : openKeyed(core, place, source.size, block), asked);
}

/**
 * openForeign() of a module.
 * @param {(wasm?: URL|string|BufferSource) => Promise<WebAssembly.Module>} find
 * @returns {import('./foreign.js').openForeign}
 */
export function opening(find) {
    return async (file, options = {}) => {
        const {wasm, ...asked} = checkOptions(options);
        return openIn(await find(wasm), file, asked);
    };
}
