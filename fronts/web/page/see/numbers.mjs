/*
 * numbers.mjs - the numbers that five documents give, computed here again.
 *
 * A row is a text, what the document says (or what its algorithm gives, where
 * it prints no number), and what comes out of the library and the formulas on
 * this page. They are computed when the table is drawn; nothing on the right
 * is copied. Where a document is wrong, a note says how.
 *
 * @typedef {{name: string, values?: object, said: string, here: string,
 *     isOff?: boolean}} Row  isOff: they differ, and the text says why
 */
import {word} from './words.mjs';

const GIGA = 8e9; /* bits */

/** Places in the order that they are made, where that is known. */
function places(exhibit, key) {
    const made = exhibit.explain(key);
    return (made ? made.steps.map(step => step.place)
        : exhibit.placesOf(key)).join(' ');
}

const placeRows = (exhibit, said) => Object.entries(said).map(
    ([key, list]) => ({name: 'places', values: {key}, said: list,
        here: places(exhibit, key)}));

/* A set of this shape that holds these keys, for as long as `read` runs. */
function withKeys(library, exhibit, keys, read) {
    const set = new library.SeenSet(exhibit.options);
    try {
        keys.forEach(key => set.add(key));
        return read(set);
    } finally {
        set.free();
    }
}

/** How many words fill all bits, and what "never added" is called then. */
export function rowA1(library, exhibit) {
    const words = ['Elephant', 'Hokkey', 'Okorok', 'Zigmund'];
    const bits = withKeys(library, exhibit, words,
        set => set.bits(0, 0, 16).join(''));
    const answer = withKeys(library, exhibit, words,
        set => set.has('Hockey'));
    const full = withKeys(library, exhibit,
        Array.from({length: 40}, (_, i) => word(i + 1)),
        set => set.has('never added'));
    return [...placeRows(exhibit, {Elephant: '4 4', Hokkey: '14 0',
        Okorok: '8 0', Zigmund: '13 9'}),
    {name: 'bits', said: '1000100011000110', here: bits},
    {name: 'wrong', values: {key: 'Hockey'}, said: 'yes',
        here: answer ? 'yes' : 'no'},
    {name: 'all_ones', said: 'yes', here: full ? 'yes' : 'no'}];
}

/** (1 - exp(-k n / m))^k in percent, and -(m / k) ln(1 - ones / m). */
export function rowA2(library, exhibit) {
    const {m, k} = exhibit.shape;
    const keys = ['Holland', 'Russia', 'Canada'];
    const rates = ['0.000005959', '0.000023830', '0.000053605'];
    const counts = ['1.000122', '2.000488', '3.001099'];
    const rows = placeRows(exhibit, {Holland: '7720 3193',
        Russia: '6114 6732', Canada: '2464 3067'});
    keys.forEach((_, i) => {
        const n = i + 1;
        const rate = (1 - Math.exp(-k * n / m)) ** k;
        const ones = withKeys(library, exhibit, keys.slice(0, n),
            set => set.stats().setBits);
        rows.push({name: 'rate_after', values: {n}, said: `${rates[i]} %`,
            here: `${(100 * rate).toFixed(9)} %`});
        rows.push({name: 'count_after', values: {n}, said: counts[i],
            here: (-(m / k) * Math.log(1 - ones / m)).toFixed(6)});
    });
    const isThere = withKeys(library, exhibit, keys, set => set.has('China'));
    return [...rows, {name: 'contains', values: {key: 'China'}, said: 'no',
        here: isThere ? 'yes' : 'no'}];
}

const classicBits = (n, p) => -n * Math.log(p) / Math.LN2 ** 2;

