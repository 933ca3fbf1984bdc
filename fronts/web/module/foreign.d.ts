/// <reference lib="esnext.disposable" />
/*
 * foreign.d.ts - the types of foreign.mjs: Bloom filters in files of other
 * systems.
 *
 *     import {openForeign} from 'seenset/foreign';
 *     const file = await openForeign(bytes, {column: 'email'});
 *     if (file.has('x@y.example'))
 *         console.log(file.rowGroups('x@y.example'));
 *     console.log(file.check().filters[0].because);
 *
 * The first call loads a WebAssembly module of its own, seenset-foreign.wasm,
 * unless a bundler put it into the script.
 * Every call that fails throws a SeensetError.
 */
import type {FileSource, Key, LayoutName, SchemeName} from './seenset.js';

export {SeensetError} from './seenset.js';

/** Bytes of their own, which a Blob takes. */
type Bytes = ReturnType<Uint8Array['slice']>;

/** Such as "parquet", "dcso", "guava", "leveldb", "rocksdb", "bip37",
 * "redisbloom" and "bip158", whose filters need a `block` to be asked. */
export type FormatName = string;

/**
 * How keys became bytes, where a file does not say: of Guava utf8, bytes, utf16,
 * int and long, of Bitcoin hex, txid and bytes.
 */
export type FunnelName = string;

/** What is asked of a file with several columns, and how. */
export interface ForeignChoice {
    /** Default: the only one that has filters. */
    column?: string;
    /** Default: that of the format; of Guava the text itself. */
    funnel?: FunnelName;
    /**
     * BIP-158: the hash of the block, 64 hexadecimal digits as programs show
     * it. It is not in the file, and with another one no key is found. Once
     * given it stays. Default: none, and keys cannot be asked for.
     */
    block?: string;
}

export interface ForeignOptions extends ForeignChoice {
    /** Where the module is, or its bytes; or, with a slash at its end, its
     * folder. Default: the folder of foreign.mjs. */
    wasm?: URL | string | BufferSource;
}

/**
 * Opens a file, which is read into memory of its own: up to 4 GiB. One that is
 * compressed by gzip is unpacked.
 *
 * Throws a SeensetError with a `report`: SEENSET_EFORMAT (none of the formats),
 * SEENSET_EUNSUPPORTED (one that is not read, as its footer is encrypted),
 * SEENSET_ETRUNCATED, SEENSET_ECORRUPT. Damage within one of many filters
 * does not make it fail: check() reports it.
 */
export function openForeign(file: Uint8Array | FileSource | Blob,
    options?: ForeignOptions): Promise<ForeignFile>;

/** What a file is. */
export interface ForeignInfo {
    format: FormatName;
    fileBytes: number;
    /** Parquet: rows; RocksDB: entries; else 0. */
    rowCount: number;
    /** Parquet: row groups; LevelDB: parts; RedisBloom: filters of the chain;
     * else 1. */
    rowGroups: number;
    filterCount: number;
    /** Those with filters; [""] where the format has none. */
    columns: string[];
    /** The one that is asked; undefined: choose one. */
    column: string | undefined;
    /** A row group has no filter of it, so any key may be there. */
    hasGaps: boolean;
}

/** What is in the file, and what the bits of each filter show. */
export interface ForeignCheck {
    format: FormatName;
    fileBytes: number;
    rowCount: number;
    rowGroups: number;
    filters: FilterCheck[];
}

/** One filter. Figures are absent if it is damaged or not supported. */
export interface FilterCheck {
    /** "" where the format has no columns. */
    column: string;
    /** Of Parquet, or the part of LevelDB, or its place in RedisBloom's chain;
     * else 0. */
    rowGroup: number;
    /** Of the values that were hashed: "bytes", "int32", ... */
    type: string;
    /** Parquet: values of the column in the row group; else 0. */
    valueCount: number;
    /** Where its bits are in the file. */
    bitsOffset: number;
    /** 'bip158': a Golomb-coded set, which has no bits. */
    scheme: SchemeName | 'bip158';
    /** BIP-37: the tweak. */
    seed?: number;
    /** Keys it has, as the file says; null: it does not say. */
    addedItems: number | null;
    layout?: LayoutName | 'golomb';
    /** m. */
    sizeBits?: number;
    /** k. */
    hashCount?: number;
    /** n, as the file says; null: it does not. */
    capacityItems?: number | null;
    /** p, as the file says; null: it does not. */
    fpRate?: number | null;
    setBits?: number;
    /** Different keys, estimated from the bits; null: too many. */
    estimatedItems?: number | null;
    /** The rate of the bits as they are. */
    currentFpRate?: number;
    /** What the estimated keys need at the promised rate, or at 1 %. */
    neededBytes?: number | null;
    verdict: 'sound' | 'too full' | 'too large' | 'empty' | 'damaged' |
        'unsupported';
    /** The verdict as a sentence, or what is wrong. */
    because: string;
    /** Of the byte at fault, if it is damaged or not supported. */
    reasonOffset?: number;
}

/** A key; or a number, which is the text of it. Text is read as the command
 * `seenset has` reads it, by the funnel or the type of the column; a Uint8Array
 * is the bytes that the filter hashes. */
export type ForeignKey = Key | number | bigint;

/** An open file. It is read-only. */
export class ForeignFile {
    private constructor();
    readonly columns: string[];
    readonly column: string | undefined;
    /** Those of the format; none where a file says how keys became bytes. */
    readonly funnels: FunnelName[];
    info(): ForeignInfo;
    /** Measures all filters, or one of them; reads every bit. */
    check(filter?: number): ForeignCheck;
    /** Which filters has, hasMany and rowGroups ask from now on. */
    choose(choice: ForeignChoice): void;
    /** Was it added, or is it a false positive? false: it never was. */
    has(key: ForeignKey): boolean;
    /** 1 or 0 for each; bytes with offsets are a filter's own bytes. */
    hasMany(keys: {data: Uint8Array; offsets: Uint32Array} |
        readonly ForeignKey[]): Bytes;
    /** Which row groups may have the key: those without a filter, too. */
    rowGroups(key: ForeignKey): number[];
    /** The same for many keys, a list for each. */
    rowGroupsMany(keys: {data: Uint8Array; offsets: Uint32Array} |
        readonly ForeignKey[]): number[][];
    /** The bytes of a set file of one filter, which SeenSet.open takes. */
    saveSet(filter?: number): Bytes;
    /** Ends it; its memory goes with it. */
    free(): void;
    [Symbol.dispose](): void;
}
