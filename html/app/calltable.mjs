// SPDX-License-Identifier: MIT
// The views Top-down and Bottom-up: the call tree as a table that unfolds.
import { BottomUp, CallRows, TopDown } from './callrows.mjs';
import { capital } from './dom.mjs';
import { UNTOLD } from './subs.mjs';
import { matcher, numbered } from './search.mjs';
import { Table } from './table.mjs';
import { known } from './tables.mjs';

export class CallTable {
    constructor(host, context, isBottomUp) {
        Object.assign(this, { host, context, isBottomUp });
        this.update();
    }

    update() {
        if (this.tree === this.context.tree) this.table.update();
        else this.make();
    }

    make() {
        const { profile, words, state, tree, measure } = this.context;
        this.tree = tree;
        const source = this.isBottomUp ? new BottomUp(tree) : new TopDown(tree);
        const calls = new CallRows(source, profile, () => this.table.update(true));
        const of = measure.total;
        const column = (id, title, kind, more) => ({ id, title, kind, of, value: row => source[id][row], ...more });
        const what = measure.name === 'time' ? '' : `${measure.title}: `;
        const part = this.isBottomUp ? `Of the ${words.sub} itself, when called this way` : 'With what it called';
        const hint = what + part;
        const untold = of => ({ isUntold: row => source.flags[row] & UNTOLD[of] });
        const self = column('self', 'Self', measure.kind, {
            hint: `${what}Of the ${words.sub} itself`, isHot: true, ...untold('self'),
        });
        this.calls = calls;
        this.host.replaceChildren();
        this.table = new Table(this.host, state, {
            label: this.isBottomUp ? `${words.subs} and their callers` : 'calls', key: 'o', sort: '-total',
            columns: known([
                column('share', '%', 'share', {
                    samples: measure.samples, value: row => source.total[row], isMinor: true, ...untold('total'),
                }),
                column('total', this.isBottomUp ? 'Self' : 'Total', measure.kind, {
                    hint, isHot: true, ...untold('total'),
                }),
                ...(this.isBottomUp ? [] : [self]),
                column('calls', 'Calls', 'count'),
                column('where', 'Where', 'text', {
                    hint: 'Where the calls are made', value: row => calls.where(row), isMinor: true,
                }),
                column('name', capital(words.sub), '', {
                    value: row => profile.subs.name[source.sub[row]], cell: row => calls.cell(row),
                }),
            ], profile),
            rows: (match, compare) => calls.rows(match && numbered(match, profile.subs.name), compare),
            describe: rows => `${rows.length} rows`, link: row => calls.link(row), tree: calls,
        });
        if (!state.get('o') && !this.isBottomUp && !matcher(state.get('of'))) this.openFirst(calls, source);
        this.table.begin();
    }

    openFirst(calls, source) {
        if (source.roots().length) calls.openHot(source.roots()[0]);
    }
}
