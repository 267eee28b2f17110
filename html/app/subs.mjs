// SPDX-License-Identifier: MIT
// The first part of the block of data.js: files, and subs without their calls.

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
    subs.kind = from.raw(n);
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

// from: a Reader at the block's begin.
export function readNames(from) {
    const version = from.u();
    if (version !== 10) throw new RangeError(`data.js is of version ${version}, this page of version 10`);
    const total = from.u();
    const unit = from.u();
    const pages = from.list();
    return { total, unit, pages, files: readFiles(from), subs: readSubs(from) };
}

// The page of a sub, or undefined.
export function subLink(profile, sub) {
    const { subs, pages } = profile;
    const page = pages[subs.page[sub]];
    return page && !(subs.flags[sub] & PHASE) ? `${page}#${subs.id[sub]}` : undefined;
}
