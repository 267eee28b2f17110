// SPDX-License-Identifier: MIT
// A table of any number of rows, of which only those in sight are in the page. It shows a few rows until the reader
// asks for all, and scrolls with the page: the wheel is never caught in it. Sorting and filtering use the numbers of a
// row, never the text of its cells.
import { el, follow, isTyping } from './dom.mjs';
import { shareText } from './measures.mjs';
import { matcher } from './search.mjs';
import { amountText, countText, heatOf } from './units.mjs';

const LINE = 25; // pixels of height
const MORE = 12; // rows made above and below those in sight
const FEW = 25; // rows until the reader asks for all, so that the text below the table stays near
const PRINTED = 200; // rows on paper
const NAME = 240; // pixels for names, to which other columns give way
const LEAST = 160; // pixels that they have in any case

// Column kinds beside those of amounts.
const show = {
    text: String, estimate: n => `~${countText(n)}`,
    share: (v, column) => shareText(v, column.of, column.samples),
};

// The number of a cell, by the rule of nytp_profile_told; and its text.
export function toldOf(row, column) {
    return column.isUntold && column.isUntold(row) ? -1 : column.value(row);
}

export function textOf(row, column) {
    if (column.isBlank && column.isBlank(row)) return '';
    const { kind } = column;
    return show[kind] ? show[kind](toldOf(row, column), column) : amountText(kind, toldOf(row, column));
}

// Numbers in descending, names in ascending order.
export function compareBy(column, isDown) {
    const { value } = column;
    const sign = isDown ? -1 : 1;
    return (a, b) => {
        const x = value(a);
        const y = value(b);
        return x < y ? -sign : x > y ? sign : a - b;
    };
}

// "-calls": by calls, most first.
export function parseSort(text, columns, otherwise) {
    const [, minus, id] = /^(-?)(.*)$/s.exec(text || otherwise);
    const column = columns.find(each => each.id === id);
    return column ? { column, isDown: minus === '-' } : parseSort(otherwise, columns, otherwise);
}

function lookOf(column) {
    const rank = column.isLeast ? 'minor least' : column.isMinor && 'minor';
    return [rank, ['share', 'text'].includes(column.kind) && column.kind].filter(Boolean).join(' ') || undefined;
}

// Numbers for another program: times in nanoseconds, shares in percent.
function plain(row, column) {
    const value = column.value(row);
    if (column.kind === 'share') return (column.of > 0 ? 100 * value / column.of : 0).toFixed(2);
    return typeof value === 'number' ? Math.round(value) : value;
}

// Rows below their columns' titles.
export function tsv(rows, columns) {
    const unit = { time: ' (ns)', bytes: ' (B)' };
    const titles = columns.map(column => column.title + (unit[column.kind] || ''));
    return [titles, ...rows.map(row => columns.map(column => plain(row, column)))].map(cells => cells.join('\t'))
        .join('\n');
}

export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = el('textarea', { readonly: true });
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
}

export class Table {
    // what: { label, key, columns, rows(match, compare) the rows to show, sort, describe(shown) for the line beside
    // the filter, part for it where all are shown, link(row) }. Columns are { id, title, short for the head where the
    // title is long, hint, kind, of, value(row), cell(row), isUntold(row) whether that cannot be told from nothing,
    // isBlank(row), draw(row) a picture for the text }; the last one is the name, whose cell makes an element. The
    // state's keys are key for the order and key + 'f' for the filter.
    constructor(section, state, what) {
        Object.assign(this, { state, what, at: -1 });
        this.filter = el('input', {
            type: 'search', class: 'filter', placeholder: 'Filter: text or /regex/',
            'aria-label': `Filter ${what.label}`,
            oninput: () => state.set({ [`${what.key}f`]: this.filter.value }, true),
        });
        this.said = el('output', { class: 'muted' });
        const copy = el('button', {
            type: 'button', title: 'All rows, for a spreadsheet: tabs between cells, times in nanoseconds',
            onclick: () => this.copy(this.rows, `${countText(this.rows.length)} rows copied`),
        }, 'Copy');
        this.tools = el('div', { class: 'tools' }, this.filter, copy, this.said);
        this.head = what.columns.map(column => this.header(column));
        this.body = el('tbody', {});
        this.above = el('tr', {});
        this.below = el('tr', {});
        const pad = row => el('tbody', { 'aria-hidden': 'true', class: 'pad' }, row);
        this.table = el('table', { class: 'sort virtual', role: what.tree && 'treegrid' },
            el('thead', {}, el('tr', {}, ...this.head)), pad(this.above), this.body, pad(this.below));
        this.scroll = el('div', {
            class: 'scroll', tabindex: 0, role: 'region', 'aria-label': what.label, onkeydown: event => this.key(event),
        }, this.table);
        const all = `${what.key}n`;
        this.more = el('button', { type: 'button', onclick: () => state.set({ [all]: state.get(all) ? '' : 'all' }) });
        this.rest = el('p', { class: 'rest' }, this.more);
        section.querySelectorAll('.scroll, .filter, .more, .rest').forEach(old => old.remove());
        section.append(this.tools, this.scroll, this.rest);
        this.follow = () => (this.scroll.isConnected ? this.draw() : removeEventListener('scroll', this.follow));
        addEventListener('scroll', this.follow, { passive: true });
        new ResizeObserver(() => this.fit()).observe(this.scroll);
        this.update();
    }

