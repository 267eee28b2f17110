// SPDX-License-Identifier: MIT
// Starts when data.js calls NP.load or NP.loadz. Without this script the page has fewer views.
import { fromBase64, inflate } from './bytes.mjs';
import { byId } from './dom.mjs';
import { keepPlace } from './place.mjs';
import { readProfile } from './profile.mjs';
import { Single } from './single.mjs';
import { State } from './state.mjs';
import { addKeys, inputOf } from './help.mjs';
import { Tables } from './tables.mjs';
import { Views } from './views.mjs';

const KEYS = [
    ['/', 'find in the call tree, or in the table it is shown as'],
    ['s f', 'filter the first table, the second'],
    ['arrows', 'walk the call tree; choose a row; open and close it'],
    ['space', 'zoom in the call tree'],
    ['Esc', 'zoom out by one'],
    ['Enter', 'go to the source'],
    ['*', 'open the rows that took longest'],
    ['c', 'copy the chosen row, times in nanoseconds'],
    ['?', 'this list'],
];

let kept; // pages of a report of one file

function start(bytes) {
    const profile = readProfile(bytes);
    const parts = [];
    const words = document.querySelector('main').dataset;
    const state = new State(location, () => parts.forEach(part => part.update()));
    if (profile.tree.n > 1 && byId('view')) parts.push(new Views(profile, words, state));
    parts.push(new Tables(profile, words, state));
    if (kept) parts.push(new Single(kept, state));
    addEventListener('hashchange', () => state.read());
    addEventListener('themechange', () => parts.forEach(part => part.redraw()));
    addEventListener('beforeprint', () => parts.forEach(part => part.print(true)));
    addEventListener('afterprint', () => parts.forEach(part => part.print(false)));
    const subs = () => inputOf('subs');
    addKeys(KEYS, { '/': () => inputOf('flame') || subs(), s: subs, f: () => inputOf('files') });
    keepPlace(parts);
    document.documentElement.dataset.ready = performance.now().toFixed(1);
}

function tellOld() {
    byId('old').hidden = false;
}

globalThis.NP = {
    keep: pages => {
        kept = pages;
    },
    load: text => start(fromBase64(text)),
    loadz: text => (globalThis.DecompressionStream ? inflate(fromBase64(text)).then(start) : tellOld()),
};
