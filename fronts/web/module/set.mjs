/*
 * set.mjs - SeenSet: a set of the C library as a JavaScript object.
 *
 * The object holds the address of the set in the module's memory, which the
 * garbage collector knows nothing of. free() gives that back at once; for who
 * forgets it, a FinalizationRegistry does, some time after the object was
 * collected. seenset.d.ts has the promise of every method.
 */
import {eachPiece, lengthOf} from './batch.mjs';
import {dispose} from './dispose.mjs';
import {SeensetError, invalid} from './errors.mjs';
import {fileBytes, openFile, writeFile} from './file.mjs';
import {Lines} from './lines.mjs';
import {checkOptions, named, secretOf, whole, withOptions} from './options.mjs';
import {sealBatch} from './seal.mjs';

const REFUSED = 2;
const FULL = -5;
const MOST_PLACES = 255;
const adopt = Symbol('a set that is there already');

/* JSON has no bigints: the seed is a text there. */
function forJson(info) {
    return Object.defineProperty(info, 'toJSON', {value() {
        return {...this, seed: String(this.seed)};
    }});
}

/** What is in the same WebAssembly memory: one library makes one such class. */
export function makeSeenSet(library) {
    const {core} = library;
    const {exports} = core;
    const forgotten = new FinalizationRegistry(
        (address) => exports.web_free(address));
    /* A set is not forgotten while lines go through it. */
    const usedBy = new WeakMap();

    return class SeenSet {
        /** Where the set is; 0 after free(). */ #address = 0;
        /** Of a keyed set, for the twin. */ #secret;
        /** An empty set with the places of this one, for places(). */ #twin;
        #twinShape = '';

        constructor(options = {}) {
            if (checkOptions(options)[adopt] !== undefined)
                this.#address = options[adopt];
            else
                this.#address = withOptions(library, options, () => {
                    core.check(exports.web_new(core.made));
                    return core.takeMade();
                }, {});
            this.#secret = secretOf(options.secret)?.slice();
            forgotten.register(this, this.#address, this);
        }

        static open(file, {secret, withoutJournal = false} = {}) {
            const address = openFile(core, file, secret, withoutJournal);
            return new SeenSet({[adopt]: address, secret});
        }

        static seal(keys, options = {}) {
            const address = sealBatch(library, keys, options);
            return new SeenSet({[adopt]: address, secret: options.secret});
        }

        static fromBits(bits, options = {}) {
            if (!(bits instanceof Uint8Array))
                throw invalid('The bits are a Uint8Array.');
            const make = (place) => withOptions(library, options, () => {
                core.check(exports.web_from_bits(core.made, place,
                    bits.length));
                return core.takeMade();
            });
            const address = core.withBytes(bits, make);
            return new SeenSet({[adopt]: address, secret: options.secret});
        }

        get #live() {
            if (this.#address === 0)
                throw invalid('The set was freed: make or open another one.');
            return this.#address;
        }

        // ---- keys ----

        add(key) {
            const length = core.storeKey(key);
            return core.check(
                exports.web_add(this.#live, core.keyPlace, length)) === 1;
        }

        has(key) {
            const length = core.storeKey(key);
            return core.check(
                exports.web_has(this.#live, core.keyPlace, length)) === 1;
        }

        remove(key) {
            const length = core.storeKey(key);
            return core.check(
                exports.web_remove(this.#live, core.keyPlace, length)) === 1;
        }

        count(key) {
            const length = core.storeKey(key);
            core.check(exports.web_count(this.#live, core.keyPlace, length));
            return core.number(0);
        }

        addMany(keys) {
            const set = this.#live;
            const answers = new Uint8Array(lengthOf(keys)).fill(REFUSED);
            eachPiece(core, keys, (piece, part) => {
                core.u8().fill(REFUSED, piece.answers,
                    piece.answers + part.count);
                const code = exports.web_add_many(set, piece.data,
                    piece.offsets, part.base, part.count, piece.answers);
                answers.set(core.copyOut(piece.answers, part.count),
                    part.first);
                if (code < 0 && code !== FULL)
                    throw Object.assign(core.error(code), {answers});
            });
            return answers;
        }

        hasMany(keys) {
            const set = this.#live;
            const answers = new Uint8Array(lengthOf(keys));
            eachPiece(core, keys, (piece, part) => {
                core.check(exports.web_has_many(set, piece.data,
                    piece.offsets, part.base, part.count, piece.answers));
                answers.set(core.copyOut(piece.answers, part.count),
                    part.first);
            });
            return answers;
        }

        lines(options = {}) {
            const lines = new Lines(core, this.#live, options);
            usedBy.set(lines, this);
            return lines;
        }

        // ---- two sets ----

        #other(other) {
            if (!(other instanceof SeenSet))
                throw invalid('The other set is not a SeenSet of the same ' +
                    'library: open its save() here.');
            return other.#live;
        }

        merge(other) {
            core.check(exports.web_merge(this.#live, this.#other(other)));
        }

        intersect(other) {
            core.check(exports.web_intersect(this.#live, this.#other(other)));
        }

        isSuperset(other) {
            return core.check(exports.web_is_superset(this.#live,
                this.#other(other))) === 1;
        }

        overlap(other) {
            core.check(exports.web_overlap(this.#live, this.#other(other)));
            return core.object('overlap');
        }

        clear() {
            core.check(exports.web_clear(this.#live));
        }

        expect(items) {
            core.check(exports.web_expect(this.#live,
                whole(items ?? null, 'items', 0)));
        }

        copy() {
            core.check(exports.web_copy(core.made, this.#live));
            return new SeenSet({[adopt]: core.takeMade(),
                secret: this.#secret});
        }

        // ---- bytes ----

        save() {
            return fileBytes(core, this.#live);
        }

        saveTo(take) {
            writeFile(core, this.#live, take);
        }

        toBits() {
            const SPACE = -15;
            const set = this.#live;
            const error = exports.web_to_bits(set, 0, 0);
            if (error !== SPACE)
                core.check(error);
            const room = core.number(0);
            return this.#copied(room, (place) =>
                exports.web_to_bits(set, place, room));
        }

        /* Bytes that a call stores. */
        #copied(sizeBytes, call) {
            const place = core.alloc(sizeBytes);
            try {
                core.check(call(place));
                return core.copyOut(place, sizeBytes);
            } finally {
                core.release(place);
            }
        }

        // ---- what it is ----

        #described(name, ...argument) {
            core.check(exports[`web_${name}`](this.#live, ...argument));
            return named(library, core.object(name));
        }

        info() {
            const {seedLow, seedHigh, seeds, seedCount, ...info} =
                this.#described('info');
            const factors = core.copyOut(seeds, 4 * seedCount);
            return forJson({
                ...info,
                seed: BigInt(seedHigh) << 32n | BigInt(seedLow),
                seeds: [...new Uint32Array(factors.buffer)],
            });
        }

        tableInfo(table) {
            return this.#described('table_info', whole(table, 'table', 0));
        }

        estimate() {
            return this.#described('estimate');
        }

        stats() {
            return this.#described('stats');
        }

        uniformity() {
            return this.#described('uniformity');
        }

        // ---- its bits ----

        #range(table, first, count) {
            return [this.#live, whole(table, 'table', 0),
                whole(first, 'first', 0), whole(count, 'count', 0)];
        }

        bits(table, first, count) {
            const range = this.#range(table, first, count);
            return this.#copied(count, (place) =>
                exports.web_bits(...range, place));
        }

        counters(table, first, count) {
            const range = this.#range(table, first, count);
            const bytes = this.#copied(2 * count, (place) =>
                exports.web_counters(...range, place));
            return new Uint16Array(bytes.buffer);
        }

        countCells(table, first, count) {
            core.check(exports.web_count_cells(
                ...this.#range(table, first, count)));
            return core.number(0);
        }

        // ---- the places of a key ----

        places(key, table) {
            const {tableCount} = this.info();
            const twin = this.#twinOf(table ?? tableCount - 1);
            twin.add(key);
            try {
                return twin.#onlyPlaces();
            } finally {
                twin.clear();
            }
        }

        /* Which cells are not 0, of a set that has one key. */
        #onlyPlaces() {
            let found = 0;
            const bytes = this.#copied(8 * MOST_PLACES, (place) => {
                found = exports.web_places(this.#live, place, MOST_PLACES);
                return found;
            });
            return [...new Float64Array(bytes.buffer, 0, found)];
        }

        #twinOf(table) {
            const {sizeBits, hashCount, layout} = this.tableInfo(table);
            if (layout === 'expandable' || layout === 'fingerprint')
                throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED',
                    'Where a key is in this table depends on other keys.');
            const shape = `${sizeBits} ${hashCount}`;
            if (shape === this.#twinShape)
                return this.#twin;
            const twin = new SeenSet(this.#twinOptions(sizeBits, hashCount));
            this.#twin?.free();
            this.#twin = twin;
            this.#twinShape = shape;
            return twin;
        }

        #twinOptions(sizeBits, hashCount) {
            const {layout, scheme, counterBits, seed, seeds, unitBits} =
                this.info();
            if (layout === 'sealed')
                throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED',
                    'The places of a key in a sealed set depend on all keys.');
            return {
                layout, sizeBits, hashCount, seed,
                scheme: scheme === 'chain' ? undefined : scheme,
                counterBits: counterBits || undefined,
                seeds: seeds.length > 0 ? seeds : undefined,
                unitBits: unitBits || undefined,
                secret: this.#secret,
            };
        }

        free() {
            if (this.#address === 0)
                return;
            forgotten.unregister(this);
            exports.web_free(this.#address);
            this.#address = 0;
            this.#twin?.free();
            this.#twin = undefined;
        }

        /** `using set = new SeenSet()` frees it at the end of the block. */
        [dispose]() {
            this.free();
        }

        /** What Node's console.log prints. */
        [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
            if (this.#address === 0)
                return 'SeenSet {freed}';
            const {layout, onFull, capacityItems, fpRate, addedItems,
                memoryBytes} = this.info();
            return `SeenSet ${inspect({layout, onFull, capacityItems, fpRate,
                addedItems, memoryBytes}, options)}`;
        }
    };
}
