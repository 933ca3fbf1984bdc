/* Which language the page is in: the reader's own choice, then the browser's
 * languages, then English. A choice loses nothing without a question, and only
 * the texts of a language that is read are fetched and kept. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {drop, settle, site, test} from "../harness.mjs";
import {choose, in_language, languages} from "../support/languages.mjs";
import {ready, show} from "../support/panels.mjs";

const question = (page) => page.locator("#restart");
const answer = (page, name) =>
    question(page).locator(`[data-do=${name}]`).click();

/** The languages whose texts were sent. */
const sent_languages = (sent, from = 0) => [...new Set(sent.slice(from)
    .map(({path: name}) => /\/text\/(\w+)\//.exec(name)?.[1])
    .filter((name) => name !== undefined))];

for (const [names, chosen] of [
    [["fr-FR", "de-CH", "en"], "de"], [["zh-TW"], "zh"], [["ja"], "ja"],
    [["RU"], "ru"], [["pt-BR", "fr"], "en"], [["en-GB", "de"], "en"]])
    test(`page_for_${names.join("_")}_is_in_${chosen}`,
         {path: null, offline: true}, async ({page, origin, sent}) => {
        const from = sent.length;
        await page.addInitScript((list) => {
            Object.defineProperty(navigator, "languages", {get: () => list});
        }, names);
        await page.goto(`${origin}/`);
        await in_language(page, chosen);
        assert.equal(await page.locator("#language").inputValue(), chosen);
        await page.locator("html[data-offline=ready]").waitFor();
        assert.deepEqual(sent_languages(sent, from), [chosen]);
    });

test("languages_are_offered_by_their_own_names", {}, async ({page}) => {
    await ready(page, "start");
    const offered = await page.locator("#language option").evaluateAll(
        (options) => options.map(({value, lang, text}) =>
            [value, lang, text]));
    assert.deepEqual(offered.map(([value, lang]) => [value, lang]),
                     Object.entries(languages).map(([name, {tag}]) =>
                         [name, tag]));
    assert.deepEqual(offered.map(([, , text]) => text),
                     ["English", "Deutsch", "日本語", "Русский", "中文"]);
});

test("choice_is_kept_and_comes_before_the_browsers",
     {locale: "ja-JP"}, async ({page, context, origin}) => {
    await in_language(page, "ja");
    await choose(page, "ru");
    await in_language(page, "ru");
    const other = await context.newPage();
    await other.goto(`${origin}/#size`);
    await in_language(other, "ru");
    await other.evaluate(() =>
        localStorage.setItem("seenset-language", "xx"));
    await other.reload();
    await in_language(other, "ja");
});

test("choice_keeps_what_is_in_the_addresses", {path: "/#size?n=1G&p=1e-6"},
     async ({page}) => {
    await ready(page, "size");
    await page.locator("#size input[name=k]").fill("x");
    await show(page, "see");
    await page.locator("#see .see-word input").fill("Okapi");
    await choose(page, "de");
    await in_language(page, "de");
    await page.locator("#see .see-word input").waitFor();
    assert.equal(await page.locator("#see .see-word input").inputValue(),
                 "Okapi");
    await show(page, "size");
    for (const [name, value] of [["n", "1G"], ["p", "1e-6"], ["k", "x"]])
        assert.equal(await page.locator(`#size input[name=${name}]`)
            .inputValue(), value);
    /* That was for one start. */
    await page.goto("about:blank");
    await page.goBack();
    await ready(page, "size");
    await show(page, "see");
    assert.equal(await page.locator("#see .see-word input").inputValue(),
                 "Elephant");
});

/* What a new start would lose, panel by panel. */
const losses = {
    start: (page) => page.locator("#start .start-next").click(),
    see: async (page) => {
        await page.locator("#see .see-word input").fill("Okapi");
        await page.locator("#see .see-form [type=submit]").click();
    },
    use: async (page) => {
        await page.locator("#use .paste summary").click();
        await page.locator("#use textarea").fill("a\nb\n");
    },
};

for (const [panel, lose] of Object.entries(losses))
    test(`choice_asks_before_${panel}_loses_something`, {path: `/#${panel}`},
         async ({page}) => {
        await ready(page, panel);
        await lose(page);
        const before = await page.locator(`#${panel}`).innerHTML();
        await choose(page, "de");
        await question(page).waitFor();
        assert.ok(await question(page).locator("[data-do=stay]").evaluate(
            (button) => button === document.activeElement));
        await answer(page, "stay");
        assert.ok(await question(page).isHidden());
        assert.equal(await page.locator("#language").inputValue(), "en");
        assert.equal(await page.locator(`#${panel}`).innerHTML(), before);
        await page.reload();
        await in_language(page, "en");
        await ready(page, panel);
        await lose(page);
        await choose(page, "de");
        await answer(page, "go");
        await in_language(page, "de");
    });

test("choice_asks_once_about_a_set_that_is_not_saved", {path: "/#use"},
     async ({page}) => {
    await ready(page, "use");
    let dialogs = 0;
    page.on("dialog", async (dialog) => {
        dialogs++;
        await dialog.accept();
    });
    await page.locator("#use .drop-choose button").click();
    await page.locator("#use .result h2").waitFor();
    await choose(page, "ja");
    await answer(page, "stay");
    assert.equal(await page.locator("#use [data-fact=kept] dd").innerText(),
                 "307");
    await show(page, "size"); /* another panel asks for it, too */
    await choose(page, "ja");
    await answer(page, "go");
    await in_language(page, "ja");
    assert.equal(dialogs, 0);
});

test("choice_holds_files_that_were_not_run", {path: "/#use"},
     async ({page}) => {
    await ready(page, "use");
    await drop(page.locator("#use .drop"), "a.txt", Buffer.from("a\nb\na\n"));
    await page.locator("#use .files li").waitFor();
    await choose(page, "zh");
    await question(page).waitFor();
});

/* Storage that can be read, and takes nothing. */
const fill_storage = () => {
    Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
    };
};

