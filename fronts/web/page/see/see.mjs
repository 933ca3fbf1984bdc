/*
 * see.mjs - the panel "See it": a small filter at work, bit by bit.
 *
 * A demo (demo.mjs) holds the sets and the truth about them. Four parts show
 * it: the large set with its verdict (stage.mjs), many words at once
 * (fill.mjs), seven kinds beside each other (cards.mjs), and the numbers of a
 * document (here). page.changed() has them all drawn.
 *
 * What is looked at is in the address: the example, and for a filter of one's
 * own its kind, size and hashes; and the word that is asked for.
 */
import {freshId, h} from '../ui/dom.mjs';
import {makeCards} from './cards.mjs';
import {Demo} from './demo.mjs';
import {EXAMPLES, MOST_HASHES, SIZES} from './examples.mjs';
import {KINDS, loadDocuments} from './exhibit.mjs';
import {makeLateFill} from './late.mjs';
import {Measured, percentOf} from './measure.mjs';
import {makeStage} from './stage.mjs';
import {word} from './words.mjs';

const MOST_CHIPS = 40;

/** @typedef {InstanceType<typeof Page>} Page */

/* What the documents' examples need, and what they say. */
async function documentsOf(shell) {
    const [documents, told] = await Promise.all([loadDocuments(),
        shell.more('documents')]);
    return {documents, told};
}

/* What is said of other kinds than the first, and of the hashes of documents,
 * is in a file of its own, which comes when one of them is shown large. */
const isFirst = ({show, kind}) => show === 'own' && kind === KINDS[0];

async function partsOf(state, shell, {documents, texts}) {
    const [more, kinds] = await Promise.all([
        state.show === 'own' || documents ? {} : documentsOf(shell),
        isFirst(state) || texts.has('kinds') ? null : shell.more('kinds')]);
    if (kinds) texts.set('kinds', kinds);
    return more;
}

class Page {
    measured = new Measured();

    /**
     * @param {HTMLElement} root @param {import('../app.mjs').Shell} shell
     * @param {Map<string, function>} texts by the names of their files
     * @param {object} parts what partsOf() found
     */
    constructor(root, shell, texts, parts) {
        Object.assign(this, parts);
        this.shell = shell;
        this.texts = texts;
        this.text = (name, values) => this.#find(name, values);
        this.format = shell.format;
        this.percent = part => percentOf(shell.format, part);
        this.root = root;
        this.state = readState(shell.url.get());
        this.shown = this.state; /* state: what is asked for, and may come */
        this.demo = null;
        this.begin();
        this.parts = makeParts(this);
        this.stage = makeStage(this);
        this.fill = makeLateFill(this);
        this.cards = makeCards(this);
        place(this);
        this.restart();
        shell.url.onChange(state => this.become(readState(state)));
        shell.hold({isHolding: () => this.isChanged});
    }

