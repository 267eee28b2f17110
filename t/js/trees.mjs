// SPDX-License-Identifier: MIT
// Tests of call trees that are made of call trees, and of their rows.
import { Reader } from '../../html/app/bytes.mjs';
import { BottomUp, CallRows, TopDown } from '../../html/app/callrows.mjs';
import { calleesOf, callersOf, faster, focusOn, foldRecursion, Sprout, without, withoutInsides } from
    '../../html/app/transform.mjs';
import { focusedOn } from '../../html/app/focus.mjs';
import { Measures, measuredBy } from '../../html/app/measures.mjs';
import { readSlices } from '../../html/app/profile.mjs';
import { nearestOf } from '../../html/app/sandwich.mjs';
import { hottestIn, profileOf } from '../../html/app/stretch.mjs';
import { joinNames, splitNames } from '../../html/app/views.mjs';
import { granted, readWishes, topOf, wishing } from '../../html/app/whatif.mjs';
import { is, ok } from './tap.mjs';

const names = ['', 'main', 'a', 'b', 'c'];

// A profile of lines "main a b: SELF", with one call each.
function grow(lines) {
    const sprout = new Sprout();
    for (const line of lines) {
        const [path, self] = line.split(': ');
        let at = 0;
        for (const name of path.split(' ')) at = sprout.child(at, names.indexOf(name));
        sprout.add(at, 1, Number(self), 0);
    }
    return sprout.tree();
}

// "NAME CALLS SELF" of each node, in order, with dots for depth; node 0 only if it is a sub.
function outline(tree) {
    const rows = [];
    for (let i = tree.sub[0] ? 0 : 1; i < tree.n; i++) {
        rows.push(`${'.'.repeat(tree.depth[i])}${names[tree.sub[i]]} ${tree.calls[i]} ${tree.self[i]}`);
    }
    return rows;
}

const tree = grow(['main: 1', 'main a: 2', 'main a b: 4', 'main a b a: 8', 'main b: 16', 'main b c: 32']);

is(outline(tree), ['.main 1 1', '..b 1 16', '...c 1 32', '..a 1 2', '...b 1 4', '....a 1 8'], 'the most time first');
is(Array.from(tree.total), [63, 63, 48, 32, 14, 12, 8], 'totals are sums');
is(outline(calleesOf(tree, 3)), ['b 2 20', '.c 1 32', '.a 1 8'], 'what a sub calls, wherever it is called');
is(outline(calleesOf(tree, 2)), ['a 1 2', '.b 1 4', '..a 1 8'], 'of a recursion the outermost call is the beginning');
is(outline(callersOf(tree, 3)), ['b 2 0', '.main 1 48', '.a 1 0', '..main 1 12'], 'and who calls it, with its time');
is(nearestOf(callersOf(tree, 3)).rows.map(({ node, time, calls }) => [node, time, calls]),
    [[1, 48, 1], [2, 12, 1]], 'callers in numbers');
const wide = nearestOf(calleesOf(grow(['main: 1', 'main a: 9', 'main b: 8', 'main c: 7']), 1), 2);
is([wide.rows.map(row => row.time), wide.others, wide.time, wide.calls], [[9, 8], 1, 7, 1],
    'callees, and others in sum');
is(outline(focusOn(tree, 2)), ['.a 1 2', '..b 1 4', '...a 1 8'], 'from a sub on');
is(outline(without(tree, i => tree.sub[i] === 3)), ['.main 1 17', '..c 1 32', '..a 1 6', '...a 1 8'],
    'a hidden sub is part of its caller');
is(outline(foldRecursion(tree)), ['.main 1 1', '..b 1 16', '...c 1 32', '..a 2 10', '...b 1 4'],
    'recursion is part of the outer call');
const library = grow(['main: 100', 'main a: 10', 'main a b: 0.5', 'main a b c: 50']);
is(outline(withoutInsides(library, sub => sub > 1)), ['.main 1 100', '..a 1 10.5', '...c 1 50'],
    'of a library the way in stays, and what takes long by itself');
is(outline(faster(tree, new Map([[2, 2]]))), ['.main 1 1', '..b 1 16', '...c 1 32', '..a 1 1', '...b 1 2', '....a 1 4'],
    'a faster sub, with what it calls, recursion once');
