// SPDX-License-Identifier: MIT
// A picture of a sub's calls by their time, small enough for a cell: a bar for each doubling, as high as the logarithm
// of its number. All rows have the same axis, and each has its own height.
import { timeText } from './units.mjs';

const [WIDE, HIGH] = [3, 14]; // pixels of a bar

// From the first doubling of all to the last one.
function axisOf(spread) {
    const told = spread.filter(({ bars }) => bars.length);
    return {
        first: told.reduce((least, { first }) => Math.min(least, first), Infinity),
        end: told.reduce((most, { first, bars }) => Math.max(most, first + bars.length), 0),
    };
}

export function pathOf({ first, bars }, axis) {
    const most = Math.max(...bars);
    return bars.map((bar, k) => {
        const high = (HIGH * bar / most).toFixed(1);
        return bar ? `M${WIDE * (first + k - axis.first)} ${HIGH}v-${high}h${WIDE - 1}v${high}z` : '';
    }).join('');
}

function shape(name, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

// The column: a sub is the higher in its order, the more its slowest calls differ from most.
export function spreadColumn({ p50, p99, max, spread }) {
    const axis = axisOf(spread);
    const label = k => `Calls by time: ${timeText(2 ** (spread[k].first - 1))} to ${timeText(max[k])}`;
    return {
        id: 'spread', title: 'Spread', kind: 'count',
        hint: 'Its calls by time, a bar for each doubling; in the order of p99 / p50',
        value: k => p50[k] && p99[k] / p50[k],
        isBlank: k => !spread[k].bars.length,
        draw: k => shape('svg', {
            'class': 'times', 'role': 'img', 'aria-label': label(k), 'width': WIDE * (axis.end - axis.first),
            'height': HIGH,
        }, shape('path', { d: pathOf(spread[k], axis) })),
    };
}
