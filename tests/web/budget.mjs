/* What the page costs: how many bytes are sent, gzipped, in how many files, and
 * how soon something is seen. Bytes and files decide. Times are printed only:
 * they depend on the machine and on what else it does. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {gzipSync} from "node:zlib";
import {site, test, test_alone} from "./harness.mjs";
import {languages} from "./support/languages.mjs";
import {panels, ready, show} from "./support/panels.mjs";

const most_module_bytes = 131_000;
const most_first_bytes = 157_000; /* of the first screen */
const most_page_bytes = 170_000;
const most_foreign_bytes = 131_000; /* of the module that comes when needed */
const most_copy_bytes = 372_000; /* which has that module, too */
const most_files = 16;

/* A request and its answer besides the body, in headers. */
const sum = (sent) => sent.reduce((bytes, one) => bytes + one.bytes, 0);

for (const [name, most] of [["seenset.wasm", most_module_bytes],
                           ["seenset-plain.wasm", most_module_bytes],
                           ["seenset-foreign.wasm", most_foreign_bytes]]) {
    test_alone(`${name.replace(/\W/g, "_")}_fits`, (t) => {
        const bytes = readFileSync(path.join(site, "module", name));
        const gzipped = gzipSync(bytes, {level: 9}).length;
        t.diagnostic(`${name}: ${bytes.length} bytes, ${gzipped} gzipped`);
        assert.ok(gzipped < most, `${gzipped} bytes gzipped`);
    });
}

/* One visit, as Lighthouse counts: what a panel needs to be there, with the
 * texts of one language. */
for (const panel of panels)
for (const [language, {locale}] of Object.entries(languages)) {
    test(`${panel}_fits_in_${language}`, {path: null, locale},
         async ({page, origin, sent, t}) => {
        const from = sent.length;
        await page.goto(`${origin}/#${panel}`);
        await ready(page, panel);
        await page.waitForLoadState("networkidle");
        const bytes = sum(sent.slice(from));
        const files = sent.length - from;
        t.diagnostic(`${panel}: ${bytes} bytes in ${files} files`);
        assert.deepEqual([...new Set(sent.slice(from).map(({path: name}) =>
            /\/text\/(\w+)/.exec(name)?.[1]).filter(Boolean))], [language]);
        assert.ok(files <= most_files, `${files} files`);
        assert.ok(bytes < (panel === panels[0] ? most_first_bytes
            : most_page_bytes), `${bytes} bytes`);
        assert.ok(bytes > 50_000, `only ${bytes} bytes were counted`);
    });
}

/* The other panels and the copy for later: nothing is fetched twice, and only
 * one of the two builds of the module. */
test("copy_for_later_fits", {path: null, locale: "ru-RU", offline: true},
     async ({page, origin, sent, t}) => {
    const from = sent.length;
    await page.goto(`${origin}/`);
    await page.locator("html[data-offline=ready]").waitFor();
    for (const panel of panels)
        await show(page, panel);
    const whole = sent.slice(from).filter(({bytes}) => bytes > 0);
    t.diagnostic(`all panels, and a copy for later: ${sum(whole)} bytes`);
    assert.ok(sum(whole) < most_copy_bytes, `${sum(whole)} bytes`);
    const names = whole.map(({path: name}) => name)
        .filter((name) => name !== "/" && name !== "/index.html");
    assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
    assert.deepEqual(names.filter((name) => name.endsWith(".wasm")).sort(),
                     ["/module/seenset-foreign.wasm", "/module/seenset.wasm"]);
});

test("a_second_visit_costs_little", {offline: true},
     async ({page, origin, sent, t}) => {
    await page.locator("html[data-offline=ready]").waitFor();
    const from = sent.length;
    await page.goto("about:blank");
    await page.goto(`${origin}/`);
    await ready(page, panels[0]);
    const again = sum(sent.slice(from));
    t.diagnostic(`second visit: ${again} bytes`);
    assert.ok(again < 10_000, `${again} bytes`);
});

test("times_are_printed", {}, async ({page, t}) => {
    await ready(page, panels[0]);
    const times = await page.evaluate(() => ({
        "first paint":
            performance.getEntriesByName("first-contentful-paint")[0]
                ?.startTime,
        "module and first panel ready":
            performance.getEntriesByName("seenset-ready")[0]?.startTime,
    }));
    for (const [what, ms] of Object.entries(times)) {
        t.diagnostic(`${what} after ${ms?.toFixed(0)} ms`);
        assert.ok(ms > 0, what);
    }
});
