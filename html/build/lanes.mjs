// SPDX-License-Identifier: MIT
// Where processes stand in the picture: each in a lane, below that of its parent, and no two at a time in one.

// { lane: by process; rows: by lane, its processes in the order of time }
export function lanesOf({ n, began, ended, parent }) {
    const lane = new Uint32Array(n);
    const busy = []; // by lane, until when
    const rows = [];
    for (let k = 0; k < n; k++) {
        let at = parent[k] < 0 ? 0 : lane[parent[k]] + 1;
        while (at < rows.length && busy[at] > began[k]) at++;
        while (rows.length <= at) {
            rows.push([]);
            busy.push(-Infinity);
        }
        lane[k] = at;
        busy[at] = Math.max(busy[at], ended[k]);
        rows[at].push(k);
    }
    for (const row of rows) row.sort((a, b) => began[a] - began[b] || a - b);
    return { lane, rows };
}

// The index in a row of the first process that ends behind a time.
export function firstBehind(row, ended, time) {
    let [low, high] = [0, row.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ended[row[middle]] > time) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The mean number of running jobs in each of so many equal parts of [from, to).
export function meanOf({ n, at, running }, from, to, parts) {
    const means = new Float64Array(parts);
    const length = (to - from) / parts;
    let [low, high] = [0, n];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (at[middle] > from) high = middle;
        else low = middle + 1;
    }
    for (let k = Math.max(0, low - 1); k + 1 < n && at[k] < to; k++) {
        const [begin, end] = [Math.max(at[k], from), Math.min(at[k + 1], to)];
        for (let part = Math.floor((begin - from) / length); part < parts && from + part * length < end; part++) {
            const inside = Math.min(end, from + (part + 1) * length) - Math.max(begin, from + part * length);
            if (inside > 0) means[part] += running[k] * inside / length;
        }
    }
    return means;
}

// Round times for an axis: as many as fit.
export function ticksOf(from, to, most) {
    const least = (to - from) / Math.max(most, 1);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find(each => each * power >= least) * power;
    const ticks = [];
    for (let k = Math.ceil(from / step); k * step <= to; k++) ticks.push(k * step);
    return ticks;
}