test("choice_is_offered_only_where_it_can_be_kept", {path: null},
     async ({page, origin}) => {
    await page.goto(`${origin}/`);
    await ready(page, "start");
    assert.ok(await page.locator("#language").isVisible());
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await page.addInitScript(fill_storage);
    await page.reload();
    await ready(page, "start");
    assert.ok(await page.locator("#language").isHidden());
});

test("choice_that_is_not_kept_loses_nothing", {path: "/#see"},
     async ({page}) => {
    await ready(page, "see");
    await losses.see(page);
    const shown = () => page.locator("#see .see-chips").last().innerText();
    const before = await shown();
    assert.match(before, /Okapi/);
    await page.evaluate(fill_storage);
    await choose(page, "de");
    await answer(page, "go");
    await page.getByRole("alert").filter({hasText: "not kept"}).waitFor();
    assert.ok(await question(page).isHidden());
    assert.equal(await shown(), before);
    assert.equal(await page.locator("#language").inputValue(), "en");
});

test("a_language_that_does_not_come_is_not_chosen", {path: null},
     async ({page, origin, faults}) => {
    await page.goto(`${origin}/`);
    await ready(page, "start");
    await page.route("**/text/ru/shell.json", (route) => route.abort());
    await choose(page, "ru");
    await page.getByRole("alert").filter({hasText: "did not come"}).waitFor();
    assert.equal(await page.locator("#language").inputValue(), "en");
    await page.reload();
    await in_language(page, "en");
    faults.length = 0; /* the request that was stopped */
});

/** The page for a reader of these languages, some of whose texts do not come. */
async function open_without({page, origin}, names, missing) {
    await page.addInitScript((list) => {
        Object.defineProperty(navigator, "languages", {get: () => list});
    }, names);
    await page.route(missing, (route) => route.abort());
    await page.goto(`${origin}/`);
}

for (const [names, chosen] of [[["ja", "fr", "de", "en"], "de"],
                               [["ja"], "en"]])
    test(`page_without_${names.join("_")}_is_in_${chosen}`, {path: null},
         async (opened) => {
        const {page, faults} = opened;
        await open_without(opened, names, "**/text/ja/shell.json");
        await in_language(page, chosen);
        await ready(page, "start");
        assert.equal(await page.locator("#language").inputValue(), chosen);
        const {title} = JSON.parse(readFileSync(
            path.join(site, `text/${chosen}/start.json`), "utf8"));
        assert.equal(await page.locator("#start h1").innerText(), title);
        await page.unroute("**/text/ja/shell.json");
        await choose(page, "ja"); /* there is a way back */
        await in_language(page, "ja");
        faults.length = 0; /* the request that was stopped */
    });

test("page_without_texts_has_no_empty_list", {path: null}, async (opened) => {
    const {page, faults} = opened;
    await open_without(opened, ["ja"], "**/shell.json");
    await page.getByRole("alert").filter({hasText: "could not start"})
        .waitFor();
    assert.ok(await page.locator("#language").isHidden());
    faults.length = 0; /* the requests that were stopped */
});

test("the_latest_choice_is_the_one_that_holds", {path: null},
     async ({page, origin}) => {
    await page.goto(`${origin}/`);
    await ready(page, "start");
    await losses.start(page);
    const held = new Promise((resolve) => page.route(
        "**/text/de/shell.json", resolve));
    await choose(page, "de");
    const route = await held;
    await choose(page, "ru");
    await question(page).waitFor();
    const late = page.waitForResponse("**/text/de/shell.json");
    await route.continue();
    await (await late).finished();
    await settle(page);
    await answer(page, "go");
    await page.locator("html:not([lang=en])[data-ready]").waitFor();
    await in_language(page, "ru");
});