    // Leaves out as many columns as the names need; where that is not enough, the table is wider than its place.
    fit() {
        const name = this.head.at(-1);
        this.table.style.minWidth = '';
        for (const columns of ['', ' most', ' few']) {
            this.scroll.className = `scroll${columns}`;
            if (name.offsetWidth >= NAME) break;
        }
        const lack = LEAST - name.offsetWidth;
        if (lack > 0) this.table.style.minWidth = `${this.table.offsetWidth + lack}px`;
        this.scroll.classList.add(this.table.offsetWidth > this.scroll.clientWidth ? 'wide' : 'fits');
        this.draw(true);
    }

    header(column) {
        const text = column.short || column.title;
        const title = column.hint ? el('abbr', { title: column.hint }, text) : text;
        const isName = column === this.what.columns.at(-1);
        return el('th', { scope: 'col', class: isName ? 'name' : lookOf(column) },
            el('button', { type: 'button', onclick: () => this.sortBy(column, isName) }, title));
    }

    sortBy(column, isName) {
        const now = parseSort(this.state.get(this.what.key), this.what.columns, this.what.sort);
        const isDown = now.column === column ? !now.isDown : !isName;
        this.state.set({ [this.what.key]: (isDown ? '-' : '') + column.id });
    }

    // keeps: the rows have changed, the view has not.
    update(keeps = false) {
        const { state, what } = this;
        const wanted = ['', 'f', 'n'].map(key => state.get(what.key + key)).join('\n');
        if (!keeps && this.wanted === wanted) return;
        this.wanted = wanted;
        const at = keeps && this.rows ? this.rows[this.at] : undefined;
        const before = keeps && this.rows ? this.rows.length : undefined;
        const text = state.get(`${what.key}f`);
        const { column, isDown } = parseSort(state.get(what.key), what.columns, what.sort);
        const match = matcher(text);
        if (this.filter.value !== text) this.filter.value = text;
        this.filter.setAttribute('aria-invalid', match === null);
        this.head.forEach((th, k) => {
            if (what.columns[k] === column) th.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
            else th.removeAttribute('aria-sort');
        });
        this.rows = what.rows(match || undefined, compareBy(column, isDown));
        this.isWhole = state.get(`${what.key}n`) === 'all';
        // Unfolded rows do not push others out.
        this.few = before === undefined ? FEW : Math.max(FEW, this.few + this.rows.length - before);
        this.rest.hidden = this.rows.length <= this.few;
        this.more.textContent = this.isWhole ? 'Show the first only' : `Show all ${countText(this.rows.length)}`;
        this.said.value = match === null ? 'no regular expression' : text ? what.describe(this.rows)
            : what.part || '';
        this.table.setAttribute('aria-rowcount', this.rows.length + 1);
        this.at = this.rows.indexOf(at);
        this.draw(true);
    }

    // Shows the first rows only, also with rows unfolded at the start.
    begin() {
        this.few = FEW;
        this.rest.hidden = this.rows.length <= FEW;
        this.draw(true);
    }

    print(isOn) {
        this.isPrinted = isOn;
        this.draw(true);
    }

