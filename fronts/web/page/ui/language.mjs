/*
 * language.mjs - which language the page is in, and the list to choose it from.
 *
 * The reader's own choice comes first, then the languages of the browser in
 * their order, then English; one whose texts do not come is passed over. A
 * choice starts the page again (restart.mjs), as its words are in everything
 * that is on the screen.
 */
import {h} from './dom.mjs';
import {isKeeping, keep, kept} from './kept.mjs';

const KEY = 'seenset-language';

/** By the names of their folders in text/, as their readers call them. */
export const LANGUAGES = {
    en: {tag: 'en', name: 'English'},
    de: {tag: 'de', name: 'Deutsch'},
    ja: {tag: 'ja', name: '日本語'},
    ru: {tag: 'ru', name: 'Русский'},
    zh: {tag: 'zh-Hans', name: '中文'},
};

const isThere = language => Object.hasOwn(LANGUAGES, language);

function wanted() {
    const names = [kept(KEY) ?? '', ...navigator.languages ?? [], 'en'];
    return [...new Set(names.map(name => name.toLowerCase().split('-')[0])
        .filter(isThere))];
}

const choices = wanted();

/** The language of this visit: the name of a folder in text/. */
export let language;
nextLanguage();

/**
 * The next of the reader's languages becomes that of the page.
 * @returns {boolean} false: there is none, and it stays as it is
 */
export function nextLanguage() {
    if (choices.length === 0) return false;
    language = choices.shift();
    document.documentElement.lang = LANGUAGES[language].tag;
    return true;
}

/**
 * @param {HTMLSelectElement} list
 * @param {(wanted: string, begin: () => boolean) => void} restart starts the
 *     page again if begin() has kept the choice, or tells the reader why not
 */
export function startLanguage(list, restart) {
    list.append(...Object.entries(LANGUAGES).map(([value, {tag, name}]) =>
        h('option', {value, lang: tag, selected: value === language}, name)));
    list.hidden = !isKeeping(); /* a choice would be lost at once */
    list.addEventListener('change', () => {
        const chosen = list.value;
        list.value = language; /* until the page is in it */
        if (chosen !== language) restart(chosen, () => keep(KEY, chosen));
    });
}
