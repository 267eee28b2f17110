// SPDX-License-Identifier: MIT
// Figures of a node of a call tree, in a line.
import { el } from './dom.mjs';
import { PHASE, UNTOLD, subLink } from './profile.mjs';
import { countText, percentText, timeText } from './units.mjs';

// Pieces of text and elements. isSub: node 0 is a sub too, not the whole run.
export function details(profile, tree, node, isSub = false) {
    const { subs, total } = profile;
    const sub = tree.sub[node];
    const here = of => timeText(tree.flags[node] & UNTOLD[of] ? -1 : tree[of][node]);
    const share = `${here('total')} (${percentText(tree.total[node], total)})`;
    if (!node && !isSub) return [el('b', {}, 'everything'), ` ${share}`];
    const link = subLink(profile, sub);
    const counted = (n, what) => `${countText(n)} ${what}${n === 1 ? '' : 's'}`;
    const calls = n => (n ? counted(n, 'call') : 'called earlier');
    const called = subs.flags[sub] & PHASE ? '' : `, ${calls(tree.calls[node])}`;
    const ofSub = of => timeText(subs.flags[sub] & UNTOLD[of] ? -1 : subs[of][sub]);
    const whole = ` · in all ${ofSub('inclusive')}, ${ofSub('exclusive')} own` +
        ` (${percentText(subs.exclusive[sub], total)}), ${calls(subs.calls[sub])}` +
        ` from ${counted(subs.places[sub], 'place')}`;
    return [
        link ? el('a', { href: link }, subs.name[sub]) : el('b', {}, subs.name[sub]),
        ` here ${share}, ${here('self')} own${called}`, link ? whole : '',
    ];
}
