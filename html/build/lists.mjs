// SPDX-License-Identifier: MIT
// The tables of a build: its processes, and sums by class, directory and target.
import { byId, el } from '../app/dom.mjs';
import { Table } from '../app/table.mjs';
import { countText, timeText } from '../app/units.mjs';
import { statusOf } from './processes.mjs';
import { sumsOf, totalOf } from './sums.mjs';
import { finder } from './when.mjs';

function processColumns(build) {
    const text = (id, title, { names, of }, more) => (
        { id, title, kind: 'text', value: k => names[of[k]], ...more });
    const { classes, of } = build.schemata[0];
    return [
        { id: 'began', title: 'Began', kind: 'time', value: k => build.began[k] },
        {
            id: 'took', title: 'Took', kind: 'time', of: totalOf(build.took.keys(), build.took), isHot: true,
            value: k => build.took[k],
        },
        {
            id: 'cpu', title: 'CPU', kind: 'time', hint: 'With the children that it has waited for',
            value: k => build.user[k] + build.system[k],
        },
        {
            id: 'own', title: 'Own CPU', kind: 'time', hint: 'Without processes of the build below it', isMinor: true,
            value: k => build.ownUser[k] + build.ownSystem[k],
        },
        {
            id: 'memory', title: 'Memory', kind: 'bytes', isMinor: true, value: k => build.memory[k],
            hint: 'Largest resident size', isBlank: k => !build.memory[k],
        },
        { id: 'status', title: 'Status', kind: 'text', isLeast: true, value: k => statusOf(build, k) },
        text('class', 'Class', { names: classes, of }, { isLeast: true }),
        text('target', 'Target', build.targets, { isMinor: true }),
        text('directory', 'Directory', build.directories, { isMinor: true }),
        {
            id: 'command', title: 'Command', kind: '', value: k => build.commands.names[build.commands.of[k]],
            cell: k => build.commands.names[build.commands.of[k]],
        },
    ];
}

function sumColumns(sums, names, title, total) {
    const column = (id, title, kind, more) => ({ id, title, kind, value: g => sums[id][g], ...more });
    return [
        column('count', 'Processes', 'count'),
        column('failed', 'Failed', 'count', { isLeast: true }),
        column('own', 'CPU', 'time', { hint: 'Without children: each second counts once', of: total, isHot: true }),
        column('share', '%', 'share', { value: g => sums.own[g], of: total, isMinor: true }),
        column('user', 'User', 'time', { isLeast: true }),
        column('system', 'System', 'time', { isLeast: true }),
        column('real', 'Real', 'time', { hint: 'Sum over the processes' }),
        column('mean', 'Mean', 'time', { value: g => sums.real[g] / sums.count[g], isMinor: true }),
        column('longest', 'Longest', 'time', { isMinor: true }),
        column('memory', 'Memory', 'bytes', { hint: 'Largest resident size', isMinor: true }),
        column('blocks', 'Blocks', 'count', { hint: 'Read and written', isLeast: true }),
        column('switches', 'Switches', 'count', { hint: 'Of contexts', isLeast: true }),
        { id: 'name', title, kind: '', value: g => names[g], cell: g => names[g] },
    ];
}

// Which processes the first table has: a key of the address, its name, and the choice.
const CHOICES = [
    ['', 'Those that have started no other', build => {
        const isParent = new Uint8Array(build.n);
        build.parent.forEach(parent => parent >= 0 && isParent.fill(1, parent, parent + 1));
        return k => !isParent[k];
    }],
    ['all', 'All', () => () => true],
    ['failed', 'Failed', build => k => build.status[k] !== 0],
    ['chain', 'Chain to the end', build => {
        const chain = new Set(build.chain);
        return k => chain.has(k);
    }],
    ['profiled', 'Profiled', build => k => build.profiles.has(k)],
];

export class Lists {
    constructor(build, state) {
        Object.assign(this, { build, state });
        const total = totalOf(build.ownUser.keys(), build.ownUser) + totalOf(build.ownSystem.keys(), build.ownSystem);
        const lists = [
            this.processes(),
            ...build.schemata.map(({ name, classes, of }, k) => (
                this.sums({ id: `class-${k}`, key: `c${k}`, title: 'Class', label: name, of, names: classes, total }))),
            this.sums({
                id: 'directories', key: 'd', title: 'Directory', label: 'directories', ...build.directories, total,
            }),
            this.sums({ id: 'targets', key: 't', title: 'Target', label: 'targets', ...build.targets, total }),
        ];
        this.tables = lists.filter(Boolean);
    }

    chooser() {
        const { state } = this;
        const box = el('select', { 'aria-label': 'Rows', onchange: () => state.set({ w: box.value }) },
            ...CHOICES.map(([value, text]) => el('option', { value }, text)));
        box.value = state.get('w');
        return box;
    }

    // Whether a process is among the chosen ones.
    chosen() {
        const [, , make] = CHOICES.find(([value]) => value === this.state.get('w')) || CHOICES[0];
        return make(this.build);
    }

    processes() {
        const { build, state } = this;
        this.which = state.get('w');
        const table = new Table(byId('processes').closest('section'), state, {
            label: 'processes', key: 'p', sort: '-took', columns: processColumns(build),
            rows: (match, compare) => {
                const isFound = match && finder(build, match);
                const rows = [];
                const isChosen = this.chosen();
                for (let k = 0; k < build.n; k++) if (isChosen(k) && (!isFound || isFound(k))) rows.push(k);
                return rows.sort(compare);
            },
            describe: rows => `${countText(rows.length)} of ${countText(build.n)},` +
                ` ${timeText(totalOf(rows, build.took))}`,
            link: k => ((build.profiles.get(k) || []).find(profile => profile.link) || {}).link,
        });
        this.box = this.chooser();
        table.tools.append(this.box);
        return table;
    }

    // Classes that count, and texts that are not empty.
    sums({ id, key, title, label, of, names, total }) {
        const { build, state } = this;
        const none = names.indexOf('');
        const sums = sumsOf(build, of, names.length, none);
        if (!byId(id)) return undefined;
        return new Table(byId(id).closest('section'), state, {
            label, key, sort: '-own', columns: sumColumns(sums, names, title, total),
            rows: (match, compare) => sums.groups.filter(g => !match || match(names[g])).sort(compare),
            describe: rows => `${countText(rows.length)} of ${countText(sums.groups.length)},` +
                ` ${timeText(totalOf(rows, sums.own))}`,
            link: () => undefined,
        });
    }

    update() {
        const which = this.state.get('w');
        this.box.value = which;
        this.tables.forEach((table, k) => table.update(k === 0 && which !== this.which));
        this.which = which;
    }

    redraw() {}

    print(isOn) {
        this.tables.forEach(table => table.print(isOn));
    }
}
