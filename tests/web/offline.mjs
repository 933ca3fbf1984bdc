/* The page works without a network once it was loaded: the service worker has
 * all of it. The server is stopped for real, and another browser tab, the
 * other panels and the WebAssembly module still come. */
import assert from "node:assert/strict";
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync}
    from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {serve} from "../../fronts/web/serve.mjs";
import {at_end, browser, seenset, seenset_bytes, settle, site, test_alone}
    from "./harness.mjs";
import {watch} from "./support/guards.mjs";
import {choose, in_language} from "./support/languages.mjs";
import {panels, ready} from "./support/panels.mjs";
import {fact, get_lines, get_set, numbered, place, run}
    from "./support/use_panel.mjs";

/** A served copy of the page, which a test may change or stop. */
async function served_copy() {
    const folder = mkdtempSync(path.join(tmpdir(), "seenset-offline-"));
    cpSync(site, folder, {recursive: true});
    at_end(() => rmSync(folder, {recursive: true}));
    const server = await serve(folder);
    at_end(server.close);
    return {folder, ...server};
}

async function new_context() {
    const context = await (await browser()).newContext({locale: "en-US"});
    context.setDefaultTimeout(300_000);
    at_end(() => context.close());
    return context;
}

async function wait_until_offline_works(page) {
    await page.locator("html[data-offline=ready]").waitFor();
}

test_alone("page_works_after_the_server_stopped", async () => {
    const {origin, close} = await served_copy();
    const context = await new_context();
    const faults = await watch(context, origin);
    const first = await context.newPage();
    await first.goto(`${origin}/#size`);
    await wait_until_offline_works(first);
    await settle(first);
    assert.deepEqual(faults, []);
    await close();

    for (const panel of panels) {
        const page = await context.newPage();
        await page.goto(`${origin}/#${panel}`);
        await ready(page, panel);
        const words = await page.locator(`#${panel}`).innerText();
        assert.ok(words.length > 100, `${panel}: ${words}`);
        await page.close();
    }
    /* What asks the server, and is not answered, is no fault here. */
    assert.deepEqual(faults.filter((line) =>
        !/ERR_(CONNECTION|FAILED|INTERNET)/.test(line)), []);
});

/* With the service worker in between, and without the server, duplicates are
 * dropped as ever: what is kept goes to the disk space, and is saved. */
test_alone("page_drops_duplicates_from_its_copy", async () => {
    const {origin, close} = await served_copy();
    const context = await new_context();
    const faults = await watch(context, origin);
    const page = await context.newPage();
    await page.goto(`${origin}/#use`);
    await wait_until_offline_works(page);
    await close();
    await page.reload();
    assert.ok(await page.evaluate(() =>
        navigator.serviceWorker.controller !== null));
    const text = numbered(120_000, "x".repeat(220));
    writeFileSync(place("many.txt"), text);
    await page.getByLabel("Choose files").setInputFiles(place("many.txt"));
    await run(page);
    assert.match(await fact(page, "memory"), /on this browser's disk space/);
    const {bytes} = await get_lines(page);
    assert.ok(bytes.length > 16 << 20);
    assert.ok(bytes.equals(seenset_bytes(["dedup", place("many.txt")])));
    const set = await get_set(page);
    writeFileSync(place(set.name), set.bytes);
    assert.match(seenset("verify", place(set.name)), /sound/);
    assert.deepEqual(faults.filter((line) =>
        !/ERR_(CONNECTION|FAILED|INTERNET)/.test(line)), []);
});

test_alone("page_shows_a_new_version_at_once", async () => {
    const {origin, folder} = await served_copy();
    const context = await new_context();
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await wait_until_offline_works(page);
    writeFileSync(path.join(folder, "style.css"),
                  "body { outline: 7px solid; }");
    await page.reload();
    await ready(page, panels[0]);
    assert.equal(await page.evaluate(() =>
        getComputedStyle(document.body).outlineWidth), "7px");
});

/** The cache of a version, or of the one that is served, as a worker leaves it
 * that is stopped before it has put anything in. */
async function plant_empty_copy(page, version) {
    await page.evaluate(async (one) => {
        const {version: served} = await (await fetch("files.json")).json();
        await caches.open(`seenset-${one ?? served}`);
    }, version);
}

test_alone("copy_that_was_stopped_is_fetched_again", async () => {
    const {origin, close} = await served_copy();
    const page = await (await new_context()).newPage();
    await page.goto(`${origin}/files.json`); /* no worker yet */
    await plant_empty_copy(page);
    await page.goto(`${origin}/`);
    await wait_until_offline_works(page);
    await close();
    await page.goto(`${origin}/#size`);
    await page.reload();
    await ready(page, "size");
});

test_alone("copy_is_whole_while_the_next_one_is_fetched", async () => {
    const {origin, close} = await served_copy();
    const page = await (await new_context()).newPage();
    await page.goto(`${origin}/`);
    await wait_until_offline_works(page);
    await plant_empty_copy(page, "next");
    await close();
    await page.reload();
    await ready(page, panels[0]);
});

/* A language is kept when it is read, those of before as well, also by the next
 * version; one that was never read is not there. */
test_alone("page_works_in_the_languages_that_were_read", async () => {
    const {origin, folder, close, sent} = await served_copy();
    const context = await new_context();
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await wait_until_offline_works(page);
    await choose(page, "de");
    await in_language(page, "de");
    await wait_until_offline_works(page);
    const names = () => page.evaluate(async () => (await caches.keys())
        .filter((name) => name.startsWith("seenset-")));
    const before = await names();

    const list = path.join(folder, "files.json");
    const listed = JSON.parse(readFileSync(list, "utf8"));
    writeFileSync(list, JSON.stringify({...listed, version: "planted"}));
    await page.reload();
    await wait_until_offline_works(page);
    while ((await names()).join() !== "seenset-planted")
        await settle(page);
    assert.notDeepEqual(before, await names());
    assert.ok(!sent.some(({path: name}) => /text\/(ja|ru|zh)/.test(name)));
    await close();

    /* One that is not there leads to the browser's, which is English. */
    for (const [wanted, name] of [["de", "de"], ["en", "en"], ["ja", "en"],
                                  ["de", "de"]]) {
        await page.evaluate((one) =>
            localStorage.setItem("seenset-language", one), wanted);
        for (const panel of panels) {
            await page.goto(`${origin}/#${panel}`);
            await page.reload();
            await in_language(page, name);
            await ready(page, panel);
        }
        await wait_until_offline_works(page);
    }
    await choose(page, "ja");
    await page.getByRole("alert").filter({hasText: "ja/shell.json"})
        .or(page.getByRole("alert").filter({hasText: "fetch"})).waitFor();
    assert.equal(await page.locator("#language").inputValue(), "de");
});
