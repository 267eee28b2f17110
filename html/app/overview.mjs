// SPDX-License-Identifier: MIT
// The whole call tree in small, while the large picture shows a part of it: where that part is, and the way to another.
// The pointer's only: keys walk the large picture, of which this shows nothing else.
import { el } from './dom.mjs';

const LINE_HIGH = 3; // pixels of height
const LEVELS = 14; // rows
const LEAST_WIDE = 0.5; // pixels of width

export class Overview {
    // told: { fills(), fill(node) } as for the large picture, zoom(node).
    constructor(told) {
        this.told = told;
        this.canvas = el('canvas', {
            'class': 'overview', 'aria-hidden': 'true', 'title': 'The whole: click to see another part',
            'onclick': event => this.click(event),
        });
        new ResizeObserver(() => this.draw()).observe(this.canvas);
    }

    show(tree, zoomed) {
        Object.assign(this, { tree, zoomed });
        this.canvas.hidden = !zoomed;
        this.canvas.style.height = `${this.rows() * LINE_HIGH}px`;
        this.draw();
    }

    rows() {
        return Math.min(LEVELS, this.tree.levels().length);
    }

    draw() {
        const { canvas, tree, told, zoomed } = this;
        const width = canvas.clientWidth;
        if (!tree || !zoomed || !width) return;
        const [ratio, scale] = [devicePixelRatio || 1, width / tree.total[0]];
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(this.rows() * LINE_HIGH * ratio);
        const pen = canvas.getContext('2d');
        const fills = told.fills();
        pen.scale(ratio, ratio);
        tree.levels().slice(0, this.rows()).forEach((level, depth) => {
            for (let k = 0; k < level.length;) {
                const node = level[k];
                const [left, wide] = [tree.start[node] * scale, tree.total[node] * scale];
                const isSeen = node >= zoomed && node < tree.end[zoomed];
                pen.globalAlpha = isSeen ? 1 : 0.35;
                pen.fillStyle = fills[told.fill(node)];
                if (wide >= LEAST_WIDE) pen.fillRect(left, depth * LINE_HIGH, wide, LINE_HIGH);
                k = wide >= LEAST_WIDE ? k + 1 : Math.max(k + 1, tree.firstBehind(level, (left + LEAST_WIDE) / scale));
            }
        });
        pen.globalAlpha = 1;
        pen.strokeStyle = getComputedStyle(canvas).getPropertyValue('--accent');
        pen.lineWidth = 2;
        const wide = Math.max(2, tree.total[zoomed] * scale);
        pen.strokeRect(tree.start[zoomed] * scale, 1, wide, this.rows() * LINE_HIGH - 2);
    }

    // The frame there, else the lowest one above it.
    click(event) {
        const { canvas, tree } = this;
        const box = canvas.getBoundingClientRect();
        const x = (event.clientX - box.left) / box.width * tree.total[0];
        let depth = Math.floor((event.clientY - box.top) / LINE_HIGH);
        while (depth > 0 && tree.at(depth, x) === undefined) depth--;
        this.told.zoom(tree.at(depth, x) || 0);
    }
}
