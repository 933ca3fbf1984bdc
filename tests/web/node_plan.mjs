/* The planner of the module against `seenset plan`, whatever is given: the same
 * whole numbers, the same rates, the same refusals. WebAssembly has another
 * maths library than the command, so that is not a matter of course: of rates
 * that are not given the last bits may differ, which is 1e-13 of them. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {libraries, native, nativeFailure, refusal} from './support/module.mjs';

const layouts = ['blocked', 'bloom', 'counting', 'sealed', 'split_block'];

function argumentsOf(layout, {n, p, m, k}) {
    const args = ['plan', '--json', `--layout=${layout}`];
    if (n !== undefined)
        args.push('-n', String(n));
    if (p !== undefined)
        args.push('-p', String(p));
    if (m !== undefined)
        args.push('-m', `${m}b`);
    if (k !== undefined)
        args.push('-k', String(k));
    return args;
}

/** The command's plan of one layout, named as the module names it. */
function nativePlan(args) {
    const [plan] = JSON.parse(native(args)).plans;
    const {capacity_items: n, fp_rate: p, size_bits: m, hash_count: k} = plan;
    return {layout: plan.layout, n, p, m, k,
        capacityItems: n, fpRate: p, sizeBits: m, hashCount: k,
        expectedFpRate: plan.expected_fp_rate, bitsPerKey: plan.bits_per_key,
        floorBits: plan.floor_bits};
}

const rates = ['p', 'fpRate', 'expectedFpRate'];

function assertAlike(found, wanted, what) {
    for (const name of rates) {
        assert.ok(Math.abs(found[name] / wanted[name] - 1) < 1e-13,
            `${what} ${name}: ${found[name]}, not ${wanted[name]}`);
        found = {...found, [name]: wanted[name]};
    }
    assert.deepEqual(found, wanted, what);
}

/* What the command refuses, the module refuses in nearly the same words. */
function assertRefused(library, given, args) {
    const words = nativeFailure(args).message
        .replace(/^seenset: plan: (.*);.*\n$/, '$1').toLowerCase();
    const name = words.includes('rate') ? 'SEENSET_ERATE' : 'SEENSET_ETOOBIG';
    const {message} = refusal(name, () => library.plan(given));
    assert.ok(message.toLowerCase().startsWith(words), `${words}: ${message}`);
}

/** Returns the plan, or undefined where it is refused. */
function compare(layout, given) {
    const args = argumentsOf(layout, given);
    const isRefused = nativeFailure(args).status !== 0;
    const wanted = isRefused ? undefined : nativePlan(args);
    for (const [name, library] of Object.entries(libraries))
        if (isRefused)
            assertRefused(library, {layout, ...given}, args);
        else
            assertAlike(library.plan({layout, ...given}), wanted,
                `${name} ${layout} ${JSON.stringify(given)}`);
    return wanted;
}

for (const layout of layouts)
    test(`plan_${layout}_is_the_commands`, () => {
        for (const n of [1, 7, 1000, 59226, 1e6, 123456789, 2e10])
            for (const p of [0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9])
                compare(layout, {n, p});
    });

for (const layout of layouts.filter((name) => name !== 'sealed'))
    test(`plan_${layout}_from_each_corner_is_the_commands`, () => {
        const {n, m, k, p} = compare(layout, {n: 54321, p: 0.003});
        compare(layout, {n, m});
        compare(layout, {n, m, k});
        compare(layout, {m, p});
        compare(layout, {m, p, k});
        compare(layout, {n, p, k});
        compare(layout, {n, p, m});
        compare(layout, {n, p, m, k});
    });

test('plan_whole_bits_are_the_commands', () => {
    for (const p of [0.5, 0.1, 0.01, 0.001, 1e-9]) {
        const {whole_bits: wanted} = JSON.parse(
            native(['plan', '--json', '-p', String(p), '-n', '1000']));
        assert.deepEqual(libraries.simd.wholeBits(p), {
            bitsPerKey: wanted.bits_per_key, hashCount: wanted.hash_count});
    }
});

