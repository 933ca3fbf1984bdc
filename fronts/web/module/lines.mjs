/*
 * lines.mjs - a stream of lines that loses what a set has seen.
 *
 * The work is done in C (wasm/lines.c): a piece of a file is copied to the
 * module's memory, a part at a time, which stays in the caches. There it is
 * split and answered, and the lines that are kept are copied out, or shown
 * where they are. Memory is that of one part and of the longest line, which may
 * be of 64 MiB.
 */
import {dispose} from './dispose.mjs';

const MODES = {new: 0, repeated: 1, seen: 2, unseen: 3};
const HEADERS = {false: 0, true: 1, drop: 2};
const NEWLINE = 10;
const COMMA = 44;
const PART_BYTES = 1 << 19;

/** The bytes of pieces, one after the other. */
function join(pieces) {
    if (pieces.length === 1)
        return pieces[0];
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const whole = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
    }
    return whole;
}

export class Lines {
    #core;
    #at;

    /**
     * SeenSet.lines() makes it.
     * @param {object} core
     * @param {number} set
     * @param {import('./seenset.js').LinesOptions} [options]
     */
    constructor(core, set, options = {}) {
        const mode = MODES[options.keep ?? 'new'];
        if (mode === undefined)
            core.check(-1, 'lines: keep is new, repeated, seen or unseen');
        this.#core = core;
        this.#at = core.exports.web_lines_new(
            set, mode, options.separator ?? NEWLINE) >>> 0;
        core.check(this.#at === 0 ? -2 : 0, 'lines');
        try {
            this.#setColumn(options);
        } catch (error) {
            this.free();
            throw error;
        }
    }

    #setColumn({csvColumn, csvDelimiter = COMMA, csvHeader = true}) {
        const {exports, alloc, release, check} = this.#core;
        if (csvColumn === undefined)
            return;
        const header = HEADERS[csvHeader] ?? 1;
        if (typeof csvColumn === 'number') {
            const isColumn = Number.isInteger(csvColumn) && csvColumn > 0;
            check(isColumn ? 0 : -1, 'lines: the first column is number 1');
            exports.web_lines_set_column(this.#at, csvDelimiter, csvColumn - 1,
                                         header);
            return;
        }
        const name = new TextEncoder().encode(csvColumn);
        const at = alloc(name.length + 1);
        this.#core.u8().set(name, at);
        const error = exports.web_lines_set_name(this.#at, csvDelimiter, at,
                                                 name.length,
                                                 header === 0 ? 1 : header);
        release(at);
        check(error, 'lines');
    }

    #live() {
        this.#core.check(this.#at === 0 ? -1 : 0, 'lines: after free');
        return this.#at;
    }

    /* Shows what is kept of a part, and throws if it had an error. */
    #hand(error, take) {
        const {exports, check} = this.#core;
        const at = exports.web_lines_output(this.#at) >>> 0;
        const size = exports.web_lines_output_bytes(this.#at);
        if (size > 0)
            take(this.#core.u8().subarray(at, at + size));
        check(error, 'lines');
    }

    #pushPart(part, take) {
        const {exports, check} = this.#core;
        const at = exports.web_lines_room(this.#live(), part.length) >>> 0;
        check(at === 0 ? -2 : 0, 'lines');
        this.#core.u8().set(part, at);
        this.#hand(exports.web_lines_push(this.#at, part.length), take);
    }

    /* What `give(take)` hands out, copied: as a whole, or with its error. */
    #copied(give) {
        const parts = [];
        try {
            give(kept => parts.push(kept.slice()));
        } catch (error) {
            error.kept = join(parts);
            throw error;
        }
        return join(parts);
    }

    /**
     * As push, without a copy: take(kept) is called for what is kept, part by
     * part. `kept` is a view of the module's memory: copy what is to last, as
     * for a stream's write or after an await, and call nothing of this library
     * in `take`. If it throws, what is left of the piece is lost.
     * @param {Uint8Array} piece
     * @param {(kept: Uint8Array) => void} take
     */
    pushTo(piece, take) {
        if (piece.buffer === this.#core.memory.buffer)
            piece = piece.slice(); /* it would go when the memory grows */
        for (let at = 0; at === 0 || at < piece.length; at += PART_BYTES)
            this.#pushPart(piece.subarray(at, at + PART_BYTES), take);
    }

    /**
     * As end, without a copy.
     * @param {(kept: Uint8Array) => void} take
     */
    endTo(take) {
        this.#hand(this.#core.exports.web_lines_end(this.#live()), take);
    }

    /**
     * The lines that are kept of this piece, whole. An error carries those
     * before it as `kept`.
     * @param {Uint8Array} piece
     */
    push(piece) {
        return this.#copied(take => this.pushTo(piece, take));
    }

    /** What is left when there is no more. */
    end() {
        return this.#copied(take => this.endTo(take));
    }

    /** How many lines there were so far, and what became of them. */
    get counts() {
        const count = which =>
            this.#core.exports.web_lines_count(this.#live(), which);
        return {lines: count(0), kept: count(1), dropped: count(2),
                withoutColumn: count(3), hasOpenQuote: count(4) > 0};
    }

    /** Gives the memory back; allowed twice. */
    free() {
        if (this.#at !== 0)
            this.#core.exports.web_lines_free(this.#at);
        this.#at = 0;
    }

    [dispose]() {
        this.free();
    }
}

/**
 * The names of the columns of a CSV file that begins with these bytes, or null
 * if its first record does not end in them.
 * @param {object} core
 * @param {Uint8Array} bytes
 * @param {number} [delimiter]
 * @returns {string[] | null}
 */
export function csvHeader(core, bytes, delimiter = COMMA) {
    const from = core.alloc(bytes.length + 16);
    const to = core.alloc(bytes.length + 1);
    core.u8().set(bytes, from);
    const size = core.exports.web_lines_header(from, bytes.length, delimiter,
                                               to);
    const text = new TextDecoder().decode(core.u8().subarray(to, to + size));
    core.release(from);
    core.release(to);
    return size > 0 ? text.split('\0').slice(0, -1) : null;
}
