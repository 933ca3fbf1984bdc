/*
 * steps.mjs - from a hash to a place, one step at a time.
 *
 * A number of 64 bits is a part of 2^64, as a point is a part of a line; the
 * same part of the m places is the place. For the next place the number is
 * mixed again. The reader walks from place to place, and the picture shows
 * each. The point moves where motion is wanted, and jumps elsewhere.
 */
import {h} from '../ui/dom.mjs';

const WHOLE = 2 ** 64;

/**
 * @param {import('./see.mjs').Page} page
 * @param {(place: number) => void} look shows a place in the picture
 */
export function makeSteps({text, format, shell}, look) {
    let finding = null, at = 0;
    const point = h('span', {class: 'see-point'});
    const words = h('ol', {class: 'see-steps'});
    const button = (name, by) => h('button', {type: 'button', class: 'quiet',
        onclick: () => walk(by)}, text(`steps.${name}`));
    const back = button('back', -1), next = button('next', 1);
    const count = h('span', {class: 'note'});
    const element = h('details', {class: 'see-walk'},
        h('summary', {}, text('steps.title')), words,
        h('div', {class: 'see-line', 'aria-hidden': 'true'},
            h('span', {}, '0'), h('div', {}, point), h('span', {}, '2^64')),
        h('div', {class: 'see-buttons'}, back, next, count));
    element.addEventListener('toggle', () => {
        if (element.open && finding) look(finding.places[at].place);
    });

    function draw() {
        const {place, values: {i, x, m}} = finding.places[at];
        const part = Number(BigInt(`0x${x}`)) / WHOLE;
        const said = {key: finding.key, i, x, m: format.count(m), place,
            before: i - 1, part: format.fixed(part, 6),
            product: format.fixed(part * m, 2)};
        words.replaceChildren(...[i === 0 ? 'hash' : 'mix', 'part', 'place']
            .map(name => h('li', {}, text(`steps.${name}`, said))));
        point.style.insetInlineStart = `${100 * part}%`;
        count.textContent = text('steps.count',
            {at: at + 1, all: finding.places.length});
        back.disabled = at === 0;
        next.disabled = at === finding.places.length - 1;
    }

    function walk(by) {
        at += by;
        draw();
        look(finding.places[at].place);
        shell.announce(words.innerText);
    }

    return {element,
        /** @param {import('./demo.mjs').Finding | null} found */
        show(found) {
            const isChain = found?.places[0]?.how === 'chain';
            element.hidden = !isChain;
            if (!isChain) return;
            finding = found;
            at = 0;
            draw();
        }};
}
