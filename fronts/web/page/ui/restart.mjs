/*
 * restart.mjs - the page starts again, and nothing is lost without a question.
 *
 * What is in the address is there again; that of the panels that are not on the
 * screen is handed over (url.mjs). What else a reader added, chose or wrote, a
 * panel holds: it gives shell.hold() an object of
 *
 *     isHolding()    is there anything that would be lost?
 *     letGo()        the reader has given it up (may be left out)
 *
 * and if any holds something, the reader is asked first.
 */
import {freshId, h} from './dom.mjs';
import {handOver} from './url.mjs';

export class Restart {
    #holders = [];
    #begin = null;
    #back = null;

    /**
     * @param {HTMLElement} root where the question is put
     * @param {(name: string) => string} text of the key "shell"
     */
    constructor(root, text) {
        const id = freshId('restart');
        const button = (name, kind, onclick) => h('button', {type: 'button',
            class: kind, 'data-do': name, onclick}, text(`language.${name}`));
        this.stay = button('stay', '', () => this.#stay());
        this.root = root;
        root.setAttribute('aria-labelledby', id);
        root.append(h('h2', {id}, text('language.title')),
            h('p', {}, text('language.text')),
            h('p', {class: 'buttons'}, this.stay,
                button('go', 'quiet', () => this.#go())));
    }

    /** @param {{isHolding: () => boolean, letGo?: () => void}} holder */
    hold(holder) {
        this.#holders.push(holder);
    }

    /**
     * @param {() => boolean} begin what comes before the page starts again;
     *     false: it does not, and nothing is lost
     * @param {HTMLElement} back gets the focus if the reader stays
     */
    ask(begin, back) {
        this.#begin = begin;
        this.#back = back;
        const isHeld = this.#holders.some(holder => holder.isHolding());
        if (!isHeld && handOver()) return this.#go();
        this.root.hidden = false;
        this.stay.focus();
        this.root.scrollIntoView({block: 'nearest'});
    }

    #stay() {
        this.root.hidden = true;
        this.#back.focus();
    }

    #go() {
        if (!this.#begin()) return this.#stay();
        for (const holder of this.#holders) holder.letGo?.();
        handOver();
        location.reload();
    }
}
