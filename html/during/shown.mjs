// SPDX-License-Identifier: MIT
// A page of source in a stretch of time: lines and subs have their times in it, and what is known of the whole run only
// is left out. Nothing is kept of the page as it was.
import { el } from '../app/dom.mjs';
import { heatOf, percentText, timeText } from '../app/units.mjs';

function showTime(cell, time, total) {
    const heat = heatOf(time, total);
    cell.replaceChildren(time > 0 ? timeText(time) : '');
    cell.className = heat ? `h${heat}` : cell.matches('.m') ? 'm' : '';
    cell.title = heat ? percentText(time, total) : '';
}

// Rows of lines have a cell for each column; those below them, of calls and evals, have one, and so have lists of lines
// that did not run.
function showLines(code, times, total) {
    for (const row of code.querySelectorAll('div > table tr')) {
        const [first, count, time] = row.cells;
        if (!count) {
            if (!row.querySelector('ol')) row.remove();
            continue;
        }
        const line = Number(first.id || first.textContent);
        for (const cell of [...row.cells].slice(1, -1)) if (cell.colSpan === 1) showTime(cell, 0, total);
        if (count.colSpan === 1) showTime(time, times.get(line) || 0, total);
    }
}

// Of the subs that a page has, by their links and names; nothing where the data have no call tree.
function subsOf({ sliced, subs, pages }, page) {
    if (!sliced.length) return undefined;
    const found = new Map();
    for (let k = 0; k < subs.n; k++) {
        if (pages[subs.page[k]] !== page) continue;
        found.set(`#${subs.id[k]} ${subs.name[k]}`, [subs.exclusive[k], subs.inclusive[k]]);
    }
    return link => found.get(`${decodeURIComponent(link.getAttribute('href'))} ${link.textContent}`) || [0, 0];
}

function showHeadings(part, timesOf) {
    for (const list of part.querySelectorAll('ul, .times')) list.remove();
    for (const rest of part.querySelectorAll(':is(h2, h3) > small')) {
        const way = rest.querySelector('[href^="index.html#"]') || '';
        const [own, whole] = timesOf ? timesOf(rest.parentElement.firstElementChild).map(timeText) : [];
        const told = own ? [el('b', {}, own), ' self · ', el('b', {}, whole), ' total '] : [];
        rest.replaceChildren(...told, way);
    }
}

function showContents(contents, timesOf) {
    const list = contents.querySelector('ol');
    const rows = [...list.children].map(row => ({ row, times: timesOf(row.querySelector('a')) }));
    rows.sort((a, b) => b.times[0] - a.times[0] || b.times[1] - a.times[1]);
    list.replaceChildren(...rows.filter(({ times }) => times[1] > 0).map(({ row, times }) => {
        row.firstChild.data = `${times.map(timeText).join(' / ')} `;
        return row;
    }));
    contents.querySelector('summary').textContent = 'Self and total time in the stretch';
}

function tell({ part, files, total }, file, lines, whole) {
    const time = files.time[file];
    const rest = Math.max(0, lines.reduce((left, line) => left - line.time, time));
    return el('p', { class: 'during', role: 'status' }, el('b', {}, part), `: ${timeText(time)} (` +
        `${percentText(time, total)}) in this file, ${timeText(rest)} of it in lines with little time in every slice.` +
        ' Counts and calls are known of the whole run only. ', whole);
}

// root: what has the page; of: the profile of a stretch; clear: goes to the whole run.
export function showDuring(root, of, page, clear) {
    const file = of.pages.indexOf(page);
    const summary = root.querySelector('header > p.muted');
    const code = root.querySelector('#code');
    if (!code || file < 0 || !of.part) return;
    const whole = el('button', { type: 'button', onclick: clear }, 'The whole run');
    if (!of.lines) {
        const why = `The capture does not tell times of lines from ${of.part}. What follows is of the whole run. `;
        summary.after(el('p', { class: 'during', role: 'status' }, why, whole));
        return;
    }
    code.dataset.part = of.part;
    const timesOf = subsOf(of, page);
    const lines = of.lines.filter(line => line.file === file);
    summary.after(tell(of, file, lines, whole));
    showLines(code, new Map(lines.map(({ line, time }) => [line, time])), of.total);
    for (const part of root.querySelectorAll('#code, .others')) showHeadings(part, timesOf);
    const contents = root.querySelector('header nav');
    if (contents && timesOf) showContents(contents, timesOf);
    else contents?.remove();
    for (const level of root.querySelectorAll('.levels > [name=level]')) {
        level.checked = level.id === 'by-line';
        level.disabled = true;
    }
}
