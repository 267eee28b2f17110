// SPDX-License-Identifier: MIT
// Selects a stretch of the strip of time, and tells what passed in it.
import { byId, el } from './dom.mjs';
import { boundAt, boundText, hottestIn, stretchOf, sumStretch } from './stretch.mjs';
import { subLink } from './subs.mjs';
import { percentText, timeText } from './units.mjs';

const CLICK = 4; // pixels that a click may move
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export class Strip {
    constructor(profile, state, words) {
        const { dataset } = byId('strip');
        const { slices } = profile;
        Object.assign(this, { profile, state, slices, words, files: dataset.files, first: slices.first });
        this.names = dataset.passed.split(';');
        this.length = Number(dataset.last) - this.first;
        this.brush = el('div', {});
        this.area = el('div', {
            class: 'brush', style: `top: ${dataset.top}px; height: ${dataset.height}px`, tabindex: 0, role: 'slider',
            'aria-label': 'Stretch of time', 'aria-valuemin': 0, 'aria-valuemax': this.slices.bounds.length - 1,
            onkeydown: event => this.key(event), onpointerdown: event => this.begin(event),
            onpointermove: event => this.move(event), onpointerup: () => this.end(), onpointercancel: () => this.stop(),
        }, this.brush);
        byId('strip').append(this.area);
        this.bar = byId('stretch');
        this.bar.hidden = false;
        this.bar.setAttribute('aria-live', 'polite');
        this.update();
    }

    redraw() {}

    print() {}

    go(stretch, isSmall = false) {
        const { bounds } = this.slices;
        this.state.set({ when: stretch ? stretch.map(k => boundText(bounds, k)).join('-') : '' }, isSmall);
    }

    // ---- pointer and keys ----

    timeAt(event) {
        const { left, width } = this.area.getBoundingClientRect();
        return this.first + this.length * Math.min(1, Math.max(0, (event.clientX - left) / width));
    }

    // From the slice where the drag began to that below the pointer, both as a whole.
    dragged() {
        const { bounds } = this.slices;
        const [from, to] = [this.drag.from, this.drag.to].sort((a, b) => a - b);
        const begin = Math.min(boundAt(bounds, from), bounds.length - 2);
        return [begin, Math.max(begin + 1, boundAt(bounds, to - 1) + (to > bounds[boundAt(bounds, to - 1)] ? 1 : 0))]
            .map(k => Math.min(k, bounds.length - 1));
    }

    begin(event) {
        if (event.button) return;
        this.drag = { from: this.timeAt(event), to: this.timeAt(event), x: event.clientX, hasMoved: false };
        this.area.setPointerCapture(event.pointerId);
    }

    move(event) {
        if (!this.drag) return;
        this.drag.hasMoved ||= Math.abs(event.clientX - this.drag.x) > CLICK;
        if (this.drag.hasMoved) this.drag.to = this.timeAt(event);
        this.show(this.dragged());
    }

    end() {
        if (!this.drag) return;
        const stretch = this.dragged();
        this.drag = undefined;
        this.go(stretch);
        this.update();
    }

    stop() {
        this.drag = undefined;
        this.update();
    }

    key(event) {
        const last = this.slices.bounds.length - 1;
        const step = STEPS[event.key];
        if (event.key === 'Escape') this.go();
        if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const [from, to] = this.stretch || (step > 0 ? [-1, 0] : [last, last + 1]);
        if (event.shiftKey) this.go([step < 0 ? Math.max(0, from - 1) : Math.max(0, from),
            step > 0 ? Math.min(last, to + 1) : Math.min(last, to)], true);
        else if (from + step >= 0 && to + step <= last) this.go([from + step, to + step], true);
    }

    // ---- what is selected ----

    update() {
        this.show(stretchOf(this.slices.bounds, this.state.get('when')));
    }

    show(stretch) {
        const { bounds } = this.slices;
        this.stretch = stretch;
        this.brush.hidden = !stretch;
        this.area.setAttribute('aria-valuenow', stretch ? stretch[1] : 0);
        if (!stretch) {
            this.area.setAttribute('aria-valuetext', 'nothing selected');
            this.bar.replaceChildren('Drag over the picture, or use arrow keys on it, to select a stretch.');
            return;
        }
        const [left, right] = stretch.map(k => 100 * (bounds[k] - this.first) / this.length);
        Object.assign(this.brush.style, { left: `${left}%`, width: `${right - left}%` });
        const range = stretch.map(k => timeText(1e3 * bounds[k])).join(' to ');
        this.area.setAttribute('aria-valuetext', range);
        this.tell(range, stretch, sumStretch(this.profile, stretch));
    }

    tell(range, stretch, { passed, us }) {
        const { bounds } = this.slices;
        const parts = this.names.map((name, k) => [name, passed[k]]).filter(([, part]) => part > 0)
            .map(([name, part]) => `${name} ${timeText(1e3 * part)} (${percentText(part, us)})`);
        const subs = hottestIn(this.profile, stretch).flatMap(({ sub, ns }, k) =>
            [k ? ', ' : '. Most in ', this.link(sub), ` ${timeText(ns)}`]);
        const { linewise, sliced } = this.profile;
        const shown = [sliced.length && `the call tree and ${this.words.subs}`, linewise && 'lines and files']
            .filter(Boolean);
        const time = stretch.map(k => boundText(bounds, k)).join('..');
        this.bar.replaceChildren(el('b', {}, range), `: ${parts.join(', ')}`, ...subs, '. ',
            el('button', { type: 'button', onclick: () => this.go() }, 'Clear'),
            shown.length ? ` Below${linewise ? ' and on pages of source' : ''}, ${shown.join(', ')} are those of this` +
                ' stretch alone, as is everything in ' : ' The report of this stretch alone: ',
            el('code', {}, `nytprof html --time ${time} ${this.files}`));
    }

    link(sub) {
        const name = this.profile.subs.name[sub];
        const href = subLink(this.profile, sub);
        return href ? el('a', { href }, name) : name;
    }
}
