/*
 * language.mjs - which language the page is in, and the list to choose it from.
 *
 * The reader's own choice comes first, then the languages of the browser in
 * their order, then English. A choice starts the page again (restart.mjs), as
 * its words are in everything that is on the screen.
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

function choose() {
    const wanted = [kept(KEY) ?? '', ...navigator.languages ?? []];
    return wanted.map(name => name.toLowerCase().split('-')[0])
        .find(isThere) ?? 'en';
}

/** The language of this visit: the name of a folder in text/. */
export const language = choose();
document.documentElement.lang = LANGUAGES[language].tag;

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
        const wanted = list.value;
        list.value = language; /* until the page is in it */
        if (wanted !== language) restart(wanted, () => keep(KEY, wanted));
    });
}
