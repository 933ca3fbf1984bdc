/*
 * report.mjs - what `seenset info` says of a set, fact by fact.
 *
 * The twin of fronts/cli/report/report.c: the same facts in the same order, in
 * the same words and digits. Each is {label, value}.
 */

/* After an estimate from bits that a weak hash has set. */
function trust(stats, text) {
    return stats.isSkewed ? text('info.not_trusted') : '';
}

function layoutValue({stats, tables}, text) {
    const values = {layout: stats.layout, count: tables[0].hashCount,
        fingerprint: stats.fingerprintBits, counter: stats.counterBits};
    if (stats.layout === 'fingerprint')
        return text('info.layout_slots', values);
    if (stats.fingerprintBits !== 0)
        return text('info.layout_sealed', values);
    if (stats.counterBits !== 0) return text('info.layout_counting', values);
    return text(tables.at(-1).layout === 'expandable'
        ? 'info.layout_grown' : 'info.layout_bits', values);
}

function* schemeFacts({info}, {text}) {
    if (info.scheme !== 'chain') yield ['scheme', info.scheme];
    if (BigInt(info.seed) !== 0n) yield ['seed', String(info.seed)];
    if (info.seeds.length > 0)
        yield ['seeds', text(info.unitBits === 16 ? 'info.seeds_units'
            : 'info.seeds_bytes', {list: info.seeds.join(' ')})];
    if (info.isKeyed) yield ['keyed', text('info.keyed_yes')];
}

function* policyFacts({info, stats}, {text, format}) {
    yield ['when_full', stats.layout === 'sealed'
        ? text('info.nothing_added') : stats.onFull];
    if (stats.onFull !== 'rotate') return;
    const steps = stats.windowGenerations - 1;
    yield ['window', stats.windowSeconds !== 0
        ? text('info.window_seconds', {steps,
            time: format.seconds(stats.windowSeconds)})
        : text('info.window_keys', {steps,
            count: format.count(stats.capacityItems)})];
    yield ['again', text(info.isSliding ? 'info.renewed'
        : 'info.not_renewed')];
}

function capacityWord({info}, text) {
    if (!info.isAtCapacity) return '';
    return text(info.onFull === 'refuse' ? 'info.refused' : 'info.rises');
}

function* keyFacts(found, {text, format}) {
    const {stats} = found;
    yield ['capacity', text('info.keys', {
        count: format.count(stats.capacityItems)}) +
        capacityWord(found, text)];
    yield ['added', text('info.added_value', {
        count: format.count(stats.addedItems),
        part: format.general(100 * stats.addedItems / stats.capacityItems,
            4)})];
    yield ['distinct', Number.isFinite(stats.estimatedItems)
        ? text('info.keys', {
            count: format.count(Math.round(stats.estimatedItems))}) +
            trust(stats, text)
        : text('info.too_many')];
    if (stats.layout !== 'sealed')
        yield ['wrong', (stats.isWrongAtLeast
            ? text('info.wrong_least', {
                count: format.fixed(Math.floor(stats.wrongItems), 0)})
            : text('info.wrong_value', {
                count: format.general(stats.wrongItems, 3)})) +
            trust(stats, text)];
    yield ['promised', format.rate(stats.fpRate)];
    yield ['now', format.rate(Math.abs(stats.currentFpRate)) +
        trust(stats, text)];
}

/* The size counts bits or counters. */
function* sizeFacts({stats}, {text, format}) {
    const isCounting = stats.counterBits !== 0;
    const cellBits = isCounting ? stats.counterBits : 1;
    const bits = stats.sizeBits * cellBits;
    const values = {
        size: format.count(stats.sizeBits),
        bytes: format.bytes(Math.floor((bits + 7) / 8)),
        perKey: format.fixed(bits / stats.capacityItems, 2)};
    const name = stats.windowSeconds !== 0 ? 'size_window'
        : isCounting ? 'size_counters' : 'size_bits';
    yield ['size', text(`info.${name}`, values)];
    if (stats.layout === 'fingerprint') {
        yield ['slots_used', `${format.general(100 * stats.fill, 4)} %`];
        yield ['slots_cut', text('info.slots_cut_value', {
            count: format.count(stats.fullCounters)})];
    }
    if (stats.fingerprintBits === 0)
        yield [isCounting ? 'counters_used' : 'bits_set',
            text('info.part_of_all', {count: format.count(stats.setBits),
                part: format.general(100 * stats.fill, 4)})];
    if (isCounting)
        yield ['counters_full', text('info.counters_full_value', {
            count: format.count(stats.fullCounters),
            chance: format.general(stats.overflowBound, 2)})];
}

