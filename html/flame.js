// SPDX-License-Identifier: MIT
// Zoom and search in a flame graph. The frames are drawn already; this script only moves and marks them. Frames are in
// reading order: the frames above a frame follow it, up to the next frame that is no deeper.
'use strict';

const svg = document.documentElement;
const part = id => document.getElementById(id);
const letter = Number(svg.dataset.letter);

const frames = Array.from(part('frames').children, element => {
    const rect = element.querySelector('rect');
    const title = element.querySelector('title').textContent;
    const number = name => Number(rect.getAttribute(name));
    return { element, rect, title, name: title.replace(/ \([^(]*\)$/, ''),
        x: number('x'), y: number('y'), width: number('width') };
});
const root = frames[0];
const step = frames.length > 1 ? Math.abs(frames[1].y - root.y) : 1;
for (const frame of frames) frame.depth = Math.round(Math.abs(frame.y - root.y) / step);

// A frame that was too narrow for a letter has no text yet.
function label(frame) {
    const there = frame.element.querySelector('text');
    if (there) return there;
    const made = frame.element.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
    made.setAttribute('y', frame.y + Number(root.element.querySelector('text').getAttribute('y')) - root.y);
    return made;
}

function place(frame, x, width) {
    const fits = Math.floor((width - 6) / letter);
    const letters = Array.from(frame.name);
    frame.rect.setAttribute('x', x);
    frame.rect.setAttribute('width', width);
    const text = label(frame);
    text.setAttribute('x', x + 3);
    text.textContent =
        fits < 3 ? '' : letters.length <= fits ? frame.name : letters.slice(0, fits - 2).join('') + '..';
}

// Frames between the root and the chosen one get all the width, the frames on it their share, others none.
function zoom(index) {
    const chosen = frames[index];
    const scale = root.width / chosen.width;
    const below = new Set();
    for (let i = index, depth = chosen.depth; i > 0; i--) {
        if (frames[i - 1].depth >= depth) continue;
        depth = frames[i - 1].depth;
        below.add(i - 1);
    }
    let end = index + 1;
    while (end < frames.length && frames[end].depth > chosen.depth) end++;
    frames.forEach((frame, i) => {
        const inside = i >= index && i < end;
        frame.element.classList.toggle('above', below.has(i));
        frame.element.classList.toggle('outside', !inside && !below.has(i));
        if (below.has(i)) place(frame, root.x, root.width);
        else if (inside) place(frame, root.x + (frame.x - chosen.x) * scale, frame.width * scale);
    });
    part('reset').classList.toggle('outside', index === 0);
    remember('z', index || '');
}

// Marks frames that match and shows their share of the whole; a match on top of another match is not counted again.
function search(pattern) {
    let found = 0;
    let within = -1;
    const wanted = pattern && new RegExp(pattern);
    for (const frame of frames) {
        const matches = Boolean(wanted) && wanted.test(frame.name);
        frame.element.classList.toggle('found', matches);
        if (within >= 0 && frame.depth <= within) within = -1;
        if (!matches || within >= 0) continue;
        found += frame.width;
        within = frame.depth;
    }
    part('matched').textContent = wanted ? `Matched: ${(100 * found / root.width).toFixed(1)}%` : ' ';
    part('search').textContent = wanted ? 'Reset search' : 'Search';
    remember('s', pattern || '');
}

function ask() {
    if (part('search').textContent !== 'Search') return search('');
    const pattern = prompt('What to search for (a regular expression):', '');
    if (!pattern) return undefined;
    try {
        search(pattern);
    } catch (error) {
        alert(error.message);
    }
    return undefined;
}

// The address holds zoom and search, so that a view can be sent and found again.
function remember(key, value) {
    const state = new URLSearchParams(location.hash.slice(1));
    if (value === '') state.delete(key);
    else state.set(key, value);
    try {
        history.replaceState(null, '', `#${state}`);
    } catch {
        location.hash = state;
    }
}

function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    const index = Number(state.get('z'));
    if (frames[index] && index) zoom(index);
    if (state.get('s')) search(state.get('s'));
}

function indexOf(target) {
    const element = target.closest('#frames > *');
    return element ? frames.findIndex(frame => frame.element === element) : -1;
}

function press(id, action) {
    part(id).addEventListener('click', action);
    part(id).addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') action(); });
}

if (root) {
    part('controls').removeAttribute('display');
    part('frames').addEventListener('click', event => {
        const index = indexOf(event.target);
        if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser follows links
        event.preventDefault();
        zoom(index);
    });
    part('frames').addEventListener('mouseover', event => {
        const index = indexOf(event.target);
        if (index >= 0) part('details').textContent = `${part('details').dataset.type} ${frames[index].title}`;
    });
    part('frames').addEventListener('mouseout', () => { part('details').textContent = ' '; });
    press('reset', () => zoom(0));
    press('search', ask);
    addEventListener('keydown', event => {
        if (event.key === 'Escape') zoom(0);
        if (event.key !== '/' && !(event.key === 'f' && (event.ctrlKey || event.metaKey))) return;
        event.preventDefault();
        ask();
    });
    recall();
}
