// SPDX-License-Identifier: MIT
// Source pages work without this script: it adds keys, a map of hot lines, other measures of heat, marks for the lines
// of a block, and remembers the settings. In a report of one file the script of the index page shows pages and sends an
// event, pageshown, for each.
'use strict';

const HIGH = 1 / 3; // of the window's height: where the target line appears, as in style.css
const UNITS = { s: 1, ms: 1e-3, '\u00b5s': 1e-6, ns: 1e-9 };
const TAGS = { 'by-line': 'i', 'by-block': 'b', 'by-sub': 'u' };
let root; // the page: the document, or an element
let code; // its source; null where a page has none
let levels;
let ofRun; // cells and their heat in the page: share of the run
let groups; // groups of lines: blocks and subs
let pointed; // the row below the pointer

function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

// Storage may be forbidden, as on file:// in some browsers: then settings are not remembered.
function recall(name) {
    try { return localStorage.getItem('nytprof-' + name); } catch { return null; }
}

function remember(name, value) {
    try { localStorage.setItem('nytprof-' + name, value); } catch { return; }
}

// ---- finding lines ----

const withId = id => root.querySelector(`[id="${CSS.escape(id)}"]`);

// Line 382 is #382 or #L382. It may be in a list of lines that did not run.
function findLine(id) {
    const there = withId(id);
    if (there || !code || !/^\d+$/.test(id)) return there;
    for (const list of code.querySelectorAll('ol'))
        if (list.start <= id && id < list.start + list.children.length) return list.children[id - list.start];
    return null;
}

function mark(element) {
    root.querySelectorAll('.at').forEach(e => e.classList.remove('at'));
    if (element) element.classList.add('at');
}

function goTo(hash) {
    const id = hash.replace(/^L(?=\d)/, '');
    const target = id && findLine(id);
    if (!target) return;
    const run = target.closest('details');
    if (run) run.open = true;
    mark(target.matches('td, summary') ? target.parentElement : target);
    scrollThere(target, 3);
}

// Repeats, as parts that come into view on the way may have another height than estimated.
function scrollThere(target, times) {
    target.scrollIntoView();
    if (times > 1) setTimeout(() => scrollThere(target, times - 1), 50);
}

function holdAt(target, top, times) {
    scrollBy(0, target.getBoundingClientRect().top - top);
    if (times > 1) setTimeout(() => holdAt(target, top, times - 1), 50);
}

// Keeps the line at the window's top in the history entry: the browser's scroll distance is wrong after a new layout,
// as the part above the line gets another height.
function keepPlace() {
    const lines = code ? Array.from(code.querySelectorAll('[id]')) : [];
    const line = lines[Math.min(firstBelow(lines, 0), lines.length - 1)];
    const place = line && scrollY > 0 ? { id: line.id, top: line.getBoundingClientRect().top } : null;
    history.replaceState({ nytprof: place }, '');
}

function returnToPlace() {
    const place = history.state && history.state.nytprof;
    const line = place && withId(place.id);
    if (!line) return;
    history.scrollRestoration = 'manual';
    holdAt(line, place.top, 3);
}

// Follows a link, so that the script of a report of one file notices.
function goToLine(line) {
    const link = make('a', { href: `#${line}`, hidden: true });
    root.append(link);
    link.click();
    link.remove();
}

// ---- groups: the lines that a block's or a sub's numbers sum up ----

// pages/blocks.c has the format. By level: from a line to the first line of its block or sub, from that line to all
// lines.
function readGroups() {
    const read = { 'by-block': [new Map(), new Map()], 'by-sub': [new Map(), new Map()] };
    const join = ([heads, members], head, line) => {
        if (!heads.has(line)) heads.set(line, new Set());
        heads.get(line).add(head);
        if (!members.has(head)) members.set(head, new Set());
        members.get(head).add(line);
    };
    let at = 0;
    for (const text of (code.dataset.blocks || '').split(',').filter(Boolean)) {
        const [sub, ...steps] = text.split(' ').map(Number);
        const first = at += sub;
        const lines = steps.map((step, k) => at = (k ? at : first) + step);
        for (const line of lines) {
            join(read['by-block'], lines[0], line);
            join(read['by-sub'], first, line);
        }
        at = first;
    }
    return read;
}

// The row of a line: where a sub begins, its section has the line's id.
function rowOf(line) {
    const there = withId(String(line));
    return there && (there.closest('tr') || there.querySelector('tr'));
}

