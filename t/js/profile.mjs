// SPDX-License-Identifier: MIT
// Tests of reading data.js, and of the profile made of it.
import { readFileSync } from 'node:fs';
import { fromBase64, inflate, Reader } from '../../html/app/bytes.mjs';
import { sumsByKind } from '../../html/app/legend.mjs';
import { readProfile } from '../../html/app/profile.mjs';
import { subLink } from '../../html/app/subs.mjs';
import { matchedTime, nodeName, nodeNamed } from '../../html/app/tree.mjs';
import { is, ok } from './tap.mjs';

const [, , path, tell] = process.argv;
const [, text] = /^NP\.loadz\("(.*)"\);\n$/.exec(readFileSync(path, 'latin1'));
const bytes = await inflate(fromBase64(text));
const profile = readProfile(bytes);
const { subs, tree } = profile;

function broken(part) {
    try {
        readProfile(part);
    } catch (error) {
        return error instanceof RangeError;
    }
    return false;
}

function testNumbers() {
    const from = new Reader(Uint8Array.from([0, 127, 128, 1, 255, 255, 255, 255, 255, 255, 255, 15, 1, 2, 3]));
    is([from.u(), from.u(), from.u(), from.u()], [0, 127, 128, 2 ** 53 - 1], 'numbers of any size');
    is([from.i(), from.i(), from.i()], [-1, 1, -2], 'and with a sign');
    ok([1, 10, 200].every(n => broken(bytes.subarray(0, n))), 'data that is cut short is refused');
    ok(broken(Uint8Array.from([11, ...bytes.subarray(1)])), 'so is another version');
}

function testTree() {
    const named = text => nodeNamed(tree, text, subs.name);
    const path = node => tree.path(node).slice(1).map(i => subs.name[tree.sub[i]]).join(' ');
    is(tree.total[0], profile.total, 'all nodes together are the run');
    is(path(named('main::recurs~2')), 'main::RUNTIME main::recurs main::recurs main::recurs', 'a node has a name');
    ok(Array.from({ length: tree.n - 1 }, (_, i) => i + 1).every(i => named(nodeName(tree, i, subs.name)) === i),
        'and names lead back to their nodes');
    is(named('no such sub'), 0, 'what is not there is everything');
    const first = named('Foo::Bar::new');
    is(tree.children(tree.parent[first])[0], first, 'children come in order');
    is(tree.at(2, tree.start[first] + 1), first, 'a place in the picture is a node');
    is(tree.at(2, tree.total[0] - 1), undefined, 'or none');
    const recurs = matchedTime(tree, sub => subs.name[sub] === 'main::recurs');
    is(recurs, 60000, 'time under matching subs counts no moment twice');
}

function testKinds() {
    const kind = name => subs.kind[subs.name.indexOf(name)];
    is([kind('main::recurs'), kind('Foo::Bar::new'), kind('List::Util::sum')], [0, 1, 4],
        'a sub is of the program, a library or in C');
    const sums = sumsByKind(tree, 0, subs.kind, 10);
    is(sums.reduce((sum, each) => sum + each, 0), profile.total, 'all kinds together are the run');
    const below = nodeNamed(tree, 'Foo::Bar::new', subs.name);
    is(sumsByKind(tree, below, subs.kind, 10)[4], 400000, 'and below a node what is below it');
}

if (tell) {
    for (let k = 0; k < subs.n; k++) {
        const numbers = [subs.exclusive[k], subs.inclusive[k], subs.calls[k]];
        console.log([subs.name[k], ...numbers, subLink(profile, k)].join('\t'));
    }
} else {
    testNumbers();
    testTree();
    testKinds();
}