is(outline(faster(tree, new Map([[2, 2], [3, 4]]))),
    ['.main 1 1', '..b 1 4', '...c 1 8', '..a 1 1', '...b 1 0.5', '....a 1 1'], 'one within another');
is(outline(faster(tree, new Map([[3, 0]]))), ['.main 1 1', '..a 1 2'], 'a sub that is not called');
is([topOf(tree), topOf(faster(tree, new Map([[4, 0]])))], [[4, 32], [3, 20]], 'the sub with the most of its own then');
const wishes = wishing(wishing(wishing('', 'a::b, c', 2), 'a', 1.5), 'a::b, c', 0);
is([wishes, readWishes(wishes)],
    ['a:1.5,a%3A%3Ab%2C%20c:0', [{ name: 'a', factor: 1.5 }, { name: 'a::b, c', factor: 0 }]], 'wishes in an address');
is([wishing(wishes, 'a'), readWishes(''), readWishes('x,:2,y:,z:-1,%zz:3')],
    ['a%3A%3Ab%2C%20c:0', [], [{ name: '%zz', factor: 3 }]], 'are taken back, and nonsense does no harm');
is(outline(granted(tree, readWishes('b:0,none:2'), names)), ['.main 1 1', '..a 1 2'], 'and are granted by name');
ok([focusOn(tree, 3), foldRecursion(tree), without(tree, () => true), calleesOf(tree, 1)].every((made, k) =>
    made.total[0] === [60, 63, 63, 63][k]), 'no time is lost');

function rowsOf(source, open, match, by = 'total') {
    const rows = new CallRows(source, {}, () => {});
    const heaviest = (a, b) => source[by][b] - source[by][a];
    for (let k = 0; k < open; k++) rows.rows(undefined, heaviest).forEach(row => rows.open.add(row));
    const found = rows.rows(match, heaviest);
    return found.map(row => `${rows.level.get(row)} ${names[source.sub[row]]} ${source.total[row]}`);
}

is(rowsOf(new TopDown(tree), 0), ['1 main 63'], 'top-down: closed');
is(rowsOf(new TopDown(tree), 1), ['1 main 63', '2 b 48', '2 a 14'], 'opened');
is(rowsOf(new TopDown(tree), 9, sub => sub === 4), ['1 main 63', '2 b 48', '3 c 32'], 'filtered: what leads there');
is(rowsOf(new BottomUp(tree), 0), ['1 c 32', '1 b 20', '1 a 10', '1 main 1'], 'bottom-up: exclusive times');
is(rowsOf(new BottomUp(tree), 1, sub => sub === 3), ['1 b 20', '2 main 16', '2 a 4'], 'and who made the calls');
is(rowsOf(new BottomUp(tree), 2, sub => sub === 3), ['1 b 20', '2 main 16', '2 a 4', '3 main 4'], 'and who theirs');

// Pruning took a hundred calls of b, only outer calls of a, and all calls of c.
const pruned = grow(['main: 1', 'main a: 2', 'main a b: 4']);
pruned.left = { calls: [0, 0, 10, 100, 1000], outermost: [0, 0, 10, 99, 1000], self: [0, 0, 1, 3, 5] };
const bottom = new BottomUp(pruned);
is(bottom.roots().map(row => `${names[bottom.sub[row]]} ${bottom.calls[row]} ${bottom.total[row]}`),
    ['main 1 1', 'a 11 3', 'b 101 7', 'c 1000 5'], 'bottom-up counts calls of paths that were cut off');
is(calleesOf(pruned, 3).calls[0], 100, 'so does the middle of the sandwich');
const hidden = new BottomUp(without(pruned, i => pruned.sub[i] === 3));
is(hidden.roots().map(row => `${names[hidden.sub[row]]} ${hidden.calls[row]}`), ['main 1', 'a 11', 'c 1000'],
    'of a sub that is hidden nothing is left');
is(foldRecursion(pruned).left, pruned.left, 'folding recursion takes none of it');

