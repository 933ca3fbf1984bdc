/*
 * parse.mjs - numbers as people write them, read as the command reads them.
 *
 * The twin of fronts/cli/text/units.c: exact, in whole numbers, and what two
 * people could read as two numbers is refused with a reason: 2B (bytes or
 * billions?), 18mb (bits or bytes?), 1,5 (a point or a group?).
 */
const MOST = (1n << 64n) - 1n;

class Mistake extends Error {}

/** A piece of text, and how far it is read. */
class Reader {
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    get rest() { return this.text.slice(this.at); }

    /** Takes what the pattern finds here, or nothing. */
    take(pattern) {
        const found = pattern.exec(this.rest);
        if (found === null || found.index !== 0) return '';
        this.at += found[0].length;
        return found[0];
    }
}

function refuse(why) {
    throw new Mistake(why);
}

/* ---- whole numbers, with a decimal point and a unit ---- */

function readGroups(reader) {
    const separator = reader.rest[0];
    let digits = '';
    while (reader.rest[0] === separator) {
        reader.at++;
        const group = reader.take(/^\d*/);
        const other = separator === ',' ? '_' : ',';
        if (group.length !== 3 || reader.rest[0] === other)
            refuse('groups');
        digits += group;
    }
    return digits;
}

function readDigits(reader) {
    let whole = reader.take(/^\d*/);
    let hasPoint = false, decimals = '';
    if (/^[,_]/.test(reader.rest)) {
        if (whole.length < 1 || whole.length > 3 || whole[0] === '0')
            refuse('first_group');
        whole += readGroups(reader);
    }
    if (reader.rest[0] === '.') {
        reader.at++;
        hasPoint = true;
        decimals = reader.take(/^\d*/);
    }
    if (whole === '' && decimals === '') refuse('not_number');
    const mantissa = BigInt(whole + decimals);
    if (mantissa > MOST) refuse('too_long');
    return {mantissa, scale: 1n, decimals: hasPoint ? decimals.length : 0};
}

function readExponent(reader, number) {
    const found = reader.take(/^[eE]\d+/);
    if (found === '') return;
    const exponent = Number(found.slice(1));
    number.scale = exponent > 30 ? MOST + 1n : 10n ** BigInt(exponent);
    if (number.scale > MOST) refuse('too_large');
}

function readPrefix(reader, number) {
    const found = reader.take(/^[kmgtKMGT]i?/);
    if (found === '') return;
    const power = BigInt('kmgt'.indexOf(found[0].toLowerCase()) + 1);
    number.scale *= (found.length > 1 ? 1024n : 1000n) ** power;
    if (number.scale > MOST) refuse('too_large');
}

function readNumber(reader) {
    if (reader.rest[0] === '-') refuse('negative');
    if (/^0[xX]/.test(reader.rest)) refuse('hexadecimal');
    const number = readDigits(reader);
    readExponent(reader, number);
    readPrefix(reader, number);
    return number;
}

function multiplyOut({mantissa, scale, decimals}) {
    const up = mantissa * scale, down = 10n ** BigInt(decimals);
    if (up % down !== 0n) refuse('not_whole');
    const value = up / down;
    if (value > MOST) refuse('too_large');
    if (value === 0n) refuse('zero');
    return value;
}

function readCount(text) {
    const reader = new Reader(text);
    const number = readNumber(reader);
    if (/^[bB]$/.test(reader.rest)) refuse('billions');
    if (reader.rest !== '') refuse('count_unit');
    return multiplyOut(number);
}

function readBits(text) {
    const reader = new Reader(text);
    const number = readNumber(reader);
    const unit = reader.rest;
    if (unit === 'b' && /[kmgt]/.test(text[reader.at - 1]))
        refuse('bits_bytes');
    const isBits = ['b', 'bit', 'bits'].includes(unit);
    if (!isBits && unit !== '' && unit !== 'B') refuse('size_unit');
    if (!isBits) number.scale *= 8n;
    if (number.scale > MOST) refuse('too_large');
    return multiplyOut(number);
}

/* ---- windows ---- */

const SECONDS = {s: 1n, m: 60n, h: 3600n, d: 86400n, w: 604800n};

function readSeconds(text) {
    const reader = new Reader(text);
    const number = readDigits(reader);
    const unit = SECONDS[reader.rest];
    if (unit === undefined) refuse('time_unit');
    number.scale *= unit;
    return {unit: 'seconds', value: multiplyOut(number)};
}