// Marks the lines of the row's block or sub.
function point(row) {
    pointed = row;
    if (!code) return; // the page is not shown any more
    code.querySelectorAll('.same').forEach(each => each.classList.remove('same', 'head'));
    groups ||= readGroups();
    const cell = row && row.firstElementChild;
    const [heads, members] = groups[level() === 'by-sub' ? 'by-sub' : 'by-block'];
    for (const head of (cell && heads.get(Number(cell.id || cell.textContent))) || []) {
        for (const line of new Set([head, ...members.get(head)])) rowOf(line)?.classList.add('same');
        rowOf(head)?.classList.add('head');
    }
}

function pointAt(event) {
    const row = event.target.closest('tr');
    if (row !== pointed) point(row);
}

// ---- heat ----

const seconds = text => parseFloat(text.replace(/,/g, '')) * (UNITS[text.split(' ').pop()] || 0);
const timeCells = () => Array.from(code.querySelectorAll('td:nth-child(3):not([colspan]), td:nth-child(5)'))
    .flatMap(cell => cell.children.length ? Array.from(cell.children) : [cell]).filter(cell => cell.textContent);

function median(numbers) {
    const sorted = Float64Array.from(numbers).sort();
    return sorted.length ? sorted[sorted.length >> 1] : 0;
}

// A function from seconds to 0 ... 7. Deviation is meaningless where all lines take the same time.
function scale(kind, times) {
    if (kind === 'file') {
        const total = times.reduce((sum, t) => sum + t, 0);
        return t => [0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.5].filter(step => t >= step * total).length;
    }
    const middle = median(times);
    const deviation = median(times.map(t => Math.abs(t - middle)));
    return t => deviation ? [1, 2, 4, 8, 16, 32, 64].filter(step => t - middle >= step * deviation).length : 0;
}

function heatBy(kind) {
    const cells = timeCells();
    if (!ofRun.size) cells.forEach(cell => ofRun.set(cell, cell.className));
    const own = cells.filter(cell => cell.tagName === 'I' || cell.cellIndex === 2);
    const heat = kind === 'run' ? null : scale(kind, own.map(cell => seconds(cell.textContent)));
    for (const cell of cells) {
        const step = heat && heat(seconds(cell.textContent));
        cell.className = heat ? (step ? 'h' + step : '') : ofRun.get(cell);
    }
    drawMap();
}

// during.js says so where it has put in the times of a stretch.
const wholeOf = () => (code.dataset.part ? 'of the stretch' : 'of the run');

function addHeatChoice() {
    const kinds = { run: wholeOf(), file: 'of this file', deviation: 'above the median' };
    const options = Object.entries(kinds).map(([kind, what]) => new Option(what, kind));
    const choice = make('select', { id: 'heat' }, ...options);
    choice.addEventListener('change', () => heatBy(choice.value));
    const label = make('label', { htmlFor: 'heat', textContent: 'Colour by share' });
    root.querySelector('.levels').append(label, choice);
}

// ---- hot lines ----

const level = () => levels.find(input => input.checked)?.id || 'by-line';

// Cells of the lines with a fair share of the time, at the level that is shown; in a cool file those of the warmest
// lines.
function hotCells() {
    const tag = TAGS[level()];
    const selector = step => `td:nth-child(3).h${step}, ${tag}.h${step}`;
    const of = steps => Array.from(code.querySelectorAll(steps.map(selector).join()));
    return [[3, 4, 5], [2], [1]].map(of).find(cells => cells.length) || [];
}

// The first of elements in document order that is below y, found without laying out all of them.
function firstBelow(elements, y) {
    let low = 0, high = elements.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (elements[middle].getBoundingClientRect().top > y) high = middle;
        else low = middle + 1;
    }
    return low;
}

const isInSight = element => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
};

// Starts at the latest target, or, if that is out of sight, at the lines in sight.
function step(elements, forward) {
    const rows = elements.map(element => element.closest('tr') || element);
    const now = rows.findIndex(row => row.classList.contains('at') && isInSight(row));
    const next = firstBelow(elements, innerHeight * HIGH + 4);
    const target = now < 0 ? rows[forward ? next : next - 1] : rows[now + (forward ? 1 : -1)];
    if (!target) return;
    mark(target);
    scrollTo({ top: scrollY + target.getBoundingClientRect().top - innerHeight * HIGH });
}

// ---- the map at the right edge: a bar for each hot line ----

function drawMap() {
    document.getElementById('map')?.remove();
    if (!code) return;
    const map = make('div', { id: 'map', title: 'Hot lines: click to go there' });
    map.setAttribute('aria-hidden', 'true');
    const height = document.documentElement.scrollHeight;
    if (height < 3 * innerHeight) return;
    for (const cell of hotCells()) {
        const row = cell.closest('tr'), stretch = row.closest('div');
        const y = stretch.offsetTop + stretch.offsetHeight * row.sectionRowIndex / row.parentElement.rows.length;
        const bar = make('b', { className: cell.className });
        bar.style.top = 100 * y / height + '%';
        map.append(bar);
    }
    map.addEventListener('click', event => scrollTo({ top: event.clientY / innerHeight * height - innerHeight / 2 }));
    document.body.append(map);
}

