// SPDX-License-Identifier: MIT
// What a sub does, wherever it is called, as a profile: the tables show it while the call tree is of that sub only.
import { measuredBy } from './measures.mjs';
import { growthsOf } from './profile.mjs';
import { partialSubs, timesOf } from './stretch.mjs';
import { focusOn } from './transform.mjs';

// As in a stretch, counts are not known, nor are times of lines and files, of which the tree has none.
export function focusedOn(profile, name) {
    const { files, metrics, subs, tree } = profile;
    const sub = subs.name.indexOf(name);
    if (sub < 0 || tree.n < 2) return profile;
    const told = metrics.filter(metric => metric.tree).map(metric => {
        const of = focusOn(measuredBy(metric.nodes || tree, metric.tree), sub);
        const { exclusive: own, inclusive: whole } = timesOf(of, subs.n);
        return { ...metric, own, whole };
    });
    return {
        ...profile, subs: partialSubs(subs, focusOn(tree, sub)), metrics: [...told, ...growthsOf(told, { ...files })],
        lines: undefined, isUncounted: true, hasCounts: false, focus: name,
    };
}
