// SPDX-License-Identifier: MIT
// Numbers as people read them: as report/units.c writes them.

export function countText(n) {
    return String(Math.max(0, Math.round(n))).replace(/\B(?=(\d{3})+$)/g, ',');
}

function digits(v, unit) {
    return `${v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0)} ${unit}`;
}

// ns: nanoseconds; below zero: a time that cannot be told from zero, as the profiler's cost is an estimate.
export function timeText(ns) {
    if (ns < 0) return '~0 s';
    if (!(ns > 0)) return '0 s';
    if (ns < 999.5) return `${ns.toFixed(0)} ns`;
    if (ns < 999.5e3) return digits(ns / 1e3, 'µs');
    if (ns < 999.5e6) return digits(ns / 1e6, 'ms');
    if (ns < 999.5e9) return digits(ns / 1e9, 's');
    return `${countText(ns / 1e9)} s`;
}

export function bytesText(n) {
    if (n < 999.5) return `${n.toFixed(0)} B`;
    if (n < 999.5e3) return digits(n / 1e3, 'kB');
    if (n < 999.5e6) return digits(n / 1e6, 'MB');
    if (n < 999.5e9) return digits(n / 1e9, 'GB');
    return `${countText(n / 1e9)} GB`;
}

// A number of samples with its standard deviation.
export function samplesText(n) {
    return n > 0 ? `${countText(n)} ±${countText(Math.floor(Math.sqrt(n)))}` : '0';
}

const signed = text => n => (n < 0 ? `−${text(-n)}` : text(n));

const amounts = {
    'time': timeText, 'bytes': bytesText, 'count': countText, 'samples': samplesText, 'bytes±': signed(bytesText),
    'count±': signed(countText),
};

// kind: that of a column of numbers; with ± they may be below zero.
export function amountText(kind, n) {
    return amounts[kind](n);
}

export function percentText(part, whole) {
    if (!(whole > 0)) return '';
    const share = part > 0 ? 100 * part / whole : 0;
    return `${share.toFixed(share < 9.995 ? 2 : 1)} %`;
}

// 0 (cold) to 7, by the rule of model/order.c.
export function heatOf(part, whole) {
    const steps = [0.0003, 0.001, 0.004, 0.015, 0.05, 0.15, 0.5];
    return whole > 0 && part > 0 ? steps.filter(step => part >= step * whole).length : 0;
}
