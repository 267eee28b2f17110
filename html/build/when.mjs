// SPDX-License-Identifier: MIT
// The section with the timeline: its tools, a legend of classes, and a line about one process.
import { byId, el, follow } from '../app/dom.mjs';
import { matcher, numbered } from '../app/search.mjs';
import { bytesText, countText, timeText } from '../app/units.mjs';
import { labelOf, statusOf } from './processes.mjs';
import { sumsOf, totalOf } from './sums.mjs';
import { Timeline } from './timeline.mjs';

const HUES = [211, 28, 130, 280, 0, 172, 52, 320, 245]; // of the classes with the most CPU time

// Whether a process is found by its command, target, directory or class.
export function finder(build, match) {
    const lists = [build.commands, build.targets, build.directories,
        ...build.schemata.map(({ classes, of }) => ({ names: classes, of }))];
    const found = lists.map(({ names, of }) => {
        const isFound = numbered(match, names);
        return k => isFound(of[k]);
    });
    return k => found.some(each => each(k));
}

// "12.5-20" in seconds.
function rangeOf(text, total) {
    const [from, to] = text.split('-').map(part => 1e9 * Number(part));
    return from >= 0 && to > from && to <= total * (1 + 1e-9) + 1 ? [from, to] : [0, total || 1];
}

export class When {
    constructor(build, state) {
        Object.assign(this, { build, state, schema: build.schemata[0] });
        this.bar = el('p', { class: 'details', 'aria-live': 'polite' });
        this.chooseHues();
        byId('timeline').hidden = false;
        this.filter = el('input', {
            type: 'search', class: 'filter', placeholder: 'Find: text or /regex/', 'aria-label': 'Find processes',
            oninput: () => state.set({ q: this.filter.value }, true),
        });
        this.said = el('output', { class: 'muted' });
        const button = (text, name, act) => el('button', { type: 'button', 'aria-label': name, onclick: act }, text);
        const tools = el('div', { class: 'tools' }, this.filter,
            button('+', 'Zoom in', () => this.timeline.zoom(2)),
            button('\u2212', 'Zoom out', () => this.timeline.zoom(0.5)),
            button('All', 'All of the build', () => this.timeline.go(0, build.total)), this.said);
        this.legend = el('div', { class: 'tools legend', role: 'group', 'aria-label': 'Classes' }, ...this.keys());
        const picture = el('div', {});
        byId('view').replaceChildren(tools, this.legend, picture, this.bar);
        this.timeline = new Timeline(picture, build, {
            hue: k => this.hues.get(this.schema.of[k]), label: k => labelOf(build, k), isFaded: k => this.isFaded(k),
            look: k => this.look(k), open: k => this.open(k),
            moved: (from, to, isSmall) => state.set({ z: this.range(from, to) }, isSmall),
        });
        this.look(0);
        this.update();
    }

    range(from, to) {
        const text = ns => String(Number((ns / 1e9).toFixed(9)));
        return from <= 0 && to >= this.build.total ? '' : `${text(from)}-${text(to)}`;
    }

    // The classes with the most CPU time have colours of their own.
    chooseHues() {
        const { classes, of } = this.schema;
        this.sums = sumsOf(this.build, of, classes.length, 0);
        this.ranked = this.sums.groups.sort((a, b) => this.sums.own[b] - this.sums.own[a] || a - b);
        this.hues = new Map(this.ranked.slice(0, HUES.length).map((k, rank) => [k, HUES[rank]]));
    }

    // A key of the legend: a button that shows only its class.
    keys() {
        const { state } = this;
        const others = this.ranked.slice(HUES.length);
        const choose = name => state.set({ c: state.get('c') === name ? '' : name });
        const key = (name, hue, own, value) => el('button', {
            type: 'button', 'aria-pressed': 'false', 'data-class': value, onclick: () => choose(value),
        }, el('span', { class: 'swatch', style: hue !== undefined && `background: hsl(${hue} var(--flame))` }),
        `${name} `, el('span', { class: 'muted' }, timeText(own)));
        const shown = this.ranked.slice(0, HUES.length).map(k => (
            key(this.schema.classes[k], this.hues.get(k), this.sums.own[k], this.schema.classes[k])));
        if (others.length) {
            const text = others.length === 1 ? this.schema.classes[others[0]] : `${countText(others.length)} others`;
            shown.push(key(text, undefined, totalOf(others, this.sums.own), '\u2026'));
        }
        return shown;
    }

    isFaded(k) {
        const { chosen, found, schema } = this;
        if (found && !found[k]) return true;
        if (!chosen) return false;
        return chosen === '\u2026' ? this.hues.has(schema.of[k]) : schema.classes[schema.of[k]] !== chosen;
    }

    update() {
        const { build, state } = this;
        const text = state.get('q');
        const match = matcher(text);
        this.chosen = state.get('c');
        if (this.filter.value !== text) this.filter.value = text;
        this.filter.setAttribute('aria-invalid', match === null);
        if (text !== this.text) this.find(match);
        this.text = text;
        for (const key of this.legend.children)
            key.setAttribute('aria-pressed', key.dataset.class === this.chosen ? 'true' : 'false');
        this.timeline.show(...rangeOf(state.get('z'), build.total));
    }

    find(match) {
        const { build } = this;
        const isFound = match && finder(build, match);
        this.found = isFound && Uint8Array.from({ length: build.n }, (_, k) => Number(isFound(k)));
        const rows = isFound ? Array.from(this.found.keys()).filter(k => this.found[k]) : [];
        const found = `${countText(rows.length)} of ${countText(build.n)}, ${timeText(totalOf(rows, build.took))}`;
        this.said.value = match === null ? 'no regular expression' : isFound ? found : '';
    }

    redraw() {
        this.timeline.draw();
    }

    print() {}

    open(k) {
        const link = (this.build.profiles.get(k) || []).find(profile => profile.link);
        if (link) follow(link.link);
    }

    look(k) {
        const { build } = this;
        const text = (list, what) => (list.names[list.of[k]] ? ` ${what} ${list.names[list.of[k]]}` : '');
        const status = statusOf(build, k);
        const name = this.schema.classes[this.schema.of[k]];
        const profiles = (build.profiles.get(k) || []).flatMap(({ capture, script, link }) => [' · profile of ',
            link ? el('a', { href: link }, script) : `${script}: nytprof html ${capture}`]);
        const serial = build.serial[k] ? ` (the ${build.serial[k] + 1}. of this number)` : '';
        const said = [
            el('b', {}, name || 'in no class'), ` ${build.commands.names[build.commands.of[k]]}`,
            text(build.targets, '· makes'), text(build.directories, '· in'),
            ` · began at ${timeText(build.began[k])}, took ${timeText(build.took[k])}`,
            `, user ${timeText(build.user[k])}, system ${timeText(build.system[k])}`,
            build.memory[k] ? `, memory ${bytesText(build.memory[k])}` : '',
            status && ` · ${/^\d/.test(status) ? `status ${status}` : status}`,
            ` · process ${build.pid[k]}${serial}${text(build.hosts, 'on')}`, ...profiles,
        ];
        this.bar.replaceChildren(...said.filter(piece => piece !== ''));
    }
}