function readWindow(text) {
    if (/[\d.][smhdw]$/.test(text)) return readSeconds(text);
    const bare = text.replace(/(?<=.)(lines|keys)$/, '');
    const reader = new Reader(bare);
    const number = readNumber(reader);
    if (reader.rest !== '') refuse('window_unit');
    const isSaid = bare !== text || !/\d$/.test(bare);
    return {unit: isSaid ? 'items' : 'unsaid', value: multiplyOut(number)};
}

/* ---- rates ---- */

function readReal(reader) {
    if (!/^(\d|\.\d)/.test(reader.rest)) refuse('not_number');
    if (/^0[xX]/.test(reader.rest)) refuse('hexadecimal');
    const digits = reader.take(/^\d*\.?\d*([eE][+-]?\d+)?/);
    const value = Number(digits);
    const isLost = value === 0 && /[1-9]/.test(digits.split(/[eE]/)[0]);
    if (!Number.isFinite(value) || isLost) refuse('out_of_range');
    return value;
}

function readRate(text) {
    if (/^\d+,\d/.test(text)) refuse('comma');
    const reader = new Reader(text);
    let rate = readReal(reader);
    if (reader.rest[0] === '/') {
        reader.at++;
        rate /= readReal(reader);
    } else if (reader.rest[0] === '%') {
        reader.at++;
        rate /= 100;
    }
    if (reader.rest !== '') refuse('rate_form');
    if (!(rate > 0 && rate < 1)) refuse('rate_range');
    return rate;
}

function readWholeReal(text) {
    const reader = new Reader(text);
    const value = readReal(reader);
    if (reader.rest !== '') refuse('not_all');
    return value;
}

/* ---- what the page prints ---- */

/**
 * Makes what the page prints (ui/format.mjs) what the command takes: "1.262 MB"
 * is 1.262MB, "1 million" is 1M, "0.001 (1 in 1,000)" is 0.001. So are digits
 * as wide as Chinese signs. Other texts stay as they are.
 */
function plainWith(text) {
    const letters = Object.fromEntries([['thousand', 'k'], ['million', 'M'],
        ['billion', 'G'], ['trillion', 'T'], ['bytes', 'B'], ['byte', 'B']]
        .map(([name, letter]) =>
            [text(`number.${name}`).replace(/^1 /, ''), letter]));
    return written => {
        const bare = written.normalize('NFKC').trim()
            .replace(/(?<=^[\d.e-]+) ?\([^()]*\)$/, '');
        const [, number, unit] =
            /^(\d[\d.,_]*(?:e[+-]?\d+)?)\s*(\S+)$/u.exec(bare) ?? [];
        if (unit === undefined) return bare;
        if (Object.hasOwn(letters, unit)) return number + letters[unit];
        return /^(%|[kMGT]?i?B|[kMGT]?bits?)$/.test(unit) ? number + unit
            : bare;
    };
}

/* ---- what panels see ---- */

/**
 * Each takes a text and returns {value}, or {error}, a sentence to show. A
 * count over 2^53, which no plan has, comes as a rounded number.
 * @param {(name: string) => string} text of the key "shell"
 */
export function parsers(text) {
    const plain = plainWith(text);
    const reading = (read, made) => written => {
        try {
            return made(read(plain(written)));
        } catch (error) {
            if (!(error instanceof Mistake)) throw error;
            return {error: text(`parse.${error.message}`)};
        }
    };
    const whole = value => ({value: Number(value), exact: value});
    return {
        /** The text as the command takes it: 1M for "1 million". */
        plain,
        /** 10000, 1.5M, 1e9, 64Ki */
        count: reading(readCount, whole),
        /** 18MB, 64MiB, 4096 (bytes), 9585058b, 10Mbits: in bits */
        bits: reading(readBits, whole),
        /** 0.01, 1e-6, 1/1000, 1% */
        rate: reading(readRate, value => ({value})),
        /** 0.5, 60, 1e3 */
        real: reading(readWholeReal, value => ({value})),
        /** 90s, 15m, 24h, 7d, 2w; 10k, 500lines: and which unit it is */
        window: reading(readWindow,
            ({unit, value}) => ({unit, ...whole(value)})),
    };
}
