// SPDX-License-Identifier: MIT
// The data of a build's page as columns: the block is described in xs/pages/DATA. Times are nanoseconds.
import { Reader } from '../app/bytes.mjs';

const VERSION = 1;
export const SIGNAL = 256; // in a status, beside the number of a signal

function readClasses(from, n) {
    const schemata = from.u();
    const names = from.list();
    return Array.from({ length: schemata }, (_, k) => (
        { name: names[k], classes: from.list(), of: from.column(n, Uint32Array) }));
}

function readTexts(from, n) {
    return { names: from.list(), of: from.column(n, Uint32Array) };
}

function readNumbers(from, n) {
    const began = from.signed(n);
    for (let k = 1; k < n; k++) began[k] += began[k - 1];
    const took = from.column(n);
    const up = from.column(n, Uint32Array);
    const numbers = {
        began, took, ended: began.map((at, k) => at + took[k]),
        parent: Int32Array.from(up, (by, k) => (by ? k - by : -1)),
        flags: from.raw(n), status: from.column(n), serial: from.column(n), level: from.column(n), pid: from.column(n),
    };
    for (const name of ['user', 'system', 'ownUser', 'ownSystem']) numbers[name] = from.column(n).map(us => 1000 * us);
    numbers.memory = from.column(n).map(kb => 1024 * kb);
    for (const name of ['faults', 'majorFaults', 'read', 'written', 'switches', 'forced'])
        numbers[name] = from.column(n);
    return numbers;
}

function readJobs(from) {
    const limit = from.u();
    const n = from.u();
    const at = from.column(n);
    for (let k = 1; k < n; k++) at[k] += at[k - 1];
    const running = from.column(n, Uint32Array);
    return { limit, n, at, running, most: running.reduce((most, each) => Math.max(most, each), 0) };
}

// By process: the captures of what it has run.
function readProfiles(from) {
    const n = from.u();
    const of = from.column(n, Uint32Array);
    const texts = from.list();
    const profiles = new Map();
    of.forEach((process, k) => {
        const [capture, script, link] = texts.slice(3 * k, 3 * k + 3);
        profiles.set(process, [...(profiles.get(process) || []), { capture, script, link }]);
    });
    return profiles;
}

export function readBuild(bytes) {
    const from = new Reader(bytes);
    const version = from.u();
    if (version !== VERSION) throw new RangeError(`data of version ${version}, in a page of version ${VERSION}`);
    const n = from.u();
    const build = { n, total: from.u(), schemata: readClasses(from, n) };
    for (const name of ['hosts', 'directories', 'targets', 'commands']) build[name] = readTexts(from, n);
    Object.assign(build, readNumbers(from, n));
    build.jobs = readJobs(from);
    build.chain = from.column(from.u(), Uint32Array);
    build.profiles = readProfiles(from);
    return build;
}

export function statusOf({ flags, status }, k) {
    if (!(flags[k] & 1)) return 'no end';
    return status[k] >= SIGNAL ? `signal ${status[k] & 255}` : status[k] ? String(status[k]) : '';
}

// What names a process in a few letters: its target without directories, or its command.
export function labelOf({ targets, commands }, k) {
    const target = targets.names[targets.of[k]];
    return target.slice(target.lastIndexOf('/') + 1) || target || commands.names[commands.of[k]];
}