// ---- keys ----

function keysOf(sub) { // sub or function
    const subs = () => Array.from(code.querySelectorAll('section'));
    return {
        '/ Ctrl-K': [`go to a ${sub}, file or package`], // find.js and app.js do it
        n: ['next hot line', () => step(hotCells(), true)],
        p: ['previous hot line', () => step(hotCells(), false)],
        ']': [`next ${sub}`, () => step(subs(), true)],
        '[': [`previous ${sub}`, () => step(subs(), false)],
        1: ['by line', () => choose('by-line')],
        2: ['by block', () => choose('by-block')],
        3: [`by ${sub}`, () => choose('by-sub')],
        '?': ['this help', () => showHelp()],
    };
}

const keys = () => keysOf(root.querySelector('[for="by-sub"]').textContent);

function choose(id) {
    const input = document.getElementById(id);
    if (!input || input.disabled) return;
    input.checked = true;
    remember('level', id);
    requestIdleCallback(drawMap);
}

function showHelp() {
    const list = make('dl', {});
    for (const [key, [what]] of Object.entries(keys()))
        list.append(make('dt', {}, make('kbd', { textContent: key })), make('dd', { textContent: what }));
    const off = make('input', { type: 'checkbox', checked: recall('keys') !== 'off' });
    off.addEventListener('change', () => remember('keys', off.checked ? 'on' : 'off'));
    const close = make('button', { type: 'button', textContent: 'Close' });
    const dialog = make('dialog', {}, make('h2', { textContent: 'Keys' }), list,
        make('label', {}, off, ' single keys act'), ' ', close);
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    dialog.setAttribute('aria-label', 'Keys');
    document.body.append(dialog);
    dialog.showModal();
}

function onKey(event) {
    if (!code || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('input:not([type=radio]), select')) return;
    if (recall('keys') === 'off' && event.key !== '?' || document.querySelector('dialog[open]')) return;
    const [, action] = new Map(Object.entries(keys())).get(event.key) || [];
    if (action) action();
}

// Adds a link beside each sub to its callers and callees on the index page.
function addWays() {
    for (const heading of code.querySelectorAll('h2')) {
        const name = encodeURIComponent(heading.firstElementChild.textContent);
        const title = 'Callers and callees on the index page';
        const way = make('a', { href: `index.html#t=sandwich&w=${name}`, textContent: '\u21C5', title });
        heading.lastElementChild.append(' ', way);
    }
}

// ---- begin ----

function begin(page) {
    root = page;
    code = root && root.querySelector('#code');
    ofRun = new Map();
    groups = undefined;
    document.getElementById('map')?.remove();
    if (!code) return;
    levels = Array.from(root.querySelectorAll('[name=level]'));
    const last = recall('level');
    if (last && last in TAGS) withId(last).checked = true;
    levels.forEach(input => input.addEventListener('change', () => choose(input.id)));
    addHeatChoice();
    const help = make('button', { type: 'button', textContent: 'Keys ?' });
    help.addEventListener('click', showHelp);
    root.querySelector('.levels').append(help);
    code.addEventListener('click', event => {
        const cell = event.target.closest('td[id]');
        if (cell) goToLine(cell.id);
    });
    code.addEventListener('pointerover', pointAt);
    code.addEventListener('pointerleave', () => point(null));
    addWays();
    requestIdleCallback(drawMap);
}

const goToHash = () => goTo(decodeURIComponent(location.hash.slice(1)));
let waiting = 0;
addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(drawMap, 200); });
document.addEventListener('keydown', onKey);
if (document.body.classList.contains('source')) {
    begin(document);
    if (new URLSearchParams(location.search).has('when')) document.head.append(make('script', { src: 'during.js' }));
    addEventListener('rowschanged', () => {
        ofRun = new Map();
        document.getElementById('heat').options[0].text = wholeOf();
        drawMap();
        goToHash();
    });
    addEventListener('hashchange', goToHash);
    const isBack = performance.getEntriesByType('navigation')[0]?.type === 'back_forward';
    if (isBack) {
        mark(findLine(location.hash.slice(1).replace(/^L(?=\d)/, '')));
        returnToPlace();
    } else goToHash();
    let moved = 0;
    addEventListener('scroll', () => { clearTimeout(moved); moved = setTimeout(keepPlace, 250); }, { passive: true });
    document.addEventListener('click', event => { if (event.target.closest('a[href]')) keepPlace(); }, true);
} else {
    addEventListener('pageshown', ({ detail }) => {
        if (detail.isNew) begin(detail.page);
        if (detail.page) goTo(detail.id);
    });
}
