// SPDX-License-Identifier: MIT
// What if subs were faster, with what they call? The state's key i has their names, each with a factor: name:2. Factor
// 0 is for a sub that is not called.
import { el } from './dom.mjs';
import { decoded } from './state.mjs';
import { faster } from './transform.mjs';
import { percentText } from './units.mjs';

const FACTORS = [1.5, 2, 4, 10, 0];
const LOADING = 2; // the kind of code, a number of report/kinds.h

// What makes no sense, in an address typed by hand, is left out.
export function readWishes(text) {
    return text.split(',').map(wish => /^(.+):(\d+(?:\.\d+)?)$/.exec(wish)).filter(Boolean)
        .map(([, name, factor]) => ({ name: decoded(name), factor: Number(factor) }));
}

// The wishes with another factor for that name, or without any.
export function wishing(text, name, factor) {
    const wishes = readWishes(text).filter(wish => wish.name !== name);
    if (factor !== undefined) wishes.push({ name, factor });
    return wishes.map(wish => `${encodeURIComponent(wish.name)}:${wish.factor}`).join(',');
}

export function granted(tree, wishes, names) {
    return faster(tree, new Map(wishes.map(({ name, factor }) => [names.indexOf(name), factor])));
}

// The sub with the most of its own, and how much that is.
export function topOf(tree) {
    const own = new Map();
    for (let i = 1; i < tree.n; i++) own.set(tree.sub[i], (own.get(tree.sub[i]) || 0) + tree.self[i]);
    return [...own].reduce((best, each) => (each[1] > best[1] ? each : best), [undefined, 0]);
}

// For each wish a choice of factors and a button that takes it back; and what they come to, in the tree in which they
// are granted.
export function wishBar({ granted: after, measure, profile, state }) {
    const text = state.get('i');
    const change = (name, factor) => state.set({ i: wishing(text, name, factor), z: '' });
    const { subs } = profile;
    const parts = readWishes(text).flatMap(({ name, factor }) => {
        const without = subs.kind[subs.name.indexOf(name)] === LOADING ? 'loaded only when needed' : 'not called';
        const factors = FACTORS.includes(factor) ? FACTORS : [factor, ...FACTORS];
        const choices = factors.map(value => el('option', { value, selected: value === factor },
            value ? `${value}× faster` : without));
        return [`if ${name} were`, el('select', {
            'aria-label': `How fast ${name} were`, onchange: ({ target }) => change(name, Number(target.value)),
        }, ...choices), el('button', { type: 'button', title: 'Take it back', onclick: () => change(name) }, '✕')];
    });
    if (!parts.length) return parts;
    const saved = measure.tree.total[0] - after.total[0];
    const [top, own] = topOf(after);
    const most = top === undefined ? ''
        : `; then ${subs.name[top]} has the most self time, ${measure.text(own)}`;
    const sum = el('b', {}, `${measure.text(measure.total)} → ${measure.text(measure.total - saved)}`);
    return [...parts, el('span', {}, sum, ` (−${percentText(saved, measure.total)})${most}`)];
}
