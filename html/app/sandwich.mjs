// SPDX-License-Identifier: MIT
// One sub between its callers, above, and its callees, below.
import { capital, el, follow } from './dom.mjs';
import { details } from './details.mjs';
import { Icicle } from './icicle.mjs';
import { Legend } from './legend.mjs';
import { namePieces } from './names.mjs';
import { subLink } from './subs.mjs';
import { calleesOf, callersOf } from './transform.mjs';
import { countText, percentText } from './units.mjs';

const OFFERED = 40; // names proposed while one is typed
const NEAR = 6; // callers and callees in numbers

// The direct callers or callees of node 0, the most time first, and the sums of those that are too many.
export function nearestOf(tree, most = NEAR) {
    const rows = tree.children(0).map(node => ({ node, time: tree.total[node], calls: tree.calls[node] }));
    const others = rows.slice(most);
    const sum = key => others.reduce((all, row) => all + row[key], 0);
    return { rows: rows.slice(0, most), others: others.length, time: sum('time'), calls: sum('calls') };
}

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
        this.numbers = [el('tbody', {}), el('tbody', {})];
        this.pictures = [['Called by', above], ['Calls', below]].map(([title, picture], k) => el('div', {},
            el('h3', {}, title), el('div', { class: 'beside' }, picture, el('table', { class: 'passed' },
                el('thead', {}, el('tr', {}, ...['Time', '%', 'Calls', capital(words.sub)].map((text, at) =>
                    el('th', { scope: 'col', class: at === 3 ? 'name' : undefined }, text)))), this.numbers[k]))));
        this.legend = new Legend(context);
        host.replaceChildren(el('div', { class: 'tools' }, this.input, this.names), this.pictures[0], this.title,
            this.legend.box, this.pictures[1]);
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
            ...this.legend.told(() => made.tree, true),
            look: node => say(details(this.context, made.tree, node, true)),
            zoom: node => state.set({ w: subs.name[made.tree.sub[node]] }),
            open: node => {
                const link = subLink(profile, made.tree.sub[node]);
                if (link) follow(link);
            },
        });
        return made;
    }

    // A row of numbers for each direct caller or callee, whose name leads to its own sandwich.
    count(body, tree) {
        const { measure, profile: { isUncounted }, state } = this.context;
        const { rows, others, time, calls } = nearestOf(tree);
        const row = (value, n, name) => el('tr', {}, el('td', {}, measure.text(value)),
            el('td', {}, percentText(value, tree.total[0])), el('td', {}, n || !isUncounted ? countText(n) : ''),
            el('td', { class: 'name' }, name));
        body.replaceChildren(...rows.map(each => {
            const name = this.subs.name[tree.sub[each.node]];
            const go = () => state.set({ w: name });
            const button = el('button', { type: 'button', class: 'link', onclick: go }, ...namePieces(name));
            return row(each.time, each.calls, button);
        }), ...(others ? [row(time, calls, `${countText(others)} others`)] : []));
        body.parentNode.hidden = !rows.length;
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
        if (this.wanted === wanted && this.tree === tree && this.legend.isShown()) return;
        Object.assign(this, { wanted, tree });
        [...this.pictures, this.legend.box].forEach(each => each.hidden = sub < 0);
        say([]);
        if (sub < 0) {
            this.title.replaceChildren(this.nothing(wanted));
            return;
        }
        const [callers, callees] = [callersOf(tree, sub), calleesOf(tree, sub)];
        this.callers.show(callers);
        this.callees.show(callees);
        this.count(this.numbers[0], callers);
        this.count(this.numbers[1], callees);
        this.legend.show(callees, 0);
        this.title.replaceChildren(...details(this.context, callees, 0, true));
    }
}