test('plan_overflow_bound_is_the_commands', () => {
    for (const bits of [2, 4, 7]) {
        const [plan] = JSON.parse(native(['plan', '--json', '-n', '10000',
            '--layout=counting', `--counter-bits=${bits}`])).plans;
        assert.equal(libraries.simd.overflowBound(10000, plan.size_bits,
            plan.hash_count, bits), plan.overflow_bound);
    }
});

test('plan_formulas_agree_with_the_plan', () => {
    const {plan, fpRate, floorBits, itemEstimate, wrongItems} = libraries.simd;
    for (const layout of ['blocked', 'bloom', 'counting', 'split_block']) {
        const found = plan({layout, n: 5000, p: 0.02});
        /* of bloom and counting the planner takes a little more */
        const rate = fpRate(layout, found.n, found.m, found.k);
        assert.ok(rate <= found.expectedFpRate, `${layout}: ${rate}`);
        assert.ok(rate > 0.999 * found.expectedFpRate, `${layout}: ${rate}`);
        const wrong = wrongItems(layout, found.n, found.m, found.k);
        assert.ok(wrong > 0 && wrong < 5000 * 0.02, `${wrong}`);
    }
    assert.equal(floorBits(1000, 0.25), 2000);
    assert.equal(itemEstimate(0, 1000, 7), 0);
    assert.equal(itemEstimate(1000, 1000, 7), Infinity);
});

test('plan_formulas_outside_their_range_are_nan', () => {
    const {fpRate, floorBits, itemEstimate, overflowBound, wrongItems} =
        libraries.simd;
    for (const wrong of [-1, 1.5, NaN, Infinity, undefined, 2 ** 53 + 2]) {
        assert.equal(fpRate('bloom', wrong, 1000, 7), NaN);
        assert.equal(wrongItems('bloom', 10, wrong, 7), NaN);
        assert.equal(itemEstimate(wrong, 1000, 7), NaN);
        assert.equal(overflowBound(10, 1000, 7, wrong), NaN);
        assert.equal(floorBits(wrong, 0.5), NaN);
    }
    assert.equal(floorBits(10, 0), NaN);
    assert.equal(fpRate('bloom', 10, 0, 7), NaN);
});

test('plan_with_a_scheme_takes_its_sizes', () => {
    const {plan} = libraries.simd;
    const found = plan({n: 1000, p: 0.01, scheme: 'polynomial'});
    assert.equal(found.layout, 'bloom');
    assert.equal(found.m & found.m - 1, 0, 'a power of two');
    assert.equal(plan({n: 1000, p: 0.01, scheme: 'clickhouse-bloom'}).m % 8, 0);
});

test('plan_refuses_in_plain_words', () => {
    const {plan} = libraries.simd;
    const rate = refusal('SEENSET_ERATE', () =>
        plan({layout: 'bloom', n: 1e6, m: 1e6, p: 1e-9}));
    assert.equal(rate.code, -4);
    assert.match(rate.message, /^The false-positive rate cannot be kept .*\. Give fewer keys/);
    for (const [given, words] of [
        [{n: 0, p: 0.1}, /^n is a whole number from 1 to 2\^53; not 0/],
        [{n: 10, p: 1}, /^p is over 0 and under 1; not 1/],
        [{n: 10, p: NaN}, /^p is over 0 and under 1; not NaN/],
        [{n: 10, k: 256}, /^k is a whole number from 1 to 255/],
        [{layout: 'cuckoo'}, /^layout is blocked, .*; not cuckoo/],
        [{scheme: 'caller', n: 1, p: 0.1}, /^scheme is .*; not caller/],
        [{}, /^Options are missing, such as n/]])
        assert.match(refusal('SEENSET_EINVAL', () => plan(given)).message,
            words);
});