    // The row at the window's upper edge, if all rows are shown.
    top() {
        return this.isWhole && !this.isPrinted ? Math.floor(-this.above.getBoundingClientRect().top / LINE) : 0;
    }

    // [first, end) of the rows that are made: those in sight, and some more.
    made(top) {
        const { length } = this.rows;
        if (this.isPrinted) return [0, Math.min(length, PRINTED)];
        if (!this.isWhole) return [0, Math.min(length, this.few)];
        return [top - MORE, top + innerHeight / LINE + MORE].map(row => Math.max(0, Math.min(length, Math.ceil(row))));
    }

    draw(isNew = false) {
        const top = this.top();
        if (!isNew && Math.abs(top - this.drawn) < MORE / 2) return;
        this.drawn = top;
        const [first, end] = this.made(top);
        this.above.style.height = `${first * LINE}px`;
        this.below.style.height = `${(this.isWhole ? this.rows.length - end : 0) * LINE}px`;
        const rows = [];
        for (let k = first; k < end; k++) rows.push(this.row(k));
        this.body.replaceChildren(...rows);
    }

    row(k) {
        const row = this.rows[k];
        const { tree } = this.what;
        const tr = el('tr', {
            'aria-level': tree && tree.level.get(row), 'aria-expanded': tree && tree.isOpen(row),
            'aria-rowindex': k + 2, 'aria-current': k === this.at ? 'true' : undefined, onclick: () => this.mark(k),
        });
        for (const column of this.what.columns) tr.append(this.cell(row, column));
        return tr;
    }

    cell(row, column) {
        if (column.cell) return el('td', { class: 'name' }, ...[column.cell(row)].flat());
        const value = column.value(row);
        const heat = column.isHot ? heatOf(toldOf(row, column), column.of) : 0;
        const look = [lookOf(column), heat && `t h${heat}`].filter(Boolean).join(' ');
        const isDrawn = column.draw && !column.isBlank(row);
        const td = el('td', { class: look || undefined }, isDrawn ? column.draw(row) : textOf(row, column));
        if (column.kind === 'time') td.title = `${countText(value)} ns`;
        if (heat) td.style.setProperty('--w', `${(100 * value / this.most(column)).toFixed(1)}%`);
        return td;
    }

    // The value of the longest bar of a column.
    most(column) {
        if (column.most === undefined) {
            column.most = 1;
            const rows = this.what.rows(undefined, () => 0);
            for (const row of rows) column.most = Math.max(column.most, column.value(row));
        }
        return column.most;
    }

    mark(k) {
        this.at = k;
        this.draw(true);
    }

    // Marks a row and brings it into sight.
    select(k) {
        if (k >= this.few && !this.isWhole) this.state.set({ [`${this.what.key}n`]: 'all' }, true);
        const top = this.above.getBoundingClientRect().top + k * LINE;
        if (top < 2 * LINE || top > innerHeight - 2 * LINE) scrollBy(0, top - innerHeight / 2);
        this.mark(k);
    }

    copy(rows, said) {
        copyText(tsv(rows, this.what.columns));
        this.said.value = said;
    }

    // In a tree: right opens, left closes or goes to the caller, * opens the path with the most time.
    unfold(key) {
        const { tree } = this.what;
        const row = this.rows[this.at];
        if (!tree || row === undefined) return false;
        const isOpen = tree.isOpen(row);
        const outer = tree.outer.get(row);
        if (key === '*') tree.openHot(row);
        else if (key === 'ArrowRight' && isOpen === false) tree.toggle(row, true);
        else if (key === 'ArrowLeft' && isOpen) tree.toggle(row, false);
        else if (key === 'ArrowLeft' && outer !== undefined) this.select(this.rows.indexOf(outer));
        else return false;
        return true;
    }

    key(event) {
        const { at, rows, what } = this;
        if (isTyping(event) || !rows.length) return;
        if (event.key === 'ArrowDown') this.select(Math.min(at + 1, rows.length - 1));
        else if (event.key === 'ArrowUp') this.select(Math.max(at - 1, 0));
        else if (event.key === 'c' && at >= 0) {
            this.copy([rows[at]], 'row copied');
        } else if (event.key === 'Enter' && at >= 0 && event.target === this.scroll && what.link(rows[at])) {
            follow(what.link(rows[at]));
        } else if (!this.unfold(event.key)) return;
        event.preventDefault();
    }
}
