// SPDX-License-Identifier: MIT
// The box "Go to", on every page: names as they are typed, with their times, and the way there.
import { areKeysOff, el, follow, isTyping } from './dom.mjs';
import { countText, percentText, timeText } from './units.mjs';

const SLICE = 12; // milliseconds of searching, after which the box is drawn

class GoTo {
    // load: a function that returns a promise of Targets.
    constructor(load) {
        this.load = load;
        this.input = el('input', {
            type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
            'aria-label': 'Name', 'aria-controls': 'found', 'aria-expanded': 'true', 'aria-autocomplete': 'list',
            oninput: () => this.search(), onkeydown: event => this.key(event),
        });
        this.list = el('ul', {
            id: 'found', role: 'listbox', 'aria-label': 'Found', onclick: event => this.click(event),
        });
        this.said = el('output', { class: 'muted' });
        // The event comes some time after the closing: the box may be open again.
        const onclose = () => this.dialog.open || this.dialog.remove();
        this.dialog = el('dialog', { class: 'goto', 'aria-label': 'Go to', onclose }, this.input, this.list,
            el('p', { class: 'muted' }, this.said));
    }

    async open() {
        document.body.append(this.dialog);
        this.dialog.showModal();
        this.input.select();
        if (this.targets) return this.search();
        this.said.value = 'Reading names ...';
        try {
            this.targets = await this.load();
            this.input.placeholder = `A ${this.targets.words.sub}, file or ${this.targets.words.package}`;
            return this.search();
        } catch (error) {
            this.said.value = error.message;
            return undefined;
        }
    }

    close() {
        this.dialog.close();
    }

    // A search that takes long goes on after each drawing, until it is done or something else is typed.
    search() {
        if (!this.targets) return;
        const now = this.now = this.targets.search(this.input.value);
        this.chosen = undefined;
        const goOn = () => {
            if (now !== this.now || !this.dialog.open) return;
            now.run(SLICE);
            this.draw();
            if (!now.isDone) setTimeout(goOn);
        };
        goOn();
    }

    draw() {
        const { now } = this;
        this.shown = now.best();
        this.list.replaceChildren(...this.shown.map((target, k) => this.option(target, k)));
        this.select(Math.max(0, this.shown.indexOf(this.chosen)));
        const { length } = this.shown;
        const found = length < now.n ? `The first ${length} of ${countText(now.n)}` : now.n || 'None';
        this.said.value = `${found} found${now.isDone ? '' : ' so far'}. ` +
            `Times of ${this.targets.words.subs} are total, others self.`;
    }

    option(target, k) {
        const { now, targets } = this;
        const name = now.piecesOf(target).map(({ isTyped, text }) => (isTyped ? el('b', {}, text) : text));
        const time = targets.timeOf(target);
        return el('li', { id: `found-${k}`, role: 'option', 'aria-selected': 'false' },
            el('span', { class: 'name' }, ...name), el('span', {}, timeText(time)),
            el('span', {}, percentText(time, targets.profile.total)), el('span', {}, targets.kindOf(target)));
    }

    select(k) {
        const [old, next] = [this.list.children[this.at], this.list.children[k]];
        if (old) old.setAttribute('aria-selected', 'false');
        this.at = k;
        if (!next) return this.input.removeAttribute('aria-activedescendant');
        next.setAttribute('aria-selected', 'true');
        next.scrollIntoView({ block: 'nearest' });
        return this.input.setAttribute('aria-activedescendant', next.id);
    }

    key(event) {
        const n = this.list.children.length;
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
        if (event.isComposing) return;
        if (step && n) {
            this.select(Math.abs(step) === 1 ? (this.at + step + n) % n : Math.min(Math.max(this.at + step, 0), n - 1));
            this.chosen = this.shown[this.at]; // to stay so, while the search goes on
        } else if (event.key === 'Enter') this.go(this.at);
        else return;
        event.preventDefault();
    }

    click(event) {
        const option = event.target.closest('li');
        if (option) this.go(Array.from(this.list.children).indexOf(option));
    }

    go(k) {
        const target = this.shown && this.shown[k];
        if (!target) return;
        this.close();
        follow(this.targets.linkOf(target));
    }
}

// Adds keys and a button for the box; returns what makes another button. Ctrl-K (Cmd-K) works wherever the focus is, a
// single key not in text.
export function addGoTo(load) {
    const box = new GoTo(load);
    addEventListener('keydown', event => {
        const isChord = /^k$/i.test(event.key) && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
        if (event.defaultPrevented || !(isChord || (event.key === '/' && !isTyping(event) && !areKeysOff()))) return;
        if (document.querySelector('dialog[open]')) {
            if (!box.dialog.open) return;
            box.close();
        } else box.open();
        event.preventDefault();
    });
    const button = () => el('button', { type: 'button', class: 'theme', onclick: () => box.open() }, 'Go to /');
    document.querySelector('header').prepend(button());
    return button;
}
