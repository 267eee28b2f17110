// SPDX-License-Identifier: MIT
// Files as a tree: directories, their files, and string evals below the file that ran them. A directory's numbers are
// sums; a directory with only one directory in it shares a row with that.
import { el } from './dom.mjs';

const add = (a, b) => a + b;

// What two values of each number make.
function joinsOf(metrics) {
    const joins = { count: add, time: add, subs: add, evals: add };
    for (const { key, isMax } of metrics) joins[key] = isMax ? Math.max : add;
    return joins;
}

function makeNode(joins, name, file) {
    const zeros = Object.fromEntries(Object.keys(joins).map(key => [key, 0]));
    return { name, file, children: [], isOpen: undefined, ...zeros };
}

// The root of the tree. A node with a file has its index.
export function arrange({ files, metrics }) {
    const joins = joinsOf(metrics);
    const root = makeNode(joins, '');
    const directories = new Map([['', root]]);
    const directory = path => {
        if (!directories.has(path)) {
            const slash = path.lastIndexOf('/');
            const made = makeNode(joins, slash > 0 ? path.slice(slash + 1) : path);
            directories.set(path, made);
            directory(path.slice(0, Math.max(slash, 0))).children.push(made);
        }
        return directories.get(path);
    };
    const nodes = files.name.map((name, k) => {
        const slash = files.parent[k] ? -1 : name.lastIndexOf('/');
        const made = makeNode(joins, name.slice(slash + 1), k);
        for (const key of Object.keys(joins)) made[key] = files[key][k];
        if (!files.parent[k]) directory(slash < 0 ? '' : name.slice(0, slash) || '/').children.push(made);
        return made;
    });
    nodes.forEach((node, k) => files.parent[k] && nodes[files.parent[k] - 1].children.push(node));
    return settle(joins, root, 0);
}

// Joins directories with only one entry, sets levels, sums up. Returns the node.
function settle(joins, node, level) {
    const isDirectory = node.file === undefined;
    node.level = level;
    while (isDirectory && level && node.children.length === 1 && node.children[0].file === undefined) {
        node.name += `/${node.children[0].name}`;
        node.children = node.children[0].children;
    }
    node.all = Object.fromEntries(Object.keys(joins).map(key => [key, node[key]]));
    for (const child of node.children) {
        settle(joins, child, level + 1);
        for (const [key, join] of Object.entries(joins)) node.all[key] = join(node.all[key], child.all[key]);
    }
    if (isDirectory) Object.assign(node, node.all);
    return node;
}

// The tree for a table of files: its rows and their cells. link(k) makes the link to a file.
export class FileTree {
    constructor(profile, link, changed) {
        Object.assign(this, { files: profile.files, link, changed, root: arrange(profile), nodes: [] });
        this.next = profile.files.n;
        this.number(this.root);
    }

    // Rows are numbers: of files, and behind them of directories.
    number(node) {
        node.row = node.file === undefined ? this.next++ : node.file;
        this.nodes[node.row] = node;
        node.children.forEach(child => this.number(child));
    }

    // Directories that the reader opened or closed.
    opened() {
        return this.nodes.filter(node => node.isOpen !== undefined).map(({ row, isOpen }) => [row, isOpen]);
    }

    reopen(rows) {
        for (const [row, isOpen] of rows) this.nodes[row].isOpen = isOpen;
        this.changed();
    }

    isOpen(node, match) {
        if (node.isOpen !== undefined) return node.isOpen;
        return Boolean(match) || (node.file === undefined && node.time * 50 >= this.root.time);
    }

    rows(match, compare) {
        const found = [];
        const isFound = file => file !== undefined && match(this.files.name[file]);
        const matches = node => node.children.some(matches) || isFound(node.file);
        const visit = node => {
            const children = match ? node.children.filter(matches) : node.children;
            for (const child of children.map(({ row }) => row).sort(compare).map(row => this.nodes[row])) {
                found.push(child.row);
                child.shown = this.isOpen(child, match);
                if (child.shown) visit(child);
            }
        };
        visit(this.root);
        return found;
    }

    cell(row) {
        const node = this.nodes[row];
        const toggle = () => {
            node.isOpen = !node.shown;
            this.changed();
        };
        const fold = node.children.length
            ? el('button', { type: 'button', class: 'fold', 'aria-expanded': String(node.shown), onclick: toggle,
                'aria-label': `What is in ${node.name || '/'}` }, node.shown ? '▾' : '▸')
            : el('span', { class: 'fold' });
        fold.style.setProperty('--level', node.level - 1);
        return [fold, node.file === undefined ? `${node.name}/` : this.link(node.file, node.name)];
    }
}
