/// <reference lib="esnext.disposable" />
/*
 * seenset.d.ts - the types of seenset.mjs: have I seen this before?
 *
 *     import {load} from 'seenset';
 *     const {SeenSet} = await load();
 *     const seen = new SeenSet({capacity: 1e6, fpRate: 1e-6});
 *     if (seen.add('https://example.com/'))
 *         console.log('never seen until now');
 *     const file = seen.save();           // what `seenset info` reads
 *     seen.free();
 *
 * A set is never wrong in the direction that loses a key: what was added is
 * always answered "seen". Numbers, formulas and files are those of the C
 * library, which runs as WebAssembly; include/seenset/*.h has every promise.
 *
 * Every call that fails throws a SeensetError. Numbers that the C library keeps
 * in 64 bits are JavaScript numbers here, exact up to 2^53, but for hashes and
 * seeds, which are bigints. JSON has none: the seed of info() is a text there.
 */

/**
 * Bytes of their own, which a Blob takes: Uint8Array<ArrayBuffer> where
 * TypeScript tells that apart, from 5.7 on.
 */
type Bytes = ReturnType<Uint8Array['slice']>;

/** A key: bytes, or text, which is the bytes of its UTF-8. */
export type Key = string | Uint8Array;

/**
 * Many keys: key i is bytes offsets[i] to offsets[i + 1] of data, so there is
 * one offset more than there are keys. Or an array of keys, which is slower.
 */
export type Batch = {data: Uint8Array; offsets: Uint32Array} | readonly Key[];

/**
 * A file that need not be in memory: its length, and a function that stores up
 * to `into.length` bytes from `offset` on and returns how many it stored. By
 * FileReaderSync in a worker, or by fs.readSync.
 */
export interface FileSource {
    size: number;
    read(offset: number, into: Uint8Array): number;
}

export type LayoutName =
    'blocked' | 'bloom' | 'counting' | 'sealed' | 'split_block' |
    'expandable' | 'fingerprint';
export type PolicyName = 'degrade' | 'refuse' | 'grow' | 'rotate';
export type SchemeName =
    'chain' | 'murmur2a+fnv1a' | 'murmur2a+fnv1a-signed' | 'murmur3-128' |
    'polynomial' | 'md5-divmod' | 'enhanced-double' | 'clickhouse-bloom' | 'clickhouse-tokenbf' |
    'parquet' | 'dcso' | 'guava-mitz-64' | 'guava-mitz-32' | 'bip37' |
    'leveldb' | 'rocksdb-legacy' | 'rocksdb' | 'redisbloom';

/** What went wrong, and what to do. */
export class SeensetError extends Error {
    /** The number of the error in seenset/error.h, such as -4. */
    code: number;
    /** Its name there, such as "SEENSET_ERATE". */
    errorName: string;
    /** From addMany: the answer for each key; 2 means refused. */
    answers?: Bytes;
    /** Of a file: where it was refused, and why. */
    report?: FileReport;
}

export interface LoadOptions {
    /** Where the module is, or its bytes; or, with a slash at its end, the
     * folder that has both builds. What is relative is so to seenset.mjs; to
     * the page or worker, where a bundler put the module into the script.
     * Default: the folder of seenset.mjs, or what is in the script. */
    wasm?: URL | string | BufferSource;
    /** Take the build with SIMD, or the one without. Default: what runs. */
    simd?: boolean;
}

/**
 * Loads the WebAssembly module. Calls without options share one instance;
 * others make a new one, with memory of its own.
 */
export function load(options?: LoadOptions): Promise<Library>;

/** What makes the places of a key, for plan and for a set. */
export interface SchemeOptions {
    scheme?: SchemeName;
    /** 64 bits; chain: of XXH3. It is in the file: not a secret. */
    seed?: bigint | number;
    /** polynomial: a factor for each place, 255 at most. */
    seeds?: readonly number[];
    /** polynomial: 8 (bytes) or 16 (UTF-16 code units). */
    unitBits?: 8 | 16;
}

/** Some of n, p, m and k; the planner finds the rest (seenset/plan.h). */
export interface PlanGiven extends SchemeOptions {
    layout?: LayoutName;
    /** n, distinct keys: 1 to 2^53. */
    n?: number;
    /** p, the false-positive rate at n keys: over 0 and under 1. */
    p?: number;
    /** m, bits (counting: counters): 1 to 2^53. */
    m?: number;
    /** k, bits a key sets: 1 to 255. */
    k?: number;
}

