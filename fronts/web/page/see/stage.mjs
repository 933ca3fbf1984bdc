/*
 * stage.mjs - the set that is shown large: type a word, see its hash, its
 * places and the answer.
 *
 * While somebody types, the word is only asked for. The buttons (or Enter) add
 * it, take it out of a counting set, or clear its bits in a classic one, to
 * show what that breaks.
 */
import {freshId, h} from '../ui/dom.mjs';
import {fingerprintText, LINE_SLOTS} from './fingerprint.mjs';
import {Grid, squaresOf} from './grid.mjs';
import {makeSteps} from './steps.mjs';
import {listed, verdict} from './verdict.mjs';

const GRID_HEIGHT = 416;
const MOST_TEXT_BITS = 4096;

/** @param {import('./see.mjs').Page} page */
export function makeStage(page) {
    const {text, format} = page;
    const parts = makeParts(page);
    const grid = new Grid(parts.canvas, {height: GRID_HEIGHT, gutter: true},
        (table, place) => {
            parts.place.value = String(place);
            drawPlace(table);
        });
    const steps = makeSteps(page, place => {
        parts.place.value = String(place);
        drawPlace();
    });
    parts.element.append(steps.element);
    let finding = null;

    function drawPlace(table = page.demo.main.facts().tables - 1) {
        const facts = page.demo.main.facts();
        const place = Number(parts.place.value);
        const isThere = parts.place.value !== '' && Number.isInteger(place) &&
            place >= 0 && place < facts.cells;
        parts.told.textContent = isThere ? tellPlace(page, table, place)
            : parts.place.value === '' ? text('place_hint')
                : text('place_none', {last: format.count(facts.cells - 1)});
        draw(isThere ? {table, place} : undefined);
    }

    function draw(cursor) {
        const {main} = page.demo, facts = main.facts();
        const squares = squaresOf(main);
        grid.show({squares, kind: main.kind, table: finding?.table ?? 0,
            most: squares.run > 1 ? 1 : 2 ** facts.cellBits - 1,
            marks: finding ? marksOf(finding) : new Map(), cursor});
        const caption = captionOf(page, squares.run);
        parts.caption.textContent = caption;
        parts.canvas.setAttribute('aria-label', finding?.key
            ? text('picture_key', {caption, key: finding.key,
                places: placesText(finding)})
            : caption);
        if (parts.bits.open) writeBits(page, parts.written);
    }

    function show(next) {
        finding = next;
        showFinding(page, parts, finding);
        steps.show(finding);
        drawPlace();
    }

    function ask() {
        page.state.word = parts.word.value;
        show(parts.word.value === '' ? null : page.demo.ask(parts.word.value));
        page.asked(parts.word.value);
    }

    function act(action) {
        const key = parts.word.value;
        if (key === '') {
            parts.word.focus();
            return;
        }
        const found = page.demo[action](key);
        page.changed();
        show(found);
        const said = verdict(found, page);
        page.shell.announce(`${said.answer} ${said.reason}`);
    }

    parts.word.addEventListener('input', () => {
        ask();
        announceAnswer();
    });
    function announceAnswer() {
        if (!finding) return;
        const said = verdict(finding, page);
        page.shell.announce(`${said.answer} ${said.reason}`);
    }
    parts.form.addEventListener('submit', event => {
        event.preventDefault();
        act('add');
    });
    parts.ask.addEventListener('click', () => {
        ask();
        announceAnswer();
    });
    parts.remove.addEventListener('click', () => act('remove'));
    parts.clear.addEventListener('click', () => act('clearBits'));
    parts.find.addEventListener('click', () => {
        const {word, added} = page.demo.makeWrong();
        if (added > 0) page.changed();
        if (word !== '') parts.word.value = word;
        ask();
        if (word === '') {
            parts.verdict.dataset.tone = 'none';
            parts.answer.textContent = text('answer.none_found');
            parts.reason.textContent = text('find_none');
        } else if (added > 0) {
            parts.reason.prepend(`${text('find_added',
                {n: format.count(added)})} `);
        }
        parts.verdict.scrollIntoView({block: 'nearest'});
        page.shell.announce(
            `${parts.answer.textContent} ${parts.reason.textContent}`);
    });
    parts.place.addEventListener('input', () => drawPlace());
    parts.bits.addEventListener('toggle', () => {
        if (parts.bits.open) writeBits(page, parts.written);
    });
    return {element: parts.element,
        /** The picture alone. */
        draw() {
            finding = null;
            draw();
        },
        /** Another set is shown, or it has changed. */
        refresh() {
            const {kind} = page.demo.main;
            parts.remove.hidden = !['counting', 'fingerprint'].includes(kind);
            parts.clear.hidden = kind !== 'bloom' ||
                page.demo.main.facts().cells > 65536;
            if (finding && finding.action !== 'ask' &&
                finding.key === parts.word.value) draw();
            else ask();
        },
        /** Puts a word into the field and asks for it. */
        take(word) {
            parts.word.value = word;
            ask();
            announceAnswer();
        },
        /** The set was made anew. */
        restart() {
            finding = null;
            parts.word.value = page.state.word;
            parts.place.value = '';
        }};
}