// The lines from which calls are made: one, or several.
const sited = grow(['main: 1', 'main a: 2', 'main a b: 4', 'main b: 1']);
sited.line.set([0, 0, 5, 9, 7]);
sited.file.set([0, 0, 1, 1, 1]);
const where = (source, row) => new CallRows(source, { files: { name: ['/x/y.pl'] } }, () => {}).where(row);
is([1, 2, 3, 4].map(row => where(new TopDown(sited), row)), ['', 'y.pl:3', 'y.pl:7', 'y.pl:5'], 'where a call is made');
const folded = focusOn(sited, 3);
is(where(new TopDown(folded), 1), 'several lines', 'or that there are several such lines');
const upwards = new BottomUp(sited);
const ofB = upwards.roots().find(row => names[upwards.sub[row]] === 'b');
is([where(upwards, ofB), ...upwards.children(ofB).map(row => where(upwards, row))], ['', 'y.pl:7', 'y.pl:5'],
    'bottom-up callers say where they make the call');

const hot = new CallRows(new TopDown(tree), {}, () => {});
hot.openHot(1);
is(hot.rows(undefined, (a, b) => a - b).map(row => names[tree.sub[row]]), ['main', 'b', 'c', 'a'],
    'the hot path opens as long as it is half of what is above');
is(splitNames(joinNames(['a,b', 'c%'])), ['a,b', 'c%'], 'names in an address');
is(splitNames(''), [], 'or none');

// A metric of the same nodes: another order, other totals; calls and places stay.
sited.left = { calls: [0, 0, 1, 0], outermost: [0, 0, 1, 0], self: [0, 0, 3, 0] };
const bytes = measuredBy(sited, {
    self: Float64Array.from([0, 0, 10, 20, 300]), cut: Float64Array.from([0, 0, 0, 1, 0]), cutSelf: [0, 0, 5, 0],
});
is(outline(bytes), ['.main 1 0', '..b 1 300', '..a 1 10', '...b 1 20'], 'a metric has its own order');
is([bytes.total[0], bytes.total[3], where(new TopDown(bytes), 2)], [331, 31, 'y.pl:5'], 'and sums, with pruned nodes');
is([bytes.left.self, sited.total[0]], [[0, 0, 5, 0], 8], 'the tree of time is as it was');
is([without(tree, () => false), focusOn(tree, 2), foldRecursion(tree)].map(made => made.flags[0]), [0, 0, 0],
    'everything is not too little to be told');

// ---- a stretch of time ----

// Slices from 0 to 10, 20 and 30 µs; the second one has 3 ns below main that are too small to be told apart.
const slices = readSlices(new Reader(Uint8Array.of(3, 1, 0, 20, 20, 20, 1, 1, 1)));
is([slices.bounds, slices.all[1]], [[0, 10, 20, 30], { end: 20, passed: [1] }], 'slices, and the bounds between them');
const indexOf = name => tree.path(Array.from(tree.sub).findIndex(sub => names[sub] === name)).at(-1);
const none = new Float64Array(names.length);
const whole = {
    slices, tree, samples: 82, total: 41, metrics: [], sliced: [
        { keys: [2], times: [1] }, { keys: [2, 3, 2 * indexOf('c')], times: [5, 3, 30] },
        { keys: [2 * indexOf('c')], times: [2] },
    ],
    subs: { n: names.length, flags: new Uint8Array(5).fill(48), p50: none, p99: none, max: none, name: names },
};
const part = profileOf(whole, [1, 2]);
is(outline(part.tree), ['.main 0 5', '..b 0 0', '...c 0 30'], 'a stretch has the calls with time in it');
is([part.total, part.tree.total[0]], [38, 38], 'and all of their time, with what is cut');
is([Array.from(part.subs.exclusive), Array.from(part.subs.inclusive)], [[0, 5, 0, 0, 30], [0, 38, 0, 30, 30]],
    'its subs have their own time, and with what they call');
is([part.part, part.subs.flags[1], 'p99' in part.subs, part.isUncounted], ['10.0 µs to 20.0 µs', 0, false, true],
    'counts are not known');
is(hottestIn(whole, [1, 2]), [{ sub: 4, ns: 30 }, { sub: 1, ns: 5 }], 'the most of their own first');
is(hottestIn({ ...whole, sliced: [] }, [1, 2]), [], 'or none, without a call tree');
is(part.samples, 76, 'and its share of the samples');
is(profileOf(whole, [0, 3]).total, 41, 'the whole strip is the run');

