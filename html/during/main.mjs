// SPDX-License-Identifier: MIT
// Shows a page of source in the stretch of time that its address has. source.js loads this if there is one, and hears
// by the event rowschanged when the page is as it will be. In a report of one file the index tells the stretch.
import { Reader } from '../app/bytes.mjs';
import { carryStretch } from '../app/carry.mjs';
import { showDuring } from './shown.mjs';
import { el } from '../app/dom.mjs';
import { readData } from '../find/load.mjs';
import { readProfile } from '../app/profile.mjs';
import { selectedOf } from '../app/stretch.mjs';

async function show() {
    const when = new URLSearchParams(location.search).get('when') || '';
    const page = decodeURIComponent(location.pathname.replace(/.*\//, ''));
    const of = selectedOf(readProfile(await readData()), when);
    if (!of.part) return;
    carryStretch(of, () => when);
    showDuring(document, of, page, () => { location.href = page + location.hash; });
    dispatchEvent(new Event('rowschanged'));
    document.documentElement.dataset.during = performance.now().toFixed(1);
}

if (document.body.classList.contains('source')) {
    show().catch(error => document.querySelector('header').append(el('p', { class: 'during' }, error.message)));
} else {
    addEventListener('pageshown', ({ detail: { page, name, isNew, of, clear } }) => {
        if (isNew && page) showDuring(page, of, name, clear);
    });
}
