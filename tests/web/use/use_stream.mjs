/* A long stream through the page, in bounded memory:
 *
 *     node use_stream.mjs [GIGABYTES]       2 without
 *
 * A file of that size is dropped, half of whose lines are repeats, so the
 * output is long too. The lines that are kept must be those of the command, and
 * all processes of the browser together may take little more memory at their
 * peaks than for a file of a 20th of the size. The browser has a profile on the
 * disk: without one its disk space is memory. */
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {createHash} from "node:crypto";
import {closeSync, createReadStream, mkdtempSync, openSync, readFileSync,
        readdirSync, rmSync, writeSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {test} from "node:test";
import {server} from "../harness.mjs";
import {chromium_command, native, tool} from "../support/places.mjs";

const gigabytes = Number(process.argv[2] ?? 2);
const line_bytes = 200;
const most_more_bytes = 256 * 2 ** 20;
const patience_ms = 3_600_000;

/** Writes `count` lines, each twice, 50,000 lines apart. */
function write_lines(name, count) {
    const file = openSync(name, "w");
    const group = 50_000;
    for (let first = 0; first < count / 2; first += group)
        for (let twice = 0; twice < 2; twice++)
            for (let i = first; i < first + group; i += 10_000)
                writeSync(file, some_lines(i, i + 10_000));
    closeSync(file);
}

function some_lines(from, to) {
    let text = "";
    for (let i = from; i < to; i++)
        text += `${String(i).padEnd(line_bytes - 1, "x")}\n`;
    return text;
}

/* ---- the memory of a browser ---- */

/** pid, parent and peak memory of each process, in bytes. */
function processes() {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => {
            try {
                const status = readFileSync(`/proc/${pid}/status`, "utf8");
                const field = (name) => Number(
                    status.match(new RegExp(`^${name}:\\s*(\\d+)`, "m"))?.[1]);
                return [{pid: Number(pid), parent: field("PPid"),
                         peak: 1024 * (field("VmHWM") || 0)}];
            } catch {
                return []; /* it has ended */
            }
        });
}

/** The sum of the peaks of a process and of all that it started. */
function peak_of(root) {
    const all = processes();
    const mine = new Set([root]);
    for (let before = 0; before < mine.size;) {
        before = mine.size;
        for (const {pid, parent} of all)
            if (mine.has(parent))
                mine.add(pid);
    }
    return all.filter(({pid}) => mine.has(pid))
        .reduce((sum, {peak}) => sum + peak, 0);
}

/** The browser that this program has started. */
function browser_of(profile) {
    return processes().find(({pid}) => {
        try {
            const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
            return words.includes(`--user-data-dir=${profile}`) &&
                !words.includes("--type=");
        } catch {
            return false;
        }
    }).pid;
}

/* ---- the streams ---- */

async function hash_of(stream) {
    const hash = createHash("sha256");
    for await (const piece of stream)
        hash.update(piece);
    return hash.digest("hex");
}

function native_hash(name) {
    const command = spawn(path.join(native, "seenset"),
        ["dedup", "-p", "1e-9", name], {stdio: ["ignore", "pipe", "inherit"]});
    return hash_of(command.stdout);
}

/** Drops a file on a page of its own; what was kept, and the peak memory. */
async function drive(work, name) {
    const {chromium} = await tool("playwright-core");
    const {origin} = await server();
    const profile = mkdtempSync(path.join(work, "profile-"));
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: chromium_command, acceptDownloads: true,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
               "--disable-background-networking", "--disable-sync",
               "--disable-component-update"]});
    try {
        context.setDefaultTimeout(patience_ms);
        const page = await context.newPage();
        await page.goto(`${origin}/#use?n=10M`);
        await page.getByLabel("Choose files").setInputFiles(name);
        await page.getByRole("button", {name: "Drop the duplicates"}).click();
        await page.locator("#use .result h2").waitFor();
        const facts = await page.locator("#use .result .facts").innerText();
        const peak = peak_of(browser_of(profile));
        const [file] = await Promise.all([page.waitForEvent("download"),
            page.getByRole("link", {name: /^Download/}).click()]);
        const hash = await hash_of(createReadStream(await file.path()));
        return {facts: facts.replaceAll("\n", " "), peak, hash};
    } finally {
        await context.close();
        rmSync(profile, {recursive: true});
    }
}

test(`use_takes_${gigabytes}_gb_in_bounded_memory`, async (t) => {
    const work = mkdtempSync(path.join(process.env.TMPDIR ?? tmpdir(),
                                       "seenset-stream-"));
    t.after(() => rmSync(work, {recursive: true}));
    const lines = Math.round(gigabytes * 1e9 / line_bytes);
    const [short, long] = ["short", "long"].map((name) =>
        path.join(work, name));
    write_lines(short, lines / 20);
    write_lines(long, lines);
    const before = await drive(work, short);
    const after = await drive(work, long);
    const mib = (bytes) => Math.round(bytes / 2 ** 20);
    console.log(`a 20th of it: ${mib(before.peak)} MiB, ${before.facts}`);
    console.log(`all of it: ${mib(after.peak)} MiB, ${after.facts}`);
    assert.equal(after.hash, await native_hash(long));
    assert.ok(after.peak - before.peak < most_more_bytes,
              `${mib(after.peak - before.peak)} MiB more`);
    assert.match(after.facts, /on this browser's disk space/);
});

/* The memory that is held is seen: a process with 512 MiB more has a peak that
 * the bound above would refuse. */
test("use_stream_sees_memory", () => {
    const hold = (bytes) => Number(execFileSync(process.execPath, ["-e",
        `const held = Buffer.alloc(${bytes}, 1);
         const status = require("fs").readFileSync("/proc/self/status", "utf8");
         const [, peak] = status.match(/VmHWM:\\s*(\\d+)/);
         console.log(held[0] * peak * 1024);`]));
    assert.ok(hold(2 ** 29) - hold(1) > most_more_bytes);
});
