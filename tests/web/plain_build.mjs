/* Without SIMD the second build is loaded, and no other, and its answers are
 * the same. The browser itself is told not to have SIMD, by taking the
 * instructions away that it is made of; where that is not possible, on another
 * processor, the page's question about it is answered with no. */
import assert from "node:assert/strict";
import {seenset, test} from "./harness.mjs";
import {ready} from "./support/panels.mjs";

/* A function that returns a vector. */
const with_simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1,
    0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const without = process.arch === "x64"
    ? ["--js-flags=--no-enable-sse4-1 --no-enable-ssse3 --no-enable-sse3"]
    : [];

const has_simd = (page) => page.evaluate((bytes) =>
    WebAssembly.validate(new Uint8Array(bytes)), with_simd);

/** Opens the page; returns the modules that it asks for, as they come. */
async function opened(page, origin) {
    const asked = [];
    page.on("request", (request) => {
        if (request.url().endsWith(".wasm"))
            asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`${origin}/#size`);
    await ready(page, "size");
    return asked;
}

/** The size of a set and its picture of a few keys, read from the page. */
async function answers(page) {
    await page.locator("#size input[name=n]").fill("1G");
    await page.locator("#size").getByText("1.262 GB").first().waitFor();
    return page.locator("#size table").first().innerText();
}

const tables = {};

test("page_takes_simd_where_it_is", {path: null}, async ({page, origin}) => {
    assert.deepEqual(await opened(page, origin), ["/module/seenset.wasm"]);
    assert.ok(await has_simd(page));
    assert.match(await page.locator("#engine").textContent(), /SIMD/);
    tables.simd = await answers(page);
});

test("page_takes_the_plain_build_without_simd", {path: null, browser: without},
     async ({page, origin}) => {
    if (process.arch !== "x64") {
        await page.addInitScript(() => {
            WebAssembly.validate = () => false;
        });
    }
    assert.deepEqual(await opened(page, origin),
                     ["/module/seenset-plain.wasm"]);
    assert.equal(await has_simd(page), false);
    const engine = await page.locator("#engine").textContent();
    assert.doesNotMatch(engine, /SIMD/);
    const version = /\d+\.\d+\.\d+/.exec(seenset("--version"))[0];
    assert.ok(engine.includes(version), engine);
    tables.plain = await answers(page);
    assert.equal(tables.plain, tables.simd);
});
