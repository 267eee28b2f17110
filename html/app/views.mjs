// SPDX-License-Identifier: MIT
// The first section: where the time goes. Four views of one call tree, and the transformations before.
import { CallTable } from './calltable.mjs';
import { byId, el } from './dom.mjs';
import { Flame } from './flame.mjs';
import { Measures } from './measures.mjs';
import { Sandwich } from './sandwich.mjs';
import { focusOn, foldRecursion, without, withoutInsides } from './transform.mjs';
import { countText } from './units.mjs';

const VIEWS = [
    ['', 'Flame', (host, context) => new Flame(host, context)],
    ['down', 'Top-down', (host, context) => new CallTable(host, context, false)],
    ['up', 'Bottom-up', (host, context) => new CallTable(host, context, true)],
    ['sandwich', 'Sandwich', (host, context) => new Sandwich(host, context)],
];

// Keys of the address for these views.
const KEYS_OF_VIEWS = ['t', 'm', 'z', 'q', 'u', 'w', 'o', 'of', 'on', 'h', 'r', 'c', 'x'];

// Names in one value of the address.
export function splitNames(text) {
    return text ? text.split(',').map(decodeURIComponent) : [];
}

export function joinNames(names) {
    return names.map(encodeURIComponent).join(',');
}

// The pruned part of a measure's tree.
function leftOut(seen, measure) {
    const { tree } = measure;
    const gone = seen - tree.n + 1;
    const value = tree.cut.reduce((sum, each) => sum + each, 0);
    const calls = tree.left.calls.reduce((sum, each) => sum + each, 0);
    if (!gone || !(value || calls)) return '';
    return `${countText(gone)} of ${countText(seen)} call paths ${gone === 1 ? 'is' : 'are'} left out of the tree,` +
        ` each with less than a millionth of the run: ${measure.text(value)} and ${countText(calls)}` +
        ` call${calls === 1 ? '' : 's'} in all. Bottom-up counts them.`;
}

export class Views {
    constructor(profile, words, state) {
        Object.assign(this, { profile, state });
        this.bar = el('p', { class: 'details', 'aria-live': 'polite' });
        this.context = { profile, words, state, say: (pieces, sub) => this.say(pieces, sub) };
        this.measures = new Measures(profile);
        this.tabs = VIEWS.map(([key, title]) => el('button', {
            type: 'button', role: 'tab', id: `tab-${key}`, 'aria-controls': 'panel',
            onclick: () => state.set({ t: key }),
        }, title));
        this.panel = el('div', { id: 'panel', role: 'tabpanel' });
        this.libraries = this.toggle('h', 'Hide insides of libraries');
        this.recursion = this.toggle('r', 'Merge recursion');
        this.crumbs = el('div', { class: 'tools', role: 'group', 'aria-label': 'What is left out' });
        const tabs = el('div', {
            class: 'tabs', role: 'tablist', 'aria-label': 'Views', onkeydown: event => this.key(event),
        });
        tabs.append(...this.tabs);
        this.chooser = this.chooseMeasure();
        this.rest = el('p', { class: 'muted' });
        byId('view').replaceChildren(el('div', { class: 'tools' }, tabs, this.chooser, this.libraries, this.recursion),
            this.crumbs, this.panel, this.bar, this.rest);
        this.update();
    }

    redraw() {
        if (this.view.redraw) this.view.redraw();
    }

    kept() {
        return this.view.table ? { at: this.view.table.at, open: this.view.calls.opened() } : null;
    }

    restore({ at, open }) {
        if (!this.view.table) return;
        this.view.calls.reopen(open);
        this.view.table.at = at;
        this.view.table.draw(true);
    }

    print(isOn) {
        if (this.view.table) this.view.table.print(isOn);
    }

    toggle(key, title) {
        const { state } = this;
        const box = el('input', { type: 'checkbox', onchange: () => state.set({ [key]: box.checked ? '1' : '' }) });
        const label = el('label', {}, box, ` ${title}`);
        label.sync = () => box.checked = state.get(key) === '1';
        return label;
    }

