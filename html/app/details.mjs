// SPDX-License-Identifier: MIT
// Figures of a node of a call tree, in a line.
import { el } from './dom.mjs';
import { shareText } from './measures.mjs';
import { PHASE, subLink } from './subs.mjs';
import { countText } from './units.mjs';

// Pieces of text and elements. isSub: node 0 is a sub too, not the whole run.
export function details({ profile, measure }, tree, node, isSub = false) {
    const { subs } = profile;
    const sub = tree.sub[node];
    const percent = value => shareText(value, measure.total, measure.samples);
    const share = measure.ofNode(tree, node, 'total') + (tree.total[0] ? ` (${percent(tree.total[node])})` : '');
    if (!node && !isSub) return [el('b', {}, 'everything'), ` ${share}`];
    const link = subLink(profile, sub);
    const counted = (n, what) => `${countText(n)} ${what}${n === 1 ? '' : 's'}`;
    const calls = n => (n ? `, ${counted(n, 'call')}` : profile.isUncounted ? ', called' : ', called earlier');
    const isKnown = tree.calls[node] || !profile.isUncounted;
    const called = subs.flags[sub] & PHASE || !isKnown ? '' : calls(tree.calls[node]);
    const whole = ` · in all ${measure.ofSub(sub, 'inclusive')}, ${measure.ofSub(sub, 'exclusive')} self` +
        ` (${percent(measure.own[sub])})${calls(subs.calls[sub])}` +
        ` from ${counted(subs.places[sub], 'place')}`;
    return [
        link ? el('a', { href: link }, subs.name[sub]) : el('b', {}, subs.name[sub]),
        ` here ${share}, ${measure.ofNode(tree, node, 'self')} self${called}`, link ? whole : '',
    ];
}
