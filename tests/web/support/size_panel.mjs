/* The panel "Size it": what the command answers, what the page shows, and that
 * both are the same. */
import assert from "node:assert/strict";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {seenset, settle, test as page_test} from "../harness.mjs";
import {ready} from "./panels.mjs";

/** A test that begins when the panel has all its first figures: what is below
 * the fold is worked out after the rest was painted. */
export function test(name, options, drive) {
    page_test(name, options, async (opened) => {
        await ready(opened.page, "size");
        await settle(opened.page);
        await drive(opened);
    });
}

export const layouts = ["blocked", "bloom", "split_block", "counting",
                        "fingerprint", "sealed"];

/** Does its work in a folder that is gone afterwards. */
export function in_folder(work) {
    const folder = mkdtempSync(path.join(tmpdir(), "seenset-size-"));
    try {
        return work(folder);
    } finally {
        rmSync(folder, {recursive: true});
    }
}

/* ---- what the command says ---- */

/** The output of the command, or null where it refuses. */
export function ask(...words) {
    try {
        return seenset(...words);
    } catch (error) {
        assert.ok(error.status > 0, error);
        return null;
    }
}

/** The value beside a label of `seenset plan` or `seenset info`. */
export function value_of(text, label) {
    const line = text.split("\n").find((found) =>
        found.trim().startsWith(label));
    assert.ok(line, `${label} in ${text}`);
    return line.trim().slice(label.length).trim();
}

export function options_of(given) {
    return Object.entries(given).filter(([name]) => "npmk".includes(name))
        .flatMap(([name, value]) => [`-${name}`, value]);
}

/** A row of the table by the command's text, or null. */
export function native_row(layout, given) {
    const bits = layout === "counting"
        ? ["--counter-bits", given.bits ?? "4"] : [];
    const words = ["plan", "--layout", layout, ...options_of(given), ...bits];
    const text = ask(...words);
    if (text === null)
        return null;
    const k = {counting: "counters of a key (k)",
               fingerprint: "bits of a slot (k)"}[layout];
    const common = {k: value_of(text, k ?? "bits a key sets (k)"),
                    rate: value_of(text, "expected rate (p)")};
    if (layout !== "counting")
        return {...common, memory: value_of(text, "size (m)"),
                bits: value_of(text, "bits per key (m/n)"),
                floor: value_of(text, "above the floor")};
    const [memory, per_key] = value_of(text, "all counters").split(", ");
    return {...common, memory, bits: per_key.replace(" bits per key", "")};
}

/** The same plan as numbers. */
export function native_plan(layout, given) {
    return JSON.parse(seenset("plan", "--layout", layout, "--json",
                              ...options_of(given))).plans[0];
}

/* ---- what the page says ---- */

export const field = (page, name) =>
    page.locator(`#size input[name="${name}"]`);

export async function fill(page, given) {
    for (const name of ["n", "p", "m", "k"])
        await field(page, name).fill(given[name] ?? "");
    if (given.bits) {
        await choose(page, "counting");
        await page.getByLabel("Bits of a counter").selectOption(given.bits);
    }
    await settle(page);
}

export async function choose(page, layout) {
    await page.locator(`#size tr[data-layout="${layout}"] input`).check();
    await settle(page);
}

/** What is visible of the table: {blocked: {memory, bits, ...}, ...}. */
export async function shown_rows(page) {
    const rows = await page.locator("#size tr[data-layout]").evaluateAll(
        (elements) => elements.map((row) => [row.dataset.layout,
            [...row.querySelectorAll("td:not([hidden])")].map((cell) =>
                [cell.dataset.cell ?? "reason", cell.textContent])]));
    return Object.fromEntries(rows.map(([layout, cells]) =>
        [layout, Object.fromEntries(cells)]));
}

export async function figure(page, name) {
    return page.locator(`#size [data-figure="${name}"] dd`).textContent();
}

/** The page's row is the command's. */
export function check_row(layout, shown, expected) {
    if (expected === null) {
        assert.match(shown.reason ?? "", /\w/, `${layout} gives a reason`);
        return;
    }
    for (const name of ["memory", "bits", "k", "rate", "floor"])
        if (expected[name] !== undefined)
            assert.equal(shown[name], expected[name], `${layout}: ${name}`);
}
