/*
 * rates.mjs - memory against rate: what another digit costs.
 *
 * Bits per key of every layout, from 10 % to 1e-12, for the number of keys that
 * is chosen; the floor below them all, and a mark at the rate that is chosen.
 */
import {curve} from '../ui/curve.mjs';
import {h} from '../ui/dom.mjs';
import {fold} from './fold.mjs';
import {bitsByRate, COLOURS, LAYOUTS} from './plans.mjs';

const LEAST = 1e-12, MOST = 0.1;
const POINTS = 22; /* two for each power of ten */
const TABLE_RATES = [0.1, 0.01, 0.001, 1e-4, 1e-6, 1e-9, 1e-12];

function rates() {
    return Array.from({length: POINTS + 1}, (_, i) =>
        MOST * (LEAST / MOST) ** (i / POINTS));
}

/* A sealed set's rate is one of 2^-4, ..., 2^-32: its line is a staircase. */
function stepRates() {
    const widths = Array.from({length: 29}, (_, i) => i + 4);
    return [...rates(), ...widths.flatMap(bits =>
        [1.0001 * 2 ** -bits, 0.9999 * 2 ** -bits])]
        .filter(p => p <= MOST).sort((a, b) => b - a);
}

function lineOf(layout, n, counterBits, shell) {
    const ps = layout === 'sealed' ? stepRates() : rates();
    const bits = bitsByRate(shell.library, layout, n, ps, counterBits);
    return {
        name: shell.text(`layout.${layout}.name`), colour: COLOURS[layout],
        isTall: layout === 'split_block',
        points: ps.map((p, i) => [p, bits[i]]),
        read(p) {
            const [exact] = bitsByRate(shell.library, layout, n, [p],
                counterBits);
            return Number.isNaN(exact) ? '' : shell.text('rates.value',
                {bits: shell.format.bitsPerKey(exact),
                    memory: shell.format.bytes(Math.ceil(exact * n / 8))});
        },
    };
}

function floorLine(n, shell) {
    return {
        name: shell.text('rates.floor'), colour: 0, isDashed: true,
        points: rates().map(p => [p, Math.log2(1 / p)]),
        read: p => shell.text('rates.value', {
            bits: shell.format.bitsPerKey(Math.log2(1 / p)),
            memory: shell.format.bytes(Math.floor(
                shell.library.floorBits(n, p) / 8))}),
    };
}

function pictureOf(plan, counterBits, shell) {
    const {text, format} = shell;
    /* counters are four times as many bits, and would flatten the others */
    const layouts = LAYOUTS.filter(layout => layout !== 'counting' ||
        plan.layout === 'counting');
    const lines = [...layouts.map(layout =>
        lineOf(layout, plan.n, counterBits, shell)), floorLine(plan.n, shell)];
    /* split blocks leave the frame: at 1e-12 they take thousands of bits */
    const tall = Math.max(...lines.filter(({isTall}) => !isTall)
        .flatMap(({points}) => points.map(([, y]) => y || 0)));
    const step = tall > 120 ? 50 : tall > 40 ? 10 : 5;
    const most = Math.ceil(tall / step) * step;
    return {
        x: {least: LEAST, most: MOST, isPowers: true, isReversed: true,
            title: text('rates.x'), ticks: [0.1, 1e-3, 1e-6, 1e-9, 1e-12]
                .map(at => ({at, text: format.general(at, 2)}))},
        y: {least: 0, most, title: '',
            ticks: Array.from({length: most / step + 1}, (_, i) =>
                ({at: i * step, text: String(i * step)}))},
        lines,
        marks: plan.p >= LEAST && plan.p <= MOST
            ? [{x: plan.p, text: text('rates.chosen')}] : [],
        summary: text('rates.summary', {layout:
            text(`layout.${plan.layout}.name`),
        bits: format.bitsPerKey(plan.bitsPerKey)}),
        readX: p => text('rates.at', {rate: format.rate(p)}),
    };
}

function tableOf(n, counterBits, shell) {
    const {text, format} = shell;
    const columns = LAYOUTS.map(layout =>
        bitsByRate(shell.library, layout, n, TABLE_RATES, counterBits));
    return h('table', {class: 'figures'},
        h('caption', {class: 'unseen'}, text('rates.table')),
        h('thead', {}, h('tr', {}, h('th', {scope: 'col', class: 'number'},
            text('rates.rate')), LAYOUTS.map(layout => h('th',
            {scope: 'col', class: 'number'},
            text(`layout.${layout}.name`))),
        h('th', {scope: 'col', class: 'number'}, text('rates.floor')))),
        h('tbody', {}, TABLE_RATES.map((p, i) => h('tr', {},
            h('th', {scope: 'row', class: 'number'}, format.general(p, 4)),
            columns.map(bits => h('td', {class: 'number'},
                Number.isNaN(bits[i]) ? '-' : format.bitsPerKey(bits[i]))),
            h('td', {class: 'number'},
                format.bitsPerKey(Math.log2(1 / p)))))));
}

/** @param {object} shell */
export function memoryByRate(shell) {
    const {text} = shell;
    const picture = curve({name: text('rates.curve'),
        hint: text('curve_hint')}, shell.announce);
    const table = h('div', {class: 'scroll', tabindex: '0', role: 'region',
        'aria-label': text('rates.table')});
    let shown = null;
    const showTable = () => {
        if (details.open)
            table.replaceChildren(tableOf(shown.n, shown.counterBits, shell));
    };
    const details = h('details', {ontoggle: showTable},
        h('summary', {}, text('rates.as_table')), table);
    return {
        element: fold('size-rates', text('rates.title'),
            h('p', {class: 'note'}, text('rates.lead')),
            picture.element, details),
        show(plan, counterBits) {
            shown = {n: plan.n, counterBits};
            picture.show(pictureOf(plan, counterBits, shell));
            showTable();
        },
    };
}
