// SPDX-License-Identifier: MIT
// One sub between its callers, above, and its callees, below.
import { capital, el, follow } from './dom.mjs';
import { details } from './details.mjs';
import { Icicle } from './icicle.mjs';
import { subLink } from './profile.mjs';
import { calleesOf, callersOf } from './transform.mjs';
import { countText } from './units.mjs';

const OFFERED = 40; // names proposed while one is typed

export class Sandwich {
    constructor(host, context) {
        const { words, profile: { subs } } = context;
        Object.assign(this, { context, subs });
        this.input = el('input', {
            type: 'search', class: 'filter', list: 'names',
            placeholder: `Name of a ${words.sub}`, 'aria-label': capital(words.sub),
            oninput: () => this.offer(), onchange: () => context.state.set({ w: this.input.value }),
        });
        this.names = el('datalist', { id: 'names' });
        const [above, below] = [el('div', {}), el('div', {})];
        this.title = el('p', { class: 'middle' });
        this.pictures = [el('div', {}, el('h3', {}, 'Called by'), above), el('div', {}, el('h3', {}, 'Calls'), below)];
        host.replaceChildren(el('div', { class: 'tools' }, this.input, this.names), this.pictures[0], this.title,
            this.pictures[1]);
        this.callers = this.icicle(above, `Callers of the ${words.sub}`);
        this.callers.isFlipped = true;
        this.callees = this.icicle(below, `What the ${words.sub} calls`);
        this.update();
    }

    icicle(host, name) {
        const { profile, state, say } = this.context;
        const { subs } = this;
        const made = new Icicle(host, name, {
            label: node => subs.name[made.tree.sub[node]],
            shade: node => subs.package[made.tree.sub[node]],
            look: node => say(details(this.context, made.tree, node, true)),
            zoom: node => state.set({ w: subs.name[made.tree.sub[node]] }),
            open: node => {
                const link = subLink(profile, made.tree.sub[node]);
                if (link) follow(link);
            },
        });
        return made;
    }

    redraw() {
        this.callers.draw();
        this.callees.draw();
    }

    offer() {
        const wanted = this.input.value.toLowerCase();
        const found = this.subs.name.filter(name => name.toLowerCase().includes(wanted)).slice(0, OFFERED);
        this.names.replaceChildren(...found.map(value => el('option', { value })));
    }

    nothing(wanted) {
        const part = wanted.toLowerCase();
        const n = this.subs.name.filter(name => name.toLowerCase().includes(part)).length;
        return `No ${this.context.words.sub} is called “${wanted}”, which is part of ${countText(n)} names.`;
    }

    // The sub in the address, else the one with the most of its own.
    update() {
        const { state, tree, measure, say } = this.context;
        const wanted = state.get('w') || this.subs.name[measure.top()];
        const sub = this.subs.name.indexOf(wanted);
        if (this.input.value !== wanted) this.input.value = wanted;
        if (this.wanted === wanted && this.tree === tree) return;
        Object.assign(this, { wanted, tree });
        this.pictures.forEach(each => each.hidden = sub < 0);
        say([]);
        if (sub < 0) {
            this.title.replaceChildren(this.nothing(wanted));
            return;
        }
        const callees = calleesOf(tree, sub);
        this.callers.show(callersOf(tree, sub));
        this.callees.show(callees);
        this.title.replaceChildren(...details(this.context, callees, 0, true));
    }
}
