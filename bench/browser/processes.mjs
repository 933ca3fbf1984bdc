/* The processor time of a process and of all that it started, from /proc: of
 * each process, with that of threads that have ended, and of each thread that
 * there is. */
import {readdirSync, readFileSync} from "node:fs";

const ticks_a_second = 100; /* of /proc, on every Linux */

/* A file of /proc, or '' of what has ended. */
function read(name) {
    try {
        return readFileSync(name, "latin1");
    } catch {
        return "";
    }
}

/* pid (name) state parent ...; the name may have spaces and brackets. */
function stat_of(name) {
    const text = read(name);
    const [from, to] = [text.indexOf("("), text.lastIndexOf(")")];
    const fields = text.slice(to + 2).split(" ");
    return {name: text.slice(from + 1, to), parent: Number(fields[1]),
            seconds: (Number(fields[11]) + Number(fields[12])) /
                ticks_a_second};
}

function numbers(folder) {
    try {
        return readdirSync(folder).filter((name) => /^\d+$/.test(name));
    } catch {
        return [];
    }
}

/** A process and all that descend from it. */
function family(root) {
    const parents = new Map(numbers("/proc").map((pid) =>
        [Number(pid), stat_of(`/proc/${pid}/stat`).parent]));
    const mine = new Set([root]);
    for (let before = 0; before < mine.size;) {
        before = mine.size;
        for (const [pid, parent] of parents)
            if (mine.has(parent))
                mine.add(pid);
    }
    return [...mine];
}

/* What kind of process of Chromium it is. One that was forked has its words
 * joined by spaces. */
function kind_of(pid) {
    const words = read(`/proc/${pid}/cmdline`);
    const value = (name) =>
        new RegExp(`[\\0 ]--${name}=([^\\0 ]+)`).exec(words)?.[1];
    return value("utility-sub-type") ?? value("type") ?? "browser";
}

/** The process whose command line has a word. */
export function process_with(word) {
    return Number(numbers("/proc").find((pid) => {
        const words = read(`/proc/${pid}/cmdline`).split("\0");
        return words.includes(word) &&
            kind_of(pid) === "browser";
    }));
}

/**
 * All of it until now.
 * @param {number} root
 * @returns {{key: string, name: string, isThread: boolean, seconds: number}[]}
 */
export function times_of(root) {
    return family(root).flatMap((pid) => {
        const kind = kind_of(pid);
        const threads = numbers(`/proc/${pid}/task`).map((thread) => {
            const stat = stat_of(`/proc/${pid}/task/${thread}/stat`);
            return {key: `${pid} ${thread}`, name: `${kind}: ${stat.name}`,
                    isThread: true, seconds: stat.seconds || 0};
        });
        const {seconds} = stat_of(`/proc/${pid}/stat`);
        return [...threads, {key: `${pid}`, name: kind, isThread: false,
                             seconds: seconds || 0}];
    });
}

/**
 * What was taken since `before`.
 * @returns {{seconds: number, threads: [string, number][]}} threads of one name
 *     together, the most first
 */
export function taken(before, after) {
    const old = new Map(before.map(({key, seconds}) => [key, seconds]));
    const sums = new Map();
    let all = 0;
    for (const {key, name, isThread, seconds} of after) {
        const more = seconds - (old.get(key) ?? 0);
        if (!isThread)
            all += more;
        else if (more > 0)
            sums.set(name, (sums.get(name) ?? 0) + more);
    }
    return {seconds: all, threads: [...sums].sort(([, a], [, b]) => b - a)};
}