/* ---- what there is ---- */

function makeParts({text}) {
    const wordId = freshId('see-word'), placeId = freshId('see-place');
    const word = h('input', {type: 'text', id: wordId, autocomplete: 'off',
        autocapitalize: 'off', spellcheck: 'false', maxlength: '200'});
    const button = (name, kind) => h('button', {type: 'button', class: kind},
        text(name));
    const parts = {word, ask: button('ask', 'quiet'),
        remove: button('remove', 'quiet'), clear: button('clear', 'quiet'),
        find: button('find', 'quiet'),
        canvas: h('canvas', {role: 'img', class: 'see-canvas'}),
        caption: h('p', {class: 'note see-caption'}),
        place: h('input', {type: 'text', inputmode: 'numeric', id: placeId,
            autocomplete: 'off', maxlength: '12'}),
        told: h('p', {class: 'note see-told'}),
        written: h('pre', {class: 'code see-bits', tabindex: '0',
            role: 'region', 'aria-label': text('bits_text')}),
        answer: h('h2', {class: 'see-answer'}), reason: h('p', {}),
        hashes: h('dl', {class: 'see-hashes'}),
        places: h('tbody', {})};
    parts.bits = h('details', {class: 'see-details'},
        h('summary', {}, text('bits_text')), parts.written);
    parts.form = h('form', {class: 'see-form'},
        h('div', {class: 'field see-word'},
            h('label', {for: wordId}, text('word')), word),
        h('div', {class: 'see-buttons'},
            h('button', {type: 'submit'}, text('add')), parts.ask,
            parts.remove, parts.clear, parts.find));
    parts.verdict = h('div', {class: 'see-verdict'}, parts.answer,
        parts.reason, parts.hashes);
    const table = h('div', {class: 'scroll see-table', tabindex: '0',
        role: 'region', 'aria-label': text('places')},
    h('table', {class: 'figures see-places'}, h('thead', {}, h('tr', {},
        ['at', 'from', 'before'].map(name =>
            h('th', {scope: 'col'}, text(`column.${name}`))))),
    parts.places));
    parts.element = h('div', {class: 'card'}, parts.form,
        h('div', {class: 'see-stage'}, parts.verdict,
            h('div', {class: 'see-picture'}, h('div', {}, parts.canvas),
                parts.caption, makeLegend(text),
                h('div', {class: 'see-look'},
                    h('label', {for: placeId}, text('place')), parts.place,
                    parts.told),
                parts.bits),
            table));
    return parts;
}

function makeLegend(text) {
    return h('ul', {class: 'legend see-legend'}, ['old', 'new', 'free'].map(
        name => h('li', {}, h('span', {class: `see-key ${name}`,
            'aria-hidden': 'true'}), text(`legend.${name}`))));
}

/* ---- what is said ---- */

/** Each place of the key: set before, set now, or free. */
function marksOf(finding) {
    return new Map(finding.places.map(({place, was, now}) => [place,
        finding.kind === 'sealed' || was > 0 ? 'old' : now > 0 ? 'new'
            : 'free']));
}

const placesText = finding => [...new Set(finding.places.map(p => p.place))]
    .sort((a, b) => a - b).join(', ');

function captionOf({text, format, demo}, run) {
    const {main} = demo, facts = main.facts(), stats = main.set.stats();
    const set = main.kind === 'fingerprint'
        ? Math.round(stats.fill * facts.cells) : stats.setBits;
    const values = {cells: format.count(facts.cells), k: facts.k,
        set: format.count(set), fill: format.percent(stats.fill),
        tables: facts.tables, run: format.count(run),
        width: facts.cellBits, bytes: format.bytes(Math.ceil(facts.bits / 8))};
    const name = {counting: 'counters', fingerprint: 'fingerprints',
        sealed: 'slots', window: 'tables'};
    const caption = text(`caption.${name[main.kind] ?? 'bits'}`, values);
    return run > 1 ? `${caption} ${text('caption.run', values)}` : caption;
}

