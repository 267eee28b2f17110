// SPDX-License-Identifier: MIT
// A page of source in a stretch of time: lines and subs have their times in it, and what is known of the whole run only
// is left out. Nothing is kept of the page as it was.
import { el } from '../app/dom.mjs';
import { heatOf, percentText, timeText } from '../app/units.mjs';

function showTime(cell, time, total) {
    const heat = heatOf(time, total);
    cell.replaceChildren(time > 0 ? timeText(time) : '');
    cell.className = heat ? `h${heat}` : '';
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

// The subs that a page has, by their links and names.
function subsOf({ subs, pages }, page) {
    const found = new Map();
    for (let k = 0; k < subs.n; k++) {
        if (pages[subs.page[k]] !== page) continue;
        found.set(`#${subs.id[k]} ${subs.name[k]}`, [subs.exclusive[k], subs.inclusive[k]]);
    }
    return link => found.get(`${decodeURIComponent(link.getAttribute('href'))} ${link.textContent}`) || [0, 0];
}

function showHeadings(code, timesOf) {
    for (const lists of code.querySelectorAll('section > div > ul, div > ul, .times')) lists.remove();
    for (const heading of code.querySelectorAll('h2, h3')) {
        const [own, whole] = timesOf(heading.querySelector('a')).map(timeText);
        heading.querySelector('small').replaceChildren(el('b', {}, own), ' own · ', el('b', {}, whole), ' inclusive');
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
    contents.querySelector('summary').textContent = 'Own and inclusive time in the stretch';
}

function tell({ part, files, total }, file, lines, whole) {
    const time = files.time[file];
    const rest = Math.max(0, lines.reduce((left, line) => left - line.time, time));
    return el('p', { class: 'during', role: 'status' }, el('b', {}, part), `: ${timeText(time)} (` +
        `${percentText(time, total)}) in this file, ${timeText(rest)} of it in lines with little time in every slice.` +
        ' Counts and calls are known of the whole run only. ', whole);
}

// root: what has the page; of: the profile of a stretch; whole: an element to go to the whole run.
export function showDuring(root, of, page, whole) {
    const file = of.pages.indexOf(page);
    const summary = root.querySelector('header > p.muted');
    const code = root.querySelector('#code');
    if (!code || file < 0 || !of.part) return;
    if (!of.lines) {
        const why = `The capture does not tell times of lines from ${of.part}. What follows is of the whole run. `;
        summary.after(el('p', { class: 'during', role: 'status' }, why, whole));
        return;
    }
    const timesOf = subsOf(of, page);
    const lines = of.lines.filter(line => line.file === file);
    summary.after(tell(of, file, lines, whole));
    showLines(code, new Map(lines.map(({ line, time }) => [line, time])), of.total);
    showHeadings(code, timesOf);
    const contents = root.querySelector('header nav');
    if (contents) showContents(contents, timesOf);
    for (const level of root.querySelectorAll('.levels > [name=level]')) {
        level.checked = level.id === 'by-line';
        level.disabled = true;
    }
}
