// SPDX-License-Identifier: MIT
// The box "Go to" on pages beside the index, which read data.js when it is first opened.
import { Reader } from '../app/bytes.mjs';
import { addGoTo } from '../app/goto.mjs';
import { addKeys } from '../app/help.mjs';
import { readData } from './load.mjs';
import { readNames } from '../app/subs.mjs';
import { Targets } from '../app/targets.mjs';

const KEYS = [
    ['/ Ctrl-K', 'go to a sub, file or package'],
    ['?', 'this list'],
];
const words = document.currentScript.dataset; // of the profiled language

addGoTo(async () => new Targets(readNames(new Reader(await readData())), words, 'index.html'));
if (!document.body.classList.contains('source')) addKeys(KEYS, {}); // source.js has a list of its own
