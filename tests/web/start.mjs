/* The first screen: it says what this is, a filter is at work before a word is
 * typed, it is wrong within ten words, and it leads on. Its bits and answers
 * are the command's. */
import assert from "node:assert/strict";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {at_end, check_axe, open, seenset, seenset_bytes, shot, test, test_alone}
    from "./harness.mjs";
import {ready} from "./support/panels.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "seenset-start-"));
at_end(() => rmSync(folder, {recursive: true}));

const start = (page) => page.locator("#start");
const answer = (page) => start(page).locator(".start-answer").innerText();
const reason = (page) => start(page).locator(".start-reason").innerText();
const figure = (page, name) =>
    start(page).locator(`[data-fact=${name}]`).innerText();
const next = (page) => start(page).locator(".start-next");
const bits = async (page) => (await start(page).locator(".start-bit b")
    .allInnerTexts()).join("");
const words = async (page) => (await start(page).locator(".start-words")
    .innerText()).replace(/^In it: /, "").split(", ");

/** A set of the command, of the page's shape, with these words. */
function native(list) {
    const file = path.join(folder, "set");
    seenset("new", "--force", "--layout", "bloom", "-m", "16b", "-k", "2",
            file);
    seenset_bytes(["add", file], list.map((one) => `${one}\n`).join(""));
    return file;
}

test("start_says_what_it_is_and_works_before_a_word_is_typed", {},
     async ({page}) => {
    await ready(page, "start");
    const lead = await start(page).locator(".lead").innerText();
    assert.match(lead, /^A Bloom filter .* never forgets .* seenset is/s);
    assert.equal(await answer(page), "“dog” is new");
    assert.match(await reason(page), /Place \d+ is 0.*This is certain/);
    assert.deepEqual(await words(page), ["ant", "bee", "cat"]);
    assert.equal(await bits(page), seenset("info", "--bits",
        native(["ant", "bee", "cat"])).trim().replace(/^0\s+/, "")
        .replace(/\s/g, ""));
    assert.equal(await start(page).locator("a[data-on]").count(), 3);
});

test("start_is_wrong_within_ten_words", {}, async ({page}) => {
    await ready(page, "start");
    let pressed = 0;
    while (await figure(page, "wrong") === "0" && pressed < 10) {
        await next(page).click();
        pressed++;
    }
    const all = await words(page);
    assert.ok(all.length < 10, all.join());
    assert.match(await reason(page), /Your first false positive!$/);
    assert.match(await reason(page),
                 new RegExp(`took ${all.length + 1} words`));
    const [, wrong] = /“(.*?)” was seen\. No/.exec(await answer(page));
    assert.ok(!all.includes(wrong), wrong);
    assert.equal(seenset("has", native(all), wrong), `${wrong}\n`);
    assert.ok(await start(page).getByText("See why, bit by bit").isVisible());
    await shot(page, "start-found");
    await check_axe(page);
    await page.getByRole("button", {name: "Start again"}).click();
    assert.equal(await figure(page, "wrong"), "0");
    assert.equal(await answer(page), "“dog” is new");
});

test("start_answers_a_word_of_ones_own", {}, async ({page}) => {
    await ready(page, "start");
    const field = page.getByLabel("Your word");
    await field.fill("cat");
    assert.equal(await answer(page), "“cat” was seen");
    assert.match(await reason(page), /really added/);
    await field.fill("<b>\"$&");
    assert.match(await answer(page), /^“<b>"\$&” is new$/);
    await field.press("Enter");
    assert.ok((await words(page)).includes("<b>\"$&"));
    assert.match(await answer(page), /is in it now$/);
    await page.waitForFunction(() => document.getElementById("announcer")
        .textContent.includes("is in it now"));
});

test("start_leads_on", {}, async ({page}) => {
    for (const name of ["see", "size", "use"]) {
        await ready(page, "start");
        await start(page).locator(`[data-on=${name}]`).click();
        await ready(page, name);
        await page.locator("a.brand").click();
    }
    await ready(page, "start");
    assert.match(await start(page).innerText(),
                 /1 million keys and 1 % wrong answers 1\.262 MB/);
});

test("start_moves_nothing_while_words_are_added",
     {viewport: {width: 375, height: 800}}, async ({page}) => {
    await ready(page, "start");
    const top = () => start(page).locator(".start-on").evaluate((element) =>
        element.getBoundingClientRect().top + scrollY);
    const before = await top();
    for (let i = 0; i < 4; i++)
        await next(page).click();
    assert.ok(Math.abs(await top() - before) <= 4, "the ways on moved");
});

/* A part that does not come is told, in words, whichever it is. */
for (const [name, file] of [["the_texts", "**/shell.json"],
                            ["a_panel", "**/start/start.mjs"],
                            ["the_library", "**/seenset.wasm"]])
    test_alone(`page_says_that_${name}_did_not_come`, async () => {
        const {page, origin, close} = await open({path: null});
        try {
            await page.route(file, (route) => route.abort());
            await page.goto(`${origin}/`);
            const told = page.getByRole("alert").filter({
                hasText: "could not start"});
            await told.waitFor();
            assert.match(await told.innerText(), /Reload the page/);
        } finally {
            await close();
        }
    });

/* What comes late is told as well, and then the page is as it was. */
for (const [name, file, hash, ask] of [
    ["a_kind", "**/kinds.json", "#see", (page) =>
        page.getByRole("radio", {name: "Blocked"}).check({force: true})],
    ["a_document", "**/see/documents.mjs", "#see", (page) =>
        page.getByLabel("What to look at").selectOption("a1")],
    ["many_words", "**/fill.json", "#see", (page) =>
        page.locator("#see .see-fill").scrollIntoViewIfNeeded()]])
    test_alone(`page_says_that_${name}_did_not_come`, async () => {
        const {page, origin, close} = await open({path: null});
        try {
            await page.route(file, (route) => route.abort());
            await page.goto(`${origin}/${hash}`);
            await ready(page, "see");
            const shown = () => page.locator("#see .see-choose").innerText();
            const before = await shown();
            await ask(page).catch(() => {}); /* it is not checked then */
            const told = page.getByRole("alert").filter({
                hasText: "did not come"});
            await told.waitFor();
            assert.equal(await shown(), before);
            assert.ok(await page.locator("#see input[value=bloom]")
                .isChecked());
            assert.equal(await page.locator("#see select").first()
                .inputValue(), "own");
            assert.equal(await page.locator("#see").getAttribute("aria-busy"),
                         null);
            await page.unroute(file);
            await page.evaluate(() => scrollTo(0, 0));
            await ask(page);
            await told.waitFor({state: "hidden"});
        } finally {
            await close();
        }
    });

test_alone("page_says_that_the_worker_did_not_come", async () => {
    const {page, origin, close} = await open({path: null});
    try {
        await page.route("**/use/worker.mjs", (route) => route.abort());
        await page.goto(`${origin}/#use`);
        await ready(page, "use");
        const try_it = page.locator("#use .drop-choose button");
        await try_it.click();
        await page.getByRole("alert").filter({
            hasText: "did not come: use/worker.mjs"}).waitFor();
        await page.unroute("**/use/worker.mjs");
        await try_it.click();
        await page.locator("#use .result h2").waitFor();
    } finally {
        await close();
    }
});
