// SPDX-License-Identifier: MIT
// The tables of the index: subs and their packages, files and their directories.
import { byId, capital, el } from './dom.mjs';
import { FileTree } from './filetree.mjs';
import { focusedOn } from './focus.mjs';
import { namePieces } from './names.mjs';
import { filterOfPackage, packagesOf } from './packages.mjs';
import { spreadColumn } from './spread.mjs';
import { PHASE, UNTOLD, subLink } from './subs.mjs';
import { Table } from './table.mjs';
import { countText, timeText } from './units.mjs';

export function choose(label, key, state, choices) {
    return el('select', { 'aria-label': label, onchange: event => state.set({ [key]: event.target.value }) },
        ...choices.map(([value, text]) => el('option', { value, selected: value === state.get(key) }, text)));
}

function hints({ subs, isUncounted }, words, k) {
    const said = [];
    if (subs.flags[k] & 2) said.push('opcode');
    else if (subs.flags[k] & 1) said.push(words.inC);
    if (subs.flags[k] & 4) said.push('undefined');
    if (!isUncounted && !subs.calls[k] && subs.places[k] && !(subs.flags[k] & PHASE)) said.push('called earlier');
    const time = timeText(subs.flags[k] & UNTOLD.nested ? -1 : subs.nested[k]);
    const nested = subs.nested[k] ? `depth ${subs.depth[k]}, nested ${time}`
        : `${countText(subs.nestedCalls[k])} nested call${subs.nestedCalls[k] === 1 ? '' : 's'}`;
    if (subs.depth[k]) said.push(`recurses: ${nested}`);
    return said.map(text => el('span', { class: 'hint' }, text));
}

function linked(href, pieces) {
    return href ? [el('a', { href }, ...pieces)] : pieces;
}

function total(rows, value) {
    let sum = 0;
    for (const row of rows) sum += value(row);
    return sum;
}

// Of a sampled profile: counts of 0 are not known, and if all are 0 their columns have nothing to show.
export function known(columns, { isUncounted, hasCounts, part, focus }) {
    const counts = ['calls', 'each', 'count', ...(part || focus ? ['places', 'files'] : [])];
    const isCount = ({ id }) => counts.includes(id);
    if (!isUncounted) return columns;
    if (!hasCounts) return columns.filter(column => !isCount(column));
    return columns.map(column => (isCount(column) ? { isBlank: k => !column.value(k), ...column } : column));
}

// What a table is of while a stretch or a sub is selected.
export function partText({ part, focus }, isTold) {
    const what = [part && `from ${part}`, focus && `in calls of ${focus}`].filter(Boolean).join(', ');
    return isTold || !what ? what : `of the whole run, as times ${what} are not known`;
}

// Rows that match by name, in order.
function pick(n, names, match, compare) {
    const rows = [];
    for (let k = 0; k < n; k++) if (!match || match(names[k])) rows.push(k);
    return rows.sort(compare);
}

function subColumns(profile, words) {
    const { subs, total: of } = profile;
    const column = (id, title, kind, more) => ({ id, title, kind, of, value: k => subs[id][k], ...more });
    const untold = of => ({ isUntold: k => subs.flags[k] & UNTOLD[of] });
    return [
        column('calls', 'Calls', 'count'),
        column('places', 'Places', 'count', { hint: 'Lines it was called from', isLeast: true }),
        column('files', 'Files', 'count', { hint: 'Files it was called from', isLeast: true }),
        column('exclusive', 'Self', 'time', {
            hint: `Without the ${words.subs} it called`, isHot: true, ...untold('exclusive'),
        }),
        column('share', '%', 'share', {
            hint: 'Self time of all', samples: profile.samples, value: k => subs.exclusive[k], isMinor: true,
            ...untold('exclusive'),
        }),
        column('inclusive', 'Total', 'time', {
            hint: `With the ${words.subs} it called`, isHot: true, ...untold('inclusive'),
        }),
        column('each', 'Per call', 'time', {
            hint: 'Total time of a call', isMinor: true, ...untold('inclusive'),
            value: k => subs.calls[k] && subs.inclusive[k] / subs.calls[k], isBlank: k => !subs.calls[k],
        }),
        ...['p50', 'p99', 'max'].filter(id => subs[id]).map(id => column(id, id, 'time', {
            hint: 'The longest call: of all, or of the shortest 50 or 99 in 100', isBlank: k => !subs.max[k],
            isMinor: id === 'p50',
        })),
        ...(subs.spread ? [spreadColumn(subs)] : []),
        ...profile.metrics.flatMap(metric => [
            column(`own-${metric.name}`, capital(metric.name), metric.kind, {
                hint: `${metric.title} by the ${words.sub} itself`, value: k => metric.own[k],
            }),
            column(`whole-${metric.name}`, `${capital(metric.name)}, all`, metric.kind, {
                hint: `${metric.title}, with the ${words.subs} it called`, short: 'All', isMinor: true,
                value: k => metric.whole[k],
            }),
        ]),
        column('name', capital(words.sub), '', {
            value: k => subs.name[k],
            cell: k => [...linked(subLink(profile, k), namePieces(subs.name[k])), ...hints(profile, words, k)],
        }),
    ];
}

