// SPDX-License-Identifier: MIT
// Processes over time on a canvas, a lane for each of those that run at a time, with the number of jobs above. Only
// what is in sight is drawn, and what would lie within one pixel once.
import { el } from '../app/dom.mjs';
import { FONT, LETTER, fit } from '../app/letters.mjs';
import { timeText } from '../app/units.mjs';
import { firstBehind, lanesOf, meanOf, ticksOf } from './lanes.mjs';

const ROW = 18; // pixels of a lane
const CURVE = 60; // of the number of jobs
const AXIS = 18;
const CLOSEST = 1000; // nanoseconds that fill the width at most zoom
const STEP = 1.5; // of a zoom by a key
const MOVED = 4; // pixels from which a press is no click

export class Timeline {
    // told: { hue(process) or undefined, label(process), isFaded(process), look(process), open(process),
    // moved(from, to, isSmall) }, the last three called when the reader asks for it.
    constructor(host, build, told) {
        Object.assign(this, { host, build, told, ...lanesOf(build), cursor: 0, from: 0, to: build.total || 1 });
        this.chain = new Set(build.chain);
        this.curve = el('canvas', { class: 'curve', 'aria-hidden': 'true' });
        this.canvas = el('canvas', {
            tabindex: 0, role: 'application', 'aria-label': 'Processes over time', 'aria-roledescription': 'timeline',
        });
        this.spacer = el('div');
        this.box = el('div', { class: 'icicle-box lanes' }, this.canvas, this.spacer);
        host.replaceChildren(this.curve, this.box);
        const follow = () => this.height < this.rows.length * ROW && this.draw();
        addEventListener('scroll', follow, { passive: true });
        this.listen();
        new ResizeObserver(() => this.resize()).observe(host);
    }

    listen() {
        const { canvas } = this;
        canvas.addEventListener('pointerdown', event => this.press(event));
        canvas.addEventListener('pointermove', event => this.move(event));
        canvas.addEventListener('pointerup', event => this.release(event));
        canvas.addEventListener('pointercancel', () => {
            this.pressed = undefined;
        });
        canvas.addEventListener('dblclick', () => this.zoomTo(this.cursor));
        canvas.addEventListener('keydown', event => this.key(event));
        canvas.addEventListener('focus', () => this.point(this.cursor));
        canvas.addEventListener('blur', () => this.draw());
        canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
    }

    show(from, to) {
        Object.assign(this, { from, to });
        this.draw();
    }

    resize() {
        this.width = this.host.clientWidth - 2;
        this.height = Math.min(this.rows.length * ROW, innerHeight);
        this.spacer.style.height = `${this.rows.length * ROW}px`;
        this.pen = this.prepare(this.canvas, this.height);
        this.above = this.prepare(this.curve, CURVE + AXIS);
        this.draw();
    }

    prepare(canvas, height) {
        const scale = devicePixelRatio || 1;
        canvas.width = Math.round(this.width * scale);
        canvas.height = Math.round(height * scale);
        canvas.style.height = `${height}px`;
        const pen = canvas.getContext('2d');
        pen.scale(scale, scale);
        pen.textBaseline = 'middle';
        pen.font = FONT;
        return pen;
    }

    x(time) {
        return (time - this.from) / (this.to - this.from) * this.width;
    }

    // How much of the picture is above the canvas.
    offset() {
        const hidden = -this.box.getBoundingClientRect().top;
        return Math.max(0, Math.min(this.rows.length * ROW - this.height, hidden));
    }

    draw() {
        if (!(this.width > 0) || !this.pen) return;
        const style = getComputedStyle(this.canvas);
        const named = name => style.getPropertyValue(`--${name}`);
        this.ink = Object.fromEntries(['flame', 'text', 'muted', 'line', 'accent', 'bar', 'failed', 'other', 'ground']
            .map(name => [name, named(name)]));
        this.drawCurve();
        this.pen.clearRect(0, 0, this.width, this.height);
        const top = this.offset();
        const last = Math.min(this.rows.length, Math.ceil((top + this.height) / ROW));
        for (let lane = Math.floor(top / ROW); lane < last; lane++) this.drawLane(this.rows[lane], lane * ROW - top);
        if (document.activeElement === this.canvas) this.drawCursor(top);
    }

