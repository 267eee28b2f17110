// SPDX-License-Identifier: MIT
// Keys that work anywhere on a page, and the list of all.
import { areKeysOff, byId, el, isTyping } from './dom.mjs';

function setKeys(isOn) {
    try {
        localStorage.setItem('nytprof-keys', isOn ? 'on' : 'off');
    } catch {
        // storage may be forbidden
    }
}

function showHelp(list) {
    if (document.querySelector('dialog[open]')) return;
    const rows = list.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]);
    const box = el('input', {
        type: 'checkbox', checked: !areKeysOff(), onchange: () => setKeys(box.checked),
    });
    const dialog = el('dialog', { 'aria-label': 'Keys', onclose: () => dialog.remove() }, el('h2', {}, 'Keys'),
        el('dl', {}, ...rows), el('p', {}, el('label', {}, box, ' Single letters are keys')),
        el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));
    document.body.append(dialog);
    dialog.showModal();
}

// The search of the section with that heading.
export function inputOf(id) {
    const section = byId(id) && byId(id).closest('section');
    return section && section.querySelector('input[type=search]');
}

// list: keys and what they do, for people. inputs: by key, a function for the search that it goes to.
export function addKeys(list, inputs) {
    addEventListener('keydown', event => {
        const isElsewhere = document.querySelector('main').hidden; // another page of a report of one file
        if (isElsewhere || isTyping(event) || event.defaultPrevented || document.querySelector('dialog[open]')) return;
        if (event.key === '?') showHelp(list);
        const input = !areKeysOff() && inputs[event.key] && inputs[event.key]();
        if (!input) return;
        event.preventDefault();
        input.focus();
    });
    const button = el('button', { type: 'button', class: 'theme', onclick: () => showHelp(list) }, 'Keys ?');
    document.querySelector('header').prepend(button);
}
