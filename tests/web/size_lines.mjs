/* The panel "Size it": what it gives to copy, runs, and its address brings back
 * what was asked. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, rmSync, writeFileSync} from "node:fs";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {native, site, source} from "./harness.mjs";
import {choose, field, fill, in_folder, shown_rows, test} from
        "./support/size_panel.mjs";

/* ---- what is copied ---- */

async function lines(page, name) {
    return page.locator(`#size [data-lines="${name}"]`).textContent();
}

const kinds = [
    "n=1k&p=1%25", "n=1k&p=1%25&layout=bloom&full=refuse",
    "n=1k&p=1e-6&layout=split_block&full=degrade", "m=4kB", "m=4kB&k=8",
    "m=4kB&k=3&layout=bloom", "n=1k&p=0.1%25&layout=counting&bits=8",
    "n=1k&p=1%25&full=rotate", "n=1k&p=1/1000&full=rotate&window=24h&tables=3",
    "n=1k&p=1%25&layout=fingerprint", "n=1k&p=1%25&layout=sealed", "",
];

/** Until the page has taken what was put into its address. */
function wait_for_address(page) {
    return page.evaluate(() => new Promise((done) => { setTimeout(done); }));
}

/** Runs each of them in a folder, as a reader would paste it. */
function run_lines(folder, all, kind) {
    const options = {cwd: folder, stdio: "pipe", env: {...process.env,
        PATH: `${native}:${process.env.PATH}`}};
    for (const name of ["urls.txt", "keys.txt", "asked.txt"])
        writeFileSync(path.join(folder, name), "a\nb\na\nc\n");
    const out = execFileSync("sh", ["-e", "-c", all.command], options);
    assert.match(out.toString(), /^layout/, kind);
    if (!kind.includes("sealed"))
        assert.equal(readFileSync(path.join(folder, "unique.txt"), "utf8"),
                     "a\nb\nc\n", kind);
    rmSync(path.join(folder, "seen.set"));
    execFileSync("python3", ["-c", all.python], options);
    writeFileSync(path.join(folder, "seen.c"), all.c);
    execFileSync("cc", ["-std=c11", "-Wall", "-Werror", "seen.c",
        `-I${source}/include`, path.join(native, "libseenset.a"), "-lm",
        "-lpthread", "-o", "seen"], options);
    execFileSync("./seen", [], options);
    const module_file = path.join(site, "module/seenset.mjs");
    writeFileSync(path.join(folder, "seen.mjs"), all.javascript
        .replace("'seenset'", `'${pathToFileURL(module_file)}'`));
    assert.equal(execFileSync(process.execPath, ["seen.mjs"], options).toString(),
                 "true\n", kind);
}

test("size_lines_run_as_they_are", {path: "/#size"}, async ({page}) => {
    await page.locator("#size [data-figure=answer]").waitFor();
    for (const kind of kinds) {
        await page.evaluate((hash) => { location.hash = hash; },
                            `#size?${kind}`);
        await wait_for_address(page);
        const all = {};
        for (const name of ["command", "c", "python", "javascript"])
            all[name] = await lines(page, name);
        in_folder((folder) => run_lines(folder, all, kind));
    }
});

test("size_lines_of_other_systems", {path: "/#size?n=100&p=1%25&full=refuse"},
     async ({page}) => {
    assert.equal(await lines(page, "redis"), "BF.RESERVE seen 0.01 100 " +
        "NONSCALING\nBF.ADD seen https://example.com/");
    /* a RedisBloom of 100 keys at 0.01 has 120 bytes: 958 bits in words */
    assert.match(await page.locator("[data-note=redis]").textContent(),
                 /takes 120 bytes/);
    await fill(page, {n: "100k", p: "1e-9"});
    assert.match(await lines(page, "duckdb"),
                 /BLOOM_FILTER_FALSE_POSITIVE_RATIO 1e-9\)/);
    /* DuckDB writes 2 MiB for 100,000 values at 1e-9, and 131,072 at 0.01 */
    assert.match(await page.locator("[data-note=duckdb]").textContent(),
                 /2.097 MB for 100,000/);
    await fill(page, {n: "100k", p: "1%"});
    assert.match(await page.locator("[data-note=duckdb]").textContent(),
                 /131.1 kB for 100,000/);
});

test("size_lines_are_copied", {path: "/#size?n=5M&p=1%25", context:
     {permissions: ["clipboard-read", "clipboard-write"]}},
     async ({page}) => {
    for (const name of ["command", "python"]) {
        const title = name[0].toUpperCase() + name.slice(1);
        await page.getByRole("tab", {name: title}).click();
        await page.getByRole("button", {name: `Copy the ${title} lines`})
            .click();
        await page.getByRole("status").filter({hasText: "Copied"}).waitFor();
        assert.equal(await page.evaluate(() =>
            navigator.clipboard.readText()), await lines(page, name));
    }
});

/* ---- the address ---- */

test("size_is_sent_by_its_address", {path: "/#size"},
     async ({page, origin, context}) => {
    await fill(page, {n: "2G", p: "1/1000"});
    await choose(page, "split_block");
    await page.getByRole("radio", {name: "Forget the oldest"}).check();
    await page.getByLabel("Remember each key for").fill("7d");
    await page.getByLabel("Tables", {exact: true}).fill("9");
    await page.getByRole("tab", {name: "DuckDB"}).click();
    assert.equal(new URL(page.url()).hash, "#size?n=2G&p=1/1000&" +
        "layout=split_block&full=rotate&window=7d&tables=9&as=duckdb");
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("#size [data-figure=answer]").waitFor();
    for (const part of ["#size .size-top", "#size .size-policy-words",
                        "#size [role=tabpanel]:not([hidden])"])
        assert.equal(await other.locator(part).innerText(),
                     await page.locator(part).innerText(), part);
    assert.equal(await field(other, "n").inputValue(), "2G");
    await other.close();
    assert.ok(page.url().startsWith(origin));
});

test("size_comes_back_from_another_panel", {path: "/#size?n=3M&p=1%25"},
     async ({page}) => {
    await page.getByRole("link", {name: "See it"}).click();
    await page.locator("#see").waitFor();
    assert.ok(await page.locator("#size").isHidden());
    await page.getByRole("link", {name: "Size it"}).click();
    assert.equal(await field(page, "n").inputValue(), "3M");
    assert.equal(new URL(page.url()).hash, "#size?n=3M&p=1%25");
});

test("size_takes_what_nobody_would_write", {path:
     "/#size?n=%3Cb%3E&p=NaN&k=1e99&layout=x&full=y&window=z&tables=-1&as=q"},
     async ({page}) => {
    await page.locator("#size .why", {hasText: "It is larger"}).waitFor();
    assert.equal(await page.locator("#size [aria-invalid=true]").count(), 4);
    await fill(page, {n: "1M", p: "1%"});
    assert.equal((await shown_rows(page)).blocked.memory, "1.262 MB");
});