/** The figures of a plan, with n, p, m and k as formulas call them. */
export interface Plan extends Figures {
    n: number;
    p: number;
    m: number;
    k: number;
}

/** Where and why a file was refused. */
export interface FileReport {
    fileBytes: number;
    /** Byte offset of the field or block at fault. */
    offset: number;
    /** What was wrong, one line; "" if nothing was. */
    reason: string;
}

export interface Verdict extends FileReport {
    sound: boolean;
    /** The error's name, such as "SEENSET_ECORRUPT"; "" if the file is sound. */
    error: string;
}

export interface Library {
    /** The version of the C library, such as "1.0.0". */
    version: string;
    /** Is it the build with SIMD? */
    simd: boolean;
    SeenSet: typeof SeenSet;
    layouts: readonly LayoutName[];
    policies: readonly PolicyName[];
    schemes: readonly SchemeName[];
    plan(given: PlanGiven): Plan;
    /** What grows out of a set of n keys at rate p, with so many keys. */
    grown(given: PlanGiven, items: number): Growth;
    /** The rate of a table that holds n keys; NaN outside the range. */
    fpRate(layout: LayoutName, n: number, m: number, k: number): number;
    /** New keys expected to be called seen until n were called new; Infinity
     *  where that is not known. */
    wrongItems(layout: LayoutName, n: number, m: number, k: number): number;
    /** The distinct keys a table probably holds, from its set bits. */
    itemEstimate(setBits: number, m: number, k: number): number;
    /** n log2(1/p). */
    floorBits(n: number, p: number): number;
    /** P(any counter is full) is at most this. */
    overflowBound(n: number, m: number, k: number, counterBits: number): number;
    /** Whole bits a key for a rate, and the k for them. */
    wholeBits(p: number): {bitsPerKey: number; hashCount: number};
    /** 64-bit XXH3 of a key, as a set that is not keyed takes it. */
    hash(key: Key): bigint;
    /** Which of so many shards a key belongs to, from 0 on: to divide keys among
     *  sets, workers or machines. Bits of hash() must not be used for that. */
    shard(key: Key, shards: number): number;
    /** Checks a whole file; a keyed set's secret is not needed. */
    verify(file: Uint8Array | FileSource): Verdict;
    /**
     * The names of the columns of a CSV file that begins with these bytes; null
     * if its first record does not end in them.
     */
    csvHeader(start: Uint8Array, delimiter?: number): string[] | null;
    /** 16 random bytes for SetOptions.secret. */
    makeSecret(): Bytes;
    /** Bytes of WebAssembly memory in use for all of it; it never shrinks. */
    memoryBytes(): number;
}

/** seenset_options; what is left out has the C library's default. */
export interface SetOptions extends SchemeOptions {
    layout?: LayoutName;
    onFull?: PolicyName;
    /** n: distinct keys; onFull "rotate": keys in a window. */
    capacity?: number;
    /** p: over 0 and under 1. */
    fpRate?: number;
    /** m. */
    sizeBits?: number;
    /** k. */
    hashCount?: number;
    /** counting: 2 to 16. */
    counterBits?: number;
    /** A window: 2 to 64 tables. This and the two below ask for "rotate". */
    windowGenerations?: number;
    /** A window by age, in seconds. */
    windowSeconds?: number;
    /** A window: a key that is added again is renewed. */
    sliding?: boolean;
    /** A capacity and sizeBits whose rate is over 0.1 are refused without it. */
    anyRate?: boolean;
    /** 16 bytes: the set is keyed with SipHash under them. */
    secret?: Uint8Array;
}

// ---- figures: begin, as fronts/figures/types.c writes them ----

