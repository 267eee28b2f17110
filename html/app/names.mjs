// SPDX-License-Identifier: MIT
// Names of subs whose package is muted, so that what tells them apart stands out.
import { el } from './dom.mjs';

// The package with its colons, or nothing, and the rest. A bracket or blank begins what is no name.
export function splitName(name) {
    return /^([^[( ]*::)?(.*)$/s.exec(name).slice(1);
}

// The children of an element with the name.
export function namePieces(name) {
    const [from, rest] = splitName(name);
    return from ? [el('small', {}, from), rest] : [name];
}
