// SPDX-License-Identifier: MIT
// Call trees made of call trees: without some subs, from one sub on, its callers, recursion folded. None changes the
// tree it is made of.
import { UNTOLD } from './subs.mjs';
import { LINES, Tree } from './tree.mjs';

const OF_NODES = ['calls', 'self', 'cut', 'line', 'file', 'flags'];
const ALL_UNTOLD = UNTOLD.self + UNTOLD.total; // flags of a sum while all its parts have them

// A tree that grows in any order; tree() makes a Tree of it. Node 0 is there from the beginning: a sub, or everything.
export class Sprout {
    constructor(sub) {
        Object.assign(this, { parent: [0], sub: [sub || 0], known: new Map() });
        for (const name of OF_NODES) this[name] = [name === 'flags' && sub !== undefined ? ALL_UNTOLD : 0];
    }

    child(parent, sub) {
        const key = parent * 2097152 + sub;
        if (!this.known.has(key)) {
            this.known.set(key, this.parent.length);
            this.parent.push(parent);
            this.sub.push(sub);
            for (const name of OF_NODES) this[name].push(name === 'flags' ? ALL_UNTOLD : 0);
        }
        return this.known.get(key);
    }

    // A child that is new, as a tree's node i.
    copy(parent, tree, i) {
        this.sub.push(tree.sub[i]);
        for (const name of OF_NODES) this[name].push(tree[name][i]);
        return this.parent.push(parent) - 1;
    }

    add(node, calls, self, cut) {
        this.calls[node] += calls;
        this.self[node] += self;
        this.cut[node] += cut;
    }

    // All values of a tree's node i.
    take(node, tree, i) {
        this.add(node, tree.calls[i], tree.self[i], tree.cut[i]);
        this.flags[node] &= tree.flags[i];
        const isSame = this.line[node] === tree.line[i] && this.file[node] === tree.file[i];
        if (!this.line[node]) [this.line[node], this.file[node]] = [tree.line[i], tree.file[i]];
        else if (!isSame && tree.line[i]) this.line[node] = LINES;
    }

    tree() {
        const n = this.parent.length;
        const total = this.self.map((self, i) => self + this.cut[i]);
        const children = Array.from({ length: n }, () => []);
        for (let i = n - 1; i > 0; i--) {
            total[this.parent[i]] += total[i];
            children[this.parent[i]].push(i);
        }
        const tree = new Tree(n);
        const place = new Uint32Array(n);
        const waiting = [0];
        for (let next = 0; waiting.length; next++) {
            const i = waiting.pop();
            place[i] = next;
            tree.parent[next] = place[this.parent[i]];
            for (const name of ['sub', ...OF_NODES]) tree[name][next] = this[name][i];
            waiting.push(...children[i].sort((a, b) => total[a] - total[b] || b - a));
        }
        tree.sumUp();
        return tree;
    }
}

// The pruned sums without those of subs that were taken out.
function leftOf(tree, made) {
    if (!tree.left) return undefined;
    const [before, after] = [new Set(tree.sub.subarray(1)), new Set(made.sub.subarray(1))];
    const kept = numbers => numbers.map((n, sub) => (before.has(sub) && !after.has(sub) ? 0 : n));
    const { calls, outermost, self } = tree.left;
    return { calls: kept(calls), outermost: kept(outermost), self: kept(self) };
}

// Calls what(node) for the outermost nodes of a sub.
function eachOutermost(tree, sub, what) {
    for (let i = 1; i < tree.n;) {
        if (tree.sub[i] === sub) {
            what(i);
            i = tree.end[i];
        } else i++;
    }
}

// The callees of a sub, over all its calls; node 0 is the sub.
export function calleesOf(tree, sub) {
    const sprout = new Sprout(sub);
    eachOutermost(tree, sub, top => {
        const to = new Map([[top, 0]]);
        for (let i = top; i < tree.end[top]; i++) {
            if (i !== top) to.set(i, sprout.child(to.get(tree.parent[i]), tree.sub[i]));
            sprout.take(to.get(i), tree, i);
        }
    });
    if (tree.left) sprout.add(0, tree.left.outermost[sub], 0, 0);
    return sprout.tree();
}

