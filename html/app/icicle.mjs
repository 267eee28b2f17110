// SPDX-License-Identifier: MIT
// A call tree drawn on a canvas: callees below their caller, as wide as their time. Only frames in sight are drawn, so
// the number of nodes hardly matters. A picture higher than the window scrolls with the page: the canvas stays in sight
// and shows another part of it.
import { el } from './dom.mjs';
import { FONT, LETTER, fit } from './letters.mjs';

const ROW = 18; // pixels of height
const THIN = 0.4; // and width of frames that are left out

const SHADES = 3; // of a colour, so that neighbours of one kind and of different packages can be told apart

function hash(text) {
    let value = 0;
    for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) >>> 0;
    return value;
}

export class Icicle {
    // host: an empty element. told: { label(node), fills() the colours, fill(node) the number of one, shade(node) a
    // text whose hash is a shade of it, isFaded(node), look(node), zoom(node), open(node) }, the last three called when
    // the reader asks for it.
    constructor(host, name, told) {
        Object.assign(this, { told, zoomed: 0, cursor: 0, isFlipped: false, matches: undefined });
        this.canvas = el('canvas', {
            tabindex: 0, role: 'application', 'aria-label': name, 'aria-roledescription': 'call tree',
        });
        this.spacer = el('div');
        this.host = host;
        host.classList.add('icicle-box');
        host.replaceChildren(this.canvas, this.spacer);
        const follow = () => {
            if (!host.isConnected) removeEventListener('scroll', follow);
            else if (this.rows * ROW > this.height) this.draw();
        };
        addEventListener('scroll', follow, { passive: true });
        this.canvas.addEventListener('pointermove', event => this.look(this.hit(event)));
        this.canvas.addEventListener('click', event => this.click(event));
        this.canvas.addEventListener('dblclick', () => told.open(this.cursor));
        this.canvas.addEventListener('keydown', event => this.key(event));
        this.canvas.addEventListener('focus', () => this.look(this.cursor));
        this.canvas.addEventListener('blur', () => this.draw());
        new ResizeObserver(() => this.resize()).observe(host);
    }

    show(tree, zoomed = 0) {
        this.tree = tree;
        this.shades = new Map();
        this.zoomed = zoomed;
        this.cursor = zoomed;
        this.rows = 0;
        this.resize();
    }

    zoom(node) {
        this.zoomed = node;
        this.cursor = node;
        this.resize();
    }

    find(matches) {
        this.matches = matches;
        this.draw();
    }

    resize() {
        this.width = this.host.clientWidth;
        this.rows = Math.max(this.rows || 0, this.seen());
        this.spacer.style.height = `${this.rows * ROW}px`;
        this.height = Math.min(this.rows * ROW, innerHeight);
        const scale = devicePixelRatio || 1;
        this.canvas.width = Math.round(this.width * scale);
        this.canvas.height = Math.round(this.height * scale);
        this.canvas.style.height = `${this.height}px`;
        this.pen = this.canvas.getContext('2d');
        this.pen.scale(scale, scale);
        this.draw();
    }

    // The number of levels with frames wide enough to be seen.
    seen() {
        if (!this.tree) return 1;
        const { tree, zoomed } = this;
        const least = tree.total[zoomed] * 2 / (this.width || 1);
        let deepest = 0;
        for (let i = zoomed; i < tree.end[zoomed];) {
            if (tree.total[i] >= least) deepest = Math.max(deepest, tree.depth[i++]);
            else i = tree.end[i];
        }
        return Math.max(deepest + 1, 8);
    }

    top(depth) {
        return (this.isFlipped ? this.rows - 1 - depth : depth) * ROW - this.offset();
    }

    // How much of the picture is above the canvas.
    offset() {
        return Math.max(0, Math.min(this.rows * ROW - this.height, -this.host.getBoundingClientRect().top));
    }

    range() {
        const from = this.tree.start[this.zoomed];
        return [from, from + (this.tree.total[this.zoomed] || 1)];
    }

    draw() {
        if (!this.tree || !this.width) return;
        const { pen, tree } = this;
        const style = getComputedStyle(this.canvas);
        this.ink = { fills: this.told.fills(), text: style.getPropertyValue('--text') };
        pen.clearRect(0, 0, this.width, this.height);
        pen.font = FONT;
        pen.textBaseline = 'middle';
        tree.levels().forEach((level, depth) => {
            const y = this.top(depth);
            if (y > -ROW && y < this.height) this.drawLevel(level, y);
        });
        if (document.activeElement === this.canvas) this.drawCursor(style.getPropertyValue('--accent'));
    }