/* How evenly the bits are spread, where that may be in doubt. */
function* spreadFacts({stats, uniformity}, {text, format}) {
    if (stats.scheme === 'chain' && !uniformity.isSkewed) return;
    if (uniformity.sliceCount === 0)
        yield ['spread', text('info.spread_few')];
    else
        yield ['spread', text(uniformity.isSkewed ? 'info.spread_uneven'
            : 'info.spread_even', {
            found: format.fixed(uniformity.chiSquare, 0),
            expected: format.fixed(uniformity.degreesOfFreedom, 0)})];
}

function* tableFacts({tables}, {text, format}) {
    if (tables.length < 2) return;
    for (const [i, table] of tables.entries())
        yield ['', text('info.table_value', {
            added: format.count(table.addedItems),
            capacity: format.count(table.capacityItems),
            rate: format.general(table.fpRate, 3),
            bytes: format.bytes(table.memoryBytes)}),
        text('info.table', {number: i + 1})];
}

function* facts(found, shell) {
    const {text, format} = shell;
    const {stats} = found;
    yield ['layout', layoutValue(found, text)];
    yield* schemeFacts(found, shell);
    yield* policyFacts(found, shell);
    yield* keyFacts(found, shell);
    yield* sizeFacts(found, shell);
    yield* spreadFacts(found, shell);
    yield ['memory', text('info.memory_value', {
        count: format.count(stats.memoryBytes),
        bytes: format.bytes(stats.memoryBytes)})];
    yield ['generations', String(stats.tableCount)];
    yield* tableFacts(found, shell);
}

/**
 * @param {object} found by the worker's describe
 * @param {import('../app.mjs').Shell} shell
 * @returns {{label: string, value: string}[]}
 */
export function infoFacts(found, shell) {
    return [...facts(found, shell)].map(([name, value, label]) =>
        ({label: label ?? shell.text(`info.${name}`), value}));
}

/* Of lines that were asked at a rate r, u were not seen: u r / (1 - r) others
 * were called seen by mistake. Where all are called seen, that is unknown. */
function wrongAsked({stats, kept, dropped}, keep) {
    const rate = Math.abs(stats.currentFpRate);
    const unseen = keep === 'unseen' ? kept : dropped;
    return rate < 1 ? unseen * rate / (1 - rate) : NaN;
}

/**
 * How many lines had a wrong answer: of a run that made its set, as --stats of
 * `seenset dedup` has it; of all runs of a set that a run went on with; and of
 * this run, if it only asked.
 * @param {object} result of the worker's run
 * @param {{isContinued: boolean, options: {keep: string}}} given to it
 * @returns {{name: string, count: number, isAtLeast: boolean}}
 */
export function wrongLines(result, {isContinued, options: {keep}}) {
    const {stats, dropped} = result;
    if (!result.isAdded)
        return {name: 'wrong_asked', count: wrongAsked(result, keep),
                isAtLeast: false};
    const isAllOfIt = !isContinued && !(stats.wrongItems <= dropped);
    return {name: isContinued ? 'wrong_ever' : 'wrong',
            count: isAllOfIt ? dropped : stats.wrongItems,
            isAtLeast: stats.isWrongAtLeast};
}

/** What a number of wrong answers means, in words; '' where it says it. */
export function wrongWords(stats, wrong, {text, format}) {
    if (stats.layout === 'sealed') return '';
    if (stats.isWrongAtLeast) return text('wrong_floor');
    return wrong > 0 && wrong < 1
        ? text('wrong_chance', {rate: format.rate(wrong)}) : '';
}
