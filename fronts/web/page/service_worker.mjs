/*
 * service_worker.mjs - the page works without a network, once it was loaded.
 *
 * All files are kept in one cache. files.json, which the build writes, lists
 * them and has a version, the hash of all:
 *
 *     {"version": "5f0c...", "files": ["./", "style.css", ...]}
 *
 * Of the two builds of the module it keeps the one that this browser runs; of
 * the languages of text/ those that were read, which the page names:
 *
 *     page -> {language: "de"}     worker -> {} when they are kept, or {error}
 *
 * The network is asked first, so that a new version is seen at once; what does
 * not come is taken from the cache. When a page is opened and the version has
 * changed, all files are fetched anew, so the cache never mixes two versions. A
 * worker may be stopped at any time, so files.json is put into the cache last:
 * a cache without it is not whole, and counts as none.
 */
const CACHE_PREFIX = 'seenset-';
const LIST = 'files.json';

/* A function that returns a vector: only where there is SIMD it is valid. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1,
    123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const UNUSED = WebAssembly.validate(SIMD) ? 'module/seenset-plain.wasm'
    : 'module/seenset.wasm';

/* The language that a file has texts in; undefined: it is of all. */
const languageOf = file => /^text\/([^/]+)\//.exec(file)?.[1];

async function ownCaches() {
    return (await caches.keys()).filter(one => one.startsWith(CACHE_PREFIX));
}

const isWhole = async name => await (await caches.open(name)).match(LIST) !==
    undefined;

async function currentCache() {
    for (const name of (await ownCaches()).reverse())
        if (await isWhole(name)) return caches.open(name);
}

async function keptLanguages() {
    const kept = await (await currentCache())?.keys() ?? [];
    return new Set(kept.map(({url}) =>
        languageOf(url.slice(self.registration.scope.length))));
}

const askForList = () => fetch(LIST, {cache: 'no-cache'});

function fetchInto(cache, files) {
    return cache.addAll(files.map(file =>
        new Request(file, {cache: 'no-cache'})));
}

/* Makes a cache of all files that this browser needs, and its list last. */
async function fill(name, answer) {
    const {files} = await answer.clone().json();
    const languages = (await keptLanguages()).add(undefined);
    await caches.delete(name); /* what was stopped */
    const cache = await caches.open(name);
    try {
        await fetchInto(cache, files.filter(file => file !== UNUSED &&
            languages.has(languageOf(file))));
        await cache.put(LIST, answer);
    } catch (error) {
        await caches.delete(name);
        throw error;
    }
}

/* Fetches all files if there is another version than the one that is kept. */
async function refresh() {
    const answer = await askForList();
    const name = CACHE_PREFIX + (await answer.clone().json()).version;
    const before = await ownCaches();
    if (!before.includes(name) || !await isWhole(name))
        await fill(name, answer);
    for (const old of before)
        if (old !== name) await caches.delete(old);
}

/* Keeps the texts of a language; a later refresh() keeps them too. */
async function keepLanguage(language) {
    if ((await keptLanguages()).has(language)) return;
    await refresh();
    const {files} = await (await askForList()).json();
    await fetchInto(await currentCache(),
        files.filter(file => languageOf(file) === language));
}

/* What changes the cache is done one after the other. */
let last = Promise.resolve();
function inTurn(work) {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
}

async function fromCache(request) {
    const cache = await currentCache();
    const found = await cache?.match(request, {ignoreSearch: true});
    return found ?? Response.error();
}

async function answer(request) {
    try {
        return await fetch(request);
    } catch {
        return fromCache(request);
    }
}

self.addEventListener('install', event => {
    event.waitUntil(inTurn(refresh).then(() => self.skipWaiting()));
});

self.addEventListener('activate', event => {
    event.waitUntil(self.clients.claim());
});

self.addEventListener('message', event => {
    const {data: {language}, ports: [port]} = event;
    event.waitUntil(inTurn(() => keepLanguage(language)).then(
        () => port.postMessage({}),
        error => port.postMessage({error: error.message})));
});

self.addEventListener('fetch', event => {
    const {request} = event;
    if (request.method !== 'GET' ||
            new URL(request.url).origin !== self.location.origin)
        return;
    event.respondWith(answer(request));
    if (request.mode === 'navigate')
        event.waitUntil(inTurn(refresh).catch(() => {}));
});
