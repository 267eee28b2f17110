// SPDX-License-Identifier: MIT
// The reader's position on the page, kept in its history entry, so that going back from another page restores it. Needs
// no storage, which file:// may not have.

const PAUSE = 250; // milliseconds between two updates

// parts: parts of the page; each may have kept(), which returns plain data, and restore(kept).
export function keepPlace(parts) {
    const kept = history.state && history.state.nytprof;
    const keep = () => {
        const places = parts.map(part => (part.kept ? part.kept() : null));
        history.replaceState({ nytprof: { y: scrollY, places } }, '');
    };
    let waiting = 0;
    const soon = () => {
        clearTimeout(waiting);
        waiting = setTimeout(keep, PAUSE);
    };
    if (kept) {
        kept.places.forEach((place, k) => place && parts[k] && parts[k].restore(place));
        history.scrollRestoration = 'manual';
        scrollTo(0, kept.y);
    }
    addEventListener('scroll', soon, { passive: true });
    document.addEventListener('click', event => (event.target.closest('a[href]') ? keep() : soon()), true);
    document.addEventListener('keydown', event => (event.key === 'Enter' ? keep() : soon()), true);
}