function packageColumns(packages, words, { total: of, metrics, samples }, state) {
    const column = (id, title, kind, more) => ({ id, title, kind, of, value: k => packages[id][k], ...more });
    const open = name => state.set({ g: '', sf: filterOfPackage(name) });
    return [
        column('subs', capital(words.subs), 'count'),
        column('calls', 'Calls', 'count'),
        column('exclusive', 'Self', 'time', { isHot: true }),
        column('share', '%', 'share', { samples, value: k => packages.exclusive[k], isMinor: true }),
        ...metrics.map(({ name, kind, title }) => column(`own-${name}`, capital(name), kind, { hint: title })),
        column('name', capital(words.packages), '', {
            cell: k => el('button', {
                type: 'button', class: 'link', title: `Show its ${words.subs}`, onclick: () => open(packages.name[k]),
            }, packages.name[k] || '(none)'),
        }),
    ];
}

// Metrics of calls alone have no values of files, nor have those of a stretch.
function ofFiles({ files, metrics, part }) {
    return part ? [] : metrics.filter(({ key }) => files[key].some(value => value));
}

function fileColumns(profile, words, valueOf, cell) {
    const column = (id, title, kind, more) => ({
        id, title, kind, of: profile.total, value: k => valueOf(k, id), ...more,
    });
    const isUntold = k => k < profile.files.n && profile.files.flags[k] & UNTOLD.time;
    return [
        column('count', capital(words.statements), profile.isEstimated ? 'estimate' : 'count'),
        column('time', 'Time', 'time', {
            hint: `Of the ${words.statements}, without what they called elsewhere`, isHot: true, isUntold,
        }),
        column('share', '%', 'share', {
            samples: profile.samples, value: k => valueOf(k, 'time'), isMinor: true, isUntold,
        }),
        column('subs', capital(words.subs), 'count', { isMinor: true }),
        column('evals', words.evalsHeading, 'count', { isMinor: true }),
        ...ofFiles(profile).map(({ key, name, kind, title }) => column(key, capital(name), kind, { hint: title })),
        column('name', 'File', '', { cell }),
    ];
}

export class Tables {
    constructor(stretches, words, state) {
        Object.assign(this, { stretches, profile: stretches.profile, words, state, kind: {} });
        document.querySelectorAll('h2 > .few').forEach(each => each.remove()); // these tables have all rows
        if (byId('all-files')) byId('all-files').hidden = true; // this table has all files
        this.update();
    }

    // Makes the tables anew for another kind of rows, else updates them from the state.
    update() {
        const part = this.partOf(this.stretches.selected(), this.state.get('c'));
        for (const [key, make] of [['g', () => this.makeSubs(part)], ['d', () => this.makeFiles(part)],
            ['lines', () => this.makeLines(part)]]) {
            const wanted = this.state.get(key);
            const now = this.kind[key];
            if (!now || now.wanted !== wanted || now.part !== part) this.kind[key] = { wanted, part, table: make() };
            else if (now.table) now.table.update();
        }
        this.tellOthers(partText(part, false));
    }

    // Tables that are of the whole run in any case say so.
    tellOthers(part) {
        for (const heading of ['growth', 'spans', 'counts', 'loading', 'processes'].map(byId).filter(Boolean)) {
            const [told] = heading.parentNode.getElementsByClassName('whole');
            if (told) told.remove();
            if (part) heading.after(el('p', { class: 'whole' }, `These are ${part}.`));
        }
    }

    // That of a sub only, made when it is first asked for.
    partOf(profile, focus) {
        if (!focus) return profile;
        if (this.focused?.profile !== profile || this.focused.focus !== focus) {
            this.focused = { profile, focus, made: focusedOn(profile, focus) };
        }
        return this.focused.made;
    }

    redraw() {}

    kept() {
        const { g, d } = this.kind;
        return { subs: g.table.at, files: d.table.at, open: this.tree ? this.tree.opened() : [] };
    }

    restore({ subs, files, open }) {
        const { g, d } = this.kind;
        if (this.tree) this.tree.reopen(open);
        for (const [{ table }, at] of [[g, subs], [d, files]]) {
            table.at = at;
            table.draw(true);
        }
    }

    print(isOn) {
        for (const { table } of Object.values(this.kind)) if (table) table.print(isOn);
    }

