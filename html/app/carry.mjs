// SPDX-License-Identifier: MIT
// Links to pages of source carry the selected stretch of time: PAGE?when=FROM-TO#LINE, and index.html#when=FROM-TO.
import { decoded, formatHash, parseHash } from './state.mjs';

export function carried(href, when, isSource) {
    const [, page, id = ''] = /^([\w.-]+)(?:\?[^#]*)?(?:#(.*))?$/s.exec(href) || [];
    if (isSource(page)) return `${page}${when && `?when=${encodeURIComponent(when)}`}${id && `#${id}`}`;
    if (page !== 'index.html') return href;
    const state = id.includes('=') ? parseHash(id) : { at: decoded(id) };
    const hash = formatHash({ ...state, when });
    return hash ? `${page}#${hash}` : page;
}

// A link is changed when it is about to be used: tables make theirs anew all the time.
export function carryStretch({ pages, files }, whenOf) {
    const sources = new Set(pages.slice(0, files.n).filter(Boolean));
    const carry = event => {
        const link = event.target.closest?.('a[href]');
        const href = link && link.getAttribute('href');
        const next = href && carried(href, whenOf(), page => sources.has(page));
        if (next !== href) link.setAttribute('href', next);
    };
    for (const type of ['pointerdown', 'focusin', 'click']) document.addEventListener(type, carry, true);
}
