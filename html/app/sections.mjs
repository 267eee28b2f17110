// SPDX-License-Identifier: MIT
// The sections with tables, of which one is seen at a time. Without this script, and on paper, they are below each
// other. The state's key b has the section, key g the rows of a table that has several kinds.
import { byId, capital } from './dom.mjs';
import { Tabs } from './tabs.mjs';

export class Sections {
    constructor(words, state) {
        const kinds = [
            ['lines', 'Lines'], ['growth', 'Growth'], ['subs', capital(words.subs)],
            ['subs', capital(words.packages), 'packages'], ['files', 'Files'], ['spans', 'Spans'], ['counts', 'Counts'],
            ['loading', 'Loading'], ['processes', 'Processes'],
        ];
        this.state = state;
        this.all = kinds.filter(([id]) => byId(id))
            .map(([id, title, g = '']) => ({ id, title, g, panel: byId(id).closest('section') }));
        this.tabs = new Tabs('Tables', this.all.map(one => ({
            id: one.g || one.id, title: one.title, panel: `panel-${one.id}`, choose: () => state.set(this.stateOf(one)),
        })));
        let { box } = this.tabs;
        this.all[0].panel.before(box);
        for (const { id, panel } of this.all) {
            panel.id = `panel-${id}`;
            panel.setAttribute('role', 'tabpanel');
            if (panel !== box) box.after(panel);
            box = panel;
        }
        this.update();
    }

    stateOf({ id, g }) {
        return { b: id === this.all[0].id ? '' : id, g };
    }

    // The state in which an element is seen.
    opened(element) {
        const found = this.all.find(({ panel }) => panel.contains(element));
        return found && found.panel.hidden ? this.stateOf(found) : {};
    }

    open(id) {
        this.state.set(this.opened(byId(id)));
    }

    update() {
        const [b, g] = [this.state.get('b') || this.all[0].id, this.state.get('g')];
        const at = Math.max(0, this.all.findIndex(one => one.id === b && one.g === g));
        const { panel: seen } = this.all[at];
        this.all.forEach(({ panel }) => panel.hidden = panel !== seen);
        this.tabs.select(at, seen);
    }

    redraw() {}

    print() {}
}