    /* A text of the first file that has it. */
    #find(name, values) {
        for (const [scope, text] of this.texts) {
            const found = text(name, values);
            if (found !== `${scope}.${name}`) return found;
        }
        return `see.${name}`;
    }

    /** Shows what a state asks for. */
    async become(state) {
        if (!await this.load(state)) return;
        this.begin();
        this.restart();
    }

    /**
     * What another state needs; until then the panel is busy.
     * @returns {Promise<boolean>} false: there is a newer one, or it did not
     *     come, and all is as it was
     */
    async load(state) {
        this.state = state;
        this.root.setAttribute('aria-busy', 'true');
        let error = null;
        try {
            Object.assign(this, await partsOf(state, this.shell, this));
        } catch (found) {
            error = found;
        }
        if (state !== this.state) return false;
        this.root.removeAttribute('aria-busy');
        this.shell.tell(error);
        if (error === null) {
            this.shown = state;
            return true;
        }
        this.state = this.shown;
        drawChoice(this);
        return false;
    }

    /** Are there other words in the sets than at first? */
    get isChanged() {
        const {ledger} = this.demo, keys = ledger.keys();
        return keys.join('\n') !== this.example.words.join('\n') ||
            ledger.count !== keys.length ||
            keys.some(key => ledger.copies(key) > 1);
    }

    get example() {
        return EXAMPLES.find(({id}) => id === this.state.show);
    }

    /** Makes the sets that the state asks for, with their first words. */
    begin() {
        const {example, state} = this;
        this.demo?.free();
        const isOwn = example.id === 'own';
        const shape = isOwn ? {m: state.m, k: state.k} : example.shape;
        const kinds = isOwn ? [state.kind, ...KINDS.filter(kind =>
            kind !== state.kind)] : [example.kind];
        this.demo = new Demo(this.shell.library, shape, kinds);
        for (const word of example.words) this.demo.add(word);
        this.demo.seal();
    }

    /** All parts, as they are at first. */
    restart() {
        drawChoice(this);
        this.renew();
    }

    /* Another set is shown, or it is empty. */
    renew() {
        this.measured.restart();
        this.fill.restart();
        this.stage.restart();
        this.changed();
    }

    /** The sets have changed. */
    changed() {
        this.stage.refresh();
        this.measured.note(this.demo);
        this.fill.draw();
        drawWords(this);
    }

    /** Words are being added: what moves is drawn, and the rest at the end. */
    filling() {
        this.stage.draw();
        this.fill.draw();
    }

    /** The word in the field is another. */
    asked(word) {
        this.cards.refresh(word);
        const state = writeState(this.state, word);
        const spelled = JSON.stringify(state);
        if (spelled === this.spelled) return;
        this.spelled = spelled;
        this.shell.url.set(state);
    }

    /** Another kind is shown large. */
    async choose(kind) {
        if (!await this.load({...this.state, kind})) return;
        this.demo.choose(kind);
        this.restart();
        this.shell.announce(this.text('shown',
            {kind: this.text(`kind.${kind}`)}));
    }

    /** Another example, size or number of hashes. */
    change(change) {
        return this.become({...this.state, ...change});
    }

    /** All sets are empty. */
    empty() {
        this.demo.clear();
        this.demo.seal();
        this.renew();
        this.shell.announce(this.text('emptied'));
    }
}

/* ---- the address ---- */

function readState(from) {
    const example = EXAMPLES.find(({id}) => id === from.show) ?? EXAMPLES[0];
    const number = (text, allowed, other) =>
        allowed.includes(Number(text)) ? Number(text) : other;
    const hashes = Array.from({length: MOST_HASHES}, (_, i) => i + 1);
    return {show: example.id,
        kind: KINDS.includes(from.kind) ? from.kind : example.kind,
        m: number(from.m, SIZES, EXAMPLES[0].shape.m),
        k: number(from.k, hashes, EXAMPLES[0].shape.k),
        word: (from.word ?? example.ask).slice(0, 200)};
}

function writeState({show, kind, m, k}, word) {
    const kept = word === EXAMPLES.find(({id}) => id === show).ask
        ? undefined : word;
    if (show !== 'own') return {show, word: kept};
    const {shape} = EXAMPLES[0];
    return {kind: kind === EXAMPLES[0].kind ? undefined : kind,
        m: m === shape.m ? undefined : m, k: k === shape.k ? undefined : k,
        word: kept};
}

/* ---- what is looked at ---- */

function makeParts(page) {
    const {text, format} = page;
    const showId = freshId('see-show'), sizeId = freshId('see-size');
    const hashId = freshId('see-hash');
    const option = (value, name) => h('option', {value}, name);
    const named = ({id}) => option(id, text(`example.${id}.name`));
    const show = h('select', {id: showId}, named(EXAMPLES[0]),
        h('optgroup', {label: text('documents')},
            EXAMPLES.slice(1).map(named)));
    const size = h('select', {id: sizeId}, SIZES.map(m =>
        option(m, text('size_option', {m: format.count(m)}))));
    const hashes = h('select', {id: hashId}, Array.from({length: MOST_HASHES},
        (_, i) => option(i + 1, String(i + 1))));
    const kinds = h('fieldset', {class: 'choice see-kinds'},
        h('legend', {class: 'unseen'}, text('kinds')), KINDS.map(kind =>
            h('label', {}, h('input', {type: 'radio', name: 'see-kind',
                value: kind, onchange: () => page.choose(kind)}),
            h('span', {}, text(`kind.${kind}`)))));
    show.addEventListener('change', () => {
        const example = EXAMPLES.find(({id}) => id === show.value);
        page.change({show: example.id, kind: example.kind, word: example.ask});
    });
    size.addEventListener('change', () => page.change({m: Number(size.value)}));
    hashes.addEventListener('change', () =>
        page.change({k: Number(hashes.value)}));
    const field = (id, name, control) => h('div', {class: 'field'},
        h('label', {for: id}, text(name)), control);
    return {show, size, hashes, kinds, story: h('p', {class: 'see-story'}),
        own: h('div', {class: 'see-own'}, kinds, h('div', {class: 'see-shape'},
            field(sizeId, 'size', size), field(hashId, 'hashes', hashes))),
        pick: field(showId, 'show', show),
        tries: h('p', {class: 'see-chips'}), words: h('p', {
            class: 'see-chips'}), count: h('h2', {}),
        numbers: h('div', {class: 'card see-numbers'})};
}

