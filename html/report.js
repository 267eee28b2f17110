// The pages work without this: it adds sorting, filtering and keys, and nothing that they need.
'use strict';

// Sorts a table's rows by the numbers they carry in data-v, or by text where they carry none.
function sortTable(table, column, descending) {
    const value = row => {
        const cell = row.cells[column];
        return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
    };
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, row => [value(row), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
    Array.from(table.tHead.rows[0].cells, (cell, i) => {
        if (i === column) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        else cell.removeAttribute('aria-sort');
    });
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

function makeFilter(table) {
    const input = document.createElement('input');
    input.type = 'search';
    input.className = 'filter';
    input.placeholder = table.dataset.filter;
    input.setAttribute('aria-label', table.dataset.filter);
    input.addEventListener('input', () => {
        const wanted = input.value.toLowerCase();
        for (const row of table.tBodies[0].rows)
            row.hidden = !row.cells[row.cells.length - 1].textContent.toLowerCase().includes(wanted);
    });
    table.parentElement.before(input);
}

// n and p go to the next and the previous line that a fair share of the time was spent on.
function goToHot(forward) {
    const top = 70;
    const hot = Array.from(document.querySelectorAll('.code tr:has(.h3, .h4, .h5)'));
    const place = row => row.getBoundingClientRect().top;
    const next = forward ? hot.find(row => place(row) > top + 20) : hot.reverse().find(row => place(row) < top - 20);
    if (next) next.scrollIntoView({ block: 'start' });
}

// Line 382 has the id 382; links that say L382 are welcome too. A line in a closed run of cold lines opens it.
function findLine() {
    const id = location.hash.replace(/^#L(?=\d+$)/, '#').slice(1);
    const target = id && document.getElementById(decodeURIComponent(id));
    const run = target && target.closest('details');
    if (run) run.open = true;
    if (target && location.hash !== '#' + id) location.replace('#' + id);
    else if (run) target.scrollIntoView();
}

document.querySelectorAll('table.sort').forEach(table => { makeSortable(table); makeFilter(table); });
document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
    if (event.key === 'n' || event.key === 'p') goToHot(event.key === 'n');
    const level = { 1: 'by-line', 2: 'by-block', 3: 'by-sub' }[event.key];
    if (level && document.getElementById(level)) document.getElementById(level).checked = true;
});
addEventListener('hashchange', findLine);
findLine();
