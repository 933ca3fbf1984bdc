/*
 * set_view.mjs - a set on the screen: what it is, its picture, its answers.
 */
import {freshId, h} from '../ui/dom.mjs';
import {infoFacts, wrongWords} from './report.mjs';
import {draw} from './shape.mjs';

const PAUSE_MS = 150; /* of typing */
const MOST_ROWS = 1000; /* of answers, in the table */

/* What `seenset verify` says. */
function verdictOf({verdict, name}, {text, format}) {
    if (verdict === null) return h('p', {class: 'note'}, text('set_unsaved'));
    if (verdict.sound)
        return h('p', {class: 'sound'}, text('sound',
            {name, bytes: format.count(verdict.fileBytes)}));
    return h('p', {class: 'wrong', role: 'alert'}, text('unsound', {name,
        offset: format.count(verdict.offset),
        bytes: format.count(verdict.fileBytes), reason: verdict.reason}));
}

function pictureOf(found, {text, format}) {
    const canvas = h('canvas', {role: 'img', 'aria-label': text(
        'picture_label', {fill: format.general(100 * found.stats.fill, 4)})});
    draw(canvas, found.picture);
    return h('figure', {class: 'picture'}, canvas,
        h('figcaption', {class: 'note'}, text('picture_note')));
}

function factsOf(found, shell) {
    return h('dl', {class: 'info'}, infoFacts(found, shell).map(
        ({label, value}) => h('div', {}, h('dt', {}, label),
            h('dd', {}, value))));
}

/* What is said of a key. */
function answerText(isSeen, count, {text, format}) {
    if (isSeen === 0) return text('answer.never');
    return count === undefined ? text('answer.seen')
        : text('answer.copies', {count: format.count(count)});
}

function answerTable(keys, {answers, counts}, shell) {
    const {text} = shell;
    return h('table', {class: 'figures answers'},
        h('caption', {class: 'unseen'}, text('answers')),
        h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, text('key')),
            h('th', {scope: 'col'}, text('answer.title')))),
        h('tbody', {}, keys.map((key, i) => h('tr',
            {class: answers[i] === 0 ? 'is-never' : 'is-seen'},
            h('td', {}, key),
            h('td', {}, answerText(answers[i], counts?.[i], shell))))));
}

/* A text of keys, one a line, answered while it is typed. */
function askBox(found, worker, shell) {
    const {text, format} = shell;
    const id = freshId('keys');
    const answers = h('div', {class: 'scroll'});
    const sum = h('p', {class: 'answered'});
    const area = h('textarea', {id, rows: 4, spellcheck: 'false',
        autocapitalize: 'off', placeholder: text('ask_example')});
    let waiting = 0;
    const ask = async () => {
        const keys = area.value.split('\n');
        if (keys.at(-1) === '') keys.pop();
        const said = await worker.call('ask', {keys});
        const all = text('answered', {count: format.count(keys.length),
            seen: format.count(said.answers.filter(one => one !== 0).length)});
        sum.textContent = keys.length === 0 ? ''
            : keys.length <= MOST_ROWS ? all
                : `${all} ${text('answered_more',
                    {shown: format.count(MOST_ROWS)})}`;
        answers.replaceChildren(...(keys.length > 0
            ? [answerTable(keys.slice(0, MOST_ROWS), said, shell)] : []));
        shell.announce(all);
    };
    area.addEventListener('input', () => {
        clearTimeout(waiting);
        waiting = setTimeout(ask, PAUSE_MS);
    });
    return [h('h3', {}, text('ask')), h('div', {class: 'field'},
        h('label', {for: id}, text('ask_label')), area),
    h('p', {class: 'note'}, text('ask_note',
        {rate: format.rate(Math.abs(found.stats.currentFpRate))})), sum,
    answers];
}

/** The reader gives the secret of a keyed set. */
function secretBox(name, text, tell) {
    const id = freshId('secret');
    const input = h('input', {type: 'text', id, spellcheck: 'false',
        autocomplete: 'off'});
    const wrong = h('p', {class: 'wrong', role: 'alert', hidden: true},
        text('secret_wrong'));
    const take = event => {
        event.preventDefault();
        const digits = input.value.trim();
        wrong.hidden = /^[0-9a-f]{32}$/i.test(digits);
        if (wrong.hidden)
            tell(Uint8Array.from(digits.match(/../g),
                pair => Number.parseInt(pair, 16)));
    };
    return [h('p', {}, text('secret', {name})),
        h('form', {onsubmit: take}, h('div', {class: 'field'},
            h('label', {for: id}, text('secret_label')), input),
        wrong, h('button', {type: 'submit'}, text('secret_take')))];
}

/** The card of the set. */
export class SetView {
    #shell;
    #worker;
    #saveSet;

    /**
     * @param {import('../app.mjs').Shell} shell
     * @param {ReturnType<import('./client.mjs').client>} worker
     * @param {() => void} saveSet
     */
    constructor(shell, worker, saveSet) {
        this.#shell = shell;
        this.#worker = worker;
        this.#saveSet = saveSet;
        this.root = h('div', {class: 'card set', hidden: true});
    }

    #fill(...children) {
        const {text} = this.#shell;
        this.root.replaceChildren(h('h2', {}, text('set_title')), ...children);
        this.root.hidden = false;
    }

    /** @param {object} found what the worker says of it */
    show(found) {
        const shell = this.#shell;
        const save = h('button', {type: 'button', class: 'quiet',
            onclick: this.#saveSet}, shell.text('save_set'));
        this.#fill(verdictOf(found, shell),
            h('div', {class: 'set-parts'}, factsOf(found, shell),
                pictureOf(found, shell)),
            h('p', {class: 'note'},
                wrongWords(found.stats, found.stats.wrongItems, shell)),
            h('div', {class: 'buttons'}, save),
            ...askBox(found, this.#worker, shell));
    }

    /** A file that is damaged, or is none. */
    showDamage(found) {
        this.#fill(verdictOf(found, this.#shell));
    }

    /** @param {string} name @param {(secret: Uint8Array) => void} tell */
    askSecret(name, tell) {
        this.#fill(...secretBox(name, this.#shell.text, tell));
        this.root.querySelector('input').focus();
    }

    hide() {
        this.root.replaceChildren();
        this.root.hidden = true;
    }
}
