/* The main path in Debian's Firefox, driven by puppeteer-core over WebDriver
 * BiDi: a size is asked, a key is added and found, and a file loses its
 * duplicates. An error in its console fails the test too. */
import assert from "node:assert/strict";
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync,
        writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {before, test} from "node:test";
import {at_end, seenset_bytes, server} from "./harness.mjs";
import {firefox_command, tool} from "./support/places.mjs";

const patience_ms = 300_000;
const work = mkdtempSync(path.join(tmpdir(), "seenset-firefox-"));
at_end(() => rmSync(work, {recursive: true}));
const downloads = path.join(work, "downloads");
mkdirSync(downloads);
let browser, origin;

before(async () => {
    ({origin} = await server());
    const puppeteer = await tool("puppeteer-core");
    browser = await puppeteer.launch({
        browser: "firefox", executablePath: firefox_command, headless: true,
        timeout: patience_ms, protocolTimeout: patience_ms,
        extraPrefsFirefox: {
            "browser.download.dir": downloads,
            "browser.download.folderList": 2,
            "browser.download.alwaysOpenPanel": false,
        },
    });
    at_end(() => browser.close());
});

/** Opens a panel; `faults` is what the page may not do. */
async function open(fragment) {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience_ms);
    const faults = [];
    page.on("console", (message) => {
        if (message.type() === "error")
            faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`${origin}/${fragment}`);
    await page.waitForSelector("html[data-ready]");
    return {page, faults};
}

/** Waits until a text is to be read in an element. */
async function read(page, selector, words) {
    await page.waitForFunction((at, wanted) =>
        document.querySelector(at)?.innerText.includes(wanted),
    {}, selector, words);
}

async function write(page, selector, text) {
    await page.locator(selector).fill(text);
}

/** The one file that was downloaded, once it has so many bytes. */
async function downloaded(bytes) {
    for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += 100) {
        for (const name of readdirSync(downloads)) {
            const found = readFileSync(path.join(downloads, name));
            if (found.length >= bytes)
                return found;
        }
        await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`not downloaded: ${readdirSync(downloads).join(" ")}`);
}

test("firefox_notices_an_error", async () => {
    const {page, faults} = await open("#size");
    await page.evaluate(() => {
        setTimeout(() => { throw new Error("planted"); });
    });
    for (let i = 0; i < 600 && !faults.length; i++)
        await new Promise((done) => setTimeout(done, 100));
    assert.match(faults.join(), /planted/);
    await page.close();
});

test("firefox_sizes", async () => {
    const {page, faults} = await open("#size");
    await write(page, "#size input[name=n]", "1G");
    await write(page, "#size input[name=p]", "1%");
    await read(page, "#size", "1.262 GB");
    assert.deepEqual(faults, []);
    await page.close();
});

test("firefox_shows_a_key", async () => {
    const {page, faults} = await open("#see");
    await page.waitForSelector("#see input");
    await page.locator("#see input[type=text], #see input:not([type])")
        .fill("Okorok");
    await read(page, "#see", "Okorok");
    assert.deepEqual(faults, []);
    await page.close();
});

test("firefox_drops_duplicates", async () => {
    const lines = Array.from({length: 20_000}, (_, i) =>
        `https://example.org/${i % 7000}\n`).join("");
    const file = path.join(work, "urls.txt");
    writeFileSync(file, lines);
    const {page, faults} = await open("#use");
    const input = await page.waitForSelector("#use input[type=file]");
    await input.uploadFile(file);
    await page.locator("#use button::-p-text(Drop the duplicates)").click();
    await read(page, "#use", "7,000 of 20,000 lines are left");
    await page.locator("#use ::-p-text(Download urls)").click();
    const expected = seenset_bytes(["dedup", "-p", "1e-9"], lines);
    assert.equal((await downloaded(expected.length)).toString(),
                 expected.toString());
    assert.deepEqual(faults, []);
    await page.close();
});