function tellPlace(page, table, place) {
    const {demo, text, format} = page, {main} = demo;
    const value = main.valuesAt([place], table)[0];
    const values = {place: format.count(place), value};
    if (main.kind === 'sealed') return text('told.slot', {...values,
        value: value.toString(16).toUpperCase().padStart(2, '0')});
    if (value === 0)
        return text(main.kind === 'fingerprint' ? 'told.room' : 'told.zero',
            values);
    const owners = demo.owners(place, table);
    if (main.kind === 'fingerprint')
        return text(owners.length === 0 ? 'told.slot' : 'told.held', {...values,
            value: fingerprintText(value), owners: listed(owners, page)});
    return owners.length === 0 ? text('told.set', values)
        : text('told.owned', {...values, owners: listed(owners, page)});
}

function showFinding(page, parts, finding) {
    const {text} = page;
    parts.verdict.dataset.tone = 'none';
    parts.hashes.replaceChildren();
    parts.places.replaceChildren();
    if (!finding) {
        parts.answer.textContent = text('answer.none');
        parts.reason.textContent = text('reason.none');
        return;
    }
    const said = verdict(finding, page);
    parts.verdict.dataset.tone = said.tone;
    parts.answer.textContent = said.answer;
    parts.reason.textContent = said.reason;
    for (const hash of finding.hashes)
        parts.hashes.append(h('dt', {}, text(`hash.${hash.name}`, hash)),
            h('dd', {}, h('code', {}, String(hash.value))));
    parts.places.append(...finding.places.map((at, i) =>
        placeRow(page, finding, at, i)));
}

function placeRow(page, finding, at, i) {
    const {text, format} = page;
    const how = finding.sealed
        ? text('how.slot', {i, value: at.now.toString(16).toUpperCase()
            .padStart(Math.ceil(finding.sealed.bits / 4), '0')})
        : finding.unit ? text('how.fingerprint',
            {value: fingerprintText(at.now)})
        : at.how ? text(`how.${at.how}`, at.values) : '';
    return h('tr', {}, h('th', {scope: 'row', class: 'number'},
        format.count(at.place)),
    h('td', {}, h('span', {class: 'see-how'}, how)),
    h('td', {class: 'see-before'}, beforeText(page, finding, at)));
}

function beforeText(page, finding, at) {
    const {text} = page;
    if (finding.sealed) return text('before.fixed');
    if (finding.unit) return beforeInUnit(page, finding, at);
    const isCounter = finding.kind === 'counting';
    const value = isCounter ? `${at.was} → ${at.now}` : '';
    if (isCounter && at.was !== at.now)
        return at.owners.length === 0 ? value
            : text('before.counter', {value, owners: listed(at.owners, page)});
    if (at.was > 0 && at.now === 0) return text('before.cleared');
    if (at.was === 0)
        return text(at.now > 0 ? 'before.set_now' : 'before.zero');
    return at.owners.length === 0 ? text('before.own')
        : text('before.owned', {owners: listed(at.owners, page)});
}

function beforeInUnit(page, {copies}, {was, isIt, owners}) {
    const {text} = page;
    if (was === 0) return text('before.stored');
    if (owners.length > 0)
        return text('before.of', {owners: listed(owners, page)});
    return isIt && copies > 0 ? text('before.its') : '';
}

/* A cell as text. */
function writeCell(kind, value) {
    if (kind === 'fingerprint')
        return (value === 0 ? '.' : fingerprintText(value)).padStart(2);
    return kind === 'sealed' ? value.toString(16).padStart(2, '0') : value;
}

/* The cells as text, for those who cannot see the picture. */
function writeBits({demo, text}, place) {
    const {main} = demo, facts = main.facts();
    if (facts.cells > MOST_TEXT_BITS) {
        place.textContent = text('bits_many');
        return;
    }
    const {kind} = main;
    const isWide = ['counting', 'fingerprint', 'sealed'].includes(kind);
    const most = kind === 'fingerprint' ? LINE_SLOTS : 32;
    const write = cells => Array.from({length: Math.ceil(cells.length / most)},
        (_, row) => `${String(row * most).padStart(5)}  ` +
            [...cells.slice(row * most, row * most + most)].map((value, i) =>
                (i > 0 && i % 8 === 0 ? ' ' : '') + writeCell(kind, value))
                .join(isWide ? ' ' : '')).join('\n');
    place.textContent = Array.from({length: facts.tables},
        (_, table) => write(main.cells(table))).join('\n\n');
}
