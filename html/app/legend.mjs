// SPDX-License-Identifier: MIT
// The legend of a picture of calls: a key for each kind of code, with its share of the time. A chosen key fades the
// frames of the others.
import { el } from './dom.mjs';
import { percentText } from './units.mjs';

const LEAST_KIND = 5e-5; // share of a kind with a key

// Own values of the nodes below `from`, itself included, summed up by kind.
export function sumsByKind(tree, from, kindOf, kinds) {
    const sums = new Float64Array(kinds);
    for (let i = from; i < tree.end[from]; i++) sums[kindOf[tree.sub[i]]] += tree.self[i] + tree.cut[i];
    return sums;
}

export class Legend {
    constructor(context) {
        const { kinds, state } = context;
        this.context = context;
        this.keys = kinds.map((title, k) => el('button', {
            type: 'button', onclick: () => state.set({ k: state.get('k') === title ? '' : title }),
        }, el('span', { class: `swatch k${k}` }), `${title} `, el('span', { class: 'muted' })));
        this.box = el('div', {
            class: 'tools legend', role: 'toolbar', 'aria-label': 'Kinds of code', onkeydown: event => this.key(event),
        }, ...this.keys);
    }

    // Tab comes to one key of the legend, left and right go to the others.
    key(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const shown = this.keys.filter(key => !key.hidden);
        const next = shown[(shown.indexOf(event.target) + step + shown.length) % shown.length];
        this.reachBy(next);
        next.focus();
    }

    reachBy(one) {
        this.keys.forEach(key => key.tabIndex = key === one ? 0 : -1);
    }

    // What a picture of a tree asks for. isSub: node 0 is a sub too, not the whole run.
    told(treeOf, isSub = false) {
        const { subs } = this.context.profile;
        const kind = node => (node || isSub ? subs.kind[treeOf().sub[node]] : 0);
        return {
            fills: () => this.keys.map(key => getComputedStyle(key.firstChild).getPropertyValue('--fill')),
            fill: kind,
            shade: node => (node || isSub ? subs.package[treeOf().sub[node]] : ''),
            isFaded: node => this.number >= 0 && kind(node) !== this.number,
        };
    }

    isShown() {
        return this.chosen === this.context.state.get('k');
    }

    show(tree, from) {
        const { kinds, profile: { subs }, state } = this.context;
        this.chosen = state.get('k');
        this.number = kinds.indexOf(this.chosen);
        const sums = sumsByKind(tree, from, subs.kind, kinds.length);
        this.keys.forEach((key, k) => {
            key.hidden = !(sums[k] > LEAST_KIND * tree.total[from]) && k !== this.number;
            key.setAttribute('aria-pressed', k === this.number);
            key.lastChild.textContent = percentText(sums[k], tree.total[from]);
        });
        this.reachBy(this.keys[this.number] || this.keys.find(key => !key.hidden));
    }
}