/** What a set is. */
export interface Info {
    /** How its bits are arranged. */
    layout: LayoutName;
    /** What it does past its capacity. */
    onFull: PolicyName;
    /** Different keys it is made for. */
    capacityItems: number;
    /** False-positive rate promised at capacity. */
    fpRate: number;
    /** Adds that were answered new. */
    addedItems: number;
    /** Tables it is made of. */
    tableCount: number;
    /** Memory that the set takes, or its mapping. */
    memoryBytes: number;
    /** It is a view of a file. */
    isReadOnly: boolean;
    /** It is hashed under a secret. */
    isKeyed: boolean;
    /** Bits of a counter; 0: there are none. */
    counterBits: number;
    /** Bits of a fingerprint or of its slot; else 0. */
    fingerprintBits: number;
    /** Tables of a window; else 0. */
    windowGenerations: number;
    /** Length of a window by age; else 0. */
    windowSeconds: number;
    /** Index scheme. */
    scheme: SchemeName;
    /** Rate it was made with, which some merges raise the promise over. */
    madeFpRate: number;
    /** Its rate rises, or it refuses new keys. */
    isAtCapacity: boolean;
    /** A key that is seen again is renewed. */
    isSliding: boolean;
    /** Several threads may add at once. */
    isShared: boolean;
    /** A view whose blocks are checked as they are read. */
    isChecked: boolean;
    /** A view that was read into memory, as the machine is big-endian. */
    isCopied: boolean;
    /** Version of the file it was opened from; 0: none. */
    formatVersion: number;
    /** Keys in the journal beside the file, which are in the set as well. */
    journalItems: number;
    /** Length of that journal; 0: there was none. */
    journalBytes: number;
    /** Keys it lacks at most, as its journal was not there. */
    journalMissingItems: number;
    /** Seed of its scheme. */
    seed: bigint;
    /** Factors of its scheme. */
    seeds: number[];
    /** Bits of the units that its scheme hashes: 8 or 16; else 0. */
    unitBits: number;
}

/** One of the tables of a set. */
export interface TableInfo {
    /**
     * How its bits are arranged; expandable: it grows in place, and has no
     * cells.
     */
    layout: LayoutName;
    /** Bits, or counters. */
    sizeBits: number;
    /** Bits that a key sets. */
    hashCount: number;
    /** Bits of a cell: 1, or those of a counter or fingerprint. */
    cellBits: number;
    /** Cells. */
    cellCount: number;
    /** Bits of a block; 0: it has none. */
    blockBits: number;
    /** Different keys it is made for. */
    capacityItems: number;
    /** False-positive rate promised at capacity. */
    fpRate: number;
    /** Adds that were answered new. */
    addedItems: number;
    /** Memory of its cells. */
    memoryBytes: number;
    /** Windows by age: when it was begun, since 1970; else 0. */
    startedSeconds: number;
    /** It is past its time, and its keys are forgotten. */
    isExpired: boolean;
}

/** How full a set is, at once. */
export interface Estimate {
    /** Different keys it is made for. */
    capacityItems: number;
    /** False-positive rate promised at capacity. */
    fpRate: number;
    /** Adds that were answered new. */
    addedItems: number;
    /** Bits, or counters, of all tables. */
    sizeBits: number;
    /** Bits that are set, or counters that are not 0. */
    setBits: number;
    /** Part of the bits, or counters, that are set. */
    fill: number;
    /** False-positive rate of the bits as they are. */
    currentFpRate: number;
    /** Different keys, estimated from the bits. */
    estimatedItems: number;
    /** Expected number of new keys that were answered seen. */
    wrongItems: number;
    /**
     * How many were answered seen is not known, and wrong_items is the least
     * that it can be.
     */
    isWrongAtLeast: boolean;
    /**
     * The hash is too weak for the keys, and figures of the bits are not to be
     * trusted.
     */
    isSkewed: boolean;
    /** Standard deviation of current_fp_rate, as a part of it. */
    fpRateError: number;
    /** Every bit was read. */
    isCounted: boolean;
}

/** How full a set is. */
export interface Stats {
    /** How its bits are arranged. */
    layout: LayoutName;
    /** What it does past its capacity. */
    onFull: PolicyName;
    /** Different keys it is made for. */
    capacityItems: number;
    /** False-positive rate promised at capacity. */
    fpRate: number;
    /** Adds that were answered new. */
    addedItems: number;
    /** Tables it is made of. */
    tableCount: number;
    /** Memory that the set takes, or its mapping. */
    memoryBytes: number;
    /** It is a view of a file. */
    isReadOnly: boolean;
    /** It is hashed under a secret. */
    isKeyed: boolean;
    /** Bits of a counter; 0: there are none. */
    counterBits: number;
    /** Bits of a fingerprint or of its slot; else 0. */
    fingerprintBits: number;
    /** Tables of a window; else 0. */
    windowGenerations: number;
    /** Length of a window by age; else 0. */
    windowSeconds: number;
    /** Index scheme. */
    scheme: SchemeName;
    /** Bits, or counters, of all tables. */
    sizeBits: number;
    /** Bits that are set, or counters that are not 0. */
    setBits: number;
    /** Part of the bits, or counters, that are set. */
    fill: number;
    /** False-positive rate of the bits as they are. */
    currentFpRate: number;
    /** Different keys, estimated from the bits. */
    estimatedItems: number;
    /** Expected number of new keys that were answered seen. */
    wrongItems: number;
    /**
     * How many were answered seen is not known, and wrong_items is the least
     * that it can be.
     */
    isWrongAtLeast: boolean;
    /**
     * The hash is too weak for the keys, and figures of the bits are not to be
     * trusted.
     */
    isSkewed: boolean;
    /** Bits that a key sets in the newest table. */
    hashCount: number;
    /** Counters that are full and stay so, or slots that were cut. */
    fullCounters: number;
    /** Chance that any counter is full, at most. */
    overflowBound: number;
}

