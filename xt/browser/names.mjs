// SPDX-License-Identifier: MIT
// What a screen reader is told: the roles and names of the accessibility tree, as the browser has it.
const NAMED = ['application', 'button', 'checkbox', 'combobox', 'dialog', 'DisclosureTriangle', 'heading', 'link',
    'navigation', 'radio', 'region', 'searchbox', 'slider', 'tab', 'textbox'];

// Of the index, by its address, and of a page of source.
const EXPECTED = {
    '': ['slider Stretch of time', 'tab Flame selected', 'searchbox Find in the call tree',
        'application Call tree. Arrow keys walk it, space zooms, Enter opens the source.'],
    '#t=down': ['tab Top-down selected', 'treegrid'],
    '#t=sandwich': ['tab Sandwich selected', 'application Callers of the sub', 'application What the sub calls'],
    '#b=subs': ['tab Subs selected', 'searchbox Filter subs', 'region subs', 'columnheader Self'],
    'source': ['link Skip to the source', 'radio line', 'combobox Colour by share', 'navigation Subs of this file'],
};

function flat(node) {
    return [node, ...(node.children || []).flatMap(flat)];
}

async function named({ open, close, ok, called }) {
    for (const [view, expected] of Object.entries(EXPECTED)) {
        const page = await open(view === 'source' ? called : `index.html${view}`);
        const all = flat(await page.accessibility.snapshot({ interestingOnly: false }));
        const nameless = all.filter(({ role, name }) => NAMED.includes(role) && !(name || '').trim());
        ok(!nameless.length, `screen reader: all has a name, ${view || 'index'}`, nameless.map(({ role }) => role));
        const told = all.map(({ role, name, selected }) => `${role} ${name || ''}${selected ? ' selected' : ''}`);
        const missing = expected.filter(text => !told.some(each => each.startsWith(text)));
        ok(!missing.length, `and is told, ${view || 'index'}`, ...missing);
        await close(page, `names, ${view || 'index'}`);
    }
}

export const names = { named };
