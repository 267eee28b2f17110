// SPDX-License-Identifier: MIT
// The view Flame: the call tree as a picture, with search and zoom.
import { details } from './details.mjs';
import { el, follow } from './dom.mjs';
import { Icicle } from './icicle.mjs';
import { Legend } from './legend.mjs';
import { shareText } from './measures.mjs';
import { Overview } from './overview.mjs';
import { matcher, numbered } from './search.mjs';
import { subLink } from './subs.mjs';
import { matchedTime, nodeName, nodeNamed } from './tree.mjs';

export class Flame {
    constructor(host, context) {
        const { profile, state, say } = context;
        const { subs } = profile;
        this.context = context;
        this.search = el('input', {
            type: 'search', class: 'filter', placeholder: 'Find: text or /regex/',
            'aria-label': 'Find in the call tree', oninput: () => state.set({ q: this.search.value }, true),
        });
        this.found = el('output', { class: 'muted' });
        this.out = el('button', { type: 'button', onclick: () => state.set({ z: '' }) }, 'Show everything');
        this.turn = el('button', { type: 'button', onclick: () => state.set({ u: state.get('u') ? '' : '1' }) });
        this.legend = new Legend(context);
        const box = el('div', {});
        const told = this.legend.told(() => this.icicle.tree);
        const zoom = node => state.set({ z: node ? nodeName(this.icicle.tree, node, subs.name) : '' });
        this.overview = new Overview({ ...told, zoom });
        host.replaceChildren(el('div', { class: 'tools' }, this.search, this.found, this.turn, this.out),
            this.legend.box, this.overview.canvas, box);
        this.icicle = new Icicle(box, 'Call tree. Arrow keys walk it, space zooms, Enter opens the source.', {
            label: node => (node ? subs.name[this.icicle.tree.sub[node]] : 'everything'),
            ...told, zoom,
            look: node => say(details(context, this.icicle.tree, node), node && this.icicle.tree.sub[node]),
            open: node => this.open(node),
        });
        this.update();
    }

    redraw() {
        this.icicle.draw();
        this.overview.draw();
    }

    open(node) {
        const link = node && subLink(this.context.profile, this.context.tree.sub[node]);
        if (link) follow(link);
    }

    update() {
        const { profile, state, tree, say } = this.context;
        const zoomed = state.get('z') ? nodeNamed(tree, state.get('z'), profile.subs.name) : 0;
        const isFlipped = state.get('u') === '1';
        if (this.icicle.tree !== tree || this.icicle.isFlipped !== isFlipped) {
            this.icicle.isFlipped = isFlipped;
            this.icicle.show(tree, zoomed);
        } else if (this.icicle.zoomed !== zoomed) this.icicle.zoom(zoomed);
        this.overview.show(tree, zoomed);
        this.out.hidden = !zoomed;
        this.turn.textContent = isFlipped ? 'Callers on top' : 'Callers below';
        if (this.search.value !== state.get('q')) this.search.value = state.get('q');
        this.legend.show(tree, zoomed);
        this.find(state.get('q'));
        say(details(this.context, tree, zoomed), zoomed && tree.sub[zoomed]);
    }

    find(text) {
        const { tree, profile, measure } = this.context;
        const sought = `${text}\n${this.legend.chosen}`;
        if (this.sought === sought && this.within === tree) return;
        Object.assign(this, { sought, within: tree });
        const match = matcher(text); // null: not a valid expression
        const matches = match ? numbered(match, profile.subs.name) : undefined;
        this.search.setAttribute('aria-invalid', match === null);
        this.icicle.find(matches);
        const value = matches ? matchedTime(tree, matches) : 0;
        const share = shareText(value, measure.total, measure.samples);
        if (matches) this.found.value = `${measure.text(value)}, ${share} under what is found`;
        else this.found.value = match === null ? 'no regular expression' : '';
    }
}