    // Zooming is undone, as nodes are in another order then.
    chooseMeasure() {
        const { measures, state } = this;
        const choices = measures.all.map(({ name, title }) => el('option', { value: name }, title));
        const choose = ({ target: { value } }) => state.set({ m: value === measures.first.name ? '' : value, z: '' });
        const chooser = el('select', { 'aria-label': 'What is shown', onchange: choose }, ...choices);
        chooser.hidden = choices.length < 2;
        return chooser;
    }

    useMeasure() {
        const measure = this.measures.get(this.state.get('m'));
        if (this.context.measure === measure) return;
        this.context.measure = measure;
        this.chooser.value = measure.name;
        byId('flame').textContent = measure.name === 'time' ? 'Where the time goes' : measure.title;
        this.rest.textContent = leftOut(this.profile.seen, measure);
    }

    // Left and right go from tab to tab.
    key(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const next = this.tabs[(this.tabs.indexOf(event.target) + step + VIEWS.length) % VIEWS.length];
        next.focus();
        next.click();
    }

    // A line about the frame or row below the pointer, with actions for its sub.
    say(pieces, sub) {
        const { state } = this;
        const name = sub && this.profile.subs.name[sub];
        const act = (title, changes) => el('button', { type: 'button', onclick: () => state.set(changes) }, title);
        this.bar.replaceChildren(...pieces.filter(piece => piece !== ''));
        if (!name) return;
        const hidden = joinNames([...splitNames(state.get('x')), name]);
        this.bar.append(el('span', { class: 'acts' }, act('Sandwich', { t: 'sandwich', w: name }),
            act('Focus', { c: name, z: '' }), act('Hide', { x: hidden, z: '' })));
    }

    // The tree after all transformations, made anew only when these change.
    transformed() {
        const { profile, state } = this;
        const { subs } = profile;
        const wanted = ['m', 'h', 'r', 'c', 'x'].map(key => state.get(key)).join('\n');
        if (wanted === this.wanted) return this.context.tree;
        this.wanted = wanted;
        let { tree } = this.context.measure;
        const hidden = new Set(splitNames(state.get('x')));
        const focus = subs.name.indexOf(state.get('c'));
        if (hidden.size) tree = without(tree, node => hidden.has(subs.name[tree.sub[node]]));
        if (focus >= 0) tree = focusOn(tree, focus);
        if (state.get('h')) tree = withoutInsides(tree, sub => subs.isLibrary[sub]);
        if (state.get('r')) tree = foldRecursion(tree);
        return tree;
    }

    showCrumbs() {
        const { state } = this;
        const hidden = splitNames(state.get('x'));
        const crumb = (text, changes) =>
            el('button', { type: 'button', onclick: () => state.set(changes) }, `${text} ✕`);
        const others = name => joinNames(hidden.filter(other => other !== name));
        const crumbs = hidden.map(name => crumb(`hidden: ${name}`, { x: others(name) }));
        if (state.get('c')) crumbs.unshift(crumb(`only: ${state.get('c')}`, { c: '' }));
        this.crumbs.replaceChildren(...crumbs);
        this.crumbs.hidden = !crumbs.length;
    }

    update() {
        const asked = KEYS_OF_VIEWS.map(key => this.state.get(key)).join('\n');
        if (asked === this.asked) return;
        this.asked = asked;
        const at = Math.max(0, VIEWS.findIndex(([key]) => key === this.state.get('t')));
        this.useMeasure();
        this.context.tree = this.transformed();
        this.libraries.sync();
        this.recursion.sync();
        this.showCrumbs();
        this.tabs.forEach((tab, k) => {
            tab.setAttribute('aria-selected', k === at);
            tab.tabIndex = k === at ? 0 : -1;
        });
        this.panel.setAttribute('aria-labelledby', this.tabs[at].id);
        if (this.shown === at) this.view.update();
        else {
            this.shown = at;
            this.bar.replaceChildren();
            this.bar.hidden = at === 1 || at === 2;
            this.view = VIEWS[at][2](this.panel, this.context);
        }
    }
}
