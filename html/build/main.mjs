// SPDX-License-Identifier: MIT
// Starts when the data call NP.load or NP.loadz. Without this script the page of a build has tables of its first rows.
import { fromBase64, inflate } from '../app/bytes.mjs';
import { byId } from '../app/dom.mjs';
import { addKeys, inputOf } from '../app/help.mjs';
import { keepPlace } from '../app/place.mjs';
import { State } from '../app/state.mjs';
import { Lists } from './lists.mjs';
import { readBuild } from './processes.mjs';
import { When } from './when.mjs';

const KEYS = [
    ['/', 'find processes in the timeline'],
    ['p', 'filter the table of processes'],
    ['arrows', 'walk the timeline, or choose a row of a table'],
    ['+ -', 'zoom'],
    ['shift with left, right', 'move what is shown'],
    ['space', 'zoom to the process'],
    ['Esc', 'the whole build'],
    ['n', 'the next process that has failed'],
    ['Enter', 'the report on a profiled script'],
    ['c', 'copy the chosen row, times in nanoseconds'],
    ['?', 'this list'],
];

function start(bytes) {
    const build = readBuild(bytes);
    const parts = [];
    const state = new State(location, () => parts.forEach(part => part.update()));
    parts.push(new When(build, state), new Lists(build, state));
    addEventListener('hashchange', () => state.read());
    addEventListener('themechange', () => parts.forEach(part => part.redraw()));
    addEventListener('beforeprint', () => parts.forEach(part => part.print(true)));
    addEventListener('afterprint', () => parts.forEach(part => part.print(false)));
    addKeys(KEYS, { '/': () => inputOf('when'), p: () => inputOf('processes') });
    keepPlace(parts);
    document.documentElement.dataset.ready = performance.now().toFixed(1);
}

function tellOld() {
    byId('old').hidden = false;
}

globalThis.NP = {
    load: text => start(fromBase64(text)),
    loadz: text => (globalThis.DecompressionStream ? inflate(fromBase64(text)).then(start) : tellOld()),
};