/** Its size for a million at 1 %, and what a billion really takes. */
export function rowB(library, exhibit) {
    const n = 1e6, p = 0.01;
    const gigabytes = bits => `${(bits / GIGA).toFixed(3)} GB`;
    const held = rate => 18e6 * 8 * Math.LN2 ** 2 / -Math.log(rate);
    const rows = [
        {name: 'size', said: '9585058',
            here: String(Math.floor(classicBits(n, p)))},
        {name: 'hashes', said: '7', here: String(Math.ceil(-Math.log2(p)))},
        ...placeRows(exhibit, {
            'http://example.com/':
                '5329510 7624621 334674 2629785 8552214 1262267 3557378',
            'https://www.rust-lang.org/':
                '8534035 4727555 4548393 4369231 562751 383589 6162167'})];
    for (const [rate, floor, taken, million] of [
        [0.01, '0.830', '1.198', '15.0'], [0.0001, '1.661', '2.396', '7.5']]) {
        const values = {rate: `${100 * rate} %`};
        rows.push({name: 'billion', values, said: `${taken} GB`,
            here: gigabytes(classicBits(1e9, rate))});
        rows.push({name: 'floor', values, said: `${floor} GB`,
            here: gigabytes(library.floorBits(1e9, rate))});
        rows.push({name: 'in_18mb', values, said: `${million} M`,
            here: `${(held(rate) / 1e6).toFixed(1)} M`});
    }
    return [{name: 'headline', said: '18 MB', isOff: true,
        here: gigabytes(library.plan({layout: 'bloom', n: 1e9, p: 0.01}).m)},
    ...rows];
}

/** Its places, k = 10 at 20 bits a key, and the ways it weighs. */
export function rowC(library, exhibit) {
    const oneHash = library.plan({layout: 'bloom', n: 1e6, p: 0.01, k: 1});
    const best = library.plan({layout: 'bloom', n: 1e6, p: 0.01});
    return [...placeRows(exhibit, {hello:
        '80976 290506 1671462 3212008 32053458 32408496 20460536'}),
    {name: 'ten_of_twenty', said: '8.894e-05',
        here: ((1 - Math.exp(-10 / 20)) ** 10).toExponential(3)
            .replace(/e-(\d)$/, 'e-0$1')},
    {name: 'one_hash', said: '100', here: (oneHash.m / 1e6).toFixed(1),
        isOff: true},
    {name: 'best_hashes', said: '9.6', here: best.bitsPerKey.toFixed(1)},
    {name: 'empty', said: 'no',
        here: withKeys(library, exhibit, ['hello'], set => set.has(''))
            ? 'yes' : 'no'}];
}

/** Three books, and the bits of one cleared. */
export function rowD1(library, exhibit) {
    const books = ['Botchan', 'Kokoro', 'Rashomon'];
    const bits = withKeys(library, exhibit, books,
        set => set.bits(0, 0, 16).join(''));
    let x = 654321;
    const digits = [0, 1, 2].map(() => {
        const digit = x % 16;
        x = Math.floor(x / 16);
        return digit;
    });
    return [{name: 'division', said: '1 15 11', here: digits.join(' ')},
        {name: 'bits', said: '1001110001100010', here: bits},
        ...books.map((key, i) => ({name: 'places', values: {key},
            said: ['3 9 10', '0 9 14', '4 5 9'][i],
            here: exhibit.placesOf(key).join(' ')}))];
}

/** Ten digits in counters, and one of them taken out. */
export function rowD2(library, exhibit) {
    const digits = [...'0123456789'];
    const said = {a: '53 38 81', b: '10 90 56', c: '26 61 90', 3: '30 27 37',
        0: '96 61 94'};
    const [twos, left] = withKeys(library, exhibit, digits, set => {
        const counters = [...set.counters(0, 0, 100)];
        const found = counters.flatMap((value, i) => value === 2 ? [i] : []);
        set.remove('3');
        return [found.join(' '), digits.filter(key => set.has(key)).join(' ')];
    });
    return [...['a', 'b', 'c', '3', '0'].flatMap(key =>
        placeRows(exhibit, {[key]: said[key]})),
    {name: 'twos', said: '25 40 96', here: twos},
    {name: 'less_three', said: '0 1 2 4 5 6 7 8 9', here: left}];
}

/** The fewest whole bits for a rate, and the smallest k for them. */
export function rowE(library) {
    const said = [[0.1, '5, 3'], [0.05, '7, 3'], [0.025, '8, 4'],
        [0.001, '15, 7']];
    const rows = said.map(([rate, pair]) => {
        const {bitsPerKey, hashCount} = library.wholeBits(rate);
        const here = `${bitsPerKey}, ${hashCount}`;
        return {name: here === pair ? 'whole_bits' : 'whole_bits_off',
            values: {rate}, said: pair, here, isOff: here !== pair};
    });
    const far = library.wholeBits(1e-9);
    return [...rows, {name: 'whole_bits_far', values: {rate: '1e-09'},
        said: '–', here: `${far.bitsPerKey}, ${far.hashCount}`, isOff: true}];
}