// The callers of a sub, and their callers; node 0 is the sub.
export function callersOf(tree, sub) {
    const sprout = new Sprout(sub);
    eachOutermost(tree, sub, top => {
        let at = 0;
        sprout.add(0, tree.calls[top], 0, 0);
        for (let i = tree.parent[top]; i; i = tree.parent[i]) {
            at = sprout.child(at, tree.sub[i]);
            sprout.add(at, tree.calls[top], 0, 0);
        }
        sprout.add(at, 0, tree.total[top], 0);
    });
    return sprout.tree();
}

// The tree from a sub on, without everything else.
export function focusOn(tree, sub) {
    const sprout = new Sprout();
    eachOutermost(tree, sub, top => {
        const to = new Map([[tree.parent[top], 0]]);
        for (let i = top; i < tree.end[top]; i++) {
            to.set(i, sprout.child(to.get(tree.parent[i]), tree.sub[i]));
            sprout.take(to.get(i), tree, i);
        }
    });
    return sprout.tree();
}

// Nodes that goes(node) is true for become part of their callers.
export function without(tree, goes) {
    const sprout = new Sprout();
    const to = new Uint32Array(tree.n);
    for (let i = 1; i < tree.n; i++) {
        const isGone = goes(i);
        to[i] = isGone ? to[tree.parent[i]] : sprout.child(to[tree.parent[i]], tree.sub[i]);
        if (isGone) sprout.add(to[i], 0, tree.self[i], tree.cut[i]);
        if (isGone) sprout.flags[to[i]] &= tree.flags[i] | UNTOLD.total;
        else sprout.take(to[i], tree, i);
    }
    const made = sprout.tree();
    made.left = leftOf(tree, made);
    return made;
}

// The nodes with time, or with some of a metric, in order of this.
export function withTime(tree) {
    const sprout = new Sprout();
    const to = new Uint32Array(tree.n);
    sprout.add(0, 0, tree.self[0], tree.cut[0]);
    for (let i = 1; i < tree.n; i++) if (tree.total[i]) to[i] = sprout.copy(to[tree.parent[i]], tree, i);
    return sprout.tree();
}

// The tree with less time in subs and in what they call: divided by their factors; subs of factor 0 are not called. A
// call below another one of the same sub is a part of the outer one.
export function faster(tree, factors) {
    const sprout = new Sprout();
    const to = new Uint32Array(tree.n);
    const around = []; // the faster subs around node i
    sprout.add(0, 0, tree.self[0], tree.cut[0]);
    for (let i = 1; i < tree.n;) {
        const sub = tree.sub[i];
        const factor = factors.get(sub);
        while (around.length && tree.end[around.at(-1).node] <= i) around.pop();
        if (factor && !around.some(outer => outer.sub === sub)) around.push({ node: i, sub, factor });
        if (factor === 0) i = tree.end[i];
        else {
            to[i] = sprout.copy(to[tree.parent[i]], tree, i);
            for (const outer of around) {
                sprout.self[to[i]] /= outer.factor;
                sprout.cut[to[i]] /= outer.factor;
            }
            i++;
        }
    }
    const made = sprout.tree();
    made.left = tree.left;
    return made;
}

// A sub called below itself becomes part of its outer call.
export function foldRecursion(tree) {
    const sprout = new Sprout();
    const to = new Uint32Array(tree.n);
    for (let i = 1; i < tree.n; i++) {
        let outer = to[tree.parent[i]];
        while (outer && sprout.sub[outer] !== tree.sub[i]) outer = sprout.parent[outer];
        to[i] = outer || sprout.child(to[tree.parent[i]], tree.sub[i]);
        sprout.take(to[i], tree, i);
    }
    const made = sprout.tree();
    made.left = tree.left;
    return made;
}

// Hides the inner calls of libraries: subs that other code calls stay, and so do subs with a hundredth of the whole
// time.
export function withoutInsides(tree, isLibrary) {
    const least = tree.total[0] / 100;
    return without(tree, i => {
        const parent = tree.parent[i];
        return parent > 0 && isLibrary(tree.sub[i]) && isLibrary(tree.sub[parent]) && tree.self[i] < least;
    });
}
