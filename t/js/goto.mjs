// SPDX-License-Identifier: MIT
// Tests of the box "Go to": which names match what is typed, in which order, and where they lead.
import { readFileSync } from 'node:fs';
import { fromBase64, inflate, Reader } from '../../html/app/bytes.mjs';
import { BEST, lettersIn, lowerOf, placesOf, rankOf } from '../../html/app/fuzzy.mjs';
import { readNames } from '../../html/app/subs.mjs';
import { Targets } from '../../html/app/targets.mjs';
import { is, ok } from './tap.mjs';

const [, text] = /^NP\.loadz\("(.*)"\);\n$/.exec(readFileSync(process.argv[2], 'latin1'));
const profile = readNames(new Reader(await inflate(fromBase64(text))));
const words = { sub: 'sub', package: 'package', eval: 'string eval' };

const rank = (name, letters) => rankOf(name, lowerOf(name), letters);
const marked = (name, letters) => placesOf(name, lowerOf(name), letters).map(k => name[k]).join('');

function testRanks() {
    const names = ['PPI::Node::find', 'PPI::Node::find_first', 'PPI::Node::_wanted_find_x', 'File::Find::dir',
        'main::unfinding', 'main::finer_indeed'];
    is(names.map(name => rank(name, 'find')), [BEST, 8, 7, 6, 5, 3], 'the last part, its begin, words, parts, letters');
    is(rank('PPI::Node::find', 'node::find'), BEST, 'the last two parts');
    is([rank('PPI/Token.pm', 'token.pm'), rank('PPI/Token.pm', 'ppi/to')], [BEST, 6], 'files');
    is([rank('PPI::Node::find', 'pnf'), rank('Perl::PolicyFactory', 'ppf')], [4, 4], 'begins of words, and capitals');
    is(rank('PPI::Node::find', 'dnif'), 0, 'letters in another order do not match');
    is(rank('a', 'ab'), 0, 'nor does a name that is too short');
    ok(rank('main::abcdefg', 'aceg') > 0, 'letters far from each other match');
    is(rank('\u0130x::caf\u00c9', 'caf\u00c9'), BEST, 'also where lower case has another length');
}

function testPlaces() {
    is(placesOf('find::find', 'find::find', 'find'), [6, 7, 8, 9], 'the last one is marked');
    is(marked('PPI::Node::find', 'pnf'), 'PNf', 'or the letters');
    is(placesOf('axxab', 'axxab', 'ab'), [3, 4], 'near each other');
    ok((lettersIn('ab_1') & lettersIn('xa1b_')) === lettersIn('ab_1'), 'bits of letters');
    ok((lettersIn('abz') & lettersIn('ab')) !== lettersIn('abz'), 'tell what is missing');
}

function found(targets, typed) {
    const search = targets.search(typed);
    while (!search.isDone) search.run(5);
    return search.best();
}

function testTargets() {
    const targets = new Targets(profile, words, 'index.html');
    const all = found(targets, '');
    ok(all.length > 8 && all.every((each, k) => !k || all[k - 1].time >= each.time), 'without letters: by time');
    const [first] = found(targets, 'Bar::new');
    is([first.name, targets.kindOf(first)], ['Foo::Bar::new', 'sub'], 'a sub');
    ok(/^Foo-Bar-pm-\d+-line\.html#/.test(targets.linkOf(first)), 'leads to its source');
    const bar = found(targets, 'bar');
    const linked = kind => bar.filter(each => targets.kindOf(each) === kind).map(each => targets.linkOf(each));
    is(linked('file'), ['Foo-Bar-pm-2-line.html'], 'a file to its page');
    ok(linked('package').some(link => /^index\.html#at=subs&sf=.*Foo/.test(link)), 'a package to the table of subs');
    is(found(targets, 'new foo').map(each => each.name), ['Foo::Bar::new'], 'words in any order');
    is(found(targets, 'no such name'), [], 'or nothing');
    const [piece] = targets.search('bar').piecesOf({ name: 'Bar::x' });
    is(piece, { isTyped: true, text: 'Bar' }, 'what is typed is marked');
    const late = targets.search('');
    late.run(-1);
    ok(!late.isDone && late.best().length === 0, 'a search without time has not looked yet');
    late.run(1000);
    ok(late.isDone && late.best().length === all.length, 'and goes on');
}

testRanks();
testPlaces();
testTargets();
