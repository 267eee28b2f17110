// SPDX-License-Identifier: MIT
// What readers can go to: subs, files and packages by their names, and searches in them.
import { BEST, lettersIn, lowerOf, placesOf, rankOf } from './fuzzy.mjs';
import { filterOfPackage, packagesOf } from './packages.mjs';
import { PHASE, UNTOLD, subLink } from './subs.mjs';

const MOST = 30; // names shown
const AT_ONCE = 256; // names between two looks at the clock
const [SUB, FILE, PACKAGE] = [0, 1, 2];

export class Targets {
    // profile: as readSubs and readFiles make it; words: { sub, eval, package } of the language; index: the address of
    // the index, empty on the index itself.
    constructor(profile, words, index) {
        const packages = packagesOf(profile.subs);
        Object.assign(this, { profile, words, index, packages, lower: [], bits: [] });
        this.all = [...this.ofSubs(), ...this.ofFiles(), ...this.ofPackages()];
        this.all.sort((a, b) => b.time - a.time);
    }

    ofSubs() {
        const { subs } = this.profile;
        return subs.name.slice(0, subs.rows).map((name, k) => ({ kind: SUB, k, name, time: subs.inclusive[k] }))
            .filter(({ k }) => !(subs.flags[k] & PHASE));
    }

    ofFiles() {
        const { files, pages } = this.profile;
        return Array.from(files.name, (name, k) => ({ kind: FILE, k, name, time: files.time[k] }))
            .filter(({ k }) => pages[k]);
    }

    ofPackages() {
        const { packages } = this;
        return packages.name.map((name, k) => ({ kind: PACKAGE, k, name, time: packages.exclusive[k] }))
            .filter(({ name }) => name);
    }

    // What the target is, in the profiled language's word.
    kindOf({ kind, k }) {
        const { files } = this.profile;
        if (kind === FILE) return files.parent[k] ? this.words.eval : 'file';
        return kind === SUB ? this.words.sub : this.words.package;
    }

    // Below zero if it cannot be told from nothing.
    timeOf({ kind, k, time }) {
        const { files, subs } = this.profile;
        const isUntold = { [SUB]: subs.flags[k] & UNTOLD.inclusive, [FILE]: files.flags[k] & UNTOLD.time };
        return isUntold[kind] ? -1 : time;
    }

    // The source of a sub; without one, its callers and callees. A package's subs are in the table of the index.
    linkOf({ kind, k, name }) {
        const { profile, index } = this;
        if (kind === FILE) return profile.pages[k];
        if (kind === PACKAGE) return `${index}#at=subs&sf=${encodeURIComponent(filterOfPackage(name))}`;
        return subLink(profile, k) || `${index}#t=sandwich&w=${encodeURIComponent(name)}`;
    }

    search(text) {
        return new Search(this, text);
    }
}

// Names are looked at in the order of their times, so those of a rank are found in that order.
class Search {
    constructor(targets, text) {
        const words = lowerOf(text).split(/\s+/).filter(Boolean);
        Object.assign(this, { targets, words, at: 0, n: 0, isDone: false });
        this.bits = lettersIn(words.join(''));
        this.ranked = Array.from({ length: BEST + 1 }, () => []);
    }

    // Goes on for some milliseconds. What has been found by then are the best of the names with the most time.
    run(milliseconds) {
        const end = performance.now() + milliseconds;
        const n = this.targets.all.length;
        while (this.at < n && (this.at % AT_ONCE || performance.now() < end)) this.look(this.at++);
        this.isDone = this.at === n;
    }

    look(k) {
        const { targets, words } = this;
        const lower = targets.lower[k] ??= lowerOf(targets.all[k].name);
        const bits = targets.bits[k] ??= lettersIn(lower);
        if ((bits & this.bits) !== this.bits) return;
        let rank = BEST;
        for (const word of words) rank = Math.min(rank, rankOf(targets.all[k].name, lower, word));
        if (!rank) return;
        this.n++;
        if (this.ranked[rank].length < MOST) this.ranked[rank].push(targets.all[k]);
    }

    best() {
        return this.ranked.toReversed().flat().slice(0, MOST);
    }

    // The name in pieces: whether each is among what was typed, and its text.
    piecesOf({ name }) {
        const places = new Set(this.words.flatMap(word => placesOf(name, lowerOf(name), word)));
        const pieces = [];
        for (let k = 0; k < name.length; k++) {
            const isTyped = places.has(k);
            if (!pieces.length || pieces.at(-1).isTyped !== isTyped) pieces.push({ isTyped, text: '' });
            pieces.at(-1).text += name[k];
        }
        return pieces;
    }
}
