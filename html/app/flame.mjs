// The first section: where the time goes, as a picture of the call tree, with search, zoom and a line of details.
import { el, byId } from './dom.mjs';
import { Icicle } from './icicle.mjs';
import { matcher, numbered } from './search.mjs';
import { subLink } from './profile.mjs';
import { matchedTime, nodeName, nodeNamed } from './tree.mjs';
import { countText, percentText, timeText } from './units.mjs';

// What is known of a node: [text, text ..., link].
export function details(profile, tree, node) {
    const { subs, total } = profile;
    const sub = tree.sub[node];
    const share = `${timeText(tree.total[node])} (${percentText(tree.total[node], tree.total[0])})`;
    if (!node) return [el('b', {}, 'everything'), ` ${share}`];
    const own = `${timeText(tree.self[node])} own`;
    const calls = `${countText(tree.calls[node])} ${tree.calls[node] === 1 ? 'call' : 'calls'}`;
    const link = subLink(profile, sub);
    return [
        link ? el('a', { href: link }, subs.name[sub]) : el('b', {}, subs.name[sub]),
        ` here ${share}, ${own}, ${calls}`,
        link && ` · in all ${timeText(subs.inclusive[sub])}, ${timeText(subs.exclusive[sub])} own` +
            ` (${percentText(subs.exclusive[sub], total)}), ${countText(subs.calls[sub])} calls` +
            ` from ${countText(subs.places[sub])} places`,
    ];
}

export class Flame {
    constructor(profile, state) {
        const { subs, tree } = profile;
        Object.assign(this, { profile, state, tree });
        this.bar = el('p', { class: 'details', 'aria-live': 'polite' });
        this.search = el('input', {
            type: 'search', class: 'filter', placeholder: 'Find: text or /regex/',
            'aria-label': 'Find in the call tree',
            oninput: () => state.set({ q: this.search.value }, true),
        });
        this.found = el('output', { class: 'muted' });
        this.out = el('button', { type: 'button', onclick: () => state.set({ z: '' }) }, 'Show everything');
        const box = el('div', {});
        byId('view').replaceChildren(el('div', { class: 'tools' }, this.search, this.found, this.out), box, this.bar);
        this.icicle = new Icicle(box, 'Call tree. Arrow keys walk it, space zooms, Enter opens the source.', {
            label: node => (node ? subs.name[tree.sub[node]] : 'everything'),
            shade: node => subs.package[tree.sub[node]],
            look: node => this.bar.replaceChildren(...details(profile, tree, node).filter(Boolean)),
            zoom: node => state.set({ z: node ? nodeName(tree, node, subs.name) : '' }),
            open: node => this.open(node),
        });
        this.icicle.show(tree);
        this.update();
    }

    open(node) {
        const link = node && subLink(this.profile, this.tree.sub[node]);
        if (link) location.href = link;
    }

    update() {
        const { profile, state, tree } = this;
        const zoomed = state.get('z') ? nodeNamed(tree, state.get('z'), profile.subs.name) : 0;
        this.icicle.zoom(zoomed);
        this.out.hidden = !zoomed;
        if (this.search.value !== state.get('q')) this.search.value = state.get('q');
        this.find(matcher(state.get('q')));
        this.bar.replaceChildren(...details(profile, tree, zoomed).filter(Boolean));
    }

    // null is an expression that is none
    find(match) {
        const { tree, profile } = this;
        const matches = match && numbered(match, profile.subs.name);
        this.search.setAttribute('aria-invalid', match === null);
        this.icicle.find(matches || undefined);
        if (matches) {
            const time = matchedTime(tree, matches);
            this.found.value = `${timeText(time)}, ${percentText(time, tree.total[0])} under what is found`;
        } else this.found.value = match === null ? 'no regular expression' : '';
    }
}
