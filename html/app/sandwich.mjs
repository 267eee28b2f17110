// One sub between those that call it, above, and those that it calls, below.
import { capital, el, follow } from './dom.mjs';
import { details } from './details.mjs';
import { Icicle } from './icicle.mjs';
import { subLink } from './profile.mjs';
import { calleesOf, callersOf } from './transform.mjs';

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
        host.replaceChildren(el('div', { class: 'tools' }, this.input, this.names),
            el('h3', {}, 'Called by'), above, this.title, el('h3', {}, 'Calls'), below);
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
            look: node => say(details(profile, made.tree, node, true)),
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

    // The sub that is asked for, else the one that took most.
    update() {
        const { state, tree, profile, say } = this.context;
        const sub = Math.max(0, this.subs.name.indexOf(state.get('w')));
        if (this.input.value !== this.subs.name[sub]) this.input.value = this.subs.name[sub];
        if (this.sub === sub && this.tree === tree) return;
        Object.assign(this, { sub, tree });
        const callees = calleesOf(tree, sub);
        this.callers.show(callersOf(tree, sub));
        this.callees.show(callees);
        this.title.replaceChildren(...details(profile, callees, 0, true));
        say([]);
    }
}
