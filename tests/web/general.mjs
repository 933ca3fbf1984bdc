/* What holds for every panel: axe-core finds nothing in light and in dark, all
 * of it fits a narrow phone, all of it is reached by keyboard, nothing moves
 * while it loads, and the page carries its policy to any host. */
import assert from "node:assert/strict";
import {check_axe, settle, shot, site, test, test_alone}
    from "./harness.mjs";
import {readFileSync} from "node:fs";
import path from "node:path";
import {policy} from "../../fronts/web/serve.mjs";
import {panels, ready, show, whole} from "./support/panels.mjs";
import {unreached, wide} from "./support/reach.mjs";

for (const panel of panels) {
    const opened = {path: `/#${panel}`};

    test(`${panel}_has_no_violation_for_axe`, opened, async ({page}) => {
        await whole(page, panel);
        await check_axe(page);
        for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({colorScheme});
            await shot(page, `${panel}-${colorScheme}`);
        }
    });

    test(`${panel}_fits_320_pixels`, {
        ...opened, viewport: {width: 320, height: 640},
    }, async ({page}) => {
        await whole(page, panel);
        assert.deepEqual(await page.evaluate(wide), []);
        await shot(page, `${panel}-320`);
    });

    test(`${panel}_is_reached_by_keyboard`, opened, async ({page}) => {
        await whole(page, panel);
        assert.deepEqual(await unreached(page), []);
    });

    test(`${panel}_does_not_move_while_it_loads`, opened, async ({page}) => {
        await ready(page, panel);
        await settle(page);
        assert.deepEqual(await page.evaluate(() => new Promise((done) => {
            new PerformanceObserver((list) => done(list.getEntries()
                .map(({value, sources}) => `${value}: ` + sources
                    .map(({node}) => node?.outerHTML?.slice(0, 80)))))
                .observe({type: "layout-shift", buffered: true});
            setTimeout(() => done([]), 500);
        })), []);
    });
}

/* The planted faults of what is checked here itself. */
test("checks_find_what_is_wide_and_what_is_not_reached", {path: "/#size"},
     async ({page}) => {
    await ready(page, "size");
    await page.evaluate(() => {
        const wide_one = document.createElement("p");
        wide_one.id = "planted-wide";
        wide_one.style.width = "3000px";
        const hidden_focus = document.createElement("button");
        hidden_focus.id = "planted-plain";
        hidden_focus.textContent = "planted";
        for (const name of ["outline", "box-shadow", "border"])
            hidden_focus.style.setProperty(name, "none", "important");
        document.querySelector("main").prepend(wide_one, hidden_focus);
    });
    const found = await page.evaluate(wide);
    assert.ok(found.some((line) => line.includes("planted-wide")), found);
    const missed = await unreached(page);
    assert.ok(missed.some((line) => line.includes("planted-plain")), missed);
});

test("panels_are_shown_by_keyboard_alone", {}, async ({page}) => {
    await ready(page, panels[0]);
    for (const panel of panels) {
        await page.locator(`a[data-panel=${panel}]`).focus();
        await page.keyboard.press("Enter");
        await ready(page, panel);
        for (const other of panels)
            assert.equal(await page.locator(`#${other}`).isVisible(),
                         other === panel);
    }
});

test("size_is_asked_by_keyboard_alone", {path: "/#size"}, async ({page}) => {
    await ready(page, "size");
    const is_there = () => page.evaluate(() =>
        document.activeElement.matches("#size input[name=n]"));
    for (let i = 0; i < 40 && !await is_there(); i++)
        await page.keyboard.press("Tab");
    assert.ok(await is_there());
    await page.keyboard.press("Control+a");
    await page.keyboard.type("1G");
    /* README.md has this figure. */
    await page.locator("#size").getByText("1.262 GB").first().waitFor();
});

test("panels_keep_their_state", {path: "/#size?n=1G&p=1%25"},
     async ({page}) => {
    await ready(page, "size");
    await show(page, "see");
    await show(page, "size");
    assert.equal(await page.locator("#size input[name=n]").inputValue(), "1G");
    assert.match(page.url(), /#size\?.*n=1G/);
});

test_alone("page_carries_the_policy_to_any_host", () => {
    const page = readFileSync(path.join(site, "index.html"), "utf8");
    const [, carried] =
        /<meta http-equiv="Content-Security-Policy"\s+content="([^"]*)"/
            .exec(page) ?? [];
    assert.equal(carried?.replace(/\s+/g, " "), policy);
});
