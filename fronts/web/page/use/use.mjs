/*
 * use.mjs - the panel "Use it": files lose their duplicates, and sets are
 * opened, without leaving this machine.
 *
 *     files -> settings -> run -> what is kept, to download
 *                           |
 *     a set file  ------->  the set: shown, asked, saved, gone on with
 *
 * The work is in a worker (worker.mjs), which keeps one set.
 */
import {freshId, h} from '../ui/dom.mjs';
import {parsers} from '../ui/parse.mjs';
import {client, MISSING} from './client.mjs';
import {list} from './fields.mjs';
import {intake} from './intake.mjs';
import {outputName, setName} from './names.mjs';
import {clearResult, Progress, shownLines, showResult} from './run.mjs';
import {Pair} from './pair.mjs';
import {SetView} from './set_view.mjs';
import {Settings} from './settings.mjs';
import {Unsaved} from './unsaved.mjs';

const SECRET_ERROR = 'SEENSET_ESECRET';
const KEPT_URL_MS = 60000;

function downloadBlob(blob, name) {
    const link = h('a', {download: name, href: URL.createObjectURL(blob)});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_URL_MS);
}

class Panel {
    #shell;
    #worker = client();
    #files = [];
    #setName = 'lines.seen';

    /** @param {HTMLElement} root @param {import('../app.mjs').Shell} shell */
    constructor(root, shell) {
        const {text} = shell;
        this.#shell = shell;
        const save = () => this.#guard(() => this.#saveSet());
        this.settings = new Settings(shell, () => this.#showReady());
        this.progress = new Progress(shell, () => this.#worker.cancel());
        this.view = new SetView(shell, this.#worker, save);
        this.result = h('div', {class: 'card result', hidden: true});
        this.problem = h('p', {class: 'wrong', role: 'alert', hidden: true});
        this.notice = h('p', {class: 'note', role: 'status', hidden: true});
        this.others = h('div', {class: 'card others', hidden: true});
        this.pairs = h('div', {class: 'buttons'});
        this.pair = new Pair(shell, (call, given) =>
            this.#worker.call(call, given), work => this.#guard(work),
        found => this.#showUnited(found));
        this.unsaved = new Unsaved(text, () => this.#saveSet(),
            work => this.#guard(work));
        this.#makeForm();
        root.append(h('h1', {}, text('title')),
            h('p', {class: 'lead'}, text('lead')),
            h('div', {class: 'card'}, intake(root, text,
                files => this.#guard(() => this.#take(files)),
                file => this.#guard(() => this.#tryOut(file)))),
            this.problem, this.notice, this.unsaved.root, this.form,
            this.progress.root, this.result, this.others, this.view.root);
        this.settings.restore();
        shell.url.onChange(() => this.settings.restore());
        shell.hold({isHolding: () => this.#isHolding(root),
            letGo: () => this.unsaved.mark(false)});
    }

    /* Are there files, a set, or a text that was pasted? */
    #isHolding(root) {
        return [this.form, this.result, this.view.root, this.others,
            this.foreign?.root].some(part => part?.hidden === false) ||
            [...root.querySelectorAll('textarea')].some(({value}) =>
                value !== '');
    }

    #makeForm() {
        const {text} = this.#shell;
        this.list = h('ul', {class: 'files'});
        this.start = h('button', {type: 'submit'}, text('start'));
        this.startTo = h('button', {type: 'button', class: 'quiet',
            hidden: !('showSaveFilePicker' in window),
            onclick: () => this.#guard(() => this.#begin(() =>
                this.#runTo()))},
        text('start_to'));
        this.form = h('form', {class: 'card settings', hidden: true,
            onsubmit: event => {
                event.preventDefault();
                this.#guard(() => this.#begin(() => this.#run(null)));
            }},
        h('h2', {}, text('files')), this.list, this.settings.parts,
        h('div', {class: 'buttons'}, this.start, this.startTo));
    }

    /* A run that makes another set, or goes on with the one that there is. */
    #begin(run) {
        const given = this.settings.read();
        return given === null || given.isContinued ? run()
            : this.unsaved.before(run);
    }

    /* Does something, and shows what went wrong. */
    async #guard(work) {
        this.problem.hidden = true;
        this.notice.hidden = true;
        try {
            await work();
        } catch (error) {
            if (error.name === 'AbortError') return; /* no file was chosen */
            this.problem.textContent = this.#explain(error);
            this.problem.hidden = false;
        }
    }

    /* An error of the module explains itself. */
    #explain({message, errorName}) {
        const {text, common} = this.#shell;
        if (errorName === MISSING) return common('missing', {why: message});
        const name = `error.${errorName}`;
        const known = text(name);
        return known.endsWith(name) ? text('problem', {why: message}) : known;
    }

    #showReady() {
        this.start.disabled = this.settings.read() === null;
    }

    async #take(files) {
        const found = [];
        for (const file of files)
            found.push(await this.#worker.call('inspect', {file}));
        const are = (...kinds) => files.filter((_, i) =>
            kinds.includes(found[i].kind));
        const sets = are('set'), lines = are('lines', 'csv', 'nul');
        if (lines.length > 0)
            this.#offer(lines, found.filter(({lines: count}) =>
                count !== undefined));
        if (sets.length > 0) {
            this.#offerOthers(sets, 'others', file =>
                this.unsaved.before(() => this.#openOne(sets, file)));
            await this.unsaved.before(() => this.#openOne(sets, sets[0]));
        }
        const foreign = are('foreign');
        if (foreign.length > 0) await this.#openForeign(foreign);
    }

    /* One of several sets; the others can be compared with it, and added. */
    async #openOne(sets, file) {
        await this.#open(file);
        if (sets.length < 2) return;
        this.pair.said.textContent = '';
        this.pairs.replaceChildren(...sets.filter(other => other !== file)
            .flatMap(other => this.pair.buttonsOf(other)));
        this.others.append(this.pairs, this.pair.said);
    }

    #showUnited(found) {
        this.#setName = 'union.seen';
        this.unsaved.mark(true);
        this.view.show(found);
    }

