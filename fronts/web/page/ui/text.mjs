/*
 * text.mjs - what people read, apart from the code.
 *
 * A language is a folder, text/LANGUAGE, with a file for the page (shell.json),
 * one for each panel, and more for what is shown late; each is fetched when it
 * is needed. {name} in a text is replaced.
 *
 * To add a language:
 *
 *   1. Copy the folder text/en, and translate the texts in it. Keys and {names}
 *      stay; a {name} may be at another place in the sentence.
 *   2. Add the folder's name to LANGUAGES (language.mjs), with its tag for
 *      browsers and its name for readers.
 *   3. If its letters need fonts of their own, name them in style.css.
 *   4. Add it to tests/web/support/languages.mjs, and its letters to
 *      tests/web/languages/node_texts.mjs, which finds keys, {names} and texts
 *      that are missing or still English; languages.mjs beside it looks at each
 *      panel in each language.
 *
 * Numbers, units such as kB, and names of layouts are in all languages as the
 * command writes and reads them.
 */
import {language} from './language.mjs';

/**
 * The texts of one file, under its name, as scoped() takes them.
 * @param {string} scope "shell", a panel, or what is shown late
 * @param {string} [wanted] a language
 */
export async function loadText(scope, wanted = language) {
    const name = `text/${wanted}/${scope}.json`;
    const answer = await fetch(name).catch(({message}) => {
        throw new Error(`${name}: ${message}`);
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return {[scope]: await answer.json()};
}

/**
 * The texts under one key. A text that is not there is its own name, which a
 * test finds.
 * @param {object} words
 * @param {string} scope
 * @returns {(name: string, values?: Object<string, any>) => string}
 */
export function scoped(words, scope) {
    return (name, values = {}) => {
        let found = words[scope];
        for (const part of name.split('.')) found = found?.[part];
        if (typeof found !== 'string') return `${scope}.${name}`;
        return found.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
    };
}

/* Elements of index.html name their texts: data-text, data-label. */
export function fillIn(root, words) {
    const find = path => {
        const [scope, ...name] = path.split('.');
        return scoped(words, scope)(name.join('.'));
    };
    for (const place of root.querySelectorAll('[data-text]'))
        place.textContent = find(place.dataset.text);
    for (const place of root.querySelectorAll('[data-label]'))
        place.setAttribute('aria-label', find(place.dataset.label));
}