    drawCurve() {
        const { above, build: { jobs }, from, ink, to, width } = this;
        const most = Math.max(jobs.most, jobs.limit, 1);
        const y = n => CURVE - n / most * (CURVE - 16);
        const means = meanOf(jobs, from, to, Math.max(1, Math.round(width)));
        above.clearRect(0, 0, width, CURVE + AXIS);
        above.fillStyle = ink.accent;
        above.globalAlpha = 0.35;
        means.forEach((mean, x) => above.fillRect(x, y(mean), 1, CURVE - y(mean)));
        above.globalAlpha = 1;
        above.fillStyle = ink.muted;
        const marks = jobs.limit ? [[jobs.limit, `-j${jobs.limit}`]] : [[jobs.most, `${jobs.most} jobs`]];
        for (const [n, text] of marks) {
            above.fillRect(0, y(n), width, 1);
            above.fillText(text, 3, y(n) - 7);
        }
        for (const time of ticksOf(from, to, width / 110)) {
            above.fillRect(this.x(time), CURVE, 1, 5);
            above.fillText(timeText(time), Math.min(this.x(time) + 3, width - 60), CURVE + AXIS / 2 + 1, 100);
        }
    }

    drawLane(row, y) {
        const { build: { began, ended }, from, to, width } = this;
        const pixel = (to - from) / width;
        for (let k = firstBehind(row, ended, from); k < row.length && began[row[k]] < to;) {
            const left = Math.max(0, this.x(began[row[k]]));
            const right = Math.min(width, this.x(ended[row[k]]));
            if (right - left >= 1) this.drawProcess(row[k++], left, y, right - left);
            else k = this.drawNarrow(row, k, left, y, from + (Math.floor(left) + 1) * pixel);
        }
    }

    // Those that end within one pixel: the first of them, or one that has failed or is not faded. Returns the index of
    // the next.
    drawNarrow(row, k, left, y, until) {
        const { build: { began, ended, status } } = this;
        const end = Math.max(k + 1, firstBehind(row, ended, until));
        const rank = process => 2 * (status[process] !== 0) + !this.told.isFaded(process);
        let best = row[k];
        for (let i = k + 1; i < end && began[row[i]] < until; i++) if (rank(row[i]) > rank(best)) best = row[i];
        this.drawProcess(best, Math.floor(left), y, 1);
        return end;
    }

    drawProcess(process, x, y, width) {
        const { build, ink, pen, told } = this;
        const hue = told.hue(process);
        const room = width > 4 ? width - 1 : width;
        pen.globalAlpha = told.isFaded(process) ? 0.2 : 1;
        pen.fillStyle = hue === undefined ? ink.other : `hsl(${hue} ${ink.flame})`;
        pen.fillRect(x, y, room, ROW - 2);
        if (this.chain.has(process)) {
            pen.fillStyle = ink.accent;
            pen.fillRect(x, y + ROW - 5, room, 3);
        }
        if (build.status[process]) {
            pen.fillStyle = ink.failed;
            pen.fillRect(x, y, Math.max(room, 2), 4);
        }
        const letters = Math.floor((width - 6) / LETTER);
        if (letters >= 3) {
            pen.fillStyle = ink.text;
            pen.fillText(fit(told.label(process), letters), x + 3, y + ROW / 2 - 1, width - 5);
        }
        pen.globalAlpha = 1;
    }

    drawCursor(top) {
        const { build: { began, ended }, cursor, ink, pen, width } = this;
        const left = Math.max(1, this.x(began[cursor]) - 1);
        const right = Math.min(width - 1, this.x(ended[cursor]) + 1);
        if (right < 0 || left > width) return;
        pen.strokeStyle = ink.accent;
        pen.lineWidth = 2;
        pen.strokeRect(left, this.lane[cursor] * ROW - top + 1, Math.max(right - left, 3), ROW - 4);
    }

    // ---- the pointer ----

    hit(event) {
        const { build: { began, ended } } = this;
        const box = this.canvas.getBoundingClientRect();
        const row = this.rows[Math.floor((event.clientY - box.top + this.offset()) / ROW)];
        const pixel = (this.to - this.from) / this.width;
        const time = this.from + (event.clientX - box.left) * pixel;
        if (!row) return undefined;
        const k = firstBehind(row, ended, time - pixel);
        return k < row.length && began[row[k]] <= time + pixel ? row[k] : undefined;
    }

    press(event) {
        this.pressed = { x: event.clientX, from: this.from, to: this.to, isMoved: false };
    }