    drawLevel(level, y) {
        const { tree } = this;
        const [from, to] = this.range();
        const scale = this.width / (to - from);
        for (let k = tree.firstBehind(level, from); k < level.length && tree.start[level[k]] < to;) {
            const node = level[k];
            const left = Math.max(0, (tree.start[node] - from) * scale);
            const right = Math.min(this.width, (tree.start[node] + tree.total[node] - from) * scale);
            if (right - left >= THIN) {
                this.drawFrame(node, left, y, right - left);
                k++;
            } else k = Math.max(k + 1, tree.firstBehind(level, from + (left + THIN) / scale));
        }
    }

    drawFrame(node, x, y, width) {
        const { pen, tree } = this;
        const isFound = this.matches && node && this.matches(tree.sub[node]);
        const room = width > 3 ? width - 0.7 : width;
        pen.globalAlpha = isFound || !this.isFaded(node) ? 1 : 0.35;
        pen.fillStyle = isFound ? '#a040d0' : this.ink.fills[this.told.fill(node)];
        pen.fillRect(x, y, room, ROW - 1);
        if (!isFound) this.drawShade(node, x, y, room);
        pen.globalAlpha = 1;
        const letters = Math.floor((width - 6) / LETTER);
        if (letters < 3) return;
        const label = fit(this.told.label(node), letters);
        pen.fillStyle = isFound ? '#fff' : this.ink.text;
        pen.fillText(label, x + 3, y + ROW / 2, width - 5);
    }

    drawShade(node, x, y, width) {
        const { pen, shades, tree: { sub } } = this;
        if (!shades.has(sub[node])) shades.set(sub[node], hash(this.told.shade(node)) % SHADES);
        const shade = node && shades.get(sub[node]);
        if (!shade) return;
        pen.fillStyle = `rgb(0 0 0 / ${4 * shade}%)`;
        pen.fillRect(x, y, width, ROW - 1);
    }

    // Callers of what is zoomed to, what a search does not find, and what the reader has faded.
    isFaded(node) {
        const { tree, zoomed, matches, told } = this;
        return tree.depth[node] < tree.depth[zoomed] || (matches !== undefined && node > 0) || told.isFaded(node);
    }

    drawCursor(color) {
        const { pen, tree, cursor } = this;
        const [from, to] = this.range();
        const scale = this.width / (to - from);
        const left = Math.max(1, (tree.start[cursor] - from) * scale);
        const right = Math.min(this.width - 1, (tree.start[cursor] + tree.total[cursor] - from) * scale);
        pen.strokeStyle = color;
        pen.lineWidth = 2;
        pen.strokeRect(left, this.top(tree.depth[cursor]) + 1, Math.max(right - left - 1, 1), ROW - 3);
    }

    hit(event) {
        const box = this.canvas.getBoundingClientRect();
        const [from, to] = this.range();
        const row = Math.floor((event.clientY - box.top + this.offset()) / ROW);
        const depth = this.isFlipped ? this.rows - 1 - row : row;
        return this.tree.at(depth, from + (event.clientX - box.left) / this.width * (to - from));
    }

    look(node) {
        if (node !== undefined) this.told.look(node);
        this.canvas.style.cursor = node === undefined ? '' : 'pointer';
        if (document.activeElement === this.canvas) this.draw();
    }

    click(event) {
        const node = this.hit(event);
        if (node === undefined) return;
        this.cursor = node;
        this.told.zoom(node);
    }

    // The target of a key from the cursor: down to a callee, up to the caller, sideways among the callees.
    neighbour(key) {
        const { tree, cursor } = this;
        const up = this.isFlipped ? 'ArrowDown' : 'ArrowUp';
        const down = this.isFlipped ? 'ArrowUp' : 'ArrowDown';
        if (key === up) return cursor ? tree.parent[cursor] : undefined;
        if (key === down) return tree.end[cursor] > cursor + 1 ? cursor + 1 : undefined;
        const siblings = cursor ? tree.children(tree.parent[cursor]) : [];
        return siblings[siblings.indexOf(cursor) + (key === 'ArrowRight' ? 1 : -1)];
    }

    key(event) {
        const { tree } = this;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key.startsWith('Arrow')) {
            const next = this.neighbour(event.key);
            if (next !== undefined) this.cursor = next;
            this.reveal();
            this.look(this.cursor);
        } else if (event.key === 'Enter') this.told.open(this.cursor);
        else if (event.key === ' ') this.told.zoom(this.cursor);
        else if (event.key === 'Escape' || event.key === 'Backspace') this.told.zoom(tree.parent[this.zoomed]);
        else return;
        event.preventDefault();
    }

    // Scrolls to the cursor, and zooms out if the cursor has left the frames shown.
    reveal() {
        const { tree, cursor, zoomed } = this;
        if (cursor < zoomed || cursor >= tree.end[zoomed]) this.told.zoom(cursor);
        const y = this.canvas.getBoundingClientRect().top + this.top(tree.depth[cursor]);
        if (y < 0 || y + ROW > innerHeight) scrollBy(0, y - innerHeight / 2);
    }
}
