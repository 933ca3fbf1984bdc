/* The panel "Use it", as a person drives it, and what the command says. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {at_end, download, drop, seenset} from "../harness.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-use-"));
at_end(() => rmSync(work, {recursive: true}));
export const place = (name) => path.join(work, name);

/** Lines that are the same each time: number, and every third again. */
export function numbered(count, more = "") {
    let text = "";
    for (let i = 0; i < count; i++)
        text += `line ${i % 3 === 2 ? i - 1 : i}${more}\n`;
    return text;
}

/* ---- what a person does ---- */

export const zone = (page) => page.locator("#use .drop");
export const start_button = (page) =>
    page.getByRole("button", {name: "Drop the duplicates"});

/** Drops a file of lines, and waits for its options. */
export async function offer(page, name, bytes) {
    await drop(zone(page), name, bytes);
    await page.locator("#use .files").getByText(name).waitFor();
}

export const pick = (page, name) => page.getByRole("radio", {name}).check();

export async function run(page) {
    await start_button(page).click();
    const drop_it = page.getByRole("button", {name: "Go on without it"});
    await page.locator("#use .result h2").or(drop_it).first().waitFor();
    if (await drop_it.isVisible())
        await drop_it.click();
    await page.locator("#use .result h2").waitFor();
}

/** Drops a file, starts, and waits for the result. */
export async function drop_and_run(page, name, bytes) {
    await offer(page, name, bytes);
    await run(page);
}

export const get_lines = (page) => download(page, () =>
    page.getByRole("link", {name: /^Download/}).click());
export const get_set = (page) => download(page, () =>
    page.locator("#use .set").getByRole("button", {name: "Save the set"})
        .click());

/** A fact of the result. */
export const fact = (page, name) =>
    page.locator(`#use .result [data-fact="${name}"] dd`).innerText();

/** "label value" of each row of the set. */
export const info_rows = (page) => page.locator("#use .info > div").evaluateAll(
    (rows) => rows.map((row) =>
        `${row.querySelector("dt").innerText} ` +
        row.querySelector("dd").innerText));

/** The same of `seenset info`, whose memory is a file's, which is mapped. */
export const native_rows = (...words) => seenset("info", ...words).trim()
    .split("\n").map((line) => line.replace(/\s\s+/g, " ").trim())
    .filter((line) => !/^(file|memory) /.test(line));
export const rows_without_memory = async (page) =>
    (await info_rows(page)).filter((row) => !row.startsWith("memory "));

/** What --stats prints, by its labels. */
export function native_stats(...words) {
    const printed = execFileSync("sh", ["-c",
        '"$@" 2>&1 >/dev/null', "sh", ...words]).toString();
    return Object.fromEntries(printed.trim().split("\n").map((line) =>
        line.split(/\s\s+/)));
}

export const command = path.join(process.env.SEENSET_BUILD ??
    new URL("../../build/release", import.meta.url).pathname, "seenset");
