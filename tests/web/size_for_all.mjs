/* The panel "Size it" for everyone: by keys, for readers of the screen, on a
 * phone, in other languages and in the dark. */
import assert from "node:assert/strict";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {check_axe, seenset, shot, source, test as page_test, test_alone} from
        "./harness.mjs";
import {check_row, field, fill, layouts, native_row, shown_rows, test} from
        "./support/size_panel.mjs";

/* ---- for everyone ---- */

test("size_is_driven_by_keys", {path: "/#size"}, async ({page}) => {
    await field(page, "n").focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("1G");
    const [, grown] = seenset("plan", "-n", "1G", "-p", "1%")
        .match(/'seenset new' makes takes (.*) for/);
    await page.getByRole("status").filter({hasText: grown}).waitFor();
    await page.locator('#size tr[data-layout="blocked"] input').focus();
    await page.keyboard.press("ArrowDown");
    assert.ok(await page.locator('#size tr[data-layout="bloom"] input')
        .isChecked());
    assert.notEqual(await page.locator("#size [data-figure=answer]")
        .textContent(), grown);
    assert.equal((await shown_rows(page)).bloom.memory,
                 native_row("bloom", {n: "1G", p: "1%"}).memory);
    await page.getByRole("tab", {name: "Command"}).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#size [role=tabpanel]:visible")
        .innerText(), /seenset_new/);
    await page.keyboard.press("End");
    assert.ok(await page.getByRole("tab", {name: "DuckDB"}).evaluate((tab) =>
        tab === document.activeElement));
});

for (const full of ["grow", "rotate", "degrade"])
    test(`size_is_accessible_${full}`, {path: `/#size?n=1M&full=${full}`},
         async ({page}) => {
        await page.locator("#size path.line").first()
            .waitFor({state: "attached"});
        await page.getByText("As a table").click();
        await check_axe(page);
    });

test("size_is_accessible_counting_and_wrong",
     {path: "/#size?n=1M&p=1%25&layout=counting&k=x"}, async ({page}) => {
    await check_axe(page);
    await fill(page, {n: "1G", p: "1%", m: "18MB"});
    await check_axe(page);
});

for (const width of [320, 360, 768])
    test(`size_fits_${width}_pixels`, {path: "/#size?n=1M&p=1e-9",
         viewport: {width, height: 800}}, async ({page}) => {
        /* on a phone two cards are folded at first */
        const folded = page.locator("#size details.card:not([open]) > summary");
        assert.equal(await folded.count(), width > 672 ? 0 : 2);
        await check_axe(page);
        while (await folded.count() > 0)
            await folded.first().click();
        for (const kind of ["full=rotate", "layout=counting", "as=c"]) {
            await page.evaluate((hash) => { location.hash = hash; },
                                `#size?n=1G&p=1e-9&${kind}`);
            await page.locator("#size path.line").first()
                .waitFor({state: "attached"});
            assert.ok(await page.evaluate(() =>
                document.documentElement.scrollWidth <= innerWidth), kind);
        }
        await shot(page, `size-${width}`);
    });

/* A link with a policy that is not the usual one, or a mistake in a field of
 * the folded card, opens it. */
const phone = {width: 360, height: 800};
const full_card = (page) => page.locator("#size details.size-full");

for (const [path_, is_open] of [["/#size?n=1M&p=1%25", false],
                                ["/#size?n=1M&p=1%25&full=refuse", true],
                                ["/#size?n=1M&full=rotate&window=24h", true]])
    test(`size_on_a_phone_opens_what_${path_}_is_about`,
         {path: path_, viewport: phone}, async ({page}) => {
        assert.equal(await full_card(page).evaluate(({open}) => open), is_open);
        assert.equal(await full_card(page).getByRole("radio", {checked: true})
            .isVisible(), is_open);
    });

test("size_on_a_phone_opens_the_card_of_a_mistake",
     {path: "/#size?n=1M&full=rotate", viewport: phone}, async ({page}) => {
    const summary = full_card(page).locator("summary").first();
    await full_card(page).locator("input[name=window]").fill("sometimes");
    await summary.click();
    assert.ok(!await full_card(page).evaluate(({open}) => open));
    await fill(page, {n: "2M"}); /* the mistake is still there */
    await full_card(page).locator(".why").waitFor();
    assert.ok(await full_card(page).evaluate(({open}) => open));
});

for (const locale of ["fr-FR", "tr-TR"])
    test(`size_has_the_same_figures_in_${locale}`, {path: "/#size", locale},
         async ({page}) => {
        const given = {n: "1.5M", p: "0.1%"};
        await fill(page, given);
        const shown = await shown_rows(page);
        for (const layout of layouts)
            check_row(layout, shown[layout], native_row(layout, given));
    });

test("size_looks_right_in_the_dark", {path: "/#size", colorScheme: "dark"},
     async ({page}) => {
    await page.locator("#size path.line").first().waitFor({state: "attached"});
    await shot(page, "size-dark");
    await page.getByRole("button", {name: "Light"}).click();
    assert.equal(await page.evaluate(() =>
        getComputedStyle(document.body).colorScheme), "light");
    await page.reload();
    await page.getByRole("button", {name: "Dark"}).waitFor();
});

/** Shifts that no reader caused, while the page starts. */
test("size_does_not_shift_while_it_starts", {path: "/#size"},
     async ({page}) => {
    await page.locator("#size path.line").first().waitFor({state: "attached"});
    const shift = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
                sum += entry.hadRecentInput ? 0 : entry.value;
        }).observe({type: "layout-shift", buffered: true});
        requestAnimationFrame(() => setTimeout(() => done(sum), 100));
    }));
    assert.equal(shift, 0);
});

/* ---- numbers, without a page ---- */

test_alone("size_rounds_as_printf_does", async () => {
    const {exponential, fixed, general} = await import(
        pathToFileURL(path.join(source, "fronts/web/page/ui/decimal.mjs")));
    const texts = [
        [fixed(9.625, 2), "9.62"], [fixed(0.125, 2), "0.12"],
        [fixed(2.5, 0), "2"], [fixed(3.5, 0), "4"], [fixed(1e21, 1),
        "1000000000000000000000.0"], [fixed(-0.001, 2), "-0.00"],
        [general(0.0001, 4), "0.0001"], [general(0.00001, 4), "1e-05"],
        [general(123456, 4), "1.235e+05"], [general(9999.5, 4), "1e+04"],
        [general(5e-324, 3), "4.94e-324"], [general(0, 4), "0"],
        [general(1.7976931348623157e308, 3), "1.8e+308"],
        [general(0.3, 17), "0.29999999999999999"],
        [general(100, 10), "100"], [general(NaN, 3), "nan"],
        [exponential(2.5, 0), "2e+00"], [exponential(1e-9, 2), "1.00e-09"],
    ];
    for (const [made, right] of texts)
        assert.equal(made, right);
});

page_test("page_skips_to_its_content_and_keeps_the_panel",
     {path: "/#see"}, async ({page}) => {
    await page.locator("#see h1").waitFor();
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator("#content").evaluate((content) =>
        content === document.activeElement));
    assert.ok(await page.locator("#see").isVisible());
});
