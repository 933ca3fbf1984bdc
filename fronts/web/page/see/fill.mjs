/*
 * fill.mjs - many words at once, and whether the formula is right.
 *
 * Words are added in steps. What is measured after each (measure.mjs) is drawn
 * over what the formulas say of that many words, which do not know any of these
 * bits. Fetched when its card comes to the screen (late.mjs).
 */
import {curve} from '../ui/curve.mjs';
import {freshId, h} from '../ui/dom.mjs';
import {makeFormulas} from './formulas.mjs';

const STEPS = 25;
const MOST_WORDS = 400000;
const DRAWN = 160; /* points of a formula's line */
const LEAST_FOR_THOUSAND = 4096; /* cells, which it does not overfill */
const SLOW_MS = 50; /* a drawing that takes longer is made less often */
const LEAST_RATE = 1e-4; /* where the axis of powers of ten begins */

const pause = () => new Promise(resolve => {
    if (document.hidden) setTimeout(resolve, 0);
    else requestAnimationFrame(() => setTimeout(resolve, 0));
});

/**
 * @param {import('./see.mjs').Page} page
 * @param {HTMLElement} element its card, which has a heading
 */
export function makeFill(page, element) {
    const {text, format, measured} = page;
    const parts = makeParts(page, element);
    parts.formulas = makeFormulas(page);
    parts.measured.after(parts.formulas.element);
    const picture = curve({name: text('curve.name'), hint: text('curve.hint')},
        page.shell.announce);
    parts.curve.append(picture.element);
    let stopped = true;

    function draw() {
        const {points} = measured, point = points.at(-1);
        drawFigures(page, parts.figures, point);
        parts.skewed.hidden = !point.isSkewed;
        parts.floor.hidden = !point.isWrongAtLeast;
        picture.show(makePicture(page, points, parts.powers.checked));
        const isSteady = ['sealed', 'window'].includes(page.demo.main.kind);
        const {m} = page.demo.main.facts();
        const isOfBits = !isSteady && page.demo.main.kind !== 'fingerprint';
        parts.half.hidden = parts.saturate.hidden = !isOfBits || m > 65536;
        parts.half.disabled ||= point.fill >= 0.5;
        parts.thousand.hidden = !isSteady && m < LEAST_FOR_THOUSAND;
        parts.formulas.show(point.n);
        parts.series.hidden = !page.example.series;
        if (page.example.series)
            parts.series.textContent = text('fill.series',
                {count: format.count(page.example.series.end)});
    }

    /* Runs `step` until it returns false. What it does is measured each time,
     * and drawn as often as that takes no more than half of the time. */
    async function run(step) {
        let drawn = 0, cost = 0;
        stopped = false;
        setBusy(parts, true);
        while (!stopped && step()) {
            measured.note(page.demo);
            const start = performance.now();
            if (cost > SLOW_MS && start - drawn < cost) continue;
            page.filling();
            await pause();
            drawn = performance.now();
            cost = drawn - start;
        }
        stopped = true;
        setBusy(parts, false);
        page.changed();
        page.shell.announce(summaryOf(page, measured.points.at(-1)));
    }

    function addWords(count) {
        let left = count;
        return run(() => {
            const now = Math.min(left, Math.ceil(count / STEPS));
            if (now > 0) page.demo.addWords(now);
            left -= now;
            return now > 0;
        });
    }

    function fillTo(part) {
        return run(() => {
            const {main, ledger} = page.demo;
            if (main.set.stats().fill >= part || ledger.count > MOST_WORDS)
                return false;
            page.demo.addWords(Math.max(1, Math.ceil(ledger.count / 12)));
            return true;
        });
    }

    function addSeries() {
        const {before, after, end} = page.example.series;
        const series = {before, after, count: 0};
        return run(() => {
            if (series.count >= end) return false;
            page.demo.addSeries(series, Math.min(end,
                series.count + end / STEPS));
            return true;
        });
    }

    parts.one.addEventListener('click', () => addWords(1));
    parts.ten.addEventListener('click', () => addWords(10));
    parts.thousand.addEventListener('click', () => addWords(1000));
    parts.half.addEventListener('click', () => fillTo(0.5));
    parts.saturate.addEventListener('click', () => fillTo(1));
    parts.series.addEventListener('click', addSeries);
    parts.stop.addEventListener('click', () => { stopped = true; });
    parts.empty.addEventListener('click', () => {
        stopped = true;
        page.empty();
    });
    parts.powers.addEventListener('change', draw);
    return {draw,
        /** Another set is shown. */
        restart() {
            stopped = true;
        }};
}

