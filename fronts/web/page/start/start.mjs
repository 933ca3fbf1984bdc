/*
 * start.mjs - the first screen: what a Bloom filter is, and one at work.
 *
 * It has 16 bits and two places for a word, so it is wrong within ten words:
 * the seventh of WORDS, which are added one by one, is called seen and was
 * never added. That is the moment to show, so it is made something of. A word
 * of the reader's own is asked for while it is typed.
 *
 * The filter is a set of the library. Beside it the page keeps the words, and
 * so knows when an answer is wrong, and whose bits made it so.
 */
import {freshId, h} from '../ui/dom.mjs';

const BITS = 16;
const HASHES = 2;
const READY = 3; /* words that are in it at first */
const WORDS = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibis',
    'jay', 'koi', 'lynx'];

/* A million keys at 1 %, by the library's own plan. */
const PLANNED = {layout: 'blocked', n: 1000000, p: 0.01};

/** A small filter, and what was really added to it. */
class Small {
    constructor(library) {
        this.set = new library.SeenSet({layout: 'bloom', sizeBits: BITS,
            hashCount: HASHES, onFull: 'degrade'});
        this.restart();
    }

    restart() {
        this.set.clear();
        this.words = [];
        this.asked = 0; /* words that it was asked to add */
        this.wrong = new Set();
        for (const word of WORDS.slice(0, READY)) this.add(word);
    }

    places(word) {
        return this.set.places(word);
    }

    bits() {
        return this.set.bits(0, 0, BITS);
    }

    /* Which words made these places 1. */
    owners(places) {
        return this.words.filter(word =>
            this.places(word).some(place => places.includes(place)));
    }

    /** What it says of a word, and whether that is right. */
    ask(word) {
        const places = this.places(word), bits = this.bits();
        const isSeen = this.set.has(word);
        const isIn = this.words.includes(word);
        return {key: word, places, fresh: [],
            zero: places.find(place => bits[place] === 0),
            owners: isSeen && !isIn ? this.owners(places) : [],
            outcome: !isSeen ? 'new' : isIn ? 'seen' : 'wrong'};
    }

    /** Adds a word if it is new, as a crawler does. */
    add(word) {
        const found = this.ask(word), before = this.bits();
        if (found.outcome !== 'seen') this.asked++;
        if (found.outcome === 'wrong') {
            const isFirst = this.wrong.size === 0;
            this.wrong.add(word);
            return {...found, isFirst};
        }
        if (found.outcome === 'seen') return found;
        this.set.add(word);
        this.words.push(word);
        return {...found, outcome: 'added', fresh: found.places
            .filter(place => before[place] === 0)};
    }

    /** The next of WORDS that was not asked for yet; undefined at the end. */
    get next() {
        return WORDS.find(word => !this.words.includes(word) &&
            !this.wrong.has(word));
    }
}

/* ---- what there is ---- */

function fact(name, text) {
    const value = h('dd', {'data-fact': name});
    return {value, element: h('div', {}, h('dt', {}, text(`facts.${name}`)),
        value)};
}

function wayOn(name, text, values) {
    return h('li', {class: 'card'},
        h('h2', {}, h('a', {href: `#${name}`, 'data-on': name},
            text(`on.${name}.title`))),
        h('p', {}, text(`on.${name}.text`, values)));
}

function makeParts({text, format, library}) {
    const id = freshId('start-word');
    const facts = ['words', 'ones', 'rate', 'wrong'].map(name =>
        fact(name, text));
    const plan = library.plan(PLANNED);
    const parts = {
        cells: Array.from({length: BITS}, (_, i) =>
            h('span', {class: 'start-bit'}, h('b', {}), h('i', {}, i))),
        answer: h('h2', {class: 'start-answer'}),
        reason: h('p', {class: 'start-reason'}),
        way: h('p', {class: 'start-way'}),
        word: h('input', {type: 'text', id, autocomplete: 'off',
            autocapitalize: 'off', spellcheck: 'false', maxlength: '60',
            placeholder: text('hint')}),
        add: h('button', {type: 'submit', class: 'quiet'}, text('add')),
        next: h('button', {type: 'button', class: 'start-next'}),
        again: h('button', {type: 'button', class: 'quiet'}, text('again')),
        see: h('a', {class: 'button', href: '#see', hidden: true},
            text('on.see.found')),
        words: h('p', {class: 'note start-words'}),
        figures: Object.fromEntries(facts.map(({value}) =>
            [value.dataset.fact, value])),
    };
    parts.picture = h('div', {class: 'start-bits', role: 'img'}, parts.cells);
    parts.form = h('form', {class: 'start-form'},
        h('div', {class: 'start-buttons'}, parts.next, parts.again, parts.see),
        h('div', {class: 'start-own'},
            h('div', {class: 'field'}, h('label', {for: id}, text('word')),
                parts.word), parts.add));
    parts.said = h('div', {class: 'start-said'}, parts.answer, parts.reason,
        h('div', {class: 'start-sparks', 'aria-hidden': 'true'},
            Array.from({length: 14}, () => h('span', {}))));
    parts.card = h('div', {class: 'card start-card'}, parts.said,
        h('div', {class: 'start-shown'}, parts.way, parts.picture),
        parts.form,
        h('dl', {class: 'start-facts'}, facts.map(({element}) => element)),
        parts.words);
    parts.on = h('ul', {class: 'start-on'},
        wayOn('see', text), wayOn('size', text, {n: format.words(PLANNED.n),
            p: format.percent(PLANNED.p, 0),
            m: format.bytes(Math.ceil(plan.m / 8))}), wayOn('use', text));
    return parts;
}

