// SPDX-License-Identifier: MIT
// Starts when data.js calls NP.load or NP.loadz. Without this script the page has fewer views.
import { fromBase64, inflate } from './bytes.mjs';
import { carryStretch } from './carry.mjs';
import { byId } from './dom.mjs';
import { addGoTo } from './goto.mjs';
import { keepPlace } from './place.mjs';
import { readProfile } from './profile.mjs';
import { Sections } from './sections.mjs';
import { Single } from './single.mjs';
import { State } from './state.mjs';
import { Stretches } from './stretch.mjs';
import { Strip } from './strip.mjs';
import { addKeys, inputOf } from './help.mjs';
import { Tables } from './tables.mjs';
import { Targets } from './targets.mjs';
import { Views } from './views.mjs';

const KEYS = [
    ['/ Ctrl-K', 'go to a sub, file or package'],
    ['t', 'find in the call tree, or in the table it is shown as'],
    ['s f', 'filter the table of subs, that of files'],
    ['arrows', 'walk the call tree; choose a row; open and close it'],
    ['space', 'zoom in the call tree'],
    ['Esc', 'zoom out by one'],
    ['Enter', 'go to the source'],
    ['*', 'open the rows that took longest'],
    ['c', 'copy the chosen row, times in nanoseconds'],
    ['← →', 'on the strip of time: select a stretch and move it; Shift widens it, Esc clears it'],
    ['?', 'this list'],
];

let kept; // pages of a report of one file

// Goes to the section that the address asks for, once.
function goToAsked(state, sections) {
    const heading = byId(state.get('at') || location.hash.slice(1));
    if (!heading) return;
    state.set({ at: '', ...sections.opened(heading) }, true);
    heading.scrollIntoView();
}

function start(bytes) {
    const profile = readProfile(bytes);
    const parts = [];
    const words = document.querySelector('main').dataset;
    const state = new State(location, () => parts.forEach(part => part.update()));
    const stretches = new Stretches(profile, state);
    if (profile.tree.n > 1 && byId('view')) parts.push(new Views(stretches, words, state));
    parts.push(new Tables(stretches, words, state));
    const sections = new Sections(words, state);
    parts.push(sections);
    if (byId('strip')) parts.push(new Strip(profile, state, words));
    const goTo = addGoTo(async () => new Targets(profile, words, kept ? 'index.html' : ''));
    if (kept) parts.push(new Single(kept, state, stretches, goTo));
    else carryStretch(profile, () => state.get('when'));
    parts.push({ update: () => goToAsked(state, sections), redraw() {}, print() {} });
    addEventListener('hashchange', () => state.read());
    addEventListener('themechange', () => parts.forEach(part => part.redraw()));
    addEventListener('beforeprint', () => parts.forEach(part => part.print(true)));
    addEventListener('afterprint', () => parts.forEach(part => part.print(false)));
    const search = id => () => {
        sections.open(id);
        return inputOf(id);
    };
    const [subs, files] = [search('subs'), search('files')];
    addKeys(KEYS, { t: () => inputOf('flame') || subs(), s: subs, f: files });
    keepPlace(parts);
    goToAsked(state, sections);
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
