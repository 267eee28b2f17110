// SPDX-License-Identifier: MIT
// Reads data.js on pages beside the index, once for all their scripts.
import { fromBase64, inflate } from '../app/bytes.mjs';
import { el } from '../app/dom.mjs';

// The script data.js calls one of these functions.
function loaded(done, fail) {
    globalThis.NP = {
        load: text => done(fromBase64(text)),
        loadz: text => (globalThis.DecompressionStream ? done(inflate(fromBase64(text)))
            : fail(new Error('This browser cannot unpack the data; the option --no-compress helps.'))),
    };
    const onerror = () => fail(new Error('The file data.js, which has the data, cannot be read.'));
    document.head.append(el('script', { src: 'data.js', onerror }));
}

export function readData() {
    return globalThis.NPDATA ||= new Promise(loaded);
}
