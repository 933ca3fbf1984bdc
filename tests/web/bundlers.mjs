/* The npm package in what people bundle with, none of them configured: vite, its
 * development server, webpack, esbuild and rollup. webpack takes the file of the
 * module along, the others have it in their script (package.json), unless they
 * are given seenset/asset. Each bundle is a page that answers in Chromium. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync,
        writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {pathToFileURL} from "node:url";
import {serve} from "../../fronts/web/serve.mjs";
import {browser, site, source} from "./harness.mjs";
import {bundlers} from "./support/places.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-bundlers-"));
after(() => rmSync(work, {recursive: true}));

const filter = readFileSync(
    path.join(source, "tests/vectors/foreign/flor.bloom")).toString("base64");

/** Both modules, by their names and what may follow them. */
const program = (more = "") => `
import {load} from "seenset${more}";
import {openForeign} from "seenset/foreign${more}";
const bytes = Uint8Array.from(atob("${filter}"), (c) => c.charCodeAt(0));
async function answers() {
    const {SeenSet} = await load();
    const set = new SeenSet({capacity: 100});
    const mine = [set.add("a"), set.add("a"), set.has("b")];
    const file = await openForeign(bytes);
    return [...mine, file.has("key 7")].join(" ");
}
answers().catch(String).then((text) => { document.title = text; });
`;
const good = "true false false true";

/** A project that has the package, and no settings of any bundler. */
function project(name) {
    const folder = path.join(work, name);
    cpSync(path.join(site, "module"),
           path.join(folder, "node_modules/seenset"), {recursive: true});
    writeFileSync(path.join(folder, "package.json"),
                  '{"private": true, "type": "module"}');
    writeFileSync(path.join(folder, "main.js"), program());
    writeFileSync(path.join(folder, "asset.js"), program("/asset"));
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
    try {
        return await answer_at(origin);
    } finally {
        await close();
    }
}

async function answer_at(origin) {
    const context = await (await browser()).newContext();
    try {
        const page = await context.newPage();
        await page.goto(origin);
        await page.waitForFunction(() => document.title !== "");
        return await page.title();
    } finally {
        await context.close();
    }
}

/** The modules that a bundle has as files. */
const modules_in = (folder) => readdirSync(folder, {recursive: true})
    .filter((name) => name.endsWith(".wasm")).length;

for (const [name, script, modules] of [["vite", "main.js", 0],
                                       ["vite_asset", "asset.js", 3]]) {
    test(`${name}_finds_the_module`, async () => {
        const folder = page_of(project(name), `/${script}`);
        run("vite", ["build", "--logLevel", "warn"], folder);
        assert.equal(modules_in(path.join(folder, "dist")), modules);
        assert.equal(await answer(path.join(folder, "dist")), good);
    });
}

test("vite_serves_the_module", async () => {
    const root = project("vite-dev");
    const {createServer} = await import(pathToFileURL(
        path.join(bundlers, "node_modules/vite/dist/node/index.js")));
    const server = await createServer({root, configFile: false,
        logLevel: "error", server: {host: "127.0.0.1"}});
    try {
        await server.listen();
        const {port} = server.httpServer.address();
        assert.equal(await answer_at(`http://127.0.0.1:${port}/`), good);
    } finally {
        await server.close();
    }
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
    assert.equal(modules_in(output.path), 3);
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
        const folder = project(`${name}-one`);
        bundle("main.js", "dist/main.js", folder);
        assert.deepEqual(readdirSync(path.join(folder, "dist")), ["main.js"]);
        assert.equal(await answer(page_of(path.join(folder, "dist"))), good);
    });

    test(`${name}_takes_the_file_beside_it`, async () => {
        const folder = project(name);
        bundle("asset.js", "dist/main.js", folder);
        const dist = page_of(path.join(folder, "dist"));
        const beside = (file) => cpSync(path.join(folder,
            "node_modules/seenset", file), path.join(dist, file));
        // planted: without the file, the error names where it belongs
        assert.match(await answer(dist),
                     /was not found \(404\): put it at .*seenset\.wasm/);
        beside("seenset.wasm");
        assert.match(await answer(dist), /put it at .*seenset-foreign\.wasm/);
        beside("seenset-foreign.wasm");
        assert.equal(await answer(dist), good);
    });
}

test("esbuild_makes_a_classic_script_of_it", async () => {
    const folder = project("classic");
    mkdirSync(path.join(folder, "dist"));
    esbuild(["main.js", "--bundle", "--outfile=dist/main.js"], folder);
    writeFileSync(path.join(folder, "dist/index.html"),
                  '<script src="main.js"></script>');
    assert.equal(await answer(path.join(folder, "dist")), good);
});
