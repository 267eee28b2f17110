// SPDX-License-Identifier: MIT
// Starts when data.js calls NP.load or NP.loadz. Without this script the page has fewer views.
import { fromBase64, inflate } from './bytes.mjs';
import { byId } from './dom.mjs';
import { keepPlace } from './place.mjs';
import { readProfile } from './profile.mjs';
import { Single } from './single.mjs';
import { State } from './state.mjs';
import { addKeys } from './help.mjs';
import { Tables } from './tables.mjs';
import { Views } from './views.mjs';

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
    addKeys();
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