    move(event) {
        const { pressed } = this;
        if (pressed && Math.abs(event.clientX - pressed.x) > MOVED && !pressed.isMoved) {
            pressed.isMoved = true;
            this.canvas.setPointerCapture(event.pointerId);
        }
        if (pressed && pressed.isMoved) {
            const by = (pressed.x - event.clientX) * (pressed.to - pressed.from) / this.width;
            this.go(pressed.from + by, pressed.to + by, true);
            return;
        }
        const process = this.hit(event);
        this.canvas.style.cursor = process === undefined ? '' : 'pointer';
        if (process !== undefined) this.told.look(process);
    }

    release(event) {
        const process = this.pressed && !this.pressed.isMoved ? this.hit(event) : undefined;
        this.pressed = undefined;
        if (process !== undefined) this.point(process);
    }

    wheel(event) {
        if (!event.ctrlKey) return; // the page scrolls
        event.preventDefault();
        const share = (event.clientX - this.canvas.getBoundingClientRect().left) / this.width;
        this.zoom(event.deltaY < 0 ? STEP : 1 / STEP, this.from + share * (this.to - this.from));
    }

    // ---- zoom ----

    // Shows [from, to), moved into the build's time.
    go(from, to, isSmall = false) {
        const total = this.build.total || 1;
        const length = Math.min(Math.max(to - from, CLOSEST), total);
        const begin = Math.max(0, Math.min(from, total - length));
        this.told.moved(begin, begin + length, isSmall);
    }

    // By a factor, about a time that stays where it is.
    zoom(factor, about = this.middle()) {
        const { from, to } = this;
        this.go(about - (about - from) / factor, about + (to - about) / factor, true);
    }

    // The time that zooming by keys is about: the cursor if it is in sight.
    middle() {
        const { build: { began, ended }, cursor, from, to } = this;
        const [left, right] = [Math.max(began[cursor], from), Math.min(ended[cursor], to)];
        return left <= right ? (left + right) / 2 : (from + to) / 2;
    }

    zoomTo(process) {
        const { began, took } = this.build;
        this.go(began[process] - 0.05 * took[process], began[process] + 1.05 * took[process]);
    }

    // ---- the cursor ----

    point(process) {
        this.cursor = process;
        this.told.look(process);
        this.draw();
    }

    // Moves the cursor, and what is shown so that it is in sight.
    step(process) {
        if (process === undefined) return;
        const { build: { began, ended }, from, to } = this;
        const length = to - from;
        this.cursor = process;
        if (ended[process] <= from || began[process] >= to)
            this.go(began[process] - length / 2, began[process] + length / 2, true);
        const y = this.canvas.getBoundingClientRect().top + this.lane[process] * ROW - this.offset();
        if (y < 0 || y + ROW > innerHeight) scrollBy(0, y - innerHeight / 2);
        this.point(process);
    }

    beside(by) {
        const row = this.rows[this.lane[this.cursor]];
        return row[row.indexOf(this.cursor) + by];
    }

    // In the next lane with one, the process that runs in the middle of the cursor's, or the one behind that.
    over(by) {
        const { build: { ended } } = this;
        const row = this.rows[this.lane[this.cursor] + by];
        return row && row[Math.min(firstBehind(row, ended, this.middle()), row.length - 1)];
    }

    nextFailed() {
        const { status, n } = this.build;
        for (let k = 1; k <= n; k++) if (status[(this.cursor + k) % n]) return (this.cursor + k) % n;
        return undefined;
    }

    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const by = (this.to - this.from) / 4;
        const move = sign => this.go(this.from + sign * by, this.to + sign * by, true);
        const acts = {
            ArrowLeft: () => (event.shiftKey ? move(-1) : this.step(this.beside(-1))),
            ArrowRight: () => (event.shiftKey ? move(1) : this.step(this.beside(1))),
            ArrowUp: () => this.step(this.over(-1)), ArrowDown: () => this.step(this.over(1)),
            '+': () => this.zoom(STEP), '=': () => this.zoom(STEP), '-': () => this.zoom(1 / STEP),
            ' ': () => this.zoomTo(this.cursor), Escape: () => this.go(0, this.build.total),
            n: () => this.step(this.nextFailed()), Enter: () => this.told.open(this.cursor),
        };
        if (!acts[event.key]) return;
        acts[event.key]();
        event.preventDefault();
    }
}