function makeParts({text}, element) {
    const button = (name, kind = 'quiet') => h('button', {type: 'button',
        class: kind, 'data-do': name}, text(`fill.${name}`));
    const powers = h('input', {type: 'checkbox', id: freshId('see-powers')});
    const parts = {one: button('one'), ten: button('ten'),
        thousand: button('thousand'), half: button('half', ''),
        saturate: button('saturate'),
        series: button('series'), stop: button('stop'),
        empty: button('empty'), powers, curve: h('div', {}),
        figures: h('tbody', {}),
        skewed: h('p', {class: 'wrong', hidden: true}, text('skewed')),
        floor: h('p', {class: 'note', hidden: true}, text('floor'))};
    parts.stop.disabled = true;
    element.append(
        h('div', {class: 'see-buttons'}, parts.half, parts.one, parts.ten,
            parts.thousand, parts.series, parts.saturate, parts.stop,
            parts.empty),
        parts.measured = h('div', {class: 'scroll', tabindex: '0',
            role: 'region', 'aria-label': text('fill.title')},
        h('table', {class: 'figures see-measured'},
            h('thead', {}, h('tr', {}, ['what', 'measured', 'formula'].map(
                name => h('th', {scope: 'col', class: name === 'what' ? null
                    : 'number'}, text(`column.${name}`))))),
            parts.figures)),
        parts.skewed, parts.floor, parts.curve,
        h('p', {class: 'see-check'}, powers, h('label', {for: powers.id},
            text('curve.powers'))));
    return parts;
}

function setBusy(parts, isBusy) {
    for (const name of ['one', 'ten', 'thousand', 'half', 'saturate', 'series',
        'empty'])
        parts[name].disabled = isBusy;
    parts.stop.disabled = !isBusy;
}

/* ---- figures ---- */

function rowsOf({text, format, percent, demo}, point) {
    const said = demo.main.formula(point.n);
    const number = value => !Number.isFinite(value) ? text('figure.unknown')
        : value < 1000 ? format.fixed(value, 1)
            : format.count(Math.round(value));
    const isWindow = demo.main.kind === 'window';
    const of = demo.main.kind === 'fingerprint' ? '_slots' : '';
    return [
        ['words', format.count(point.n), ''],
        [isWindow ? 'estimate_window' : `estimate${of}`, '',
            number(point.estimated)],
        [`fill${of}`, percent(point.fill),
            percent(said.fill)],
        ['rate', percent(point.rate), percent(said.rate)],
        [`bits${of}`, '', percent(point.fromBits)],
        ['wrong', format.count(point.wrong),
            isWindow ? '–' : !point.isWrongAtLeast
                ? number(point.expectedWrong)
                : text('figure.least',
                    {count: number(Math.floor(point.expectedWrong))})],
    ].map(([name, measured, formula]) => ({name: name.split('_')[0],
        measured, formula,
        title: text(`figure.${name}`, {seen: format.count(point.seen),
            asked: format.count(point.asked)})}));
}

function drawFigures(page, place, point) {
    place.replaceChildren(...rowsOf(page, point).map(row =>
        h('tr', {'data-figure': row.name},
            h('th', {scope: 'row'}, row.title),
            ...['measured', 'formula'].map(name => h('td', {class: 'number',
                'data-column': page.text(`column.${name}`)}, row[name])))));
}

function summaryOf(page, point) {
    const said = page.demo.main.formula(point.n);
    const line = point.n === 1 ? 'curve.summary_one' : 'curve.summary';
    return page.text(line, {n: page.format.count(point.n),
        fill: page.percent(point.fill),
        rate: page.percent(point.rate),
        formula: page.percent(said.rate)});
}

/* ---- the picture ---- */

function niceStep(most) {
    const rough = most / 5, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find(factor => factor * power >= rough);
}

function xAxis({format, text, demo}, points) {
    const {m, k} = demo.main.facts();
    const holds = Math.max(8, 1.6 * m * Math.LN2 / k);
    const most = Math.max(holds, points.at(-1).n * 1.02);
    const step = Math.max(1, niceStep(most));
    return {least: 0, most, title: text('curve.words'),
        ticks: Array.from({length: Math.floor(most / step) + 1}, (_, i) =>
            ({at: i * step, text: format.words(i * step)}))};
}

function yAxis({format}, isPowers) {
    const at = isPowers ? [1e-4, 1e-3, 0.01, 0.1, 1]
        : [0, 0.25, 0.5, 0.75, 1];
    return {least: isPowers ? LEAST_RATE : 0, most: 1, isPowers, title: '',
        ticks: at.map(value => ({at: value,
            text: `${format.general(100 * value, 4)} %`}))};
}

function makePicture(page, points, isPowers) {
    const {text, format, percent, demo} = page;
    const x = xAxis(page, points), y = yAxis(page, isPowers);
    const at = n => demo.main.formula(Math.round(n));
    const sampled = Array.from({length: DRAWN + 1}, (_, i) =>
        Math.round(x.most * i / DRAWN)).map(n => ({n, ...at(n)}));
    const nearest = n => points.reduce((best, point) =>
        Math.abs(point.n - n) < Math.abs(best.n - n) ? point : best);
    const line = (name, colour, from, field, read) => ({
        name: text(`curve.${name}`), colour, points: from.map(point =>
            [point.n, point[field]]), isDashed: from === points,
        read: n => percent(read(n)[field])});
    const isDrawn = ({points: all}) => all.some(([, v]) => Number.isFinite(v));
    return {x, y, marks: [], summary: summaryOf(page, points.at(-1)),
        readX: n => text('curve.at', {n: format.count(Math.round(n))}),
        lines: [line('fill_formula', 5, sampled, 'fill', at),
            line('fill_measured', 4, points, 'fill', nearest),
            line('rate_formula', 2, sampled, 'rate', at),
            line('rate_measured', 1, points, 'rate', nearest)]
            .filter(isDrawn)};
}
