/*
 * unsaved.mjs - a set that is in memory alone is not lost without a question.
 *
 * What puts another set in its place is given to `before(work)`: it is done at
 * once if there is nothing to lose, and else when the reader has saved the set
 * or given it up. Leaving the page asks, too.
 */
import {freshId, h} from '../ui/dom.mjs';

export class Unsaved {
    #isUnsaved = false;
    #work = null;
    #save;
    #guard;

    /**
     * @param {(name: string) => string} text
     * @param {() => Promise<void>} save
     * @param {(work: () => Promise<void>) => void} guard shows what went wrong
     */
    constructor(text, save, guard) {
        const id = freshId('unsaved');
        this.#save = save;
        this.#guard = guard;
        const button = (name, kind, answer) => h('button', {type: 'button',
            class: kind, onclick: () => this.#answer(answer)},
        text(`unsaved.${name}`));
        this.first = button('save', '', 'save');
        this.root = h('div', {class: 'card unsaved', role: 'group',
            'aria-labelledby': id, hidden: true},
        h('h2', {id}, text('unsaved.title')),
        h('p', {}, text('unsaved.text')),
        h('div', {class: 'buttons'}, this.first,
            button('drop', 'quiet', 'drop'), button('keep', 'quiet', 'keep')));
        window.addEventListener('beforeunload', event => {
            if (this.#isUnsaved) event.preventDefault();
        });
    }

    /** The set has new keys, or it was saved or is gone. */
    mark(isUnsaved) {
        this.#isUnsaved = isUnsaved;
        this.root.hidden = true;
    }

    /** @param {() => Promise<void>} work after which the set is another */
    async before(work) {
        if (!this.#isUnsaved) return work();
        this.#work = work;
        this.root.hidden = false;
        this.first.focus();
        this.root.scrollIntoView({block: 'nearest'});
    }

    #answer(answer) {
        const work = this.#work;
        this.root.hidden = true;
        this.#work = null;
        if (answer === 'keep') return;
        this.#guard(async () => {
            if (answer === 'save') await this.#save();
            await work();
        });
    }
}
