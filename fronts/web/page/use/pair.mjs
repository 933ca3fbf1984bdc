/*
 * pair.mjs - the set that is shown, and another that came with it: what they
 * have in common, and the keys of both in one.
 *
 * The figures are those of `seenset diff`, and the union is that of `seenset
 * merge`. It is in memory alone, until it is saved.
 */
import {h} from '../ui/dom.mjs';

/** Says what is found of the set that is shown and another. */
export class Pair {
    #shell;
    #call;
    #guard;
    #united;

    /**
     * @param {import('../app.mjs').Shell} shell
     * @param {(call: string, given: object) => Promise} call to the worker
     * @param {(work: () => Promise<void>) => void} guard shows what went wrong
     * @param {(found: object) => void} united the set that is shown is another
     */
    constructor(shell, call, guard, united) {
        this.#shell = shell;
        this.#call = call;
        this.#guard = guard;
        this.#united = united;
        this.said = h('p', {role: 'status'});
    }

    /** Buttons for a file that is not shown. @param {File} file */
    buttonsOf(file) {
        const {text} = this.#shell;
        const button = (name, work) => h('button', {type: 'button',
            class: 'quiet', onclick: () => this.#guard(work)},
        text(name, {name: file.name}));
        return [button('pair.compare', () => this.#compare(file)),
            button('pair.unite', () => this.#unite(file))];
    }

    async #compare(file) {
        const {text, format} = this.#shell;
        const found = await this.#call('compare', {file});
        const about = name => {
            const [count, error] = [found[name], found[`${name}Error`]]
                .map(Math.round);
            return Number.isFinite(count) && Number.isFinite(error)
                ? text('pair.about', {count: format.count(count),
                    error: format.count(error)})
                : text('pair.unknown'); /* one of the sets is full */
        };
        this.said.textContent = text('pair.compared', {name: file.name,
            both: about('intersectionItems'), shown: about('aOnlyItems'),
            other: about('bOnlyItems'), either: about('unionItems')});
    }

    async #unite(file) {
        this.#united(await this.#call('unite', {file}));
        this.said.textContent = this.#shell.text('pair.united',
            {name: file.name});
    }
}
