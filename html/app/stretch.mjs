// SPDX-License-Identifier: MIT
// Stretches of the strip of time. As in `nytprof html --time FROM..TO`, a slice counts where its end is.
import { growthsOf } from './profile.mjs';
import { UNTOLD } from './subs.mjs';
import { withTime } from './transform.mjs';
import { Tree } from './tree.mjs';
import { timeText } from './units.mjs';

const HOTTEST = 5;

// The last bound up to there, by its number.
export function boundAt(bounds, us) {
    let k = 0;
    while (k + 1 < bounds.length && bounds[k + 1] <= us) k++;
    return k;
}

// A bound in seconds, with as few digits as tell it from the next one.
export function boundText(bounds, k) {
    for (const unit of [1e3, 100, 10]) {
        const rounded = Math.ceil(bounds[k] / unit) * unit;
        if (k + 1 === bounds.length || rounded < bounds[k + 1]) return String(rounded / 1e6);
    }
    return String(bounds[k] / 1e6);
}

// "0.5-1.25" as two numbers of bounds, or undefined.
export function stretchOf(bounds, text) {
    const [from, to] = text.split('-').map(part => boundAt(bounds, Math.round(1e6 * Number(part))));
    return /^[\d.]+-[\d.]+$/.test(text) && to > from ? [from, to] : undefined;
}

const isWithin = ({ bounds }, [from, to]) => ({ end }) => end > bounds[from] && end <= bounds[to];

// What passed between two bounds: its parts, and their sum, in µs.
export function sumStretch({ slices }, stretch) {
    const { all } = slices;
    const within = all.filter(isWithin(slices, stretch));
    const passed = all[0].passed.map((_, kind) => within.reduce((sum, slice) => sum + slice.passed[kind], 0));
    return { passed, us: passed.reduce((sum, us) => sum + us, 0) };
}

// The columns of the call tree in a stretch, of time or of a metric.
function columnsOf({ slices, tree }, sliced, stretch) {
    const within = slices.all.map(isWithin(slices, stretch));
    const self = new Float64Array(tree.n);
    const cut = new Float64Array(tree.n);
    sliced.forEach(({ keys, times }, k) => {
        if (within[k]) keys.forEach((key, i) => (key % 2 ? cut : self)[key >> 1] += times[i]);
    });
    return { self, cut };
}

// The subs with most time of their own in a stretch.
export function hottestIn(profile, stretch) {
    const own = new Float64Array(profile.subs.n);
    const { self } = columnsOf(profile, profile.sliced, stretch);
    for (let node = 1; node < self.length; node++) own[profile.tree.sub[node]] += self[node];
    return Array.from(own, (ns, sub) => ({ sub, ns })).filter(({ ns }) => ns > 0).sort((a, b) => b.ns - a.ns)
        .slice(0, HOTTEST);
}

// The call tree of a stretch, with these columns.
function treeOf({ tree, subs }, columns) {
    const none = new Float64Array(subs.n);
    const of = Object.assign(new Tree(tree.n), tree, columns, {
        calls: new Float64Array(tree.n), flags: new Uint8Array(tree.n), total: new Float64Array(tree.n),
        left: { calls: none, outermost: none, self: none },
    });
    of.sumUp();
    return of;
}

// Times of the subs in a call tree: their own, and that of their outermost calls. Or values of a metric.
export function timesOf(tree, n) {
    const [exclusive, inclusive] = [new Float64Array(n), new Float64Array(n)];
    const within = new Uint32Array(n);
    const path = [];
    for (let i = 1; i < tree.n; i++) {
        while (path.length >= tree.depth[i]) within[path.pop()]--;
        const sub = tree.sub[i];
        path.push(sub);
        exclusive[sub] += tree.self[i];
        if (!within[sub]++) inclusive[sub] += tree.total[i];
    }
    return { exclusive, inclusive };
}

// Times of files and lines in a stretch; nothing where the capture does not tell.
function linesOf({ files, linewise, slices }, stretch) {
    if (!linewise) return {};
    const within = slices.all.map(isWithin(slices, stretch));
    const time = new Float64Array(files.n);
    const rows = linewise.map(row => {
        const sum = row.times.reduce((all, ns, k) => (within[row.slices[k]] ? all + ns : all), 0);
        time[row.file] += sum;
        return { ...row, time: sum };
    });
    const flags = files.flags.map(each => each & ~UNTOLD.time);
    return {
        files: { ...files, flags, time }, sum: time.reduce((all, ns) => all + ns, 0),
        lines: rows.filter(row => row.line && row.time > 0),
    };
}

// Metrics of calls and subs in a stretch: those that the call tree has.
function metricsOf(profile, stretch) {
    const { metrics, files, subs } = profile;
    const told = metrics.filter(({ sliced = [] }) => sliced.length).map(metric => {
        const columns = columnsOf(profile, metric.sliced, stretch);
        const nodes = treeOf(profile, columns);
        const { exclusive: own, inclusive: whole } = timesOf(nodes, subs.n);
        return { ...metric, own, whole, nodes, tree: { ...columns, cutSelf: nodes.left.self } };
    });
    return [...told, ...growthsOf(told, { ...files })];
}

// The subs with their times in a part of the call tree; their counts are not known.
export function partialSubs(subs, tree) {
    const none = new Float64Array(subs.n);
    const flags = subs.flags.map(each => each & ~(UNTOLD.exclusive | UNTOLD.inclusive | UNTOLD.nested));
    const part = { ...subs, ...timesOf(tree, subs.n), flags, calls: none, depth: none, nested: none };
    for (const id of ['p50', 'p99', 'max', 'spread']) delete part[id];
    return part;
}

// A stretch as a profile: it has times and metrics of calls and subs, and counts are not known, as in a sampled one.
export function profileOf(profile, stretch) {
    const all = treeOf(profile, columnsOf(profile, profile.sliced, stretch));
    const tree = Object.assign(withTime(all), { left: all.left });
    const lines = linesOf(profile, stretch);
    const total = tree.total[0] || lines.sum || profile.total;
    return {
        ...profile, ...lines, tree, subs: partialSubs(profile.subs, tree), total, metrics: metricsOf(profile, stretch),
        samples: Math.round(profile.samples * total / profile.total), isUncounted: true, hasCounts: false,
        part: stretch.map(k => timeText(1e3 * profile.slices.bounds[k])).join(' to '),
    };
}

// The profile of what the text of an address selects: the whole one, or that of a stretch.
export function selectedOf(profile, when) {
    const stretch = stretchOf(profile.slices.bounds, when);
    return stretch ? profileOf(profile, stretch) : profile;
}

// Makes it when it is first asked for.
export class Stretches {
    constructor(profile, state) {
        Object.assign(this, { profile, state, when: '', made: profile });
    }

    selected() {
        const when = this.state.get('when');
        if (this.when !== when) Object.assign(this, { when, made: selectedOf(this.profile, when) });
        return this.made;
    }
}