function place(page) {
    const {text, parts, root} = page;
    const form = page.stage.element.querySelector('form');
    form.after(parts.tries);
    root.replaceChildren(h('h1', {}, text('title')),
        h('p', {class: 'lead'}, text('lead')), page.stage.element,
        h('div', {class: 'card see-choose'}, parts.pick, parts.own,
            parts.story), parts.numbers,
        h('div', {class: 'card'}, parts.count, parts.words),
        page.fill.element, page.cards.element);
}

function drawChoice(page) {
    const {parts, state, text, example} = page;
    parts.show.value = state.show;
    parts.own.hidden = state.show !== 'own';
    parts.size.value = String(state.m);
    parts.hashes.value = String(state.k);
    for (const input of parts.kinds.querySelectorAll('input'))
        input.checked = input.value === state.kind;
    parts.hashes.disabled = !['bloom', 'counting'].includes(state.kind);
    parts.story.textContent = state.show === 'own'
        ? text(`story.${state.kind}`) : page.told(`story.${state.show}`);
    parts.tries.replaceChildren(text('try'), ' ', ...example.tries.map(word =>
        chip(page, word)));
    drawNumbers(page);
}

function chip(page, word) {
    return h('button', {type: 'button', class: 'quiet see-chip',
        onclick: () => page.stage.take(word)}, word);
}

function drawWords(page) {
    const {parts, text, format, demo} = page;
    const keys = demo.ledger.keys(), {count} = demo.ledger;
    parts.count.textContent = text(count === 1 ? 'added_one' : 'added',
        {n: format.count(count)});
    const shown = keys.slice(0, MOST_CHIPS).map(key => chip(page, key));
    const more = count - shown.length;
    parts.words.replaceChildren(...shown, more > 0
        ? ` ${text('and_more', {n: format.count(more)})}` : '',
    count === 0 ? text('none_added') : '');
}

/* ---- the numbers of a document ---- */

function drawNumbers(page) {
    const {parts, told: text, example} = page;
    parts.numbers.hidden = !example.numbers;
    parts.numbers.replaceChildren();
    if (!example.numbers) return;
    const rows = page.documents[example.numbers](page.shell.library,
        page.demo.main, word);
    const head = ['what', 'said', 'here', 'same'].map(name =>
        h('th', {scope: 'col'}, text(`column.${name}`)));
    parts.numbers.append(h('h2', {}, text('numbers')),
        h('p', {class: 'note'}, text('numbers_note')),
        h('div', {class: 'scroll', tabindex: '0', role: 'region',
            'aria-label': text('numbers')},
        h('table', {class: 'figures'}, h('thead', {}, h('tr', {}, head)),
            h('tbody', {}, rows.map(row => numberRow(text, row))))));
}

function numberRow(text, {name, values, said, here, isOff, follows}) {
    const sameness = said === here ? 'same' : isOff ? 'off' : 'differs';
    const code = value => h('code', {}, ['yes', 'no'].includes(value)
        ? text(`say.${value}`) : value);
    return h('tr', {'data-sameness': sameness},
        h('th', {scope: 'row'}, text(`number.${name}`, values)),
        h('td', {}, code(said), follows ? ` ${text('follows')}` : ''),
        h('td', {}, code(here)),
        h('td', {}, text(`sameness.${sameness}`)));
}

/** @param {HTMLElement} root @param {import('../app.mjs').Shell} shell */
export async function mount(root, shell) {
    const texts = new Map([['see', shell.text]]);
    new Page(root, shell, texts,
        await partsOf(readState(shell.url.get()), shell, {texts}));
}
