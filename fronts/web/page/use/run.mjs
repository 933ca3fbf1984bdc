/*
 * run.mjs - a run on the screen: how far it is, then what came out.
 */
import {copyButton} from '../ui/copy.mjs';
import {h} from '../ui/dom.mjs';
import {dedupCommand} from './command.mjs';
import {outputName} from './names.mjs';
import {wrongLines, wrongWords} from './report.mjs';

const NS_A_MS = 1e6;

/** A bar, what was done so far, and a button to stop it. */
export class Progress {
    #shell;
    #total;

    /** @param {import('../app.mjs').Shell} shell @param {() => void} stop */
    constructor(shell, stop) {
        const {text} = shell;
        this.#shell = shell;
        this.bar = h('progress', {max: 1, value: 0,
            'aria-label': text('running')});
        this.words = h('p', {class: 'note'});
        this.button = h('button', {type: 'button', class: 'quiet',
            onclick: stop}, text('cancel'));
        this.root = h('div', {class: 'card running', hidden: true},
            h('h2', {}, text('running')), this.bar, this.words, this.button);
    }

    /** @param {number} total bytes of all files */
    start(total) {
        this.#total = Math.max(total, 1);
        this.root.hidden = false;
        this.show({readBytes: 0, lines: 0, kept: 0, ms: 0});
    }

    show({readBytes, lines, kept, ms}) {
        const {text, format} = this.#shell;
        this.bar.value = readBytes / this.#total;
        const speed = ms > 0 ? readBytes / ms * 1000 : 0;
        const left = speed > 0 ? (this.#total - readBytes) / speed : 0;
        this.words.textContent = text('progress', {
            done: format.bytes(readBytes), all: format.bytes(this.#total),
            lines: format.count(lines), kept: format.count(kept),
            speed: format.bytes(Math.round(speed)),
            left: format.seconds(left)});
    }

    end() {
        this.root.hidden = true;
    }
}

function fact(label, value, name) {
    return h('div', {class: 'fact', 'data-fact': name}, h('dt', {}, label),
        h('dd', {}, value));
}

/* How much of the lines was kept, as a line of two parts. */
function share(kept, lines) {
    const part = h('span');
    part.style.inlineSize = `${lines > 0 ? 100 * kept / lines : 0}%`;
    return h('div', {class: 'share', 'aria-hidden': 'true'}, part);
}

function nsALine(ms, lines, {text, format}) {
    return lines === 0 ? text('no_lines')
        : format.count(Math.round(ms * NS_A_MS / lines));
}

function setSize({stats}, {text, format}) {
    const bytes = format.bytes(Math.floor((stats.sizeBits + 7) / 8));
    if (stats.windowSeconds !== 0) return bytes;
    return text('result.set_value', {bytes,
        perKey: format.fixed(stats.sizeBits / stats.capacityItems, 2),
        capacity: format.count(stats.capacityItems)});
}

function wrongValue({count, isAtLeast}, {text, format}) {
    if (Number.isNaN(count)) return text('pair.unknown');
    return isAtLeast
        ? text('result.wrong_least', {
            count: format.fixed(Math.floor(count), 0)})
        : text('result.wrong_value', {count: format.general(count, 3)});
}

/* What that number means, unless it is of more than this run. */
function wrongNote(result, given, shell) {
    const {name, count, isAtLeast} = wrongLines(result, given);
    return name === 'wrong_ever' ? ''
        : wrongWords({...result.stats, isWrongAtLeast: isAtLeast}, count,
            shell);
}

function* facts(result, given, shell) {
    const {text, format} = shell;
    const {stats} = result;
    yield ['lines', format.count(result.lines)];
    yield ['kept', format.count(result.kept)];
    yield ['dropped', format.count(result.dropped)];
    if (result.withoutColumn > 0)
        yield ['without', format.count(result.withoutColumn)];
    const wrong = wrongLines(result, given);
    yield [wrong.name, wrongValue(wrong, shell)];
    yield ['set', setSize(result, shell)];
    yield ['fill', `${format.general(100 * stats.fill, 4)} %`];
    yield ['rate', text('result.rate_value', {
        now: format.rate(stats.currentFpRate),
        planned: format.general(stats.fpRate, 4)})];
    yield ['speed', text('result.speed_value', {
        ns: nsALine(result.busyMs, result.lines, shell),
        all: nsALine(result.ms, result.lines, shell),
        time: format.fixed(result.ms / 1000, 2)})];
    yield ['memory', text('result.memory_value', {
        bytes: format.bytes(result.memoryBytes),
        where: text(`where.${result.where}`)})];
}

/* The button for the output, or where it went. */
function download(result, name, text) {
    if (result.output === null)
        return h('p', {class: 'note'}, text('written'));
    return h('a', {class: 'button', download: name,
        href: URL.createObjectURL(result.output)},
    text('download', {name}));
}

const MOST_SHOWN_BYTES = 1 << 16;

/** The kept lines as a text, where they are few; else null. */
export async function shownLines({output, where}) {
    if (output === null || where !== 'memory' || output.size === 0 ||
        output.size > MOST_SHOWN_BYTES) return null;
    return output.text();
}

function linesBox(lines, {text, announce}) {
    if (lines === null) return [];
    const code = h('code', {}, lines);
    return [h('h3', {}, text('shown')),
        h('div', {class: 'shown'},
            h('pre', {class: 'code', tabindex: 0, role: 'region',
                'aria-label': text('shown')}, code),
            copyButton(code, {copy: text('copy'), copied: text('copied'),
                not_copied: text('not_copied'), what: text('copy_lines')},
            announce))];
}

function commandBox(given, names, name, shell) {
    const {text, announce} = shell;
    const command = dedupCommand(given, names, name);
    if (command === null) return [];
    const code = h('code', {}, command);
    return [h('h3', {}, text('same_command')),
        h('div', {class: 'command'}, h('pre', {class: 'code', tabindex: 0},
            code),
        copyButton(code, {copy: text('copy'), copied: text('copied'),
            not_copied: text('not_copied'), what: text('copy_what')},
        announce))];
}

/**
 * What came out of a run.
 * @param {HTMLElement} root is filled anew
 * @param {{result: object, given: object, files: File[],
 *     lines: string | null, saveSet: () => void}} run
 * @param {import('../app.mjs').Shell} shell
 */
export function showResult(root, {result, given, files, lines, saveSet},
    shell) {
    const {text, format} = shell;
    const name = outputName(files[0].name, given.options.keep);
    const title = h('h2', {tabindex: -1}, text(
        `result.title_${given.options.keep}`,
        {kept: format.count(result.kept), lines: format.count(result.lines)}));
    const rows = [...facts(result, given, shell)].map(([key, value]) =>
        fact(text(`result.${key}`), value, key));
    root.replaceChildren(title, share(result.kept, result.lines),
        h('div', {class: 'buttons'}, download(result, name, text),
            h('button', {type: 'button', class: 'quiet', onclick: saveSet},
                text('save_set'))),
        ...(result.hasOpenQuote
            ? [h('p', {class: 'wrong'}, text('open_quote'))] : []),
        ...linesBox(lines, shell), h('dl', {class: 'facts'}, rows),
        h('p', {class: 'note'}, wrongNote(result, given, shell)),
        ...commandBox(given, files.map(file => file.name), name, shell));
    root.hidden = false;
}

/** Forgets the output of the last run. @param {HTMLElement} root */
export function clearResult(root) {
    for (const link of root.querySelectorAll('a[download]'))
        URL.revokeObjectURL(link.href);
    root.replaceChildren();
    root.hidden = true;
}
