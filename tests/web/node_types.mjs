/* The types of the package, by the oldest and the newest TypeScript 5 that they
 * are for, with --strict and with every .d.ts checked. */
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {bundlers, site} from "./support/places.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-types-"));
after(() => rmSync(work, {recursive: true}));
cpSync(path.join(site, "module"), path.join(work, "node_modules/seenset"),
       {recursive: true});
writeFileSync(path.join(work, "package.json"), '{"type": "module"}');

/** What the compiler prints about programs, by their names; "" if it takes all
 * of them. It starts once for all: most of its time is for the types of the
 * language and of browsers. */
function compiled(version, programs, more = []) {
    for (const [name, text] of Object.entries(programs))
        writeFileSync(path.join(work, name), text);
    const {stdout, status} = spawnSync(process.execPath, [
        path.join(bundlers, "node_modules", version, "bin/tsc"), "--strict",
        "--noEmit", "--target", "es2022", "--lib", "es2022,dom",
        "--module", "nodenext", ...more, ...Object.keys(programs)],
        {cwd: work, encoding: "utf8"});
    assert.ok(status === 0 || stdout !== "", `it ended with ${status}`);
    return stdout;
}

const program = `
import {load, SeensetError, type Info, type Library} from 'seenset';
import {load as loadInline} from 'seenset/inline';
import {load as loadAsset} from 'seenset/asset';
const library: Library = await load({simd: true});
const {SeenSet, plan} = library;
using seen = new SeenSet({capacity: 1e6, fpRate: 1e-6, windowSeconds: 60});
const isNew: boolean = seen.add('a') && seen.has(new Uint8Array(3));
const download = new Blob([seen.save(), seen.toBits(), library.makeSecret()]);
const answers: Uint8Array = seen.addMany(['a', 'b']);
const info: Info = seen.info();
const counters: Uint16Array = seen.counters(0, 0, 1);
{
    using lines = seen.lines();
    const kept = new Blob([lines.push(new Uint8Array(1)), lines.end()]);
    lines.pushTo(new Uint8Array(1), (some: Uint8Array) => console.log(some));
    console.log(kept);
}
const other = new (await loadInline()).SeenSet();
console.log(isNew, download, answers, info, counters, plan({n: 9}).p,
    other.has('a'), loadAsset({wasm: '/'}), new Error('a') instanceof SeensetError);
`;

const foreign = `
import {openForeign, type FilterCheck, type ForeignFile, SeensetError}
    from 'seenset/foreign';
using file: ForeignFile = await openForeign(new Blob(), {column: 'email'});
const isThere: boolean = file.has('a') || file.has(7) || file.has(7n);
const groups: number[] = file.rowGroups(new Uint8Array(4));
const [first]: FilterCheck[] = file.check().filters;
const download = new Blob([file.saveSet(0), file.hasMany(['a', 1])]);
console.log(isThere, groups, first?.because, download, SeensetError);
`;

const foreign_asset = `
import {openForeign, type ForeignFile} from 'seenset/foreign/asset';
const file: ForeignFile = await openForeign(new Blob(),
    {column: 'email', wasm: '/seenset-foreign.wasm'});
console.log(file.hasMany(['a', 7n]).length);
`;

const foreign_by_import = `
import {openForeign} from 'seenset/foreign';
openForeign(new Uint8Array(1)).then((file): boolean => file.has('a'));
`;

const required = `
import {load} from 'seenset';
import type {Info} from 'seenset';
load().then(({SeenSet}): Info => new SeenSet().info());
`;

for (const version of ["typescript-5.4", "typescript-5.9"]) {
    const name = version.replace(/\W/g, "_");
    test(`${name}_takes_the_types`, () => {
        assert.equal(compiled(version, {
            "program.mts": program, "foreign.mts": foreign,
            "foreign_asset.mts": foreign_asset,
            "foreign.cts": foreign_by_import, "required.cts": required}), "");
    });

    test(`${name}_takes_the_types_in_a_bundle`, () => {
        assert.equal(compiled(version, {"bundled.ts": program,
            "bundled_asset.ts": foreign_asset},
            ["--module", "esnext", "--moduleResolution", "bundler"]), "");
    });

    test(`${name}_refuses_what_is_wrong`, () => {
        const found = compiled(version, {
            "faulty.mts": program.replace("windowSeconds: 60",
                                          "windowSecond: 60"),
            "faulty_foreign.mts": foreign.replace("column:", "colum:"),
            "faulty_asset.mts": foreign_asset.replace("column:", "colum:")},
            ["--skipLibCheck"]);
        assert.match(found, /^faulty\.mts.*TS2561.*windowSecond/m);
        assert.match(found, /^faulty_foreign\.mts.*TS2561.*colum/m);
        assert.match(found, /^faulty_asset\.mts.*TS2561.*colum/m);
        assert.equal(found.match(/ error /g).length, 3, found);
    });
}
