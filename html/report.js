// SPDX-License-Identifier: MIT
// Sorting, filtering and keys. The pages work without this script.
'use strict';

// The number in data-v or the cell's text, which may be a number (-1,234, ~17, 5.2 % or nothing), or text.
function valueOf(cell) {
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    const isNumber = cell.className !== 'name' && /^[-~]?[\d,.]*( %.*)?$/.test(text);
    return isNumber ? parseFloat(text.replace(/[~,]/g, '')) || 0 : text;
}

function sortTable(table, column, descending) {
    const value = row => valueOf(row.cells[column]);
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, row => [value(row), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
    Array.from(table.tHead.rows[0].cells, (cell, i) => {
        if (i === column) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        else cell.removeAttribute('aria-sort');
    });
    table.dispatchEvent(new Event('sorted'));
}

function makeSortable(table) {
    Array.from(table.tHead.rows[0].cells, (cell, column) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.append(...cell.childNodes);
        cell.append(button);
        button.addEventListener('click', () => {
            const now = cell.getAttribute('aria-sort');
            const first = cell.classList.contains('name') ? 'ascending' : 'descending';
            sortTable(table, column, now ? now === 'ascending' : first === 'descending');
        });
    });
}

// Shows the rows that match; in a table with data-most only that many, until the reader asks for all.
function show(table, wanted, isAll) {
    const most = isAll ? Infinity : Number(table.dataset.most || Infinity);
    let found = 0;
    for (const row of table.tBodies[0].rows) {
        const matches = row.cells[row.cells.length - 1].textContent.toLowerCase().includes(wanted);
        found += matches;
        row.hidden = !matches || found > most;
    }
    return found > most ? `Show all ${found}` : '';
}

function makeFilter(table) {
    const input = document.createElement('input');
    input.type = 'search';
    input.className = 'filter';
    input.placeholder = table.dataset.filter;
    input.setAttribute('aria-label', table.dataset.filter);
    const more = document.createElement('button');
    more.type = 'button';
    more.className = 'more';
    const update = () => {
        more.textContent = show(table, input.value.toLowerCase(), more.isAll);
        more.hidden = !more.textContent;
    };
    input.addEventListener('input', update);
    table.addEventListener('sorted', update);
    more.addEventListener('click', () => {
        more.isAll = true;
        update();
    });
    table.parentElement.before(input);
    table.parentElement.after(more);
    update();
}

// A table that is wider than its place scrolls sideways there; the page does not.
function fit(box) {
    const isWide = box.scrollWidth > box.clientWidth;
    box.classList.toggle('wide', isWide);
    box.classList.toggle('fits', !isWide);
}

function enhance(page) {
    page.querySelectorAll('table.sort').forEach(table => {
        makeSortable(table);
        if (table.dataset.filter) makeFilter(table);
        new ResizeObserver(() => fit(table.parentElement)).observe(table.parentElement);
    });
}

enhance(document);
// In a report of one file other pages are shown later.
addEventListener('pageshown', ({ detail }) => { if (detail.isNew && detail.page) enhance(detail.page); });
