/* The JavaScript of the pages that people read runs as it is printed there: the
 * package is put into an empty folder's node_modules, and each block of
 * docs/web.md and README.md is a program. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {native, site, source} from "./support/places.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-docs-"));
after(() => rmSync(work, {recursive: true}));
cpSync(path.join(site, "module"), path.join(work, "node_modules/seenset"),
       {recursive: true});

/** Block number `i` of a page. */
const block = (page, i = 0) => [...readFileSync(path.join(source, page), "utf8")
    .matchAll(/^```js\n(.*?)^```/msg)][i][1];

function run(program) {
    writeFileSync(path.join(work, "program.mjs"), program);
    return execFileSync(process.execPath, ["program.mjs"],
                        {cwd: work, stdio: "pipe"}).toString();
}

test("readme_example_runs", () => {
    assert.equal(run(block("README.md")), "never seen until now\n");
});

test("docs_example_runs", () => {
    /* The same figure is in README.md, of the command. */
    assert.match(run(block("docs/web.md")), /^1\.262\d* GB\n$/);
    const info = execFileSync(path.join(native, "seenset"),
                              ["info", path.join(work, "seen.set")]);
    assert.match(info.toString(), /^added +2 keys/m);
});

test("docs_example_of_other_systems_runs", () => {
    cpSync(path.join(source, "tests/vectors/foreign/people.parquet"),
           path.join(work, "people.parquet"));
    assert.equal(run(block("docs/web.md", 1)), "[ 0 ]\nsound\n");
});

/* The planted fault. */
test("an_example_that_fails_is_noticed", () => {
    assert.throws(() => run(block("docs/web.md").replace("seen.add(",
                                                         "seen.insert(")));
});
