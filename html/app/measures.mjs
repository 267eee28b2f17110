// SPDX-License-Identifier: MIT
// What the views of the call tree may show: time, and the metrics that the tree has.
import { UNTOLD } from './subs.mjs';
import { without, withTime } from './transform.mjs';
import { amountText, percentText } from './units.mjs';

// A share, with its standard deviation in points if the parts are made of so many samples: as nytp_shown_share.
export function shareText(part, whole, samples) {
    const text = percentText(part, whole);
    if (!samples || !(part > 0 && part < whole)) return text;
    const points = 100 * Math.sqrt(part / whole * (1 - part / whole) / samples);
    return `${text} ±${points.toFixed(points < 0.995 ? 2 : 1)}`;
}

// The tree of a metric: the nodes that have some of it, the most first.
export function measuredBy(tree, { self, cut, cutSelf }) {
    const flags = new Uint8Array(tree.n);
    const of = { ...tree, self, cut, flags, left: tree.left && { ...tree.left, self: cutSelf } };
    const made = without(of, () => false);
    return Object.assign(withTime(made), { left: made.left });
}

class Measure {
    constructor(profile, { name, title, kind, own, whole }, tree) {
        Object.assign(this, { name, title, kind, own, whole, tree });
        this.flags = name === 'time' ? profile.subs.flags : undefined;
        this.rows = profile.subs.rows;
        this.total = name === 'time' ? profile.total : tree.total[0];
        this.samples = name === 'time' ? profile.samples : 0; // that shares of the total are made of
    }

    text(value) {
        return amountText(this.kind, value);
    }

    // Of a node of a tree, by name of the column.
    ofNode(tree, node, column) {
        return this.text(tree.flags[node] & UNTOLD[column] ? -1 : tree[column][node]);
    }

    // Of a sub in all: exclusive or inclusive.
    ofSub(sub, which) {
        const value = (which === 'exclusive' ? this.own : this.whole)[sub];
        return this.text(this.flags && this.flags[sub] & UNTOLD[which] ? -1 : value);
    }

    // The called sub with the most of its own.
    top() {
        const { own, rows } = this;
        return own.reduce((best, value, sub) => (sub < rows && value > own[best] ? sub : best), 0);
    }
}

export class Measures {
    constructor(profile) {
        const { subs, metrics } = profile;
        const time = { name: 'time', title: 'Time', kind: 'time', own: subs.exclusive, whole: subs.inclusive };
        this.profile = profile;
        this.all = [time, ...metrics.filter(metric => metric.tree)];
        this.first = this.all.find(metric => metric.ranks) || time; // shown if the address names none
        this.made = new Map();
    }

    // By name; the tree of a metric is made when it is first asked for.
    get(name) {
        const found = this.all.find(each => each.name === name) || this.first;
        if (!this.made.has(found)) {
            const { tree } = this.profile;
            const made = found.tree ? measuredBy(found.nodes || tree, found.tree) : tree;
            this.made.set(found, new Measure(this.profile, found, made));
        }
        return this.made.get(found);
    }
}
