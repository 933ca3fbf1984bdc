/* What a line costs in Chromium, beside the command and beside a page that only
 * reads and writes:
 *
 *     node bench/browser/stream.mjs [LINES] [ROUNDS]      1e7 lines, 3 rounds
 *
 * Half of the lines are repeats. In each round all take the same file, in turn:
 *
 *     command     seenset dedup -p 1e-9 -n N --threads=1 FILE > OUTPUT
 *     floor       floor_worker.mjs: the file is read, as many bytes are written
 *                 as the page writes, and nothing is done in between
 *     page        "Use it": from the click to the result on the screen
 *
 * By the clock, and by the processor time of all processes (processes.mjs). The
 * browser has a profile on the disk: without one its disk space is memory. The
 * page, the browser and its driver are those of the tests of the page. BEFORE
 * names the folder of another build of the page, which takes its turn, too;
 * FLOORS the ways of the floor, as "stream byob slice sync". */
import {spawnSync} from "node:child_process";
import {closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync,
        writeSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {serve} from "../../fronts/web/serve.mjs";
import {chromium_command, native, site, tool}
    from "../../tests/web/support/places.mjs";
import {process_with, taken, times_of} from "./processes.mjs";

const [count = 1e7, rounds = 3] = process.argv.slice(2).map(Number);
const capacity = String(count);
const patience_ms = 600_000;
const ways = (process.env.FLOORS ?? "stream byob").split(" ")
    .filter((one) => one !== "");
const piece = 1 << 20;
const line_group = 50_000;
const here = fileURLToPath(new URL(".", import.meta.url));

/* ---- the file ---- */

/* The multiplier spreads the numbers, so that the lines look like ids. */
function some_lines(from, to) {
    let text = "";
    for (let i = from; i < to; i++)
        text += `https://example.org/item/${(i * 2654435761) % 2 ** 32}\n`;
    return text;
}

/* Each group of lines is there twice. */
function write_lines(name) {
    const file = openSync(name, "w");
    for (let first = 0; first < count / 2; first += line_group) {
        const text = some_lines(first, Math.min(first + line_group, count / 2));
        writeSync(file, text);
        writeSync(file, text);
    }
    closeSync(file);
}

/* ---- what is measured: {ms, seconds} ---- */

/* The command; bash prints the processor time of what it waited for. */
function command(work, name, ...words) {
    const times = path.join(work, "times");
    const to = openSync(times, "w");
    const started = performance.now();
    const {status} = spawnSync("bash", ["-c",
        'TIMEFORMAT="%U %S"; time "$@" >"$0"', path.join(work, "kept"),
        path.join(native, "seenset"), "dedup", "-p", "1e-9", "-n", capacity,
        ...words, name], {stdio: ["ignore", "inherit", to]});
    const ms = performance.now() - started;
    closeSync(to);
    if (status !== 0)
        throw new Error(`the command ended with ${status}`);
    const [user, system] = readFileSync(times, "utf8").split(" ").map(Number);
    return {ms, seconds: user + system};
}

async function in_browser(root, work) {
    const before = times_of(root);
    const {ms} = await work();
    return {ms, ...taken(before, times_of(root))};
}

async function floor(browser, name, how, share) {
    const page = await browser.context.newPage();
    await page.goto(`${browser.floor}/floor.html`);
    await page.getByLabel("file").setInputFiles(name);
    const found = await in_browser(browser.root, () => page.evaluate((given) =>
        window.floor(given), {how, share, piece}));
    await page.close();
    return found;
}

/* From the click to the result. The page itself looks for the result: a driver
 * that asks again and again would take processor time, too. */
async function use(browser, name, origin) {
    const page = await browser.context.newPage();
    await page.goto(`${origin}/#use?n=${capacity}`);
    await page.getByLabel("Choose files").setInputFiles(name);
    const button = page.getByRole("button", {name: "Drop the duplicates"});
    await button.waitFor();
    const found = await in_browser(browser.root, () => button.evaluate(
        (one) => new Promise((resolve, reject) => {
            const started = performance.now();
            const use = document.querySelector("#use");
            const problem = use.querySelector("[role=alert]");
            new MutationObserver(() => {
                if (use.querySelector(".result h2"))
                    resolve({ms: performance.now() - started});
                if (!problem.hidden)
                    reject(new Error(problem.textContent));
            }).observe(use, {childList: true, subtree: true});
            one.click();
        })));
    const facts = await page.locator("#use .result .facts").innerText();
    found.facts = facts.replaceAll("\n", " ");
    await page.close();
    return found;
}

/* ---- a round, and what they print ---- */

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/* The least by the clock is what another load of the machine has changed least;
 * each is followed by how many times the command's it is. */
function print(name, all, base) {
    const line = (key, scale, choose) =>
        choose(all.map((one) => one[key])) * scale / count;
    const found = {
        "by the clock": line("ms", 1e6, median),
        "at least": line("ms", 1e6, (one) => Math.min(...one)),
        "of processors": line("seconds", 1e9, median),
    };
    const words = Object.entries(found).map(([key, ns]) =>
        `${ns.toFixed(0).padStart(5)} ns ${key}` +
        (base ? ` (${(ns / base[key]).toFixed(1)} x)` : ""));
    console.log(`${name.padEnd(20)} ${words.join(", ")}`);
    return found;
}

function print_threads(threads) {
    for (const [name, seconds] of threads.slice(0, 8))
        console.log(`    ${name.padEnd(44)} ` +
            `${(seconds * 1e9 / count).toFixed(0).padStart(5)} ns`);
}

async function start(work) {
    const {chromium} = await tool("playwright-core");
    const profile = path.join(work, "profile");
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: chromium_command,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
               "--disable-background-networking", "--disable-sync",
               "--disable-component-update"]});
    context.setDefaultTimeout(patience_ms);
    const servers = [];
    for (const folder of [here, site, process.env.BEFORE])
        if (folder)
            servers.push(await serve(folder));
    const [floor_at, ...pages] = servers.map(({origin}) => origin);
    return {context, root: process_with(`--user-data-dir=${profile}`),
            pages, floor: floor_at,
            async close() {
                await context.close();
                for (const one of servers)
                    await one.close();
            }};
}

/* Times are of the first, the command on one thread. */
function print_all(found) {
    let base = null;
    for (const [key, all] of found) {
        const line = print(key, all, base);
        base ??= line;
        if (all.at(-1).threads)
            print_threads(all.at(-1).threads);
    }
    console.log(found.get("page").at(-1).facts);
}

async function round(work, name, browser, put) {
    put("command, one thread", command(work, name, "--threads=1"));
    put("command", command(work, name));
    for (const how of ways)
        put(`floor, ${how}`, await floor(browser, name, how, 0.5));
    for (const [i, origin] of browser.pages.entries())
        put(["page", "page, before"][i], await use(browser, name, origin));
}

async function main() {
    const work = mkdtempSync(path.join(tmpdir(), "seenset-browser-"));
    const name = path.join(work, "lines");
    write_lines(name);
    const bytes = statSync(name).size;
    console.log(`${count} lines of ${(bytes / count).toFixed(0)} bytes, half ` +
        `of them repeats, ${rounds} rounds`);
    const browser = await start(work);
    const found = new Map();
    const put = (key, one) => {
        found.set(key, [...found.get(key) ?? [], one]);
        return one;
    };
    try {
        for (let i = 0; i < rounds; i++)
            await round(work, name, browser, put);
    } finally {
        await browser.close();
        rmSync(work, {recursive: true});
    }
    print_all(found);
}

await main();
