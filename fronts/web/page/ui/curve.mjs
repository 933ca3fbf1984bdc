/*
 * curve.mjs - lines in a frame with two axes, as SVG.
 *
 * A panel gives points in its own numbers; an axis maps them to pixels,
 * linearly or by powers of ten. The picture is drawn for the width that it has,
 * so that its text is as large on a phone as on a desk, and its height never
 * changes, so that nothing below it moves. A pointer or the arrow keys read the
 * lines off at one place, and the legend has the values. A screen reader gets
 * the panel's own summary; the figures are in a table beside it.
 */
import {freshId, h, svg} from './dom.mjs';

const HEIGHT = 300;
const EDGE = {left: 56, right: 28, top: 14, bottom: 46};
const LABEL_WIDTH = 96; /* of a tick of the x axis */
const STEPS = 48; /* of the arrow keys, from end to end */

/**
 * @typedef {object} Axis
 * @property {number} least
 * @property {number} most
 * @property {boolean} [isPowers] by powers of ten
 * @property {boolean} [isReversed]
 * @property {{at: number, text: string}[]} ticks
 * @property {string} title
 */

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number} colour 1 to 5: of style.css
 * @property {[number, number][]} points x rising; y NaN is a gap
 * @property {boolean} [isDashed]
 * @property {(x: number) => string} [read] the value at x, in words
 */

/**
 * @typedef {object} Picture
 * @property {Axis} x
 * @property {Axis} y
 * @property {Line[]} lines
 * @property {{x?: number, y?: number, text: string}[]} marks
 * @property {string} summary
 * @property {(x: number) => string} readX the place of the pointer, in words
 */

function scale(axis, from, to) {
    const of = axis.isPowers ? Math.log10 : value => value;
    const low = of(axis.least), high = of(axis.most);
    const [start, end] = axis.isReversed ? [to, from] : [from, to];
    return {
        at: value => start + (of(value) - low) / (high - low) * (end - start),
        back(place) {
            const part = (place - start) / (end - start) * (high - low) + low;
            return axis.isPowers ? 10 ** part : part;
        },
    };
}

/* All ticks, or every second one where there is no room for all. */
function fitting(ticks, width) {
    const isTight = width / ticks.length < LABEL_WIDTH;
    return ticks.filter((_, i) => !isTight || i % 2 === 0);
}

function drawTicks(picture, x, y, width) {
    const bottom = HEIGHT - EDGE.bottom;
    const across = fitting(picture.x.ticks, width).map(({at, text}) => svg('g',
        {},
        svg('line', {class: 'grid', x1: x.at(at), x2: x.at(at),
            y1: EDGE.top, y2: bottom}),
        svg('text', {x: x.at(at), y: bottom + 18,
            'text-anchor': 'middle'}, text)));
    const up = picture.y.ticks.map(({at, text}) => svg('g', {},
        svg('line', {class: 'grid', x1: EDGE.left, x2: width - EDGE.right,
            y1: y.at(at), y2: y.at(at)}),
        svg('text', {x: EDGE.left - 8, y: y.at(at) + 4,
            'text-anchor': 'end'}, text)));
    return [...across, ...up,
        svg('text', {x: width - EDGE.right, y: HEIGHT - 6,
            'text-anchor': 'end'}, picture.x.title)];
}

function drawMarks(picture, x, y, width) {
    return picture.marks.map(mark => mark.x !== undefined
        ? svg('g', {},
            svg('line', {class: 'mark-line', x1: x.at(mark.x),
                x2: x.at(mark.x), y1: EDGE.top, y2: HEIGHT - EDGE.bottom}),
            svg('text', {x: x.at(mark.x) + 6, y: EDGE.top + 12}, mark.text))
        : svg('g', {},
            svg('line', {class: 'mark-line', x1: EDGE.left,
                x2: width - EDGE.right, y1: y.at(mark.y), y2: y.at(mark.y)}),
            svg('text', {x: EDGE.left + 6, y: y.at(mark.y) - 6}, mark.text)));
}

