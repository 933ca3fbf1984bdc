/*
 * cards.mjs - the same words in seven kinds of sets, beside each other.
 *
 * Every set here was given the words that the large one was. A card draws its
 * cells, says its size and its rate, and answers for the word in the field.
 */
import {h} from '../ui/dom.mjs';
import {KINDS} from './exhibit.mjs';
import {Grid, squaresOf} from './grid.mjs';
import {shortVerdict} from './verdict.mjs';

const HEIGHT = 150;
const MOST_CELLS = 4200; /* of one picture, drawn one by one */

/** @param {import('./see.mjs').Page} page */
export function makeCards(page) {
    const {text} = page;
    const cards = KINDS.map(kind => makeCard(page, kind));
    const seal = h('button', {type: 'button', class: 'quiet'}, text('seal'));
    seal.addEventListener('click', () => {
        page.demo.seal();
        page.changed();
        page.shell.announce(text('sealed_now',
            {n: page.format.count(page.demo.ledger.count)}));
    });
    cards.find(({kind}) => kind === 'sealed').buttons.append(seal);
    const element = h('div', {class: 'see-side'},
        h('h2', {}, text('side.title')),
        h('p', {class: 'note'}, text('side.note')),
        h('ul', {class: 'see-cards'}, cards.map(card => card.element)));
    return {element,
        refresh(word) {
            element.hidden = page.demo.exhibits.size === 1;
            if (element.hidden) return;
            for (const card of cards) drawCard(page, card, word);
        }};
}

function makeCard(page, kind) {
    const {text} = page;
    const canvas = h('canvas', {role: 'img', class: 'see-canvas'});
    const look = h('button', {type: 'button', class: 'quiet',
        'aria-label': text('look_at', {kind: text(`kind.${kind}`)})},
    text('look'));
    look.addEventListener('click', () => page.choose(kind));
    const frame = h('div', {class: 'see-card-picture'}, h('div', {}, canvas));
    const card = {kind, canvas, grid: new Grid(canvas, {height: HEIGHT}),
        answer: h('p', {class: 'see-card-answer'}),
        facts: h('p', {class: 'note'}),
        buttons: h('p', {class: 'see-buttons'}, look), look};
    card.element = h('li', {class: 'card see-card', 'data-kind': kind},
        h('h3', {}, text(`kind.${kind}`)),
        h('p', {class: 'note see-idea'}, text(`idea.${kind}`)),
        frame, card.facts, card.answer, card.buttons);
    return card;
}

function factsOf({text, format, percent, demo}, kind) {
    const exhibit = demo.exhibits.get(kind), facts = exhibit.facts();
    const stats = exhibit.set.stats();
    const late = kind === 'sealed'
        ? demo.ledger.keys().filter(key => !exhibit.sealed.has(key)).length : 0;
    const values = {bits: format.count(facts.bits), k: facts.k,
        fill: percent(stats.fill), tables: facts.tables,
        rate: percent(stats.currentFpRate),
        keeps: format.count(facts.capacity), late: format.count(late),
        full: format.count(stats.fullCounters)};
    return text(kind === 'sealed' && late > 0 ? 'facts.late'
        : `facts.${kind}`, values);
}

function drawCard(page, card, word) {
    const {text, demo} = page;
    const exhibit = demo.exhibits.get(card.kind), facts = exhibit.facts();
    const squares = squaresOf(exhibit, MOST_CELLS);
    const said = word === '' ? {tone: 'none', answer: '–'}
        : shortVerdict(demo.answer(card.kind, word), text);
    card.answer.textContent = said.answer;
    card.answer.dataset.tone = said.tone;
    card.facts.textContent = factsOf(page, card.kind);
    card.element.dataset.chosen = String(demo.main === exhibit);
    card.look.setAttribute('aria-pressed', String(demo.main === exhibit));
    card.canvas.setAttribute('aria-label', text('picture_small',
        {kind: text(`kind.${card.kind}`), facts: card.facts.textContent}));
    const places = word === '' ? [] : exhibit.placesOf(word);
    card.grid.show({squares, kind: card.kind, table: facts.tables - 1,
        most: squares.run > 1 ? 1 : 2 ** facts.cellBits - 1,
        marks: new Map(places.map((place, i) =>
            [place, exhibit.valuesAt([places[i]])[0] > 0 ||
                card.kind === 'sealed' ? 'old' : 'free']))});
}
