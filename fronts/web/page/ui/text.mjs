/*
 * text.mjs - what people read, apart from the code.
 *
 * A language is a folder, text/LANGUAGE, with shell.json for the page and a
 * file for each panel, which is fetched with its panel. {name} in a text is
 * replaced. To add a language, add its folder and its name here.
 */
const LANGUAGES = ['en'];

/** @returns {string} The first language that the reader and the page share. */
function choose() {
    for (const wanted of navigator.languages ?? []) {
        const language = wanted.toLowerCase().split('-')[0];
        if (LANGUAGES.includes(language)) return language;
    }
    return LANGUAGES[0];
}

/**
 * The texts of the page or of a panel, under its name, as scoped() takes them.
 * @param {string} scope "shell", or a panel
 */
export async function loadText(scope) {
    const language = choose();
    document.documentElement.lang = language;
    const name = `text/${language}/${scope}.json`;
    const answer = await fetch(name);
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