// Metrics that the tree has: of the second slice 4 bytes of main, 2 of what it calls that are cut, and 100 of c; c has
// freed some of them. Of the others nothing is known there.
const metric = (name, of) => ({ name, key: `files-${name}`, title: name, kind: 'bytes', ranks: true, sliced: [
    { keys: [2], times: [1] }, { keys: [2, 3, 2 * indexOf('c')], times: of }, { keys: [], times: [] },
] });
const metered = profileOf({
    ...whole, files: { 'files-bytes': [], 'files-bytes-freed': [] },
    metrics: [metric('bytes', [4, 2, 100]), { ...metric('bytes-freed', [0, 0, 70]), frees: 'bytes' },
        { name: 'largest' }],
}, [1, 2]);
is(metered.metrics.map(({ name, own, whole: all }) => [name, own[1], own[4], all[1], all[4]].join(' ')),
    ['bytes 4 100 106 100', 'bytes-freed 0 70 70 70', '+Bytes 4 30 36 30'], 'a stretch has the metrics of its calls');
const measures = new Measures(metered);
is(outline(measures.get('bytes').tree), ['.main 0 4', '..b 0 0', '...c 0 100'], 'and their tree');
is([measures.first.name, measures.get('time').total, measures.get('bytes').total], ['bytes', 38, 106],
    'with totals of its own');

// Lines, too, one of which has less than nothing in the second slice; and a file's other lines.
const timed = {
    ...whole, files: { n: 2, flags: Uint8Array.from([3, 0]), time: [49, 8] }, linewise: [
        { file: 0, line: 7, source: 'x', slices: [0, 1, 2], times: [1, 20, 4] },
        { file: 0, line: 9, source: 'y', slices: [1, 2], times: [-2, 4] },
        { file: 0, line: 0, source: '', slices: [0, 1], times: [12, 10] },
        { file: 1, line: 3, source: 'z', slices: [2], times: [8] },
        { file: 1, line: 0, source: '', slices: [], times: [] },
    ],
};
const linesFrom = (from, to) => {
    const { files, lines, sum } = profileOf(timed, [from, to]);
    return [lines.map(({ line, time }) => `${line} ${time}`).join(), Array.from(files.time), sum];
};
is(linesFrom(1, 2), ['7 20', [28, 0], 28], 'a stretch has the lines and files with time in it');
is(linesFrom(0, 3), ['7 25,9 2,3 8', [49, 8], 57], 'the whole strip is all of their time');
is(Array.from(profileOf(timed, [1, 2]).files.flags), [1, 0], 'which can be told from nothing');
is([part.lines, part.files], [undefined, whole.files], 'or none, where the capture does not tell');
is(profileOf({ ...timed, sliced: [] }, [0, 1]).total, 13, 'without a call tree the lines are the whole');

// A sub alone: its own times and what it calls, also of metrics, in a stretch or not.
const alone = focusedOn({ ...whole, metrics: [], files: {} }, 'b');
is([Array.from(alone.subs.exclusive), Array.from(alone.subs.inclusive), alone.focus, alone.lines],
    [[0, 0, 8, 20, 32], [0, 0, 8, 60, 32], 'b', undefined], 'a sub has what it calls');
const both = focusedOn(metered, 'b');
is(both.metrics.map(({ name, own, whole: all }) => [name, own[4], all[3], all[1]].join(' ')),
    ['bytes 100 100 0', 'bytes-freed 70 70 0', '+Bytes 30 30 0'], 'and its metrics, in a stretch, too');
is([focusedOn(whole, 'no such sub') === whole, both.part], [true, metered.part], 'what is not there changes nothing');

const nested = { ...whole, sliced: [1, 2, 3].map(() => ({ keys: Array.from(tree.self, (_, k) => 2 * k).slice(1),
    times: Array.from(tree.self).slice(1) })) };
is(Array.from(profileOf(nested, [0, 1]).subs.inclusive), [0, 63, 14, 60, 32],
    'time of nested calls counts once');
