// SPDX-License-Identifier: MIT
// The block of data.js as columns.
import { Reader } from './bytes.mjs';
import { Tree } from './tree.mjs';

function readFiles(from) {
    const n = from.u();
    return {
        n, name: from.list(), count: from.column(n), time: from.column(n), subs: from.column(n, Uint32Array),
        evals: from.column(n, Uint32Array), parent: from.column(n, Uint32Array), flags: from.raw(n),
    };
}

function readSubs(from) {
    const n = from.u();
    const subs = { n, rows: from.u() };
    const packages = from.list();
    const rest = from.list();
    const numbers = from.column(n, Uint32Array);
    subs.package = Array.from(numbers, k => (k ? packages[k - 1] : ''));
    subs.name = rest.map((text, k) => (
        text.includes('\t') ? text.replace('\t', () => subs.package[k]) : subs.package[k] + text));
    subs.flags = from.raw(n);
    subs.calls = from.column(n);
    subs.places = from.column(n, Uint32Array);
    subs.files = from.column(n, Uint32Array);
    subs.exclusive = from.column(n);
    subs.inclusive = from.signed(n).map((more, k) => more + subs.exclusive[k]);
    subs.depth = from.column(n, Uint32Array);
    subs.nested = from.column(n);
    subs.nestedCalls = from.column(n);
    subs.page = from.column(n, Uint32Array);
    subs.line = from.column(n, Uint32Array);
    const ids = from.list();
    let next = 0;
    subs.id = Array.from(subs.line, line => (line ? String(line) : ids[next++]));
    return subs;
}

export const PHASE = 8; // of subs.flags: no sub, and without a page
export const LIBRARY = 1; // of files.flags

// Flags of times that cannot be told from nothing.
export const UNTOLD = { time: 2, exclusive: 16, inclusive: 32, nested: 64, self: 1, total: 2 };

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
        files[metric.key] = from.column(files.n);
        metric.own = from.column(subs.n);
        metric.whole = from.column(subs.n);
        metric.tree = from.u() ? readColumns(from, tree.n, subs.n) : undefined;
        metrics.push(metric);
    }
    return metrics;
}

export function readProfile(bytes) {
    const from = new Reader(bytes);
    const version = from.u();
    if (version !== 4) throw new RangeError(`data.js is of version ${version}, this page of version 4`);
    const total = from.u();
    const unit = from.u();
    const pages = from.list();
    const profile = { total, pages, files: readFiles(from), subs: readSubs(from) };
    const { files, subs } = profile;
    subs.isLibrary = Array.from(subs.page, (page, k) => (subs.flags[k] & 15) === 1 || (files.flags[page] & LIBRARY));
    Object.assign(profile, readTree(from, unit, subs));
    profile.metrics = readMetrics(from, profile);
    const estimated = from.u();
    profile.isEstimated = (estimated & 1) !== 0; // the files' statements
    profile.isUncounted = (estimated & 2) !== 0; // a count of 0 is not known
    profile.hasCounts = subs.calls.some(n => n > 0) || files.count.some(n => n > 0);
    return profile;
}

// The page of a sub, or undefined.
export function subLink(profile, sub) {
    const { subs, pages } = profile;
    const page = pages[subs.page[sub]];
    return page && !(subs.flags[sub] & PHASE) ? `${page}#${subs.id[sub]}` : undefined;
}
