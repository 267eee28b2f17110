// SPDX-License-Identifier: MIT
// The block of data.js as columns.
import { Reader } from './bytes.mjs';
import { capital } from './dom.mjs';
import { LIBRARY, readNames } from './subs.mjs';
import { Tree } from './tree.mjs';

const [OWN, OF_LIBRARY, OF_EVAL] = [0, 1, 3]; // kinds of code in a file, the numbers of report/kinds.h

function kindOf(files, file) {
    if (files.parent[file]) return OF_EVAL;
    return files.flags[file] & LIBRARY ? OF_LIBRARY : OWN;
}

// Where each node's calls were made: line, 1 for several, 0 for not told; and file, which most have from the caller.
function readSites(from, n, tree, subs) {
    tree.line = new Uint32Array(n + 1);
    tree.file = new Uint32Array(n + 1);
    for (let i = 1; i <= n; i++) tree.line[i] = from.u();
    for (let i = 1; i <= n; i++) tree.file[i] = from.u() || 1 + subs.page[tree.sub[tree.parent[i]]];
}

function readTree(from, unit, subs) {
    const seen = from.u();
    const n = from.u();
    const up = from.column(n, Uint32Array);
    const nodes = { sub: from.column(n, Uint32Array), calls: from.column(n) };
    nodes.self = from.column(n).map(units => units * unit);
    nodes.cut = from.column(n).map(units => units * unit);
    const tree = Tree.fromPreorder(up, nodes);
    readSites(from, n, tree, subs);
    tree.flags.set(from.raw(n), 1);
    tree.left = { calls: from.column(subs.n), outermost: from.column(subs.n), self: from.column(subs.n) };
    return { seen, tree };
}

// A metric of the call tree, by node and by sub.
function readColumns(from, nodes, subs) {
    const unit = from.u();
    const [self, cut] = [1, 2].map(() => {
        const column = new Float64Array(nodes);
        for (let i = 1; i < nodes; i++) column[i] = from.u() * unit;
        return column;
    });
    return { self, cut, cutSelf: from.column(subs) };
}

// Counters beside time, in the order in which they are shown. A metric's key is that of its column of files, and of
// sums over them.
function readMetrics(from, { files, subs, tree }) {
    const n = from.u();
    const ranks = from.u() === 1;
    const texts = from.list();
    const metrics = [];
    for (let k = 0; k < n; k++) {
        const [name, title, unit] = texts.slice(3 * k);
        const kind = { B: 'bytes', ns: 'time', samples: 'samples' }[unit] || 'count';
        const metric = { key: `files-${name}`, name, title, kind, ranks: ranks && k === 0, isMax: from.u() === 1 };
        metric.frees = texts[3 * (from.u() - 1)]; // the name of what is made
        files[metric.key] = from.column(files.n);
        metric.own = from.column(subs.n);
        metric.whole = from.column(subs.n);
        metric.tree = from.u() ? readColumns(from, tree.n, subs.n) : undefined;
        metrics.push(metric);
    }
    return metrics;
}

// What is made and not freed, by subs and files.
export function growthsOf(metrics, files) {
    const pairs = metrics.map(freed => [metrics.find(({ name }) => name === freed.frees), freed]);
    return pairs.filter(([made]) => made).map(([made, freed]) => {
        const stem = made.name.replace(/-made$/, '');
        const less = (all, those) => all.map((value, k) => value - those[k]);
        const key = `files-${stem}-growth`;
        files[key] = less(files[made.key], files[freed.key]);
        return {
            key, name: `+${capital(stem)}`, title: `${made.title} and not freed`, kind: `${made.kind}±`,
            own: less(made.own, freed.own), whole: less(made.whole, freed.whole),
        };
    });
}

// Times of single calls; of each sub the bars of its picture, from that of calls of `first` binary digits on.
function readLengths(from, subs) {
    for (const id of ['p50', 'p99', 'max']) subs[id] = from.column(subs.n);
    subs.spread = Array.from({ length: subs.n }, () => {
        const n = from.u();
        return { first: n && from.u(), bars: Array.from(from.column(n)) };
    });
}

// The slices of the strip of time, in µs: when each ends, and what passed in it; and the bounds between them.
export function readSlices(from) {
    const n = from.u();
    const kinds = from.u();
    const first = from.u();
    const ends = from.signed(n);
    for (let k = 0; k < n; k++) ends[k] += k ? ends[k - 1] : first;
    const passed = Array.from({ length: kinds }, () => from.column(n));
    const all = Array.from(ends, (end, k) => ({ end, passed: passed.map(column => column[k]) }));
    return { first, all, bounds: [...new Set([first, ...ends])].sort((a, b) => a - b) };
}

// The tree's times, or values of a metric, by slices of the strip of time: for each the nodes, twice their number, or
// 1 more for what is cut.
function readSliced(from) {
    const n = from.u();
    const unit = n && from.u();
    return Array.from({ length: n }, () => {
        const keys = from.column(from.u(), Uint32Array);
        for (let k = 1; k < keys.length; k++) keys[k] += keys[k - 1];
        return { keys, times: from.column(keys.length).map(units => units * unit) };
    });
}

// The statements' times by slices: rows of lines and, with line 0, of a file's other lines; and entries of these rows.
function readLinewise(from, files) {
    if (!from.u()) return undefined;
    const unit = from.u();
    const told = from.column(files.n);
    const sum = column => column.reduce((all, n) => all + n, 0);
    const line = from.column(sum(told));
    const entries = from.column(files.n + line.length);
    const slices = from.column(sum(entries));
    const times = from.signed(slices.length).map(units => units * unit);
    const source = from.list();
    const rows = [];
    let [next, at] = [0, 0];
    told.forEach((n, file) => {
        for (let k = 0, number = 0; k <= n; k++) {
            const row = { file, line: 0, source: '', slices: [], times: [] };
            if (k < n) Object.assign(row, { line: number += line[next], source: source[next++] });
            for (let left = entries[rows.length], slice = -1; left--; at++) {
                row.slices.push(slice += 1 + slices[at]);
                row.times.push(times[at]);
            }
            rows.push(row);
        }
    });
    return rows;
}

export function readProfile(bytes) {
    const from = new Reader(bytes);
    const profile = readNames(from);
    const { files, subs, unit } = profile;
    subs.kind = subs.kind.map((kind, k) => kind || kindOf(files, subs.page[k]));
    subs.isLibrary = Array.from(subs.page, (page, k) => (subs.flags[k] & 15) === 1 || (files.flags[page] & LIBRARY));
    Object.assign(profile, readTree(from, unit, subs));
    profile.metrics = readMetrics(from, profile);
    profile.metrics.push(...growthsOf(profile.metrics, files));
    if (from.u()) readLengths(from, subs);
    profile.slices = readSlices(from);
    profile.sliced = readSliced(from);
    for (const metric of profile.metrics) if (metric.tree) metric.sliced = readSliced(from);
    profile.linewise = readLinewise(from, files);
    const estimated = from.u();
    profile.isEstimated = (estimated & 1) !== 0; // the files' statements
    profile.isUncounted = (estimated & 2) !== 0; // a count of 0 is not known
    profile.isSeen = (estimated & 4) !== 0; // statements were not counted
    profile.samples = from.u(); // of which times are made; 0: times were measured
    profile.hasCounts = subs.calls.some(n => n > 0) || files.count.some(n => n > 0);
    return profile;
}
