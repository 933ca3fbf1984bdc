/*
 * verdict.mjs - a finding (demo.mjs) in words: the answer, and its reason.
 *
 * The page knows the exact keys, so it says what a filter cannot: whether a
 * "seen" is true, and whose bits made it if it is not.
 */

import {fingerprintText} from './fingerprint.mjs';

/* Outcomes by how the answer looks: right and seen, right and not, wrong. */
const TONES = {
    yes: 'yes', repeat: 'yes', removed: 'yes', new: 'no', new_again: 'no',
    no: 'no', absent: 'no', let_go: 'no', late: 'no', sealed_shut: 'no',
    wrong: 'bad', dropped: 'bad', forgotten: 'bad', harmed: 'bad',
    cleared: 'bad',
};

const MOST_NAMES = 3;

/* What is said in other words of a set of fingerprints. */
const OF_UNITS = ['yes', 'no', 'wrong', 'new', 'repeat', 'dropped', 'removed',
    'absent', 'harmed', 'forgotten'];

/** “a”, “b”, “c” and others @param {string[]} names */
export function listed(names, {text, format}) {
    return format.list(names.slice(0, MOST_NAMES),
        names.length > MOST_NAMES ? [text('others')] : []);
}

/* "one" or "many", for texts that differ. */
const plural = count => count === 1 ? 'one' : 'many';

function valuesOf(finding, page) {
    const places = [...new Map(finding.places.map(p => [p.place, p])).values()];
    const zeros = places.filter(({was}) => was === 0).length;
    const its = finding.unit ? places.filter(({isIt}) => isIt) : places;
    const owners = [...new Set(its.flatMap(p => p.owners))];
    const hexadecimal = value => value?.toString(16).toUpperCase()
        .padStart(Math.ceil((finding.sealed?.bits ?? 8) / 4), '0');
    return {
        key: finding.key, n: places.length, zeros, rest: places.length - zeros,
        owners: owners.length > 0 ? listed(owners, page)
            : page.text('others'),
        copies: finding.copies, number: finding.number,
        least: Math.min(...places.map(({now}) => now)),
        forgotten: listed(finding.forgotten, page),
        made: hexadecimal(finding.sealed?.made),
        fingerprint: finding.unit ? fingerprintText(finding.unit.slot)
            : hexadecimal(finding.sealed?.fingerprint),
        unit: finding.unit?.unit,
    };
}

function outcomeOfUnit({outcome, copies, forgotten}, {n}) {
    if (outcome === 'yes' && copies > 1) return 'yes_copies';
    if (outcome === 'no' && n < 2) return n === 0 ? 'no_empty' : 'no_one';
    if (outcome === 'removed' && copies > 0) return 'removed_copies';
    if (outcome === 'harmed' && forgotten.length === 0) return 'harmed_luck';
    return outcome;
}

/* Which of several texts explains an outcome. */
function reasonOf(finding, values) {
    const {outcome, kind} = finding;
    if (kind === 'sealed' && ['yes', 'no', 'wrong'].includes(outcome))
        return `sealed_${outcome}`;
    if (kind === 'fingerprint' && OF_UNITS.includes(outcome))
        return `unit_${outcomeOfUnit(finding, values)}`;
    if (outcome === 'yes' && kind === 'counting' && finding.copies > 1)
        return 'yes_copies';
    if (outcome === 'repeat' && kind === 'counting') return 'repeat_copies';
    if (outcome === 'new' && values.rest === 0) return 'new_free';
    if (outcome === 'new' && values.rest === 1)
        return `new_${plural(values.zeros)}_other`;
    if (outcome === 'no' || outcome === 'new')
        return `${outcome}_${plural(values.zeros)}`;
    if (outcome === 'removed' && finding.copies > 0) return 'removed_copies';
    if ((outcome === 'harmed' || outcome === 'cleared') &&
        finding.forgotten.length === 0) return `${outcome}_luck`;
    return outcome;
}

/**
 * @param {import('./demo.mjs').Finding} finding
 * @param {import('./see.mjs').Page} page
 * @returns {{tone: 'yes'|'no'|'bad', answer: string, reason: string}}
 */
export function verdict(finding, page) {
    const {text} = page, values = valuesOf(finding, page);
    return {
        tone: TONES[finding.outcome],
        answer: text(`answer.${finding.outcome}`, values),
        reason: text(`reason.${reasonOf(finding, values)}`, values),
    };
}

/** What a small card says of a key: an answer, and its tone. */
export function shortVerdict(outcome, text) {
    return {tone: TONES[outcome], answer: text(`answer.${outcome}`)};
}