/** How evenly the bits of a set are spread. */
export interface Uniformity {
    /** Slices that were counted; 0: nothing was measured. */
    sliceCount: number;
    /** Distance of the slices from even ones. */
    chiSquare: number;
    /** Chi_square that a good hash gives on average. */
    degreesOfFreedom: number;
    /** Chance that a good hash gives so large a chi_square. */
    pValue: number;
    /** So small a chance that the hash is too weak for the keys. */
    isSkewed: boolean;
}

/** What two sets have in common: first the set that was asked. */
export interface Overlap {
    /** Intersection / union, 0 to 1. */
    jaccard: number;
    /** Its standard error. */
    jaccardError: number;
    /** Different keys in either. */
    unionItems: number;
    /** Its standard error. */
    unionItemsError: number;
    /** Keys in both. */
    intersectionItems: number;
    /** Its standard error. */
    intersectionItemsError: number;
    /** Keys in the first. */
    aItems: number;
    /** Keys in the other. */
    bItems: number;
    /** Keys in the first alone. */
    aOnlyItems: number;
    /** Keys in the other alone. */
    bOnlyItems: number;
    /** Standard error of the keys in the first. */
    aItemsError: number;
    /** Standard error of the keys in the other. */
    bItemsError: number;
    /** Standard error of the keys in the first alone. */
    aOnlyItemsError: number;
    /** Standard error of the keys in the other alone. */
    bOnlyItemsError: number;
}

/** How large a set is. */
export interface Figures {
    /** How the bits are arranged. */
    layout: LayoutName;
    /** N, different keys. */
    capacityItems: number;
    /** P, the rate promised at capacity. */
    fpRate: number;
    /** M, bits. */
    sizeBits: number;
    /** K, bits that a key sets. */
    hashCount: number;
    /** M / n. */
    bitsPerKey: number;
    /** What the formula gives for n, m and k. */
    expectedFpRate: number;
    /** No structure keeps p for n keys in fewer bits. */
    floorBits: number;
}

/** A set that grows, once it has a number of keys. */
export interface Growth {
    /** How the bits of its first table are arranged. */
    layout: LayoutName;
    /** Tables it is made of. */
    tableCount: number;
    /** Different keys its first table is made for. */
    firstCapacityItems: number;
    /** Keys that it has. */
    addedItems: number;
    /** Keys of all tables when they are full. */
    capacityItems: number;
    /** Rate promised at every number of keys. */
    fpRate: number;
    /** Rate of all tables together with these keys. */
    expectedFpRate: number;
    /** Bits of all tables; of one that grows in place, all of its memory. */
    sizeBits: number;
    /** Size_bits for each key. */
    bitsPerKey: number;
    /** No structure keeps the rate in fewer bits. */
    floorBits: number;
    /** Memory of the set. */
    memoryBytes: number;
    /** Expected number of new keys that were answered seen by then. */
    wrongItems: number;
    /** Places in memory that a lookup reads, at most. */
    probeCount: number;
    /** Bits that a key sets in the newest table. */
    hashCount: number;
    /** Tables that a lookup of a key in the set reads. */
    meanTablesAsked: number;
    /** Keys in the table that grows in place; 0: there is none. */
    expandedItems: number;
}

// ---- figures: end ----

/**
 * A set. Its memory is WebAssembly's, which the garbage collector does not see:
 * call free() when you are done. A set that is forgotten is freed some time
 * after it was collected, if at all. After free() every call throws.
 */
export class SeenSet {
    constructor(options?: SetOptions);
    /**
     * Opens what save() or the command wrote. withoutJournal: also a file whose
     * journal, which is another file, has keys that are then missing.
     */
    static open(file: Uint8Array | FileSource, options?: {
        secret?: Uint8Array, withoutJournal?: boolean}): SeenSet;
    /** The smallest kind, of keys that are all known: nothing can be added. */
    static seal(keys: Batch, options?: SetOptions): SeenSet;
    /** A set of bits that another system made; options say how. */
    static fromBits(bits: Uint8Array, options: SetOptions): SeenSet;

