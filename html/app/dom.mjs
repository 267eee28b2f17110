// SPDX-License-Identifier: MIT
// Makes elements from text: no string is ever parsed as markup, here or elsewhere.

export function el(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (value === true) element.setAttribute(key, '');
        else if (value !== undefined && value !== false) element.setAttribute(key, value);
    }
    element.append(...children.filter(child => child !== undefined && child !== ''));
    return element;
}

// Follows a link, as a click would.
export function follow(href) {
    const link = el('a', { href });
    document.body.append(link);
    link.click();
    link.remove();
}

export const capital = word => word === 'cpu' ? 'CPU' : word[0].toUpperCase() + word.slice(1);

export function byId(id) {
    return document.getElementById(id);
}

// Whether a key is text for the element that has the focus, or a shortcut of the browser.
export function isTyping(event) {
    const isText = event.target.matches('input:not([type=radio], [type=checkbox]), textarea, select');
    return isText || event.ctrlKey || event.metaKey || event.altKey;
}

// Whether single letters are no keys. Storage may be forbidden, as on file:// in some browsers: then they are.
export function areKeysOff() {
    try {
        return localStorage.getItem('nytprof-keys') === 'off';
    } catch {
        return false;
    }
}
