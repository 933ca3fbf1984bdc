/*
 * text.mjs - what people read, apart from the code.
 *
 * A language is one file, text/LANGUAGE.json: an object of objects, with a key
 * for the page and one for each panel. {name} in a text is replaced. To add a
 * language, add its file and its name here.
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

export async function loadText() {
    const language = choose();
    document.documentElement.lang = language;
    const answer = await fetch(`text/${language}.json`);
    return answer.json();
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