    /** true: new; false: seen. Throws SEENSET_EFULL if the set refuses. */
    add(key: Key): boolean;
    /** true: seen, or a false positive; false: never added. */
    has(key: Key): boolean;
    /** counting: takes one copy out; false: it was not there. */
    remove(key: Key): boolean;
    /** counting: how many copies there are, or more. */
    count(key: Key): number;
    /** For each key 1 (new), 0 (seen) or 2 (refused: the set is full). */
    addMany(keys: Batch): Bytes;
    /** For each key 1 (seen) or 0 (never added). */
    hasMany(keys: Batch): Bytes;
    /** A stream of lines that loses what this set has seen. */
    lines(options?: LinesOptions): Lines;

    /** Adds every key of `other`. The rates of sets of different keys add up:
     * info().fpRate over info().madeFpRate shows it. */
    merge(other: SeenSet): void;
    /** Keeps what is in both. */
    intersect(other: SeenSet): void;
    /** false: it lacks a key of `other`; true: it may have them all. */
    isSuperset(other: SeenSet): boolean;
    /** Estimates what the two have in common, whatever their sizes. */
    overlap(other: SeenSet): Overlap;
    /** Forgets every key. */
    clear(): void;
    /**
     * Of a set that grows: how many different keys are expected in all, once
     * that is known. They get one table of fixed size.
     */
    expect(items: number): void;
    copy(): SeenSet;
    /** The bytes of a file: those that the C library writes. */
    save(): Bytes;
    /** The same, piece by piece; a piece is only good during the call. */
    saveTo(take: (piece: Uint8Array) => void): void;
    /** The bits alone, as fromBits takes them. */
    toBits(): Bytes;

    info(): Info;
    tableInfo(table: number): TableInfo;
    /** At once, whatever the size. */
    estimate(): Estimate;
    /** Reads every bit. */
    stats(): Stats;
    uniformity(): Uniformity;
    /** Bits first, ..., first + count - 1 of a table, a byte each. */
    bits(table: number, first: number, count: number): Bytes;
    /** counting: its counters. */
    counters(table: number, first: number, count: number):
        ReturnType<Uint16Array['slice']>;
    /** How many cells of a range are not 0. */
    countCells(table: number, first: number, count: number): number;
    /**
     * The places of a key in a table (default the newest), in order, without
     * repeats. Found by an empty table of the same shape, so it costs its size.
     */
    places(key: Key, table?: number): number[];
    /** Gives the memory back; allowed twice. */
    free(): void;
    /** The same: `using set = new SeenSet()` frees it at the end of the block. */
    [Symbol.dispose](): void;
}

export interface LinesOptions {
    /** The byte between lines: 10 (default), or 0. */
    separator?: number;
    /** The column of a CSV file that is the key, from 1, or its name. */
    csvColumn?: number | string;
    /** CSV: the byte between fields, default 44, a comma. */
    csvDelimiter?: number;
    /**
     * CSV: the first record names the columns, and is kept (true, the default)
     * or not ("drop").
     */
    csvHeader?: boolean | 'drop';
    /**
     * Which lines are kept. "new" (default) and "repeated" add every line to
     * the set; "seen" and "unseen" only ask it.
     */
    keep?: 'new' | 'repeated' | 'seen' | 'unseen';
}

export interface LinesCounts {
    lines: number;
    kept: number;
    dropped: number;
    /** CSV: records that lack the column; they are kept, and not in `lines`. */
    withoutColumn: number;
    /** CSV: a quote was never closed. */
    hasOpenQuote: boolean;
}

/** Lines in, those that are new out; a line may come in many pieces. */
export class Lines {
    /** The lines that are kept of this piece, whole. */
    push(piece: Uint8Array): Bytes;
    /** What is left when there is no more. */
    end(): Bytes;
    /** As push, without a copy: `take` gets what is kept, part by part, as a
     * view of the module's memory. Copy what is to last, as for a stream's
     * write() or after an await, and call nothing of this library in `take`. If
     * it throws, what is left of the piece is lost: begin anew. */
    pushTo(piece: Uint8Array, take: (kept: Uint8Array) => void): void;
    /** As end, without a copy. */
    endTo(take: (kept: Uint8Array) => void): void;
    readonly counts: LinesCounts;
    /** Gives the memory back. */
    free(): void;
    [Symbol.dispose](): void;
}
