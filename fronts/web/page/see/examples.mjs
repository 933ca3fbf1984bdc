/*
 * examples.mjs - what can be looked at: a filter of one's own, and those of
 * five documents that describe such systems, A to E.
 *
 * An example is a shape (the size, the hashes, the scheme that makes places),
 * the words that are in it at first, words to try, and the numbers that its
 * document gives, each beside the same number as it comes out here.
 */
/**
 * @typedef {object} Example
 * @property {string} id of its texts, and in the address
 * @property {string} kind
 * @property {import('./exhibit.mjs').Shape} shape
 * @property {string[]} words that are added at first
 * @property {string} ask the word that is asked for at first
 * @property {string[]} tries more words to ask for
 * @property {{before: string, after: string, end: number}} [series]
 * @property {string} [numbers] what makes them, of documents.mjs
 */

/** The sizes and numbers of hashes that one can choose. */
export const SIZES = [16, 64, 256, 512, 1024, 4096, 16384];
export const MOST_HASHES = 16;

const PAGES = {before: 'http://www.example.com/', after: '.html',
    end: 1000000};

/** @type {Example[]} */
export const EXAMPLES = [
    {id: 'own', kind: 'bloom', shape: {m: 256, k: 3},
        words: ['Elephant', 'Hokkey', 'Okorok', 'Zigmund'], ask: 'Elephant',
        tries: ['Elephant', 'Zigmund', 'Giraffe', 'Tennis', 'Hockey']},
    {id: 'a1', kind: 'bloom', shape: {m: 16, k: 2, scheme: 'murmur2a+fnv1a'},
        words: ['Elephant', 'Hokkey'], ask: 'Borscht',
        tries: ['Borscht', 'Okorok', 'Zigmund', 'Elephant'], numbers: 'rowA1'},
    {id: 'a2', kind: 'bloom', shape: {m: 8192, k: 2,
        scheme: 'murmur2a+fnv1a'},
    words: ['Holland', 'Russia', 'Canada'], ask: 'Holland',
    tries: ['Holland', 'Russia', 'Canada', 'China'], numbers: 'rowA2'},
    {id: 'b', kind: 'bloom', shape: {m: 9585058, k: 7,
        scheme: 'murmur3-128'},
    words: ['http://example.com/', 'https://www.rust-lang.org/'],
    ask: 'http://example.com/', tries: ['http://example.com/',
        'https://www.rust-lang.org/', 'https://play0ad.com/'],
    series: PAGES, numbers: 'rowB'},
    {id: 'c', kind: 'bloom', shape: {m: 2 ** 25, k: 7,
        scheme: 'polynomial', unitBits: 16},
    words: ['hello'], ask: 'hello', tries: ['hello', 'help', '中文'],
    series: PAGES, numbers: 'rowC'},
    {id: 'd1', kind: 'bloom', shape: {m: 16, k: 3, scheme: 'md5-divmod'},
        words: ['Botchan', 'Kokoro', 'Rashomon'], ask: 'Botchan',
        tries: ['Botchan', 'Kokoro', 'Rashomon'], numbers: 'rowD1'},
    {id: 'd2', kind: 'counting', shape: {m: 100, k: 3, counterBits: 4,
        scheme: 'md5-divmod'},
    words: [...'0123456789'], ask: '3', tries: ['3', 'a', '57'],
    numbers: 'rowD2'},
    {id: 'e', kind: 'bloom', shape: {m: 512, k: 4,
        scheme: 'clickhouse-bloom'},
    words: ['http://example.com/', 'seenset', 'hello'], ask: 'hello',
    tries: ['hello', 'seenset', 'ClickHouse'], numbers: 'rowE'},
];