    place(id, what, chooser) {
        const section = byId(id).closest('section');
        section.querySelectorAll('.tools').forEach(old => old.remove());
        const table = new Table(section, this.state, what);
        if (chooser) table.tools.append(chooser);
        return table;
    }

    makeSubs(of) {
        const { words, state } = this;
        const profile = of.part && !of.sliced.length ? this.profile : of;
        const { subs } = profile;
        const part = partText(of, profile === of);
        const byPackage = state.get('g') === 'packages';
        const packages = byPackage && packagesOf(subs, profile.metrics);
        const isThere = k => !(profile.part || profile.focus) || from[byPackage ? 'exclusive' : 'inclusive'][k] > 0;
        const ranked = profile.metrics.find(metric => metric.ranks);
        const from = byPackage ? packages : subs;
        const n = byPackage ? packages.name.length : subs.rows;
        return this.place('subs', {
            label: byPackage ? words.packages : words.subs, key: 's',
            sort: ranked ? `-own-${ranked.name}` : '-exclusive',
            columns: known(byPackage ? packageColumns(packages, words, profile, state) : subColumns(profile, words),
                profile),
            rows: (match, compare) => pick(n, from.name, match, compare).filter(isThere),
            describe: rows => `${countText(rows.length)} of ${countText(n)},` +
                ` ${timeText(total(rows, k => from.exclusive[k]))} self${part ? `, ${part}` : ''}`,
            part,
            link: k => (byPackage ? undefined : subLink(profile, k)),
        });
    }

    makeFiles(of) {
        const { words, state } = this;
        const profile = of.lines ? of : this.profile;
        const { files, pages } = profile;
        const part = partText(of, of.lines);
        const link = (k, name) => (pages[k] ? el('a', { href: pages[k] }, name) : name);
        const ranked = ofFiles(profile).find(metric => metric.ranks);
        const changed = () => this.kind.d.table.update(true);
        const tree = state.get('d') === 'tree' && new FileTree(profile, link, changed);
        this.tree = tree;
        const isThere = k => !profile.part || (tree ? tree.nodes[k].all : { time: files.time[k] }).time > 0;
        return this.place('files', {
            label: 'files', key: 'f', sort: ranked ? `-${ranked.key}` : '-time',
            columns: known(tree ? fileColumns(profile, words, (k, id) => tree.nodes[k][id], k => tree.cell(k))
                : fileColumns(profile, words, (k, id) => files[id][k], k => link(k, files.name[k])),
            profile.isSeen ? { isUncounted: true } : profile),
            rows: (match, compare) => (tree ? tree.rows(match, compare) : pick(files.n, files.name, match, compare))
                .filter(isThere),
            describe: rows => (tree ? part || '' : `${countText(rows.length)} of ${countText(files.n)},` +
                ` ${timeText(total(rows, k => files.time[k]))}${part ? `, ${part}` : ''}`),
            part,
            link: k => pages[k < files.n ? k : -1],
        }, choose('Arrangement', 'd', state, [['', 'flat'], ['tree', 'by directory']]));
    }

    // The page has the hottest lines of the whole run, with their counts.
    makeLines(profile) {
        const heading = byId('lines');
        if (!heading) return undefined;
        const section = heading.closest('section');
        this.still = this.still || [...section.childNodes];
        section.replaceChildren(...this.still);
        const { files, lines, pages, samples, total: of } = profile;
        const part = partText(profile, lines);
        if (part && !lines) this.still[1].after(el('p', {}, `These are ${part}.`));
        if (!lines) return undefined;
        section.replaceChildren(...this.still.slice(0, 2));
        const base = name => (name.endsWith(']') ? name : name.replace(/.*\//, ''));
        const names = lines.map(({ file, line }) => `${base(files.name[file])}:${line}`);
        const texts = lines.map(({ source }, k) => `${names[k]} ${source}`);
        const link = k => pages[lines[k].file] && `${pages[lines[k].file]}#${lines[k].line}`;
        const value = k => lines[k].time;
        return this.place('lines', {
            label: 'lines', key: 'l', sort: '-time',
            columns: [
                { id: 'time', title: 'Time', kind: 'time', of, value, isHot: true },
                { id: 'share', title: '%', kind: 'share', of, samples, value, isMinor: true },
                {
                    id: 'name', title: 'Line', value: k => texts[k],
                    cell: k => [...linked(link(k), [names[k]]), ' ', el('code', {}, lines[k].source)],
                },
            ],
            rows: (match, compare) => pick(lines.length, texts, match, compare),
            describe: rows => `${countText(rows.length)} of ${countText(lines.length)},` +
                ` ${timeText(total(rows, value))}, ${part}`,
            part: `${part}, without ${timeText(profile.sum - total(lines, line => line.time))} of lines with little` +
                ' time in every slice',
            link,
        });
    }
}
