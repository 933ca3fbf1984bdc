/* The npm package in what people bundle with, none of them configured: vite and
 * webpack find seenset.wasm by themselves; with esbuild and rollup it is
 * seenset/inline, or the file is put beside the bundle. Each bundle is a page
 * that answers in Chromium. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync}
    from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {pathToFileURL} from "node:url";
import {serve} from "../../fronts/web/serve.mjs";
import {browser, site} from "./harness.mjs";
import {bundlers} from "./support/places.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-bundlers-"));
after(() => rmSync(work, {recursive: true}));

const program = (name) => `
import {load} from "${name}";
load().then(({SeenSet}) => {
    const set = new SeenSet({capacity: 100});
    document.title = [set.add("a"), set.add("a"), set.has("b")].join(" ");
}, (error) => {
    document.title = String(error);
});
`;
const good = "true false false";

/** A project that has the package, and no settings of any bundler. */
function project(name) {
    const folder = path.join(work, name);
    cpSync(path.join(site, "module"),
           path.join(folder, "node_modules/seenset"), {recursive: true});
    writeFileSync(path.join(folder, "package.json"),
                  '{"private": true, "type": "module"}');
    writeFileSync(path.join(folder, "main.js"), program("seenset"));
    writeFileSync(path.join(folder, "inline.js"), program("seenset/inline"));
    writeFileSync(path.join(folder, "index.html"),
                  '<script type="module" src="/main.js"></script>');
    return folder;
}

function run(command, args, folder) {
    const program_file = path.join(bundlers, "node_modules/.bin", command);
    return execFileSync(process.execPath, [program_file, ...args],
                        {cwd: folder, encoding: "utf8", stdio: "pipe"});
}

/** esbuild is a program of the machine. */
function esbuild(args, folder) {
    execFileSync(path.join(bundlers, "node_modules/.bin/esbuild"),
                 [...args, "--log-level=warning"], {cwd: folder});
}

/** A page with this script in a folder; returns the folder. */
function page_of(folder, script = "main.js") {
    writeFileSync(path.join(folder, "index.html"),
                  `<script type="module" src="${script}"></script>`);
    return folder;
}

/** What the page of a folder has to say, in the title. */
async function answer(folder) {
    const {origin, close} = await serve(folder);
    const context = await (await browser()).newContext();
    try {
        const page = await context.newPage();
        await page.goto(origin);
        await page.waitForFunction(() => document.title !== "");
        return await page.title();
    } finally {
        await context.close();
        await close();
    }
}

test("vite_finds_the_module", async () => {
    const folder = project("vite");
    run("vite", ["build", "--logLevel", "warn"], folder);
    assert.equal(await answer(path.join(folder, "dist")), good);
});

test("webpack_finds_the_module", async () => {
    const folder = project("webpack");
    const {default: webpack} = await import(pathToFileURL(
        path.join(bundlers, "node_modules/webpack/lib/index.js")));
    const output = {path: path.join(folder, "dist")};
    const stats = await new Promise((done, failed) => webpack(
        {mode: "production", context: folder, entry: "./main.js", output},
        (error, made) => error ? failed(error) : done(made)));
    const {errors, warnings} = stats.toJson({errors: true, warnings: true});
    assert.deepEqual(errors, []);
    assert.deepEqual(warnings.map(({message}) => message).filter(
        (message) => !/size|limit/.test(message)), []);
    assert.equal(await answer(page_of(output.path)), good);
});

for (const [name, bundle] of [
    ["esbuild", (from, to, folder) => esbuild(
        [from, "--bundle", "--format=esm", `--outfile=${to}`], folder)],
    ["rollup", (from, to, folder) => run("rollup", [from, "--file", to,
        "--format", "es", "--silent", "--plugin", path.join(bundlers,
            "node_modules/@rollup/plugin-node-resolve/dist/es/index.js")],
        folder)]]) {
    test(`${name}_has_the_module_in_one_file`, async () => {
        const folder = project(`${name}-inline`);
        bundle("inline.js", "dist/main.js", folder);
        assert.deepEqual(readdirSync(path.join(folder, "dist")), ["main.js"]);
        assert.equal(await answer(page_of(path.join(folder, "dist"))), good);
    });

    test(`${name}_takes_the_file_beside_it`, async () => {
        const folder = project(name);
        bundle("main.js", "dist/main.js", folder);
        const dist = page_of(path.join(folder, "dist"));
        // planted: without the file, the error names where it belongs
        assert.match(await answer(dist),
                     /was not found \(404\): put it at .*seenset\.wasm/);
        cpSync(path.join(folder, "node_modules/seenset/seenset.wasm"),
               path.join(dist, "seenset.wasm"));
        assert.equal(await answer(dist), good);
    });
}

test("esbuild_makes_a_classic_script_of_it", async () => {
    const folder = project("classic");
    mkdirSync(path.join(folder, "dist"));
    esbuild(["inline.js", "--bundle", "--outfile=dist/main.js"], folder);
    writeFileSync(path.join(folder, "dist/index.html"),
                  '<script src="main.js"></script>');
    assert.equal(await answer(path.join(folder, "dist")), good);
});