/* A path per line; a gap, or a place outside the frame, begins a new piece. */
function drawLine(line, picture, x, y) {
    let d = '', isDown = false;
    for (const [px, py] of line.points) {
        const isSeen = Number.isFinite(py) && py >= picture.y.least * 0.999 &&
            py <= picture.y.most * 1.001;
        if (isSeen)
            d += `${isDown ? 'L' : 'M'}${x.at(px).toFixed(1)} ` +
                y.at(py).toFixed(1);
        isDown = isSeen;
    }
    return svg('path', {class: `line c${line.colour}`, d,
        'stroke-dasharray': line.isDashed ? '2 5' : null,
        'stroke-linecap': line.isDashed ? 'round' : null});
}

function legendEntry(line) {
    const value = h('span', {class: 'value'});
    const entry = h('li', {},
        svg('svg', {class: 'curve-key curve', viewBox: '0 0 20 10',
            'aria-hidden': 'true'},
        svg('line', {class: `line c${line.colour}`, x1: 1, x2: 19, y1: 5,
            y2: 5, 'stroke-dasharray': line.isDashed ? '2 5' : null})),
        `${line.name} `, value);
    return {entry, value};
}

/**
 * A picture that can be changed.
 * @param {{name: string, hint: string}} words its name, and how it is read off
 * @param {(text: string) => void} announce
 */
export function curve(words, announce) {
    const summaryId = freshId('curve');
    const summary = h('p', {class: 'unseen', id: summaryId});
    const frame = h('div', {class: 'curve-frame', tabindex: '0', role: 'img',
        'aria-label': words.name, 'aria-describedby': summaryId});
    const legend = h('ul', {class: 'legend'});
    const place = h('p', {class: 'note curve-place'}, words.hint);
    let picture = null, values = [], x = null, pointer = null, at = -1;

    const readAt = value => {
        values.forEach((span, i) => {
            span.textContent = picture.lines[i].read?.(value) ?? '';
        });
        place.textContent = picture.readX(value);
        pointer.setAttribute('x1', x.at(value));
        pointer.setAttribute('x2', x.at(value));
        pointer.removeAttribute('visibility');
    };
    const readOff = () => {
        at = -1;
        pointer?.setAttribute('visibility', 'hidden');
        for (const span of values) span.textContent = '';
        place.textContent = words.hint;
    };
    const draw = () => {
        const width = Math.round(frame.clientWidth);
        if (picture === null || width === 0) return;
        x = scale(picture.x, EDGE.left, width - EDGE.right);
        const y = scale(picture.y, HEIGHT - EDGE.bottom, EDGE.top);
        pointer = svg('line', {class: 'pointer', y1: EDGE.top,
            y2: HEIGHT - EDGE.bottom, visibility: 'hidden'});
        frame.replaceChildren(svg('svg', {class: 'curve', width,
            height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`,
            'aria-hidden': 'true'},
        drawTicks(picture, x, y, width), drawMarks(picture, x, y, width),
        picture.lines.map(line => drawLine(line, picture, x, y)), pointer));
        readOff();
    };
    const within = value => Math.min(Math.max(value, picture.x.least),
        picture.x.most);

    frame.addEventListener('pointermove', event => {
        if (x === null) return;
        readAt(within(x.back(event.clientX -
            frame.getBoundingClientRect().left)));
    });
    frame.addEventListener('pointerleave', () => readOff());
    frame.addEventListener('blur', () => readOff());
    frame.addEventListener('keydown', event => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (step === undefined || x === null) return;
        event.preventDefault();
        at = at < 0 ? STEPS / 2 : Math.min(Math.max(at + step, 0), STEPS);
        const end = frame.clientWidth - EDGE.right;
        readAt(within(x.back(EDGE.left + (end - EDGE.left) * at / STEPS)));
        announce([place.textContent, ...picture.lines.map((line, i) =>
            `${line.name} ${values[i].textContent}`)].join(', '));
    });
    new ResizeObserver(draw).observe(frame);

    return {
        element: h('div', {class: 'curve-all'}, frame, summary, place, legend),
        /** @param {Picture} next */
        show(next) {
            picture = next;
            summary.textContent = next.summary;
            const entries = next.lines.map(legendEntry);
            values = entries.map(({value}) => value);
            legend.replaceChildren(...entries.map(({entry}) => entry));
            draw();
        },
    };
}
