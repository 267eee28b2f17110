// SPDX-License-Identifier: MIT
// In a report of one file: the other pages, deflated in here, are shown in place of the index. Their addresses are the
// state's keys p, the page, and l, a line or an element's id. during.js and source.js, which are in the file too, get
// an event for each page: the one shows it in the selected stretch of time, the other goes to the line.
import { fromBase64, inflate } from './bytes.mjs';
import { el } from './dom.mjs';
import { parseHash } from './state.mjs';

export class Single {
    // goTo makes a button, for the head of each page.
    constructor(pages, state, stretches, goTo) {
        const own = Array.from(document.body.children);
        Object.assign(this, { pages, state, stretches, goTo, own, page: '', title: document.title });
        this.holder = el('div', { class: 'source', hidden: true });
        document.body.append(this.holder);
        document.addEventListener('click', event => this.click(event));
        this.update();
    }

    redraw() {}

    print() {}

    click(event) {
        const link = event.target.closest('a[href]');
        const [, page, id] = (link && /^([\w.-]*)(?:#(.*))?$/s.exec(link.getAttribute('href'))) || [];
        if (page === undefined || event.defaultPrevented) return;
        if (page === 'index.html') this.state.set({ p: '', l: '', ...parseHash(id || '') });
        else if (this.pages[page]) this.state.set({ p: page, l: id || '' });
        else if (page === '' && this.page) this.state.set({ l: decodeURIComponent(id || '') });
        else return;
        event.preventDefault();
    }

    async update() {
        const page = this.pages[this.state.get('p')] ? this.state.get('p') : '';
        const when = this.state.get('when');
        const changed = page !== this.page || (page && when !== this.when);
        if (changed && page && !this.page) this.y = scrollY;
        Object.assign(this, { page, when });
        if (changed && page) await this.fill(page);
        if (page !== this.page) return; // another page was asked for meanwhile
        for (const element of this.own) element.hidden = Boolean(page);
        this.holder.hidden = !page;
        if (!page) document.title = this.title;
        const id = this.state.get('l');
        if (changed || id !== this.id) this.tell(changed, id);
        if (page && !id) scrollTo(0, 0);
        if (changed && !page) scrollTo(0, this.y || 0);
        this.id = id;
    }

    async fill(name) {
        const text = new TextDecoder().decode(await inflate(fromBase64(this.pages[name])));
        const page = new DOMParser().parseFromString(text, 'text/html');
        document.title = page.title;
        this.holder.replaceChildren(...page.body.children);
        this.holder.querySelector('header').prepend(this.goTo());
    }

    tell(isNew, id) {
        const page = this.page ? this.holder : null;
        const of = this.stretches.selected();
        const clear = () => this.state.set({ when: '' });
        dispatchEvent(new CustomEvent('pageshown', { detail: { page, name: this.page, isNew, id, of, clear } }));
    }
}
