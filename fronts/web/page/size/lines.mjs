/*
 * lines.mjs - the lines that make the set: for a shell, and for programs.
 *
 * The command gets what the reader wrote, which is a valid argument as it is
 * (n=1M, p=1%); programs get whole numbers. Redis and DuckDB get the same n and
 * p, in the words that they have.
 */
import {general} from '../ui/decimal.mjs';

/**
 * @typedef {object} Choice
 * @property {string} layout
 * @property {string} policy 'grow', 'rotate', 'refuse', 'degrade' or ''
 * @property {boolean} isUsual is it what such a set does by itself?
 * @property {{n: string, p: string, m: string, k: string}} written
 * @property {import('./plans.mjs').Given} given what of them is given
 * @property {import('./plans.mjs').Plan} plan
 * @property {number} counterBits
 * @property {{text: string, seconds: number, tables: number}} window of
 *     'rotate'; seconds: 0 for the last n keys
 */

export const ROW_GROUP_ROWS = 122880; /* DuckDB's own */

/** A rate as a number in any language: 1e-9, 0.01. */
function rateText(p) {
    return String(p).length <= 8 ? String(p) : general(p, 4);
}

/* ---- the command ---- */

function wordsOf(written, names) {
    return names.filter(name => written[name] !== '')
        .map(name => `-${name} ${written[name]}`);
}

function planLine({layout, written, counterBits}) {
    return ['seenset plan', ...wordsOf(written, ['n', 'p', 'm', 'k']),
        ...layout === 'blocked' ? [] : [`--layout ${layout}`],
        ...layout === 'counting' ? [`--counter-bits ${counterBits}`] : [],
    ].join(' ');
}

function windowWords({written, window}) {
    const tables = `--window-tables ${window.tables}`;
    if (window.seconds > 0)
        return [...wordsOf(written, ['n', 'p']), `--window ${window.text}`,
            tables];
    return [...wordsOf(written, ['p']),
        written.n === '' ? '--on-full rotate' : `--window ${written.n}`,
        tables];
}

function sizeWords({written}) {
    /* -m and -k alone mean a rate of 1 % to plan, and a half full set to new */
    const needsRate = written.m !== '' && written.n === '' && written.p === '';
    return [...wordsOf(written, ['n', 'p', 'm', 'k']),
        ...needsRate ? ['-p 1%'] : []];
}

/** The arguments of `seenset new`, or of `seenset seal`. */
export function newLine(choice) {
    const {layout, policy, isUsual, counterBits, written} = choice;
    if (layout === 'sealed')
        return ['seenset seal seen.set', ...wordsOf(written, ['p', 'k']),
            'keys.txt'].join(' ');
    const rest = policy === 'rotate' ? windowWords(choice) : sizeWords(choice);
    return ['seenset new seen.set', ...rest,
        ...layout === 'blocked' ? [] : [`--layout ${layout}`],
        ...layout === 'counting' ? [`--counter-bits ${counterBits}`] : [],
        ...isUsual || policy === 'rotate' ? [] : [`--on-full ${policy}`],
    ].join(' ');
}

function useLine(layout) {
    return layout === 'sealed' ? 'seenset has seen.set < asked.txt'
        : 'seenset dedup --set seen.set urls.txt > unique.txt';
}

function commandText(choice) {
    return [planLine(choice), newLine(choice), useLine(choice.layout)]
        .join('\n');
}

/* ---- programs ---- */

/* What is set, as [name in C, name in JavaScript, value, its C]. */
function options(choice) {
    const {layout, policy, isUsual, given, counterBits, window, plan} = choice;
    const isWindow = policy === 'rotate';
    const out = [];
    const add = (c, js, value, inC = String(value)) => {
        out.push({c, js, value: typeof value === 'string' ? `'${value}'`
            : String(value), inC});
    };
    if (layout !== 'blocked' && layout !== 'sealed')
        add('layout', 'layout', layout,
            `SEENSET_LAYOUT_${layout.toUpperCase()}`);
    if (!isUsual)
        add('on_full', 'onFull', policy,
            `SEENSET_ON_FULL_${policy.toUpperCase()}`);
    if (given.n !== undefined && layout !== 'sealed')
        add('capacity_items', 'capacity', plan.n);
    if (given.p !== undefined) {
        const p = rateText(given.p);
        out.push({c: 'fp_rate', js: 'fpRate', value: p, inC: p});
    }
    if (given.m !== undefined) add('size_bits', 'sizeBits', given.m);
    if (given.k !== undefined) add('hash_count', 'hashCount', given.k);
    if (layout === 'counting') add('counter_bits', 'counterBits', counterBits);
    if (isWindow) add('window_generations', 'windowGenerations', window.tables);
    if (isWindow && window.seconds > 0)
        add('window_seconds', 'windowSeconds', window.seconds);
    return out;
}

