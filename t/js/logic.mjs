// SPDX-License-Identifier: MIT
// Tests of numbers, searches, addresses, the order of rows, directories.
import { arrange } from '../../html/app/filetree.mjs';
import { fit } from '../../html/app/letters.mjs';
import { matcher } from '../../html/app/search.mjs';
import { formatHash, parseHash, State } from '../../html/app/state.mjs';
import { compareBy, parseSort, textOf, tsv } from '../../html/app/table.mjs';
import { filterOfPackage, packagesOf } from '../../html/app/tables.mjs';
import { countText, heatOf, percentText, timeText } from '../../html/app/units.mjs';
import { is } from './tap.mjs';

// The expectations of t/c/report.c for report/units.c.
is([-3e3, 0, 123.4, 999.6, 3050, 9996, 451e6, 999.9e6, 99.96e9, 12345.6e9].map(timeText),
    ['~0 s', '0 s', '123 ns', '1.00 µs', '3.05 µs', '10.0 µs', '451 ms', '1.00 s', '100 s', '12,346 s'], 'times');
is([1234567, -5, 999].map(countText), ['1,234,567', '0', '999'], 'counts');
is([[123, 1000], [1, 0], [1, 1000]].map(([part, whole]) => percentText(part, whole)), ['12.3 %', '', '0.10 %'],
    'shares');
is([0, 2, 3, 10, 30, 100, 200].map(part => heatOf(part, 10000)), [0, 0, 1, 2, 3, 4, 5], 'heat');

is(['PPI', 'node::', '/^PPI::N/', '/e$', '/', ''].map(text => (matcher(text) || (() => 'all'))('PPI::Node')),
    [true, false, true, true, 'all', 'all'], 'a search is text, or an expression between slashes');
is([matcher('ppi')('PPI'), matcher('/ppi/')('PPI'), matcher('/(/')], [true, false, null],
    'text ignores case, an expression does not, and may be none');

const state = { t: 'flame', z: 'PPI::Node::find', q: '/a=b&c %/', none: '' };
is(formatHash(state), 'q=/a%3Db%26c%20%25/&t=flame&z=PPI::Node::find', 'an address');
is(formatHash(parseHash(`#${formatHash(state)}`)), formatHash(state), 'is what was shown');
is([parseHash('#subs'), parseHash('#a=%zz'), parseHash('')], [{}, { a: '%zz' }, {}], 'anchors and nonsense do no harm');
const where = { hash: '', replace: text => where.replaced = text };
const changes = [];
const kept = new State(where, () => changes.push(where.hash));
kept.set({ s: '-calls' });
kept.set({ sf: 'a' }, true);
is([where.hash, where.replaced, changes.length], ['s=-calls', '#s=-calls&sf=a', 2], 'letters typed are no steps back');
kept.set({ s: '-calls' });
where.hash = '#s=-calls&sf=a';
kept.read();
is(changes.length, 2, 'what is shown already changes nothing');
where.hash = '#s=name';
kept.read();
is([changes.length, kept.get('s'), kept.get('sf')], [3, 'name', ''], 'a step back does');

const columns = [{ id: 'calls', value: k => [5, 7, 5][k] }, { id: 'name', value: k => ['b', 'a', 'c'][k] }];
const sorted = text => {
    const { column, isDown } = parseSort(text, columns, '-calls');
    return [0, 1, 2].sort(compareBy(column, isDown));
};
is([sorted('-calls'), sorted('calls'), sorted('name'), sorted('-name'), sorted('nosuch')],
    [[1, 0, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 0, 2]], 'rows by number or name, up and down');
const copied = [
    { title: 'Calls', kind: 'count', value: () => 7 }, { title: 'Time', kind: 'time', value: () => 12.3456789 },
    { title: '%', kind: 'share', of: 2000, value: () => 12.3456789 }, { title: 'Sub', kind: '', value: () => 'a' },
];
const time = { kind: 'time', value: row => 1000 * row, isUntold: row => row === 1, isHot: true, of: 1e4 };
is([0, 1, 2].map(row => textOf(row, time)), ['0 s', '~0 s', '2.00 µs'], 'a time that cannot be told from nothing');
is(tsv(1, copied), 'Calls\tTime (ns)\t%\tSub\n7\t12\t0.62\ta', 'a row as it is copied, under titles');

const packages = packagesOf({
    rows: 3, package: ['A', 'B', 'A'], flags: [0, 0, 0], calls: [1, 2, 3], exclusive: [10, 20, 30],
});
is(packages, { name: ['A', 'B'], subs: [2, 1], calls: [4, 2], exclusive: [40, 20] }, 'subs by package');
const measured = [{ name: 'bytes', own: [1, 2, 4] }, { name: 'depth', own: [1, 2, 4], isMax: true }];
const { 'own-bytes': sums, 'own-depth': largest } = packagesOf({
    rows: 3, package: ['A', 'B', 'A'], flags: [0, 0, 0], calls: [1, 2, 3], exclusive: [10, 20, 30],
}, measured);
is([sums, largest], [[5, 2], [4, 2]], 'with their metrics');
const SUBS = ['Set#each', 'block in Set#each #2', 'Set.new', 'Set::Sorted#each', 'My::Set::new (called as a::b)', 'f'];
is(['Set', 'My::Set', ''].map(name => SUBS.filter(matcher(filterOfPackage(name)))),
    [['Set#each', 'block in Set#each #2', 'Set.new'], ['My::Set::new (called as a::b)'], ['f']],
    'a package leads to its subs, and what has none to those of no package');

const files = {
    name: ['/usr/share/A.pm', 'x.pl', '/usr/share/b/c/D.pm', '(eval 1)[x.pl:2]'], parent: [0, 0, 0, 2],
    count: [1, 2, 4, 8], time: [10, 20, 40, 80], subs: [1, 1, 1, 1], evals: [0, 1, 0, 0], sum: [1, 2, 3, 4],
    max: [5, 6, 3, 7],
};
const metrics = [{ key: 'sum', isMax: false }, { key: 'max', isMax: true }];
const outline = node => [node.name, node.time, ...node.children.map(outline)];
is(outline(arrange({ files, metrics })),
    ['', 150, ['/usr/share', 50, ['A.pm', 10], ['b/c', 40, ['D.pm', 40]]], ['x.pl', 20, ['(eval 1)[x.pl:2]', 80]]],
    'files by directory, with sums; lonely directories are one row; evals are with their file');
const { sum, max, children: [share] } = arrange({ files, metrics });
is([sum, max, share.sum, share.max], [10, 7, 4, 5], 'metrics of a directory are sums, or the largest of its files');

is([fit('PPI::Node::find', 20), fit('PPI::Node::find', 8), fit('PPI::Node::find', 3), fit('a::b[c::d]', 7)],
    ['PPI::Node::find', 'find', 'fi…', 'b[c::d]'], 'names without room lose their package first');
