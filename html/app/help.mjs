// SPDX-License-Identifier: MIT
// Keys that work anywhere on the index, and the list of all.
import { byId, el, isTyping } from './dom.mjs';

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

// Storage may be forbidden, as on file:// in some browsers: then all keys act.
function areKeysOff() {
    try {
        return localStorage.getItem('nytprof-keys') === 'off';
    } catch {
        return false;
    }
}

function setKeys(isOn) {
    try {
        localStorage.setItem('nytprof-keys', isOn ? 'on' : 'off');
    } catch {
        // storage may be forbidden
    }
}

function showHelp() {
    if (document.querySelector('dialog')) return;
    const rows = KEYS.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]);
    const box = el('input', {
        type: 'checkbox', checked: !areKeysOff(), onchange: () => setKeys(box.checked),
    });
    const dialog = el('dialog', { 'aria-label': 'Keys', onclose: () => dialog.remove() }, el('h2', {}, 'Keys'),
        el('dl', {}, ...rows), el('p', {}, el('label', {}, box, ' Single letters are keys')),
        el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));
    document.body.append(dialog);
    dialog.showModal();
}

function inputOf(id) {
    const section = byId(id) && byId(id).closest('section');
    return section && section.querySelector('input[type=search]');
}

export function addKeys() {
    const [subs, files] = [() => inputOf('subs'), () => inputOf('files')];
    const keys = { '/': () => inputOf('flame') || subs(), s: subs, f: files };
    addEventListener('keydown', event => {
        const isElsewhere = document.querySelector('main').hidden; // another page of a report of one file
        if (isElsewhere || isTyping(event) || event.defaultPrevented || document.querySelector('dialog')) return;
        if (event.key === '?') showHelp();
        const input = !areKeysOff() && keys[event.key] && keys[event.key]();
        if (!input) return;
        event.preventDefault();
        input.focus();
    });
    const button = el('button', { type: 'button', class: 'theme', onclick: showHelp }, 'Keys ?');
    document.querySelector('header').append(button);
}
