// SPDX-License-Identifier: MIT
// The packages of subs.
import { PHASE } from './subs.mjs';

// Subs summed up by package, with a column for each metric's own values.
export function packagesOf(subs, metrics = []) {
    const index = new Map();
    const packages = { name: [], subs: [], calls: [], exclusive: [] };
    for (const { name } of metrics) packages[`own-${name}`] = [];
    for (let k = 0; k < subs.rows; k++) {
        if (subs.flags[k] & PHASE) continue;
        const name = subs.package[k];
        if (!index.has(name)) {
            index.set(name, packages.name.length);
            packages.name.push(name);
            Object.values(packages).filter(column => column !== packages.name).forEach(column => column.push(0));
        }
        const at = index.get(name);
        packages.subs[at]++;
        packages.calls[at] += subs.calls[k];
        packages.exclusive[at] += subs.exclusive[k];
        for (const { name, own, isMax } of metrics) {
            const column = packages[`own-${name}`];
            column[at] = isMax ? Math.max(column[at], own[k]) : column[at] + own[k];
        }
    }
    return packages;
}

// The filter for a package's subs, whatever stands before it (block in Set#each) and behind (#2, called as ...).
export function filterOfPackage(name) {
    const inside = name && `(^| )${name.replace(/[^\w: ]/g, '\\$&')}(::|[.:#])`;
    return `/${inside || '^'}[^:.#]*( [#(].*)?$`;
}
