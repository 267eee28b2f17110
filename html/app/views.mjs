// SPDX-License-Identifier: MIT
// The first section: where the time goes. Four views of one call tree, and the transformations before.
import { CallTable } from './calltable.mjs';
import { byId, el } from './dom.mjs';
import { Flame } from './flame.mjs';
import { Measures } from './measures.mjs';
import { Sandwich } from './sandwich.mjs';
import { decoded } from './state.mjs';
import { Tabs } from './tabs.mjs';
import { focusOn, foldRecursion, without, withoutInsides } from './transform.mjs';
import { countText } from './units.mjs';
import { granted, readWishes, wishBar, wishing } from './whatif.mjs';

const VIEWS = [
    ['', 'Flame', (host, context) => new Flame(host, context)],
    ['down', 'Top-down', (host, context) => new CallTable(host, context, false)],
    ['up', 'Bottom-up', (host, context) => new CallTable(host, context, true)],
    ['sandwich', 'Sandwich', (host, context) => new Sandwich(host, context)],
];

// Keys of the address for these views.
const KEYS_OF_VIEWS = ['when', 't', 'k', 'm', 'z', 'q', 'u', 'w', 'o', 'of', 'on', 'h', 'r', 'c', 'x', 'i'];

// Names in one value of the address.
export function splitNames(text) {
    return text ? text.split(',').map(decoded) : [];
}

export function joinNames(names) {
    return names.map(encodeURIComponent).join(',');
}

// The pruned part of a measure's tree.
function leftOut({ seen, part }, measure) {
    const { tree } = measure;
    const gone = seen - tree.n + 1;
    const value = tree.cut.reduce((sum, each) => sum + each, 0);
    if (part) return value ? `${measure.text(value)} in calls too short to be told apart, each with less than a` +
        ' 1,000th of its slice, are without names here.' : '';
    const calls = tree.left.calls.reduce((sum, each) => sum + each, 0);
    if (!gone || !(value || calls)) return '';
    return `${countText(gone)} of ${countText(seen)} call paths ${gone === 1 ? 'is' : 'are'} left out of the tree,` +
        ` each with less than a millionth of the run: ${measure.text(value)} and ${countText(calls)}` +
        ` call${calls === 1 ? '' : 's'} in all. Bottom-up counts them.`;
}

export class Views {
    constructor(stretches, words, state) {
        const profile = stretches.selected();
        Object.assign(this, { stretches, profile, state });
        this.bar = el('p', { class: 'details', 'aria-live': 'polite' });
        const kinds = [...byId('view').querySelectorAll('.legend > *')].map(key => key.textContent);
        this.context = { profile, words, state, kinds, say: (pieces, sub) => this.say(pieces, sub) };
        this.measures = new Measures(profile);
        this.tabs = new Tabs('Views', VIEWS.map(([key, title]) => ({
            id: key, title, panel: 'panel', choose: () => state.set({ t: key }),
        })));
        this.panel = el('div', { id: 'panel', role: 'tabpanel' });
        this.libraries = this.toggle('h', 'Hide insides of libraries');
        this.recursion = this.toggle('r', 'Merge recursion');
        this.crumbs = el('div', {
            class: 'tools crumbs', role: 'group', 'aria-label': 'What is left out, or faster',
        });
        this.chooser = this.chooseMeasure();
        this.rest = el('p', { class: 'muted' });
        const tools = el('div', { class: 'tools' }, this.tabs.box, this.chooser, this.libraries, this.recursion);
        byId('view').replaceChildren(tools, this.crumbs, this.panel, this.bar, this.rest);
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

    // Views of another stretch are made anew.
    useProfile() {
        const profile = this.stretches.selected();
        if (profile === this.profile) return;
        this.profile = this.context.profile = profile;
        this.measures = new Measures(profile);
        this.wanted = this.shown = undefined;
        this.chooser.hidden = this.measures.all.length < 2;
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
        const { part } = this.profile;
        byId('flame').textContent = measure.name === 'time' ? `Where the time goes${part ? `, ${part}` : ''}`
            : measure.title;
        this.rest.textContent = leftOut(this.profile, measure);
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
            act('Focus', { c: name, z: '' }), act('Hide', { x: hidden, z: '' }),
            act('What if', { i: wishing(state.get('i'), name, 2), z: '' })));
    }

    // The tree after all transformations, made anew only when these change.
    transformed() {
        const { profile, state } = this;
        const { subs } = profile;
        const wanted = ['m', 'h', 'r', 'c', 'x', 'i'].map(key => state.get(key)).join('\n');
        if (wanted === this.wanted) return this.context.tree;
        this.wanted = wanted;
        let { tree } = this.context.measure;
        const hidden = new Set(splitNames(state.get('x')));
        const focus = subs.name.indexOf(state.get('c'));
        const wishes = readWishes(state.get('i'));
        if (wishes.length) this.context.granted = tree = granted(tree, wishes, subs.name);
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
        if (this.profile.part) crumbs.unshift(crumb(this.profile.part, { when: '' }));
        crumbs.push(...wishBar(this.context));
        this.crumbs.replaceChildren(...crumbs);
        this.crumbs.hidden = !crumbs.length;
    }

    update() {
        const asked = KEYS_OF_VIEWS.map(key => this.state.get(key)).join('\n');
        if (asked === this.asked) return;
        this.asked = asked;
        this.useProfile();
        const at = Math.max(0, VIEWS.findIndex(([key]) => key === this.state.get('t')));
        this.useMeasure();
        this.context.tree = this.transformed();
        this.libraries.sync();
        this.recursion.sync();
        this.showCrumbs();
        this.tabs.select(at, this.panel);
        if (this.shown === at) this.view.update();
        else {
            this.shown = at;
            this.bar.replaceChildren();
            this.bar.hidden = at === 1 || at === 2;
            this.view = VIEWS[at][2](this.panel, this.context);
        }
    }
}
