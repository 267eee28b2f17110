// SPDX-License-Identifier: MIT
// Tests of call trees that are made of call trees, and of their rows.
import { BottomUp, CallRows, TopDown } from '../../html/app/callrows.mjs';
import { calleesOf, callersOf, focusOn, foldRecursion, Sprout, without, withoutInsides } from
    '../../html/app/transform.mjs';
import { measuredBy } from '../../html/app/measures.mjs';
import { joinNames, splitNames } from '../../html/app/views.mjs';
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
is(outline(focusOn(tree, 2)), ['.a 1 2', '..b 1 4', '...a 1 8'], 'from a sub on');
is(outline(without(tree, i => tree.sub[i] === 3)), ['.main 1 17', '..c 1 32', '..a 1 6', '...a 1 8'],
    'a hidden sub is part of its caller');
is(outline(foldRecursion(tree)), ['.main 1 1', '..b 1 16', '...c 1 32', '..a 2 10', '...b 1 4'],
    'recursion is part of the outer call');
const library = grow(['main: 100', 'main a: 10', 'main a b: 0.5', 'main a b c: 50']);
is(outline(withoutInsides(library, sub => sub > 1)), ['.main 1 100', '..a 1 10.5', '...c 1 50'],
    'of a library the way in stays, and what takes long by itself');
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
