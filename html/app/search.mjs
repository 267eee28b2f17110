// SPDX-License-Identifier: MIT
// The syntax of searches: text anywhere, in any case; /between slashes/ a regular expression.

// A function from name to whether it matches; undefined for an empty search, null for an invalid expression.
export function matcher(text) {
    if (!text) return undefined;
    const [, pattern] = /^\/(.*?)\/?$/s.exec(text) || [];
    if (pattern === undefined) {
        const wanted = text.toLowerCase();
        return name => name.toLowerCase().includes(wanted);
    }
    if (!pattern) return undefined;
    try {
        const expression = new RegExp(pattern);
        return name => expression.test(name);
    } catch {
        return null;
    }
}

// The same for numbers of names, each name looked at once.
export function numbered(match, names) {
    const known = new Map();
    return number => {
        if (!known.has(number)) known.set(number, match(names[number]));
        return known.get(number);
    };
}
