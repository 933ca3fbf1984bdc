/*
 * core.mjs - the WebAssembly module and its memory.
 *
 * All sets of a library live in one memory. It grows when a set needs more, and
 * never shrinks. When it grows, every view of it ends, and has no bytes.
 * So a view is asked for after each call and not kept (u8, f64). Only that of
 * the room for a key is kept, and made again when it has ended. Addresses from
 * 2 GiB on come out of WebAssembly as negative numbers: `>>> 0` makes them what
 * they are.
 */
import {SeensetError, sentence} from './errors.mjs';
import {fileOfBytes} from './source.mjs';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/* Up to here a loop over the characters is faster than the encoder, which takes
 * as long for one character as for a hundred. */
const SHORT_TEXT = 20;
const SHORT_IN_BATCH = 96; // whose encoder is handed a new view each time
const LEAST_KEY_ROOM = 1024;
const MADE_AT = 63; // the last of web_numbers

/**
 * Stores text as words of four bytes: a quarter of the time that its bytes take
 * one by one. Returns its length; -1: it is not ASCII, and what was stored is
 * not UTF-8. Up to 3 bytes more are written.
 */
function storeAscii(words, text) {
    const {length} = text;
    let all = 0;
    let word = 0;
    let i = 0;
    for (; i + 4 <= length; i += 4) {
        const a = text.charCodeAt(i);
        const b = text.charCodeAt(i + 1);
        const c = text.charCodeAt(i + 2);
        const d = text.charCodeAt(i + 3);
        all |= a | b | c | d;
        words[word] = a | b << 8 | c << 16 | d << 24;
        word += 1;
    }
    let last = 0;
    for (let shift = 0; i < length; i++, shift += 8) {
        const unit = text.charCodeAt(i);
        all |= unit;
        last |= unit << shift;
    }
    words[word] = last;
    return all < 128 ? length : -1;
}

