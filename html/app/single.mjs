// In a report of one file: the other pages, deflated in here, are shown in place of the index. Their addresses are the
// state's keys p, the page, and l, the line or the name of what is meant.
import { fromBase64, inflate } from './bytes.mjs';
import { el } from './dom.mjs';

export class Single {
    constructor(pages, state) {
        Object.assign(this, { pages, state, page: '', own: Array.from(document.body.children), title: document.title });
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
        if (page === 'index.html') this.state.set({ p: '', l: '' });
        else if (this.pages[page]) this.state.set({ p: page, l: id || '' });
        else if (page === '' && this.page) this.state.set({ l: decodeURIComponent(id || '') });
        else return;
        event.preventDefault();
    }

    async update() {
        const page = this.pages[this.state.get('p')] ? this.state.get('p') : '';
        const changed = page !== this.page;
        this.page = page;
        if (changed && page) await this.fill(page);
        if (page !== this.page) return; // another was asked for meanwhile
        for (const element of this.own) element.hidden = Boolean(page);
        this.holder.hidden = !page;
        if (!page) document.title = this.title;
        else this.find(this.state.get('l'));
    }

    async fill(name) {
        const text = new TextDecoder().decode(await inflate(fromBase64(this.pages[name])));
        const page = new DOMParser().parseFromString(text, 'text/html');
        document.title = page.title;
        this.holder.replaceChildren(...page.body.children);
    }

    // A line that did not run may be folded up below the number of the first.
    find(id) {
        const folded = Array.from(this.holder.querySelectorAll('summary[id]')).reverse();
        const there = id ? this.holder.querySelector(`[id="${CSS.escape(id)}"]`) : undefined;
        const run = !there && /^\d+$/.test(id) ? folded.find(each => Number(each.id) <= Number(id)) : undefined;
        if (run) run.parentElement.open = true;
        if (this.found) this.found.classList.remove('at');
        this.found = there && (there.closest('tr') || there);
        if (this.found) this.found.classList.add('at');
        const isLine = there && there.closest('tr');
        if (there || run) (there || run).scrollIntoView({ block: isLine ? 'center' : 'start' });
        else scrollTo(0, 0);
    }
}
