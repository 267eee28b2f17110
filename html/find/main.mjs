// SPDX-License-Identifier: MIT
// The box "Go to" on pages beside the index, which read data.js when it is first opened.
import { Reader, fromBase64, inflate } from '../app/bytes.mjs';
import { el } from '../app/dom.mjs';
import { addGoTo } from '../app/goto.mjs';
import { addKeys } from '../app/help.mjs';
import { readNames } from '../app/subs.mjs';
import { Targets } from '../app/targets.mjs';

const KEYS = [
    ['/ Ctrl-K', 'go to a sub, file or package'],
    ['?', 'this list'],
];
const words = document.currentScript.dataset; // of the profiled language

// The script data.js calls one of these functions.
function readData() {
    return new Promise((done, fail) => {
        globalThis.NP = {
            load: text => done(fromBase64(text)),
            loadz: text => (globalThis.DecompressionStream ? done(inflate(fromBase64(text)))
                : fail(new Error('This browser cannot unpack the names; the option --no-compress helps.'))),
        };
        const onerror = () => fail(new Error('The file data.js, which has the names, cannot be read.'));
        document.head.append(el('script', { src: 'data.js', onerror }));
    });
}

addGoTo(async () => new Targets(readNames(new Reader(await readData())), words, 'index.html'));
if (!document.body.classList.contains('source')) addKeys(KEYS, {}); // source.js has a list of its own
