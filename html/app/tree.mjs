// SPDX-License-Identifier: MIT
// A call tree in preorder, in columns; node 0 is the whole run. Children follow their parent directly, the most time
// first, and end[i] is the node behind all descendants of i. left has the sums of pruned nodes by sub: calls, outermost
// calls, self.

export const LINES = 1; // in place of a line: several lines

export class Tree {
    constructor(n) {
        this.n = n;
        this.parent = new Uint32Array(n);
        this.depth = new Uint16Array(n);
        this.end = new Uint32Array(n);
        this.sub = new Uint32Array(n);
        this.calls = new Float64Array(n);
        this.self = new Float64Array(n);
        this.cut = new Float64Array(n);
        this.total = new Float64Array(n);
        this.line = new Uint32Array(n); // 2 + where it was called, or 1 for several lines, 0 for not known
        this.file = new Uint32Array(n); // 1 + the file of the call
        this.flags = new Uint8Array(n); // of times that cannot be told from nothing
        this.start = new Float64Array(n); // offset of a node, if the whole is a line
    }

    // up[k]: levels from the node before to the parent of this one.
    static fromPreorder(up, nodes) {
        const tree = new Tree(up.length + 1);
        for (let i = 1; i < tree.n; i++) {
            let parent = i - 1;
            for (let levels = up[i - 1]; levels > 0; levels--) parent = tree.parent[parent];
            tree.parent[i] = parent;
        }
        for (const name of ['sub', 'calls', 'self', 'cut']) tree[name].set(nodes[name], 1);
        tree.sumUp();
        return tree;
    }

    sumUp() {
        const { n, parent, depth, end, total, start } = this;
        for (let i = 0; i < n; i++) {
            total[i] = this.self[i] + this.cut[i];
            end[i] = i + 1;
            if (i) depth[i] = depth[parent[i]] + 1;
        }
        for (let i = n - 1; i > 0; i--) {
            total[parent[i]] += total[i];
            if (end[i] > end[parent[i]]) end[parent[i]] = end[i];
        }
        const next = new Float64Array(n);
        for (let i = 1; i < n; i++) {
            start[i] = next[i] = next[parent[i]];
            next[parent[i]] += total[i];
        }
    }

    children(i) {
        const found = [];
        for (let child = i + 1; child < this.end[i]; child = this.end[child]) found.push(child);
        return found;
    }

    // The path from node 0 to node i.
    path(i) {
        const found = [i];
        while (i) found.unshift(i = this.parent[i]);
        return found;
    }

    // Nodes by depth, each level from left to right.
    levels() {
        if (!this.byDepth) {
            const counts = [];
            for (let i = 0; i < this.n; i++) counts[this.depth[i]] = (counts[this.depth[i]] || 0) + 1;
            this.byDepth = counts.map(count => new Uint32Array(count));
            counts.fill(0);
            for (let i = 0; i < this.n; i++) this.byDepth[this.depth[i]][counts[this.depth[i]]++] = i;
        }
        return this.byDepth;
    }

    // The first of a level's nodes that ends behind x, as an index into it.
    firstBehind(level, x) {
        let low = 0;
        let high = level.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.start[level[middle]] + this.total[level[middle]] > x) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    at(depth, x) {
        const level = this.levels()[depth];
        const node = level && level[this.firstBehind(level, x)];
        return node !== undefined && this.start[node] <= x ? node : undefined;
    }
}

// Time of all subs that match; time below two of them is counted once.
export function matchedTime(tree, matches) {
    let time = 0;
    for (let i = 1; i < tree.n;) {
        if (matches(tree.sub[i])) {
            time += tree.total[i];
            i = tree.end[i];
        } else i++;
    }
    return time;
}

// A node's name in an address: its sub's name, and its number among the nodes of that sub if it is not the first.
export function nodeName(tree, node, names) {
    let before = 0;
    for (let i = 1; i < node; i++) if (tree.sub[i] === tree.sub[node]) before++;
    return names[tree.sub[node]] + (before ? `~${before}` : '');
}

export function nodeNamed(tree, text, names) {
    const [, name, before] = /^(.*?)(?:~(\d+))?$/s.exec(text);
    let left = Number(before || 0);
    for (let i = 1; i < tree.n; i++) if (names[tree.sub[i]] === name && left-- === 0) return i;
    return 0;
}
