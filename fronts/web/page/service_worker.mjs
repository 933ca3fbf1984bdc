/*
 * service_worker.mjs - the page works without a network, once it was loaded.
 *
 * All files are kept in one cache. files.json, which the build writes, lists
 * them and has a version, the hash of all:
 *
 *     {"version": "5f0c...", "files": ["./", "style.css", ...]}
 *
 * Of the two builds of the module it keeps the one that this browser runs.
 *
 * The network is asked first, so that a new version is seen at once; what does
 * not come is taken from the cache. When a page is opened and the version has
 * changed, all files are fetched anew, so the cache never mixes two versions.
 */
const CACHE_PREFIX = 'seenset-';

/* A function that returns a vector: only where there is SIMD it is valid. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1,
    123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const UNUSED = WebAssembly.validate(SIMD) ? 'module/seenset-plain.wasm'
    : 'module/seenset.wasm';

async function currentCache() {
    const names = await caches.keys();
    return names.filter(name => name.startsWith(CACHE_PREFIX)).at(-1);
}

/* Fetches all files if there is another version than the one that is kept. */
async function refresh() {
    const list = await (await fetch('files.json', {cache: 'no-cache'})).json();
    const name = CACHE_PREFIX + list.version;
    const before = await caches.keys();
    if (before.includes(name)) return;
    const cache = await caches.open(name);
    try {
        const wanted = list.files.filter(file => file !== UNUSED);
        await cache.addAll(wanted.map(file =>
            new Request(file, {cache: 'no-cache'})));
    } catch (error) {
        await caches.delete(name);
        throw error;
    }
    for (const old of before)
        if (old.startsWith(CACHE_PREFIX)) await caches.delete(old);
}

async function fromCache(request) {
    const name = await currentCache();
    const cache = name === undefined ? undefined : await caches.open(name);
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
    event.waitUntil(refresh().then(() => self.skipWaiting()));
});

self.addEventListener('activate', event => {
    event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', event => {
    const {request} = event;
    if (request.method !== 'GET' ||
            new URL(request.url).origin !== self.location.origin)
        return;
    event.respondWith(answer(request));
    if (request.mode === 'navigate') event.waitUntil(refresh().catch(() => {}));
});
