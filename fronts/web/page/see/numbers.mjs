/*
 * numbers.mjs - the numbers that five documents give, computed here again.
 *
 * A row is a text, what the document gives, and what comes out of the library
 * and the formulas on this page. Where the document prints no number, the left
 * is what its algorithm gives, and the row `follows` from it. They are computed
 * when the table is drawn; nothing on the right is copied. Where a document is
 * wrong, a note says how.
 *
 * @typedef {{name: string, values?: object, said: string, here: string,
 *     follows?: boolean, isOff?: boolean}} Row
 *     isOff: they differ, and the text says why
 */

const GIGA = 8e9; /* bits */

/** Places in the order that they are made, where that is known. */
function places(exhibit, key) {
    const made = exhibit.explain(key);
    return (made ? made.steps.map(step => step.place)
        : exhibit.placesOf(key)).join(' ');
}

/* No document prints the places that its hashes give. */
const placeRows = (exhibit, said) => Object.entries(said).map(
    ([key, list]) => ({name: 'places', values: {key}, said: list,
        here: places(exhibit, key), follows: true}));

const follow = rows => rows.map(row => ({...row, follows: true}));

/* Bits of a table that has these places, and whether it has some others. */
const bitsOf = (places, m) => Array.from({length: m},
    (_, i) => Number(places.includes(i))).join('');
const hasAll = (places, asked) =>
    asked.every(place => places.includes(place)) ? 'yes' : 'no';

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

/**
 * The document's own hash values of Elephant, and the places that it gives its
 * other words: Okorok is the absent one, Zigmund the false positive. The values
 * are not those of its hashes, so theirs are another filter.
 */
export function rowA1(library, exhibit, word) {
    const elephant = [25425, 894346520].map(hash => hash % 16);
    const its = [...elephant, 8, 7];
    const words = ['Elephant', 'Hokkey'];
    const bits = withKeys(library, exhibit, words,
        set => set.bits(0, 0, 16).join(''));
    const answer = withKeys(library, exhibit, words,
        set => set.has('Borscht'));
    const full = withKeys(library, exhibit,
        Array.from({length: 40}, (_, i) => word(i + 1)),
        set => set.has('never added'));
    return [{name: 'own_hashes', said: '1 8', here: elephant.join(' ')},
        {name: 'own_bits', said: '0100000110000000', here: bitsOf(its, 16)},
        {name: 'own_absent', said: 'no', here: hasAll(its, [3, 7])},
        {name: 'own_wrong', said: 'yes', here: hasAll(its, [1, 8])},
        {name: 'all_ones', said: 'yes', here: full ? 'yes' : 'no'},
        ...placeRows(exhibit, {Elephant: '4 4', Hokkey: '14 0', Okorok: '8 0',
            Zigmund: '13 9'}),
        ...follow([{name: 'bits', said: '1000100000000010', here: bits},
            {name: 'wrong', values: {key: 'Borscht'}, said: 'yes',
                here: answer ? 'yes' : 'no'}])];
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
    const rows = [...follow([
        {name: 'size', said: '9585058',
            here: String(Math.floor(classicBits(n, p)))},
        {name: 'hashes', said: '7', here: String(Math.ceil(-Math.log2(p)))}]),
        ...placeRows(exhibit, {
            'http://example.com/':
                '5329510 7624621 334674 2629785 8552214 1262267 3557378',
            'https://www.rust-lang.org/':
                '8534035 4727555 4548393 4369231 562751 383589 6162167'})];
    for (const [rate, floor, taken, million] of [
        [0.01, '0.830', '1.198', '15.0'], [0.0001, '1.661', '2.396', '7.5']]) {
        const values = {rate: `${100 * rate} %`};
        rows.push(...follow([{name: 'billion', values, said: `${taken} GB`,
            here: gigabytes(classicBits(1e9, rate))},
        {name: 'floor', values, said: `${floor} GB`,
            here: gigabytes(library.floorBits(1e9, rate))},
        {name: 'in_18mb', values, said: `${million} M`,
            here: `${(held(rate) / 1e6).toFixed(1)} M`}]));
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
        '80976 290506 1671462 3212008 32053458 32408496 20460536',
    '中文': '126056 166082 246134 286160 646394 766472 1246784'}),
    {name: 'ten_of_twenty', said: '8.894e-05',
        here: ((1 - Math.exp(-10 / 20)) ** 10).toExponential(3)
            .replace(/e-(\d)$/, 'e-0$1')},
    {name: 'one_hash', said: '100', here: (oneHash.m / 1e6).toFixed(1),
        isOff: true},
    {name: 'best_hashes', said: '9.6', here: best.bitsPerKey.toFixed(1),
        follows: true},
    {name: 'empty', said: 'no',
        here: withKeys(library, exhibit, ['hello'], set => set.has(''))
            ? 'yes' : 'no'}];
}

/** Its a, b and c; and three books, and the bits of one cleared. */
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
    const its = [2, 6, 13, 4, 10, 11, 6, 11, 12]; /* of a, b and c */
    return [{name: 'division', said: '1 15 11', here: digits.join(' ')},
        {name: 'letters', said: '0010101000111100', here: bitsOf(its, 16)},
        ...follow([{name: 'bits', said: '1001110001100010', here: bits},
            ...books.map((key, i) => ({name: 'places', values: {key},
                said: ['3 9 10', '0 9 14', '4 5 9'][i],
                here: exhibit.placesOf(key).join(' ')}))])];
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
    ...follow([{name: 'twos', said: '25 40 96', here: twos},
        {name: 'less_three', said: '0 1 2 4 5 6 7 8 9', here: left}])];
}

/** The fewest whole bits for a rate, and the smallest k for them. */
export function rowE(library) {
    const said = [[0.1, '5, 3', ''], [0.05, '7, 3', ''], [0.025, '8, 4', ''],
        [0.001, '15, 7', '_off'], [0.23, '19, 13', '_past']];
    const rows = said.map(([rate, pair, why]) => {
        const {bitsPerKey, hashCount} = library.wholeBits(rate);
        return {name: `whole_bits${why}`, values: {rate}, said: pair,
            here: `${bitsPerKey}, ${hashCount}`, isOff: why !== ''};
    });
    const far = library.wholeBits(1e-9);
    return follow([...rows, {name: 'whole_bits_far', values: {rate: '1e-09'},
        said: '19, 13', here: `${far.bitsPerKey}, ${far.hashCount}`,
        isOff: true}]);
}
