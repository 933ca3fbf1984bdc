/*
 * format.mjs - numbers as the command prints them.
 *
 * The twin of fronts/cli/text/units.c: the same rounding, units and words, so
 * that what is read here and what is read there is one text. It never asks the
 * browser's locale: a number that is copied into a command must be one. So it
 * is in all languages; the words around it are of the page's.
 */
import {fixed, general} from './decimal.mjs';

function grouped(value) {
    return BigInt(value).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/* 18 MB, 1.5 billion, 15.0 million: no zeros at the end where it is exact. */
function inUnits(value, units, digits) {
    let unit = 1, i = 0;
    for (; i < 4 && value / unit >= 999.95; i++) unit *= 1000;
    const shown = value / unit;
    const wholeDigits = shown >= 100 ? 3 : shown >= 10 ? 2 : 1;
    const isExact = i === 0 || BigInt(value) % BigInt(unit / 100) === 0n;
    return (isExact ? general(shown, 10) : fixed(shown, digits - wholeDigits)) +
        units[i];
}

function rateWith(text, words) {
    return rate => {
        const oneIn = 1 / rate;
        const short = general(rate, 4);
        if (!(rate > 0) || oneIn > 1e18 || oneIn < 1.05) return short;
        const rounded = Math.floor(oneIn + 0.5);
        const many = oneIn < 10 ? general(oneIn, 2)
            : oneIn < 99999.5 ? grouped(rounded) : words(rounded);
        return text('number.rate', {rate: short, many});
    };
}

function secondsWith(text) {
    return seconds => {
        if (!(seconds < 1e15)) return text('number.long_time');
        if (seconds >= 3600 * 1000)
            return text('number.days', {days: fixed(seconds / 86400, 0)});
        const whole = Math.floor(seconds + 0.5);
        const two = part => String(part % 60).padStart(2, '0');
        if (whole < 60) return text('number.s', {s: whole});
        if (whole >= 2 * 86400 && whole % 86400 === 0)
            return text('number.days', {days: whole / 86400});
        const min = Math.floor(whole / 60), h = Math.floor(whole / 3600);
        return h === 0 ? text('number.min_s', {min, s: two(whole)})
            : text('number.h_min', {h, min: two(min)});
    };
}

/**
 * @param {(name: string, values?: object) => string} text of the key "shell"
 */
export function formats(text) {
    const wordUnits = ['', ...['thousand', 'million', 'billion', 'trillion']
        .map(name => ` ${text(`number.${name}`)}`)];
    const byteUnits = [` ${text('number.bytes')}`, ' kB', ' MB', ' GB', ' TB'];
    const words = value => inUnits(Number(value), wordUnits, 3);
    const list = new Intl.ListFormat(document.documentElement.lang,
        {type: 'conjunction'});
    return {
        /** 15,023,399 @param {number|bigint} value a whole number */
        count: grouped,
        /** 15.0 million @param {number|bigint} value */
        words,
        /** 1.198 GB @param {number|bigint} value */
        bytes: value => Number(value) === 1 ? text('number.byte')
            : inUnits(Number(value), byteUnits, 4),
        /** 0.001 (1 in 1,000) @param {number} rate */
        rate: rateWith(text, words),
        /** 1 h 02 min @param {number} seconds */
        seconds: secondsWith(text),
        /** 9.59, and 0.0959 below 1 @param {number} value */
        bitsPerKey: value => value >= 1 ? fixed(value, 2) : general(value, 3),
        /** 44.4 % @param {number} part @param {number} digits of it */
        percent: (part, digits = 1) => `${fixed(100 * part, digits)} %`,
        /** “a”, “b” and others @param {string[]} names @param {string[]} more */
        list: (names, more = []) => list.format([
            ...names.map(name => text('quoted', {name})), ...more]),
        /** printf's %.{digits}g */
        general,
        /** printf's %.{digits}f */
        fixed,
    };
}