/** "added_items" to "addedItems". */
export function camel(name) {
    return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

export class Core {
    /** @type {WebAssembly.Memory} */ memory;
    /** The exports of the module. */ exports;
    /** Where storeKey puts a key. */ keyPlace = 0;
    /** The file that is shown to the module while it opens one. */
    #shown = null;
    #takePiece = null;
    #thrown = null;
    #u8 = new Uint8Array(0);
    #f64 = new Float64Array(0);
    #keyRoom = 0;
    /** The room at keyPlace, as bytes and as words. */
    #keyBytes = new Uint8Array(0);
    #keyWords = new Uint32Array(0);
    #fields = new Map();

    /** What the module asks for: src/base/wasi/host.h, wasm/file.c. */
    get imports() {
        return {
            host: {
                wall_ms: () => Date.now(),
                steady_ms: () => performance.now(),
                fill_random: (place, length) =>
                    this.#fillRandom(place >>> 0, length),
                file_bytes: () => this.#shown === null ? -1 : this.#shown.size,
                read_file: (offset, place, length) =>
                    this.#readFile(offset, place >>> 0, length >>> 0),
                take_piece: (place, length) =>
                    this.#handPiece(place >>> 0, length),
            },
        };
    }

    /** @param {WebAssembly.Instance} instance made with `imports` */
    start(instance) {
        this.exports = instance.exports;
        this.memory = instance.exports.memory;
        this.exports._initialize();
        this.numbers = this.exports.web_numbers_place() >>> 0;
    }

    // ---- memory ----

    /** All of the memory, until the next call into the module. When it grows, a
     * view of it has no bytes left, which is quicker to ask than what it is of. */
    u8() {
        if (this.#u8.length === 0)
            this.#u8 = new Uint8Array(this.memory.buffer);
        return this.#u8;
    }

    f64() {
        if (this.#f64.length === 0)
            this.#f64 = new Float64Array(this.memory.buffer);
        return this.#f64;
    }

    /** A number that the last call stored. */
    number(i) {
        return this.f64()[this.numbers / 8 + i];
    }

    /** The address of a block of memory, to be released. */
    alloc = (sizeBytes) => {
        if (sizeBytes >= 2 ** 32)
            this.check(-2);
        const place = this.exports.web_take(Math.max(sizeBytes, 1)) >>> 0;
        if (place === 0)
            this.check(-2);
        return place;
    };

    release = (place) => {
        this.exports.web_give(place);
    };

    /** Where a call that makes a set stores its address. */
    get made() {
        return this.numbers + 8 * MADE_AT;
    }

    /** The address of the set that was made. */
    takeMade() {
        return new DataView(this.memory.buffer).getUint32(this.made, true);
    }

    /** Bytes in the module's memory for the time of `use(place)`. */
    withBytes(bytes, use) {
        const place = this.alloc(bytes.length);
        try {
            this.u8().set(bytes, place);
            return use(place);
        } finally {
            this.release(place);
        }
    }

    /** A copy of some bytes of the memory. */
    copyOut(place, sizeBytes) {
        return this.u8().slice(place, place + sizeBytes);
    }

    /** Text that the module keeps. */
    text(place) {
        const from = place >>> 0;
        const bytes = this.u8();
        return decoder.decode(bytes.slice(from, bytes.indexOf(0, from)));
    }

    // ---- keys ----

    /** Stores a key at keyPlace, for the next call only; returns its length. */
    storeKey(key) {
        if (typeof key !== 'string')
            return this.#storeBytes(key);
        const most = 3 * key.length;
        if (most > this.#keyBytes.length)
            this.#reserve(most);
        const length = key.length > SHORT_TEXT ? -1
            : storeAscii(this.#keyWords, key);
        return length >= 0 ? length
            : encoder.encodeInto(key, this.#keyBytes).written;
    }

    #reserve(room) {
        if (room > this.#keyRoom) {
            const most = 4 * Math.ceil(Math.max(room, LEAST_KEY_ROOM) / 4);
            const larger = this.alloc(most);
            if (this.#keyRoom > 0)
                this.release(this.keyPlace);
            this.keyPlace = larger;
            this.#keyRoom = most;
        }
        this.#viewKey();
    }

    /** Makes the views again: the room moved, or the memory grew. */
    #viewKey() {
        const {buffer} = this.memory;
        this.#keyBytes = new Uint8Array(buffer, this.keyPlace, this.#keyRoom);
        this.#keyWords = new Uint32Array(buffer, this.keyPlace,
            this.#keyRoom / 4);
    }

    #storeBytes(key) {
        if (!(key instanceof Uint8Array))
            throw new SeensetError(-1, 'SEENSET_EINVAL',
                'A key is a string or a Uint8Array.');
        if (key.length >= this.#keyBytes.length) // 0: there is no view
            this.#reserve(key.length);
        this.#keyBytes.set(key);
        return key.length;
    }

    #encodeAt(text, place) {
        const room = this.u8().subarray(place, place + 3 * text.length);
        return encoder.encodeInto(text, room).written;
    }

    /** Stores text as UTF-8 where there is room; returns its length. */
    encode(text, place) {
        const bytes = this.u8();
        let i = 0;
        if (text.length <= SHORT_IN_BATCH)
            for (; i < text.length; i++) {
                const unit = text.charCodeAt(i);
                if (unit >= 128)
                    break;
                bytes[place + i] = unit;
            }
        return i === text.length ? i : this.#encodeAt(text, place);
    }

    // ---- errors ----

    /** Throws if `code` is an error; returns it if not. */
    check = (code, context = '') => {
        if (code >= 0)
            return code;
        throw this.error(code, context);
    };

    error(code, context = '') {
        const name = this.text(this.exports.web_error_name(code));
        const text = this.text(this.exports.web_error_text(code));
        const before = context === '' ? '' : `${context}: `;
        return new SeensetError(code, name, before + sentence(text, name));
    }

    // ---- structs, as objects ----

    /** What web_<name> stored, as an object with its names as they are here. */
    object(name) {
        let fields = this.#fields.get(name);
        if (fields === undefined) {
            const names = this.text(this.exports[`web_${name}_names`]());
            fields = names.trim().split(' ').map(camel);
            this.#fields.set(name, fields);
        }
        const found = {};
        const numbers = this.f64();
        fields.forEach((field, i) => {
            const value = numbers[this.numbers / 8 + i];
            found[field] = /^is[A-Z]/.test(field) ? value !== 0 : value;
        });
        return found;
    }

    // ---- what the module asks of the host ----

    #fillRandom(place, length) {
        try {
            // a copy, as browsers refuse memory that can grow
            this.u8().set(crypto.getRandomValues(new Uint8Array(length)),
                place);
            return 0;
        } catch {
            return -1;
        }
    }

    /**
     * Shows a file to the module while `call` runs.
     * @param {Uint8Array|{size: number, read: Function}} file
     */
    showing(file, call) {
        this.#shown = file instanceof Uint8Array ? fileOfBytes(file) : file;
        if (typeof this.#shown?.read !== 'function')
            throw new SeensetError(-1, 'SEENSET_EINVAL',
                'A file is a Uint8Array (of an ArrayBuffer, new ' +
                'Uint8Array(buffer)), or {size, read(offset, into)}.');
        return this.#calling(call, () => {
            this.#shown = null;
        });
    }

    /** Hands what the module writes to `take`, while `call` runs. */
    writing(take, call) {
        this.#takePiece = take;
        return this.#calling(call, () => {
            this.#takePiece = null;
        });
    }

    /* What is thrown inside of the module's calls is thrown after them: the
     * module would not come to clean up. */
    #calling(call, done) {
        this.#thrown = null;
        try {
            const result = call();
            if (this.#thrown !== null)
                throw this.#thrown.value;
            return result;
        } finally {
            done();
        }
    }

    #guarded(call) {
        try {
            return call();
        } catch (value) {
            this.#thrown = {value};
            return -1;
        }
    }

    #readFile(offset, place, length) {
        const into = this.u8().subarray(place, place + length);
        return this.#guarded(() => this.#shown.read(offset, into));
    }

    #handPiece(place, length) {
        const piece = this.u8().subarray(place, place + length);
        return this.#guarded(() => {
            this.#takePiece(piece);
            return 0;
        });
    }
}