/* ---- what is said ---- */

function saidOf({outcome, key, zero, owners, isFirst}, small,
    {text, format}) {
    return {answer: text(`answer.${outcome}`, {key}),
        reason: text(`reason.${isFirst ? 'first' : outcome}`, {key, zero,
            owners: format.list(owners), count: small.asked})};
}

function drawCells(parts, found, bits) {
    parts.cells.forEach((cell, i) => {
        const isHere = found.places.includes(i);
        cell.dataset.bit = String(bits[i]);
        cell.firstChild.textContent = String(bits[i]);
        cell.dataset.mark = !isHere ? '' : found.fresh.includes(i) ? 'new'
            : bits[i] ? 'old' : 'free';
    });
}

function drawPicture({text}, parts, found, bits) {
    const ones = [...bits.keys()].filter(i => bits[i] === 1);
    const picture = text('picture',
        {ones: ones.length > 0 ? ones.join(', ') : text('none')});
    parts.picture.setAttribute('aria-label', text('picture_word',
        {picture, key: found.key, places: found.places.join(', ')}));
    drawCells(parts, found, bits);
}

function drawFigures({text, format}, parts, small) {
    const {setBits, currentFpRate} = small.set.stats();
    parts.figures.words.textContent = format.count(small.words.length);
    parts.figures.ones.textContent = text('ones', {ones: setBits});
    parts.figures.rate.textContent = format.percent(currentFpRate, 0);
    parts.figures.wrong.textContent = format.count(small.wrong.size);
    parts.words.textContent = `${text('list')} ${small.words.join(', ')}`;
}

/**
 * @param {HTMLElement} root
 * @param {import('../app.mjs').Shell} shell
 */
export function mount(root, shell) {
    const {text, announce} = shell;
    const small = new Small(shell.library);
    const parts = makeParts(shell);

    function show(found, isSpoken = true) {
        const said = saidOf(found, small, shell);
        const isWrong = found.outcome === 'wrong';
        parts.card.dataset.tone = found.outcome;
        parts.card.classList.remove('is-found');
        if (isWrong) {
            void parts.card.offsetWidth; /* the sparks begin again */
            parts.card.classList.add('is-found');
        }
        parts.answer.textContent = said.answer;
        parts.reason.textContent = said.reason;
        parts.way.textContent = text('places', {key: found.key,
            places: found.places.join(', ')});
        drawPicture(shell, parts, found, small.bits());
        drawFigures(shell, parts, small);
        parts.see.hidden = small.wrong.size === 0;
        parts.next.hidden = small.next === undefined;
        parts.next.classList.toggle('quiet', small.wrong.size > 0);
        parts.next.textContent = text('next', {key: small.next});
        if (isSpoken) announce(`${said.answer} ${said.reason}`);
    }

    parts.next.addEventListener('click', () => show(small.add(small.next)));
    parts.again.addEventListener('click', () => {
        small.restart();
        parts.word.value = '';
        begin(true);
    });
    parts.word.addEventListener('input', () => {
        if (parts.word.value === '') begin(false);
        else show(small.ask(parts.word.value));
    });
    parts.form.addEventListener('submit', event => {
        event.preventDefault();
        if (parts.word.value === '') parts.word.focus();
        else show(small.add(parts.word.value));
    });

    /* What is there before anything was typed: a word that is new. */
    function begin(isSpoken) {
        const key = small.next ?? small.words.at(-1);
        show(small.ask(key), isSpoken);
    }

    root.append(h('h1', {}, text('title')),
        h('p', {class: 'lead'}, text('lead')), parts.card, parts.on);
    begin(false);
    shell.hold({isHolding: () => parts.word.value !== '' ||
        small.asked !== READY});
}