/* Words in lines of at most 80, after `indent` spaces. */
function wrapped(words, indent) {
    const lines = [''];
    for (const word of words) {
        const last = lines.length - 1;
        const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
        if (indent + longer.length > 78 && lines[last] !== '')
            lines.push(word);
        else lines[last] = longer;
    }
    return lines.join(`\n${' '.repeat(indent)}`);
}

function listOf(items) {
    return items.map((item, i) => i < items.length - 1 ? `${item},` : item);
}

function cText(choice) {
    const isSealed = choice.layout === 'sealed';
    const fields = wrapped(listOf(options(choice)
        .map(({c, inC}) => `.${c} = ${inC}`)), 8);
    const make = isSealed
        ? 'seenset_build_sealed(&seen, &options, keys, 2, NULL, NULL)'
        : 'seenset_new(&seen, &options)';
    const keys = '    const seenset_key keys[] = {{"a", 1}, {"b", 1}};\n';
    const use = isSealed ? 'seenset_has(seen, "a", 1)'
        : 'seenset_add(seen, "https://example.com/", 20)';
    return `#include <seenset/seenset.h>

int main(void)
{
    seenset *seen;
${isSealed ? keys : ''}    seenset_options options = {
        ${fields}};
    if (${make} != 0)
        return 1;
    int answer = ${use}; /* 1: ${isSealed ? 'seen' : 'new'} */
    seenset_free(seen);
    return answer == 1 ? 0 : 1;
}
/* cc -std=c11 seen.c $(pkg-config --cflags --libs seenset) */`;
}

function javascriptText(choice) {
    const isSealed = choice.layout === 'sealed';
    const fields = wrapped(listOf(options(choice)
        .map(({js, value}) => `${js}: ${value}`)), 4);
    const make = isSealed
        ? `SeenSet.seal(['a', 'b'], {\n    ${fields}})`
        : `new SeenSet({\n    ${fields}})`;
    const use = isSealed ? "seen.has('a')" : "seen.add('https://example.com/')";
    return `import {load} from 'seenset';

const {SeenSet} = await load();
const seen = ${make};
console.log(${use}); // true: ${isSealed ? 'seen' : 'new'}
seen.free();`;
}

/* Python runs the command. */
function pythonText(choice) {
    const words = line => {
        const list = listOf(line.split(' ').map(word => `"${word}"`));
        return `[${wrapped(list, 16)}]`;
    };
    const isSealed = choice.layout === 'sealed';
    const use = isSealed ? 'seenset has seen.set'
        : 'seenset dedup --set seen.set';
    const [from, to] = isSealed ? ['asked', 'found'] : ['urls', 'unique'];
    return `import subprocess

subprocess.run(${words(newLine(choice))},
               check=True)
with open("${from}.txt", "rb") as lines, open("${to}.txt", "wb") as out:
    subprocess.run(${words(use)},
                   stdin=lines, stdout=out, check=True)`;
}

/* ---- other systems ---- */

/** Past its capacity a filter there grows, or refuses (NONSCALING). */
export function redisGrows({policy}) {
    return policy === 'grow' || policy === '';
}

function redisText(choice) {
    const {plan} = choice;
    const tail = redisGrows(choice) ? 'EXPANSION 2' : 'NONSCALING';
    return `BF.RESERVE seen ${rateText(plan.p)} ${plan.n} ${tail}
BF.ADD seen https://example.com/`;
}

function duckdbText({plan}) {
    return `COPY urls TO 'urls.parquet' (
    FORMAT parquet, ROW_GROUP_SIZE ${ROW_GROUP_ROWS},
    DICTIONARY_SIZE_LIMIT 1000000, WRITE_BLOOM_FILTER true,
    BLOOM_FILTER_FALSE_POSITIVE_RATIO ${rateText(plan.p)});`;
}

/**
 * @param {Choice} choice
 * @returns {Object<string, string>}
 */
export function linesFor(choice) {
    return {
        command: commandText(choice),
        c: cText(choice),
        python: pythonText(choice),
        javascript: javascriptText(choice),
        redis: redisText(choice),
        duckdb: duckdbText(choice),
    };
}
