// SPDX-License-Identifier: MIT
// What the processes of a build have used, summed up by class, directory or target.

const NAMES = ['count', 'failed', 'own', 'user', 'system', 'real', 'longest', 'memory', 'blocks', 'switches'];

// of: by process, the index of its group; `none` is of no group. Columns by group, and the groups that there are.
export function sumsOf(build, of, groups, none) {
    const sums = Object.fromEntries(NAMES.map(name => [name, new Float64Array(groups)]));
    for (let k = 0; k < build.n; k++) {
        const g = of[k];
        if (g === none) continue;
        sums.count[g]++;
        sums.failed[g] += build.status[k] !== 0;
        sums.user[g] += build.ownUser[k];
        sums.system[g] += build.ownSystem[k];
        sums.real[g] += build.took[k];
        sums.longest[g] = Math.max(sums.longest[g], build.took[k]);
        sums.memory[g] = Math.max(sums.memory[g], build.memory[k]);
        sums.blocks[g] += build.read[k] + build.written[k];
        sums.switches[g] += build.switches[k] + build.forced[k];
    }
    sums.own = sums.user.map((user, g) => user + sums.system[g]);
    sums.groups = Array.from(sums.count.keys()).filter(g => sums.count[g]);
    return sums;
}

export function totalOf(rows, column) {
    let sum = 0;
    for (const row of rows) sum += column[row];
    return sum;
}
