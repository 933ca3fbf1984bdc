/*
 * app.mjs - the page starts, and shows one of its panels.
 *
 * A panel is a module with one function:
 *
 *     mount(root, shell)    fills its <section>, once, when it is first shown
 *
 * and `shell` is all that it knows of the page:
 *
 *     library     what seenset.mjs loads: SeenSet, plan, ...
 *     text(name, values)    what people read: text('title') of the panel "see"
 *                           is "title" in text/LANGUAGE/see.json
 *     more(scope) the same of another file, text/LANGUAGE/SCOPE.json, which is
 *                 fetched
 *     format      numbers as the command prints them (ui/format.mjs)
 *     common      the texts of the page, for ui/parse.mjs
 *     url         the panel's state in the address (ui/url.mjs)
 *     announce(text)        spoken by screen readers
 *     tell(error) a part did not come, which is told at the top of the page;
 *                 null: it did
 *     hold(holder)          what a new start would lose (ui/restart.mjs)
 *
 * Nothing is stored but the choice of a language, and of dark or light, and
 * nothing is sent.
 */
import {load} from './module/seenset.mjs';
import {announcer} from './ui/announce.mjs';
import {formats} from './ui/format.mjs';
import {language, nextLanguage, startLanguage} from './ui/language.mjs';
import {Restart} from './ui/restart.mjs';
import {fillIn, loadText, scoped} from './ui/text.mjs';
import {startTheme} from './ui/theme.mjs';
import {panelUrl, readUrl} from './ui/url.mjs';

const PANELS = ['start', 'see', 'size', 'use']; /* the first is shown first */
const mounted = new Map();

/** @typedef {ReturnType<typeof makeShell>} Shell */
function makeShell(panel, {library, restart, announce}, words) {
    return {
        library,
        text: scoped(words, panel),
        format: formats(scoped(words, 'shell')),
        common: scoped(words, 'shell'),
        more: async scope => scoped(await loadText(scope), scope),
        url: panelUrl(panel),
        announce,
        tell: error => tell(words.shell.missing, error),
        hold: holder => restart.hold(holder),
    };
}

const fetched = new Map();

/* The look of a panel, before it is shown. */
function loadStyle(panel) {
    const href = `${panel}/${panel}.css`;
    return new Promise((resolve, reject) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = href;
        link.onload = resolve;
        link.onerror = () => {
            link.remove(); /* so that it can be tried again */
            reject(new Error(href));
        };
        document.head.append(link);
    });
}

/** A panel's module, texts and look, which are fetched while the library is. */
function fetchPanel(panel) {
    const key = `${language}/${panel}`;
    if (!fetched.has(key)) {
        const coming = Promise.all([import(`./${panel}/${panel}.mjs`),
            loadText(panel), loadStyle(panel)]);
        /* so that it can be tried again */
        coming.catch(() => fetched.delete(key));
        fetched.set(key, coming);
    }
    return fetched.get(key);
}

function markCurrent(panel) {
    for (const link of document.querySelectorAll('[data-panel]')) {
        if (link.dataset.panel === panel)
            link.setAttribute('aria-current', 'page');
        else
            link.removeAttribute('aria-current');
    }
    for (const name of PANELS)
        document.getElementById(name).hidden = name !== panel;
}

async function show(panel, start) {
    markCurrent(panel);
    document.title = start.words.shell.titles[panel];
    if (!mounted.has(panel)) {
        const coming = mountPanel(panel, start);
        coming.catch(() => mounted.delete(panel));
        mounted.set(panel, coming);
    }
    await mounted.get(panel);
    document.getElementById('failed').hidden = true;
}

async function mountPanel(panel, start) {
    const [{mount}, text] = await fetchPanel(panel);
    const root = document.getElementById(panel);
    await mount(root, makeShell(panel, start, {...start.words, ...text}));
}

/* The texts of the page, in the first of the reader's languages that comes: the
 * copy for work without a network, or a host, may lack one. */
async function loadShell() {
    for (;;) {
        try {
            return await loadText('shell');
        } catch (error) {
            if (!nextLanguage()) throw error;
        }
    }
}

/* The texts themselves may be what did not come: then this is in English. */
const FAILED = 'The page could not start. A part of it did not come: {why}. ' +
    'Reload the page; if that does not help, its host lacks a file.';

/* What did not come, at the top of the page; null: all that was wanted did. */
function tell(text, error) {
    const place = document.getElementById('failed');
    place.hidden = error === null;
    if (place.hidden) return;
    place.textContent = text.replace('{why}', () => error.message);
    place.scrollIntoView({block: 'nearest'});
}

function fail(words, error) {
    tell(words?.shell?.failed ?? FAILED, error);
    document.body.classList.remove('is-starting');
    throw error;
}

/* Another language: its texts are asked for first, since a page whose texts do
 * not come is of no use. */
function offerLanguages({words, restart}) {
    const list = document.getElementById('language');
    const isKept = begin => {
        const kept = begin();
        if (!kept) tell(words.shell.language.not_kept, new Error());
        return kept;
    };
    let latest = null;
    startLanguage(list, async (wanted, begin) => {
        latest = begin;
        const error = await loadText('shell', wanted)
            .then(() => null, found => found);
        if (latest !== begin) return; /* another one was chosen since */
        tell(words.shell.missing, error);
        if (error === null) restart.ask(() => isKept(begin), list);
    });
}

/* The links keep what a panel had in the address when it was left. */
function followLinks() {
    for (const link of document.querySelectorAll('[data-panel]'))
        link.addEventListener('click', () => {
            link.href = panelUrl(link.dataset.panel).link();
        });
    /* it goes to the content, but the address is the panel's */
    document.querySelector('.skip').addEventListener('click', event => {
        event.preventDefault();
        document.getElementById('content').focus();
    });
}

/* The texts of the language that is read, beside the rest of the page. */
function keepTexts({active}) {
    return new Promise((resolve, reject) => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = ({data}) => data.error ? reject(data.error)
            : resolve();
        active.postMessage({language}, [port2]);
    });
}

async function startOffline(words) {
    if (!('serviceWorker' in navigator)) return;
    try {
        await navigator.serviceWorker.register('service_worker.mjs');
        await keepTexts(await navigator.serviceWorker.ready);
        document.getElementById('offline').textContent = words.shell.offline;
        document.documentElement.dataset.offline = 'ready';
    } catch {
        /* a private window, or http without a certificate: online only */
    }
}

async function main() {
    const loading = load({wasm: new URL('module/', import.meta.url)});
    loading.catch(() => {}); /* told below */
    fetchPanel(readUrl(PANELS).panel).catch(() => {}); /* so is this */
    const words = await loadShell().catch(error => fail(null, error));
    fillIn(document, words);
    const text = scoped(words, 'shell');
    startTheme(document.getElementById('theme'), text);
    const announce = announcer(document.getElementById('announcer'));
    const library = await loading.catch(error => fail(words, error));
    document.getElementById('engine').textContent =
        text(library.simd ? 'engine_simd' : 'engine_plain',
            {version: library.version});
    const restart = new Restart(document.getElementById('restart'), text);
    const start = {words, library, announce, restart};
    offerLanguages(start);
    const follow = () => show(readUrl(PANELS).panel, start)
        .catch(error => fail(words, error));
    followLinks();
    window.addEventListener('hashchange', follow);
    await follow();
    document.body.classList.remove('is-starting');
    document.documentElement.dataset.ready = 'yes';
    performance.mark('seenset-ready');
    await startOffline(words);
}

main();
