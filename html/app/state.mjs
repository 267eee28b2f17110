// SPDX-License-Identifier: MIT
// The state of the views, as an address: #t=flame&z=PPI::Node::find&s=-exclusive. Going back undoes the last change.

// What was cut off, or typed by hand, is taken as it is.
export function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

export function parseHash(hash) {
    const state = {};
    const text = hash.replace(/^#/, '');
    if (!text.includes('=')) return state; // a plain anchor
    for (const part of text.split('&')) {
        const [key, ...value] = part.split('=');
        state[key] = decoded(value.join('='));
    }
    return state;
}

export function formatHash(state) {
    const keys = Object.keys(state).filter(key => state[key] !== undefined && state[key] !== '').sort();
    const plain = text => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2F/g, '/');
    return keys.map(key => `${key}=${plain(state[key])}`).join('&');
}

export class State {
    constructor(where, changed) {
        this.where = where;
        this.changed = changed;
        this.values = parseHash(where.hash);
    }

    get(key) {
        return this.values[key] || '';
    }

    // Changes some keys; a step back undoes it, unless it is one of many small ones, such as letters typed.
    set(changes, isSmall = false) {
        const next = { ...this.values, ...changes };
        const text = formatHash(next);
        if (text === formatHash(this.values)) return;
        this.values = parseHash(`#${text}`);
        if (isSmall) this.where.replace(`#${text || '='}`);
        else this.where.hash = text || '=';
        this.changed(changes);
    }

    // The address was changed from outside.
    read() {
        const next = parseHash(this.where.hash);
        if (formatHash(next) === formatHash(this.values)) return;
        this.values = next;
        this.changed(undefined);
    }
}
