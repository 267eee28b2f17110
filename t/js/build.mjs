// SPDX-License-Identifier: MIT
// The script of a build's page, as far as it needs no page: node build.mjs PAGE.
import { readFileSync } from 'node:fs';
import { fromBase64, inflate } from '../../html/app/bytes.mjs';
import { firstBehind, lanesOf, meanOf, ticksOf } from '../../html/build/lanes.mjs';
import { labelOf, readBuild, statusOf } from '../../html/build/processes.mjs';
import { sumsOf, totalOf } from '../../html/build/sums.mjs';
import { is, ok } from './tap.mjs';

// ---- lanes ----

const five = { n: 5, began: [0, 1, 2, 3, 6], ended: [10, 5, 8, 9, 7], parent: [-1, 0, 0, 2, 0] };
is(Array.from(lanesOf(five).lane), [0, 1, 2, 3, 1], 'each below its parent, in the first lane that is free');
is(lanesOf(five).rows, [[0], [1, 4], [2], [3]], 'and lanes are in the order of time');
is([0, 5, 6.5, 7].map(time => firstBehind([1, 4], five.ended, time)), [0, 1, 1, 2], 'the first that ends later');

// ---- jobs ----

const jobs = { n: 4, at: [0, 10, 30, 40], running: [1, 3, 0, 0] };
is(Array.from(meanOf(jobs, 0, 40, 4)), [1, 3, 3, 0], 'the mean number of jobs in parts of the time');
is(Array.from(meanOf(jobs, 5, 35, 2)), [(5 + 30) / 15, (3 * 10) / 15], 'of a part of it');
is(Array.from(meanOf(jobs, 12, 13, 1)), [3], 'between two steps');
is(ticksOf(0, 95, 5), [0, 20, 40, 60, 80], 'round times for an axis');
is(ticksOf(3e9, 34e8, 2), [30e8, 32e8, 34e8], 'in nanoseconds');

// ---- a page ----

const page = readFileSync(process.argv[2], 'latin1');
const [, how, data] = /NP\.(loadz?)\("(.*?)"\)/.exec(page);
const bytes = fromBase64(data);
const build = readBuild(how === 'loadz' ? await inflate(bytes) : bytes);
const { rows } = lanesOf(build);
is(rows.reduce((sum, row) => sum + row.length, 0), build.n, 'a bar for each process');
is(Array.from({ length: build.n }, (_, k) => labelOf(build, k)), ['make -j2', 'a.o', 'b.o', 'x'], 'bars have labels');
is(Array.from({ length: build.n }, (_, k) => statusOf(build, k)), ['2', '', '', 'signal 9'], 'and statuses');
is(Array.from(meanOf(build.jobs, 0, build.total, 4)), [1.4, 2, 1, 1], 'the curve of jobs');
const [schema] = build.schemata;
const sums = sumsOf(build, schema.of, schema.classes.length, 0);
is(sums.groups.map(g => [schema.classes[g], sums.count[g], sums.own[g] / 1e9]),
    [['make', 1, 9], ['gcc', 2, 33.005], ['ld', 1, 0]], 'sums by class');
is(totalOf(sums.groups, sums.count), build.n, 'of all processes');
ok(rows.every(row => row.every((k, i) => !i || build.began[k] >= build.ended[row[i - 1]])), 'no bar lies on another');
