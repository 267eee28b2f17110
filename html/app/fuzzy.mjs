// SPDX-License-Identifier: MIT
// How well a name matches typed letters: they stand in the name in that order, with others between them.

export const BEST = 9; // ranks are 1 to BEST; 0: no match

const isCapital = code => code >= 65 && code <= 90;
const isAlnum = code => (code >= 97 && code <= 122) || isCapital(code) || (code >= 48 && code <= 57) || code > 127;

// Lower case, unless that has another length, as places in it are places in the name.
export function lowerOf(name) {
    const lower = name.toLowerCase();
    return lower.length === name.length ? lower : name;
}

// Whether a word of the name begins there: PPI::Node, is_hash and PolicyFactory have two each.
function beginsWord(name, at) {
    if (at === 0) return true;
    const before = name.charCodeAt(at - 1);
    return !isAlnum(before) || (isCapital(name.charCodeAt(at)) && !isCapital(before));
}

// Places of the letters, each behind the one before or at the begin of a later word; undefined if there are none.
function byWords(name, lower, letters) {
    const places = [];
    let at = -1;
    for (let k = 0; k < letters.length; k++) {
        at++;
        if (!k || lower[at] !== letters[k]) {
            at = lower.indexOf(letters[k], at);
            while (at >= 0 && !beginsWord(name, at)) at = lower.indexOf(letters[k], at + 1);
        }
        if (at < 0) return undefined;
        places.push(at);
    }
    return places;
}

// Places of the letters anywhere, near each other; undefined if there are none.
function anywhere(lower, letters) {
    const places = [];
    let at = -1;
    for (let k = 0; k < letters.length; k++) {
        at = lower.indexOf(letters[k], at + 1);
        if (at < 0) return undefined;
        places.push(at);
    }
    for (let k = places.length - 2; k >= 0; k--) places[k] = lower.lastIndexOf(letters[k], places[k + 1] - 1);
    return places;
}

const runsIn = places => places.filter((at, k) => !k || at !== places[k - 1] + 1).length;

// A number from letters and digits of a text: a name whose number lacks a bit of the letters' cannot match them.
export function lettersIn(text) {
    let bits = 0;
    for (let k = 0; k < text.length; k++) {
        const code = text.charCodeAt(k);
        if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
        else if (code >= 48 && code <= 57) bits |= 1 << 26;
        else if (code === 95) bits |= 1 << 27;
        else if (code > 127) bits |= 1 << 28;
    }
    return bits;
}

// The whole name or its last parts; the begin of the last part; that of a word in the last part, of a word; a part of
// a word; begins of words; a few pieces of words.
export function rankOf(name, lower, letters) {
    const ends = lower.length - letters.length;
    if (ends >= 0 && lower.endsWith(letters) && beginsWord(name, ends)) return BEST;
    const at = lower.indexOf(letters);
    if (at < 0) {
        if (byWords(name, lower, letters)) return 4;
        const places = anywhere(lower, letters);
        return places ? Math.max(1, 5 - runsIn(places)) : 0;
    }
    const last = 1 + Math.max(lower.lastIndexOf(':'), lower.lastIndexOf('/'), lower.lastIndexOf('#'));
    const inLast = lower.indexOf(letters, last);
    if (inLast === last) return 8;
    if (inLast > 0 && beginsWord(name, inLast)) return 7;
    return beginsWord(name, at) ? 6 : 5;
}

// Places of the letters by which a name has its rank.
export function placesOf(name, lower, letters) {
    const last = lower.lastIndexOf(letters);
    if (last < 0) return byWords(name, lower, letters) || anywhere(lower, letters) || [];
    return Array.from({ length: letters.length }, (_, k) => last + k);
}
