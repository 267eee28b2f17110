// SPDX-License-Identifier: MIT
// Tests of numbers, searches, addresses, the order of rows, directories.
import { carried } from '../../html/app/carry.mjs';
import { arrange } from '../../html/app/filetree.mjs';
import { fit } from '../../html/app/letters.mjs';
import { matcher } from '../../html/app/search.mjs';
import { formatHash, parseHash, State } from '../../html/app/state.mjs';
import { boundAt, boundText, stretchOf, sumStretch } from '../../html/app/stretch.mjs';
import { compareBy, parseSort, textOf, tsv } from '../../html/app/table.mjs';
import { partText } from '../../html/app/tables.mjs';
import { filterOfPackage, packagesOf } from '../../html/app/packages.mjs';
import { shareText } from '../../html/app/measures.mjs';
import { growthsOf } from '../../html/app/profile.mjs';
import { amountText, countText, heatOf, percentText, timeText } from '../../html/app/units.mjs';
import { splitName } from '../../html/app/names.mjs';
import { pathOf, spreadColumn } from '../../html/app/spread.mjs';
import { is } from './tap.mjs';

// The expectations of t/c/report.c for report/units.c.
is([-3e3, 0, 123.4, 999.6, 3050, 9996, 451e6, 999.9e6, 99.96e9, 12345.6e9].map(timeText),
    ['~0 s', '0 s', '123 ns', '1.00 µs', '3.05 µs', '10.0 µs', '451 ms', '1.00 s', '100 s', '12,346 s'], 'times');
is([1234567, -5, 999].map(countText), ['1,234,567', '0', '999'], 'counts');
is([[123, 1000], [1, 0], [1, 1000]].map(([part, whole]) => percentText(part, whole)), ['12.3 %', '', '0.10 %'],
    'shares');
is([[2, 3, 180], [1, 6, 180], [0, 6, 180], [6, 6, 180], [1, 3, 0]].map(args => shareText(...args)),
    ['66.7 % ±3.5', '16.7 % ±2.8', '0.00 %', '100.0 %', '33.3 %'], 'shares by samples');
is([0, 2, 3, 10, 40, 150, 500, 1500, 5000].map(part => heatOf(part, 10000)), [0, 0, 1, 2, 3, 4, 5, 6, 7], 'heat');

const called = ['a', 'main::a', 'A::B::c', 'A::__ANON__[(eval 6)[A/B.pm:5]:4]', '(host)', 'A::b (called as X::c)'];
is(called.map(splitName), [
    [undefined, 'a'], ['main::', 'a'], ['A::B::', 'c'], ['A::', '__ANON__[(eval 6)[A/B.pm:5]:4]'],
    [undefined, '(host)'], ['A::', 'b (called as X::c)'],
], 'a name and its package');

// Calls by time: two of 4 to 7 ns and one of 16 to 31, beside those of another sub that begin at 2 ns.
const lengths = {
    p50: [5, 3, 0], p99: [20, 3, 0], max: [20, 3, 0],
    spread: [{ first: 3, bars: [2, 0, 1] }, { first: 2, bars: [4] }, { first: 0, bars: [] }],
};
const spread = spreadColumn(lengths);
is(pathOf(lengths.spread[0], { first: 2 }), 'M3 14v-14.0h2v14.0zM9 14v-7.0h2v7.0z', 'calls by time, on a common axis');
is([0, 1, 2].map(k => [spread.value(k), spread.isBlank(k)]), [[4, false], [1, false], [0, true]],
    'the most uneven sub comes first');

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
is(tsv([1], copied), 'Calls\tTime (ns)\t%\tSub\n7\t12\t0.62\ta', 'a row as it is copied, under titles');
is(tsv([1, 1], copied).split('\n').length, 3, 'and several');

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

const strip = {
    all: [[1623, 10, 1], [15495, 20, 2], [2000000, 40, 4], [1624, 5, 0]].map(([end, ...passed]) => ({ end, passed })),
    bounds: [0, 1623, 1624, 15495, 2000000],
};
is([0, 1, 2, 3, 4].map(k => boundText(strip.bounds, k)), ['0', '0.001623', '0.002', '0.016', '2'],
    'bounds have as many digits as tell them from the next');
is([0, 1, 2, 3, 4].map(k => boundAt(strip.bounds, Math.round(1e6 * boundText(strip.bounds, k)))), [0, 1, 2, 3, 4],
    'and are found by these');
is(['0-0.016', '0.0017-9', '', '1', '2-1', 'a-b', '0.002-0.003'].map(text => stretchOf(strip.bounds, text) || 0),
    [[0, 3], [2, 4], 0, 0, 0, 0, 0], 'stretches of addresses');
is(sumStretch({ slices: strip }, [1, 3]), { passed: [25, 2], us: 27 },
    'a stretch has the slices that end in it');
const second = { part: '1 s to 2 s' };
is([[{}, true], [second, true], [second, false]].map(each => partText(...each) || ''),
    ['', 'from 1 s to 2 s', 'of the whole run, as times from 1 s to 2 s are not known'], 'a table says what it is of');

const isSource = page => page === 'a.html';
is(['a.html', 'a.html#7', 'a.html?when=3-4#7', 'b.html#7', 'index.html', 'index.html#subs', 'index.html#t=flame&z=f',
    'https://x.org/a.html'].map(href => carried(href, '1-2.5', isSource)),
['a.html?when=1-2.5', 'a.html?when=1-2.5#7', 'a.html?when=1-2.5#7', 'b.html#7', 'index.html#when=1-2.5',
    'index.html#at=subs&when=1-2.5', 'index.html#t=flame&when=1-2.5&z=f', 'https://x.org/a.html'],
'links to pages of source and to the index carry the stretch');
is(['a.html?when=3-4#7', 'a.html?when=3-4', 'index.html'].map(href => carried(href, '', isSource)),
    ['a.html#7', 'a.html', 'index.html'], 'if there is one');
is(carried('a.html#7', '1#"&', isSource), 'a.html?when=1%23%22%26#7', 'whatever the address says');

// ---- growth ----

const grownFiles = { 'files-bytes': [5, 1], 'files-bytes-freed': [2, 3], 'files-values-freed': [1, 1] };
const grown = growthsOf([
    { key: 'files-bytes', name: 'bytes', title: 'Bytes allocated', kind: 'bytes', own: [9, 0], whole: [9, 4] },
    { key: 'files-bytes-freed', name: 'bytes-freed', frees: 'bytes', kind: 'bytes', own: [1, 2], whole: [3, 2] },
    { key: 'files-values-freed', name: 'values-freed', frees: undefined, kind: 'count', own: [1, 1], whole: [1, 1] },
], grownFiles);
is(grown, [{
    key: 'files-bytes-growth', name: '+Bytes', title: 'Bytes allocated and not freed', kind: 'bytes±',
    own: [8, -2], whole: [6, 2],
}], 'what is made and not freed is a metric, where both are known');
is([grownFiles['files-bytes-growth'], [-1500, 0, 1500].map(n => amountText('bytes±', n)), amountText('count±', -1500)],
    [[3, -2], ['−1.50 kB', '0 B', '1.50 kB'], '−1,500'], 'which may be below zero');
