/* The page in each of its languages but English, in which the other tests read
 * it: it fits phones and desks, axe-core finds nothing, and each panel does what
 * it is for. What is to be read is found by attributes and figures, since the
 * words are of the language. */
import assert from "node:assert/strict";
import {axe_violations, drop, settle, shot, test} from "../harness.mjs";
import {vector} from "../support/foreign.mjs";
import {languages, unfilled} from "../support/languages.mjs";
import {panels, ready, whole} from "../support/panels.mjs";
import {wide} from "../support/reach.mjs";

const widths = [375, 768, 1280];

const text = (page, at) => page.locator(at).first().innerText();
const idle = (page) => page.locator("#see:not([aria-busy])").waitFor();

/** Nothing is wider than the screen, and no text is a name. */
async function check_fits(page, what) {
    assert.deepEqual(await page.evaluate(wide), [], what);
    assert.deepEqual(await page.evaluate(unfilled), [], what);
}

/* ---- each panel's story ---- */

async function start_is_wrong_at_last(page) {
    const wrong = page.locator("#start [data-fact=wrong]");
    for (let i = 0; i < 10 && await wrong.innerText() === "0"; i++)
        await page.locator("#start .start-next").click();
    assert.equal(await wrong.innerText(), "1");
    assert.equal(await page.locator("#start .start-card")
        .getAttribute("data-tone"), "wrong");
}

async function see_shows_each_kind(page) {
    await page.locator("#see .see-word input").fill("Giraffe");
    await page.locator("#see .see-form [type=submit]").click();
    assert.equal(await page.locator("#see [data-figure=words] td").first()
        .innerText(), "5");
    for (const kind of ["blocked", "split_block", "counting", "fingerprint",
                        "sealed", "window"]) {
        await page.locator(`#see input[value=${kind}]`).check({force: true});
        await idle(page);
        await check_fits(page, kind);
    }
    await page.locator("#see [data-do=ten]").click();
    await page.locator("#see [data-do=stop]:disabled").waitFor();
    await page.locator("#see .see-walk summary").click({force: true});
    for (const document of ["a1", "b", "d2", "e"]) {
        await page.locator("#see .see-choose select").first()
            .selectOption(document);
        await idle(page);
        assert.ok(await page.locator("#see tr[data-sameness=same]")
            .count() > 1);
        await check_fits(page, document);
    }
}

async function size_answers(page) {
    await page.locator("#size input[name=n]").fill("1G");
    /* README.md has this figure. */
    await page.locator("#size tr[data-layout=blocked]").getByText("1.262 GB")
        .waitFor();
    for (const policy of ["rotate", "refuse", "degrade", "grow"]) {
        await page.locator(`#size input[value=${policy}]`).check({force: true});
        await settle(page);
        await check_fits(page, policy);
    }
    await page.locator("#size input[name=p]").fill("0,1");
    assert.equal(await page.locator("#size input[name=p]")
        .getAttribute("aria-invalid"), "true");
    assert.ok((await text(page, "#size .why:not(:empty)")).length > 5);
    await check_fits(page, "a mistake");
    /* What was found is printed, and is read again as it is. */
    const memory = await text(page, "#size tr[data-layout=bloom] .bytes");
    const keys = await text(page, "#size .size-policy-words tbody td");
    await page.locator("#size input[name=p]").fill("");
    await page.locator("#size input[name=m]").fill(memory);
    await page.locator("#size input[name=n]").fill(keys);
    await page.locator("#size:not(.is-stale)").waitFor();
    assert.match(page.url(), /#size\?n=1G&m=1.199GB$/);
}

async function use_drops_duplicates(page) {
    await page.locator("#use .drop-choose button").click();
    await page.locator("#use .result h2").waitFor();
    assert.equal(await page.locator("#use [data-fact=kept] dd").innerText(),
                 "307");
    await page.locator("#use .set textarea").fill("https://example.org/page/0");
    await page.locator("#use .answers .is-seen").waitFor();
    await check_fits(page, "a result");
    for (const name of ["people.parquet", "flor.bloom"]) {
        await drop(page.locator("#use .drop"), name, vector(name));
        await page.locator("#use .foreign h2").filter({hasText: name})
            .waitFor();
        await check_fits(page, name);
    }
    await page.locator("#use .settings [type=submit]").click();
    await page.locator("#use .unsaved").waitFor();
    await check_fits(page, "a question");
}

const stories = {start: start_is_wrong_at_last, see: see_shows_each_kind,
                 size: size_answers, use: use_drops_duplicates};

for (const [language, {locale, tag}] of Object.entries(languages)) {
    for (const panel of language === "en" ? [] : panels)
        test(`${panel}_in_${language}`, {path: `/#${panel}`, locale},
             async ({page}) => {
            await whole(page, panel);
            assert.equal(await page.locator("html").getAttribute("lang"), tag);
            for (const width of widths) {
                await page.setViewportSize({width, height: 900});
                await settle(page);
                await check_fits(page, `${width} pixels`);
                await shot(page, `${panel}-${language}-${width}`);
            }
            await page.setViewportSize({width: widths[0], height: 900});
            await stories[panel](page);
            assert.deepEqual(await axe_violations(page), []);
        });
}

/* The planted faults: a text whose name is wrong, and a value that is not. */
test("unfilled_texts_are_found", {}, async ({page}) => {
    await ready(page, "start");
    await page.locator("#start .lead").evaluate((lead) => {
        lead.textContent = "start.leed";
        lead.nextSibling.before("as {name} says");
    });
    assert.deepEqual(await page.evaluate(unfilled),
                     ["start.leed", "as {name} says"]);
});

test("a_text_that_is_missing_is_found", {path: null},
     async ({page, origin}) => {
    await page.route("**/text/en/size.json", async (route) => {
        const answer = await route.fetch();
        const texts = await answer.json();
        delete texts.given.title;
        await route.fulfill({response: answer, json: texts});
    });
    await page.goto(`${origin}/#size`);
    await ready(page, "size");
    assert.deepEqual(await page.evaluate(unfilled), ["size.given.title"]);
});
