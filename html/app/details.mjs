// What is known of a node of a call tree, in a line.
import { el } from './dom.mjs';
import { subLink } from './profile.mjs';
import { countText, percentText, timeText } from './units.mjs';

// Pieces of text and elements. isSub: node 0 is a sub too, not everything.
export function details(profile, tree, node, isSub = false) {
    const { subs, total } = profile;
    const sub = tree.sub[node];
    const share = `${timeText(tree.total[node])} (${percentText(tree.total[node], total)})`;
    if (!node && !isSub) return [el('b', {}, 'everything'), ` ${share}`];
    const link = subLink(profile, sub);
    const counted = (n, what) => `${countText(n)} ${what}${n === 1 ? '' : 's'}`;
    const here = counted(tree.calls[node], 'call');
    const whole = ` · in all ${timeText(subs.inclusive[sub])}, ${timeText(subs.exclusive[sub])} own` +
        ` (${percentText(subs.exclusive[sub], total)}), ${counted(subs.calls[sub], 'call')}` +
        ` from ${counted(subs.places[sub], 'place')}`;
    return [
        link ? el('a', { href: link }, subs.name[sub]) : el('b', {}, subs.name[sub]),
        ` here ${share}, ${timeText(tree.self[node])} own, ${here}`, link ? whole : '',
    ];
}
