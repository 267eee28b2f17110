// SPDX-License-Identifier: MIT
// Names within a picture.

export const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
export const LETTER = 6.7; // width of a letter

// A name in that many letters: without its package if need be, then cut.
export function fit(name, letters) {
    if (name.length <= letters) return name;
    const short = name.replace(/^(?:\w+::)+(?=.)/, '');
    return short.length <= letters ? short : `${short.slice(0, letters - 1)}…`;
}
