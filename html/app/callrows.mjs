// SPDX-License-Identifier: MIT
// A call tree as rows of a table: top-down, or bottom-up from each sub to its callers. Rows are made when they are
// first shown, so a large tree costs nothing before.
import { el } from './dom.mjs';
import { namePieces } from './names.mjs';
import { UNTOLD, subLink } from './subs.mjs';
import { LINES } from './tree.mjs';

const KEPT = 300; // open rows restored when going back

// Top-down: rows are nodes of the tree.
export class TopDown {
    constructor(tree) {
        const { sub, total, self, calls, flags } = tree;
        Object.assign(this, { tree, sub, total, self, calls, flags });
    }

    roots() {
        return this.tree.children(0);
    }

    children(row) {
        return this.tree.children(row);
    }

    hasChildren(row) {
        return this.tree.end[row] > row + 1;
    }

    calledAt(row) {
        return [row];
    }

    // Whether it or anything below it matches.
    leadsTo(row, match) {
        const { sub, end } = this.tree;
        for (let i = row; i < end[row]; i++) if (match(sub[i])) return true;
        return false;
    }
}

// Bottom-up: rows are numbered as they are made. The time of a row is the own time of the root sub when called along
// this path; `nodes` are the callers' nodes, `from` those of the root sub, `made` the number of calls.
export class BottomUp {
    constructor(tree) {
        Object.assign(this, { tree, below: new Map() });
        for (const name of ['sub', 'total', 'self', 'calls', 'flags', 'nodes', 'from', 'made']) this[name] = [];
        const bySub = new Map();
        for (let i = 1; i < tree.n; i++) {
            if (!bySub.has(tree.sub[i])) bySub.set(tree.sub[i], []);
            bySub.get(tree.sub[i]).push(i);
        }
        this.top = Array.from(bySub, ([sub, nodes]) => this.make(sub, nodes, nodes));
        if (tree.left) this.addLeft(tree.left, bySub);
    }

    // Calls of pruned paths and their time, with unknown callers.
    addLeft({ calls, self }, bySub) {
        for (const row of this.top) this.add(row, self[this.sub[row]], calls[this.sub[row]]);
        calls.forEach((n, sub) => {
            if (!bySub.has(sub) && (n || self[sub])) {
                this.top.push(this.make(sub, [], []));
                this.add(this.top.at(-1), self[sub], n);
            }
        });
    }

    add(row, time, calls) {
        this.total[row] += time;
        this.self[row] += time;
        this.calls[row] += calls;
        if (time) this.flags[row] = 0;
    }

    make(sub, nodes, from, made = []) {
        const row = this.sub.length;
        let [time, calls, flags] = [0, 0, from.length ? UNTOLD.self : 0];
        for (const i of from) {
            time += this.tree.self[i];
            calls += this.tree.calls[i];
            flags &= this.tree.flags[i];
        }
        this.sub.push(sub);
        this.total.push(time);
        this.self.push(time);
        this.calls.push(calls);
        this.flags.push(flags && UNTOLD.self + UNTOLD.total); // which are one
        this.nodes.push(nodes);
        this.from.push(from);
        this.made.push(made);
        return row;
    }

    roots() {
        return this.top;
    }

    children(row) {
        if (!this.below.has(row)) {
            const groups = new Map();
            this.nodes[row].forEach((i, k) => {
                const caller = this.tree.parent[i];
                if (!caller) return;
                const sub = this.tree.sub[caller];
                if (!groups.has(sub)) groups.set(sub, [[], [], []]);
                [caller, this.from[row][k], i].forEach((each, of) => groups.get(sub)[of].push(each));
            });
            this.below.set(row, Array.from(groups, ([sub, lists]) => this.make(sub, ...lists)));
        }
        return this.below.get(row);
    }

    hasChildren(row) {
        return this.nodes[row].some(i => this.tree.parent[i]);
    }

    // The calls that a caller makes; of those of the sub itself its callers tell.
    calledAt(row) {
        return this.made[row];
    }

    // The filter is for subs at the root, not for their callers.
    leadsTo(row, match, depth) {
        return depth > 1 || match(this.sub[row]);
    }
}

export class CallRows {
    constructor(source, profile, changed) {
        Object.assign(this, { source, profile, changed, open: new Set(), level: new Map(), outer: new Map() });
    }

    // match takes the number of a sub.
    rows(match, compare) {
        const { source, open, level, outer } = this;
        const found = [];
        const visit = (rows, depth, parent) => {
            const wanted = match ? rows.filter(row => source.leadsTo(row, match, depth)) : rows;
            for (const row of wanted.slice().sort(compare)) {
                found.push(row);
                level.set(row, depth);
                outer.set(row, parent);
                if (open.has(row)) visit(source.children(row), depth + 1, row);
            }
        };
        visit(source.roots(), 1, undefined);
        return found;
    }

    isOpen(row) {
        return this.source.hasChildren(row) ? this.open.has(row) : undefined;
    }

    toggle(row, opens = !this.open.has(row)) {
        if (opens) this.open.add(row);
        else this.open.delete(row);
        this.changed();
    }

    // Opens the child with the most time, repeatedly, while it has at least half of its parent's time.
    openHot(row) {
        const { source } = this;
        const heavier = (best, each) => (source.total[each] > source.total[best] ? each : best);
        let at = row;
        for (let next = at; next !== undefined && source.total[next] * 2 >= source.total[at];) {
            at = next;
            if (!source.hasChildren(at)) break;
            this.open.add(at);
            next = source.children(at).reduce(heavier);
        }
        this.changed();
    }

    // The open rows as paths of subs, which are the same whenever the page is shown.
    opened() {
        const path = row => (row === undefined ? [] : [...path(this.outer.get(row)), this.source.sub[row]]);
        return Array.from(this.open).filter(row => this.level.has(row)).slice(0, KEPT).map(path);
    }

    reopen(paths) {
        const { source } = this;
        this.open.clear();
        for (const path of paths) {
            let rows = source.roots();
            let row;
            for (const sub of path) {
                row = rows.find(each => source.sub[each] === sub);
                if (row === undefined) break;
                rows = source.children(row);
            }
            if (row !== undefined) this.open.add(row);
        }
        this.changed();
    }

    link(row) {
        return subLink(this.profile, this.source.sub[row]);
    }

    cell(row) {
        const { subs } = this.profile;
        const sub = this.source.sub[row];
        const state = this.isOpen(row);
        const fold = state === undefined ? el('span', { class: 'fold' }) : el('button', {
            type: 'button', class: 'fold', tabindex: -1, 'aria-label': `Calls of ${subs.name[sub]}`,
            onclick: () => this.toggle(row),
        }, state ? '▾' : '▸');
        fold.style.setProperty('--level', Math.min(this.level.get(row) - 1, 40));
        const link = this.link(row);
        const name = namePieces(subs.name[sub]);
        return [fold, ...(link ? [el('a', { href: link }, ...name)] : name)];
    }

    // The call site.
    where(row) {
        const { tree } = this.source;
        const sites = new Set(this.source.calledAt(row).filter(i => tree.line[i])
            .map(i => (tree.line[i] > LINES ? `${this.fileName(tree.file[i])}:${tree.line[i] - 2}` : '')));
        if (sites.size > 1 || sites.has('')) return 'several lines';
        return sites.size ? sites.values().next().value : '';
    }

    // file: 1 + its index.
    fileName(file) {
        const name = this.profile.files.name[file - 1] || '';
        return name.endsWith(']') ? name.replace(/^(\(.*?\))\[.*$/s, '$1') : name.replace(/^.*\//s, '');
    }
}