    /* Of several files of other systems the first is shown, too. */
    async #openForeign(files) {
        if (files.length > 1)
            this.#offerOthers(files, 'others_foreign', file =>
                this.#showForeign(file));
        await this.#showForeign(files[0]);
    }

    async #showForeign(file) {
        if (this.foreign === undefined) {
            const {makeView} = await import('./foreign.mjs');
            this.foreign = await makeView({h, freshId, list}, this.#shell,
                (call, given) => this.#worker.call(call, given),
                downloadBlob);
            this.view.root.before(this.foreign.root);
        }
        this.foreign.show({file,
            ...await this.#worker.call('foreign', {file})});
    }

    /* The sample is taken, and at once its duplicates are dropped. */
    async #tryOut(file) {
        await this.#take([file]);
        await this.#begin(() => this.#run(null));
    }

    /* Of several files one is shown, and the others can be. */
    #offerOthers(files, title, open) {
        const {text} = this.#shell;
        this.others.hidden = files.length < 2;
        this.others.replaceChildren(h('p', {}, text(title,
            {count: files.length})), h('div', {class: 'buttons'},
            files.map(file => h('button', {type: 'button', class: 'quiet',
                onclick: () => this.#guard(() => open(file))},
            text('open_one', {name: file.name})))));
    }

    #offer(files, found) {
        const {text, format} = this.#shell;
        this.#files = files;
        clearResult(this.result);
        this.list.replaceChildren(...files.map((file, i) => h('li', {},
            h('strong', {}, file.name), ' ',
            h('span', {class: 'note'}, text(found[i].isPacked ? 'file_packed'
                : 'file', {bytes: format.bytes(file.size)})),
            found[i].isBinary ? h('span', {class: 'wrong'},
                ` ${text('file_binary')}`) : '')));
        this.settings.suggest({...found[0],
            lines: found.reduce((sum, one) => sum + one.lines, 0)});
        this.form.hidden = false;
        this.#showReady();
        this.start.focus();
    }

    async #open(file, secret) {
        let found;
        try {
            found = await this.#worker.call('open', {file, secret});
        } catch (error) {
            if (error.errorName !== SECRET_ERROR) throw error;
            this.view.askSecret(file.name, given =>
                this.#guard(() => this.#open(file, given)));
            if (secret !== undefined)
                throw new Error(this.#shell.text('secret_other'));
            return;
        }
        this.#setName = file.name;
        this.unsaved.mark(false);
        if (found.verdict.sound) this.view.show(found);
        else this.view.showDamage(found);
        this.settings.goesOn.value = true;
        this.settings.offerSet(found.verdict.sound);
        this.#shell.announce(this.#shell.text(found.verdict.sound
            ? 'opened' : 'not_opened', {name: file.name}));
    }

    /* Lets the reader choose the file that is written. */
    async #runTo() {
        const given = this.settings.read();
        if (given === null) return;
        const chosen = await window.showSaveFilePicker({suggestedName:
            outputName(this.#files[0].name, given.options.keep)});
        await this.#run(chosen);
    }

    async #run(chosen) {
        const given = this.settings.read();
        if (given === null) return;
        clearResult(this.result);
        if (!given.isContinued) this.#forgetSet();
        this.progress.start(this.#files.reduce((sum, {size}) => sum + size,
            0));
        this.form.inert = true;
        try {
            const result = await this.#worker.call('run',
                {...given, files: this.#files, chosen},
                now => this.progress.show(now));
            await this.#finish(result, given);
        } finally {
            this.progress.end();
            this.form.inert = false;
        }
    }

    /* A run that makes a set of its own begins without one. */
    #forgetSet() {
        this.unsaved.mark(false);
        this.view.hide();
        this.settings.offerSet(false);
        this.#showReady();
    }

    async #finish(result, given) {
        const {text, format, announce} = this.#shell;
        if (result.isCancelled) {
            const said = text(given.isContinued ? 'cancelled_kept'
                : 'cancelled');
            this.notice.textContent = said;
            this.notice.hidden = false;
            announce(said);
            return;
        }
        if (result.isAdded) this.unsaved.mark(true);
        if (!given.isContinued) this.#setName = setName(this.#files[0].name);
        const lines = await shownLines(result);
        showResult(this.result, {result, given, files: this.#files, lines,
            saveSet: () => this.#guard(() => this.#saveSet())}, this.#shell);
        this.view.show(await this.#worker.call('describe'));
        this.settings.goesOn.value = given.isContinued;
        this.settings.offerSet(true);
        announce(text('done', {kept: format.count(result.kept),
            lines: format.count(result.lines)}));
    }

    async #saveSet() {
        downloadBlob(await this.#worker.call('save'), this.#setName);
        this.unsaved.mark(false);
    }
}

/** @param {HTMLElement} root @param {import('../app.mjs').Shell} shell */
export function mount(root, shell) {
    new Panel(root, {...shell, parse: parsers(shell.common)});
}
