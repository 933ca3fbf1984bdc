/* Drives the page as a person would, in Debian's Chromium, by playwright-core:
 * in the one without windows (chromium-headless-shell), where opening a page
 * costs half of what it does in the whole browser.
 * A file of tests is a program:
 *
 *     import assert from "node:assert/strict";
 *     import {seenset, shot, test} from "./harness.mjs";
 *
 *     test("size_shows_what_plan_prints", {path: "/#size"}, async ({page}) => {
 *         await page.getByLabel("Keys").fill("1G");
 *         ...
 *         assert.equal(shown, seenset("plan", "-n", "1G"));
 *         await shot(page, "size-1g");
 *     });
 *
 * Each test gets a page in a browser context of its own, so with no cache and no
 * storage, served on a free port of this machine. It has a service worker only
 * where the test is about what that one keeps (`offline`): it fetches all of the
 * page a second time, and past what a test puts in the way of a request. At its
 * end the guards (support/guards.mjs) decide too: an error in the console, a
 * violation of the policy, a request to another host fails the test.
 *
 * Time decides nothing: what a test waits for may take five minutes. */
import {execFileSync} from "node:child_process";
import {mkdirSync, readFileSync} from "node:fs";
import path from "node:path";
import {after, test as node_test} from "node:test";
import assert from "node:assert/strict";
import {serve} from "../../fronts/web/serve.mjs";
import {chromium_command, native, output, site, tool,
        tool_file} from "./support/places.mjs";
import {watch} from "./support/guards.mjs";

export {native, output, site, source} from "./support/places.mjs";

const patience_ms = 300_000;

/** A quiet browser that reaches this machine alone. */
const chromium_arguments = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/* ---- what is started once, and stopped at the end ---- */

const started = [];

/** Has `stop` called after the last test of the file, the latest first. */
export function at_end(stop) {
    started.push(stop);
}
after(async () => {
    for (const stop of started.reverse())
        await stop();
});

const servers = new Map();

/** The server of a folder: {origin, sent}; the page's own without one. */
export function server(folder = site) {
    if (!servers.has(folder))
        servers.set(folder, serve(folder).then((started_server) => {
            at_end(started_server.close);
            return started_server;
        }));
    return servers.get(folder);
}

const browsers = new Map();

/** Chromium with more arguments, started once for each list of them. */
export function browser(more = []) {
    const key = more.join(" ");
    if (!browsers.has(key))
        browsers.set(key, start_browser(more));
    return browsers.get(key);
}

async function start_browser(more) {
    const {chromium} = await tool("playwright-core");
    const found = await chromium.launch({
        executablePath: chromium_command,
        args: [...chromium_arguments, ...more],
        timeout: patience_ms,
    });
    at_end(() => found.close());
    return found;
}

/* ---- a page ---- */

/**
 * @typedef {object} Options
 * @property {string|null} [path] what follows the origin: "/#size"; null: the
 *     test goes there itself
 * @property {string} [folder] another folder to serve than the page's
 * @property {"light"|"dark"} [colorScheme]
 * @property {string} [locale] the browser's: "de-DE"
 * @property {boolean} [offline] with a service worker
 * @property {{width: number, height: number}} [viewport]
 * @property {string[]} [browser] more arguments of Chromium
 * @property {object} [context] more options of playwright's newContext
 */

/**
 * Opens the page. The caller closes it, and looks at `faults`.
 * @param {Options} options
 */
export async function open(options = {}) {
    const {origin, sent} = await server(options.folder);
    const context = await (await browser(options.browser)).newContext({
        colorScheme: options.colorScheme ?? "light",
        locale: options.locale ?? "en-US",
        viewport: options.viewport ?? {width: 1280, height: 900},
        reducedMotion: "reduce",
        ...options.context,
    });
    context.setDefaultTimeout(patience_ms);
    const faults = await watch(context, origin);
    if (!options.offline)
        await context.addInitScript(() => {
            delete Navigator.prototype.serviceWorker;
        });
    const page = await context.newPage();
    if (options.path !== null)
        await page.goto(origin + (options.path ?? "/"));
    return {page, context, origin, sent, faults, close: () => context.close()};
}

/** Lets what has happened in the page reach the guards. */
export async function settle(page) {
    await page.evaluate(() => new Promise((done) => {
        requestAnimationFrame(() => setTimeout(done, 50));
    }));
}

/**
 * One test with a page of its own.
 * @param {string} name
 * @param {Options} options
 * @param {(opened: object) => Promise<void>} drive gets what open() returns,
 *     and `t` of node:test
 */
export function test(name, options, drive) {
    return node_test(name, async (t) => {
        const opened = await open(options);
        try {
            await drive({...opened, t});
            await settle(opened.page);
            assert.deepEqual(opened.faults, [], "the guards found faults");
        } catch (error) {
            await draw(opened.page, `failed-${name}`).catch(() => {});
            if (opened.faults.length > 0)
                console.error("guards:", opened.faults);
            throw error;
        } finally {
            await opened.close();
        }
    });
}

/** A test without a page. */
export {node_test as test_alone};

/* ---- what tests ask ---- */

/** What the native command prints. `input` is its standard input. */
export function seenset(...words) {
    return seenset_bytes(words).toString();
}

/** The same as bytes. */
export function seenset_bytes(words, input = "") {
    return execFileSync(path.join(native, "seenset"), words, {
        input, maxBuffer: 1 << 30, env: {...process.env, LC_ALL: "C"},
        stdio: ["pipe", "pipe", "pipe"],
    });
}

/** A picture of the page for people: NAME.png among the screenshots, where
 * SEENSET_WEB_SHOTS asks for them. A test that fails always leaves one. */
export async function shot(page, name) {
    if (process.env.SEENSET_WEB_SHOTS)
        await draw(page, name);
}

async function draw(page, name) {
    const folder = path.join(output, "screenshots");
    mkdirSync(folder, {recursive: true});
    await page.screenshot({path: path.join(folder, `${name}.png`),
                           fullPage: true});
}

/** What axe-core finds wrong in the page as it is: one line each. */
export async function axe_violations(page) {
    if (!await page.evaluate(() => "axe" in globalThis)) {
        const session = await page.context().newCDPSession(page);
        await session.send("Runtime.evaluate", {
            expression: readFileSync(tool_file("axe-core/axe.min.js"), "utf8"),
        });
        await session.detach();
    }
    return page.evaluate(async () => {
        const {violations} = await globalThis.axe.run(document);
        return violations.flatMap((rule) => rule.nodes.map((node) =>
            `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
    });
}

/** Fails where axe-core finds anything, in light or in dark. */
export async function check_axe(page) {
    for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({colorScheme});
        assert.deepEqual(await axe_violations(page), [], colorScheme);
    }
}

/** Drops a file on an element as a person drags it there. */
export async function drop(locator, name, bytes) {
    await locator.evaluate((element, [file_name, text]) => {
        const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([data], file_name));
        for (const type of ["dragenter", "dragover", "drop"])
            element.dispatchEvent(new DragEvent(type, {
                dataTransfer: transfer, bubbles: true, cancelable: true}));
    }, [name, Buffer.from(bytes).toString("base64")]);
}

/** Does what starts a download, and returns {name, bytes}. */
export async function download(page, start) {
    const [file] = await Promise.all([page.waitForEvent("download"), start()]);
    return {name: file.suggestedFilename(),
            bytes: readFileSync(await file.path())};
}
