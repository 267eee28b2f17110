// SPDX-License-Identifier: MIT
// A row of tabs. Left and right go from tab to tab.
import { el } from './dom.mjs';

export class Tabs {
    // tabs: for each { id, title, panel the element's id, choose() }.
    constructor(label, tabs) {
        this.all = tabs.map(({ id, title, panel, choose }) => el('button', {
            type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': panel, onclick: choose,
        }, title));
        this.box = el('div', {
            class: 'tabs', role: 'tablist', 'aria-label': label, onkeydown: event => this.key(event),
        }, ...this.all);
    }

    key(event) {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const { all } = this;
        const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
        next.focus();
        next.click();
    }

    // Shows which one is chosen: that of its panel's name.
    select(at, panel) {
        this.all.forEach((tab, k) => {
            tab.setAttribute('aria-selected', k === at);
            tab.tabIndex = k === at ? 0 : -1;
        });
        panel.setAttribute('aria-labelledby', this.all[at].id);
    }
}
