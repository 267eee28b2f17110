// SPDX-License-Identifier: MIT
// The box "Go to": keys that open it, what it finds, where it leads, in the dark, on a phone, on paper.

const MOST = 50; // milliseconds from a letter to the names that have it

const isOpen = page => page.$eval('dialog.goto', box => box.open).catch(() => false);
const hasNames = page => page.waitForSelector('.goto [role=option]', { timeout: 60000 });
const focused = page => page.evaluate(() => document.activeElement.className || document.activeElement.tagName);
const shown = page => page.evaluate(() => {
    const input = document.querySelector('.goto input');
    const active = document.getElementById(input.getAttribute('aria-activedescendant'));
    const options = Array.from(document.querySelectorAll('.goto [role=option]'));
    return { n: options.length, at: options.indexOf(active), chosen: options.filter(each =>
        each.getAttribute('aria-selected') === 'true').length, texts: options.map(each => each.textContent) };
});

async function openAndClose({ open, close, ok, sources, others }) {
    for (const name of ['index.html', sources[1], ...others]) {
        const page = await open(name);
        const isAsked = () => page.$$eval('script[src="data.js"]', all => all.length);
        const before = await isAsked();
        await page.focus('header > button');
        await page.keyboard.press('/');
        await hasNames(page);
        ok(await isOpen(page) && await focused(page) === 'INPUT', `${name}: / opens the box`);
        ok(before === (name === 'index.html' ? 1 : 0) && await isAsked() === 1, 'which reads data.js, once', before);
        await page.keyboard.press('Escape');
        ok(!(await isOpen(page)) && await focused(page) === 'theme', 'Escape closes it and the focus goes back',
            await focused(page));
        for (const modifier of ['Control', 'Meta']) {
            await page.keyboard.down(modifier);
            await page.keyboard.press('k');
            await page.keyboard.up(modifier);
            ok(await isOpen(page), `${modifier}-K opens it, too`);
            await page.keyboard.press('Escape');
        }
        await page.keyboard.press('?');
        const help = await page.$eval('dialog[open]', each => each.textContent).catch(() => '');
        ok(/\/ Ctrl-Kgo to a \w+, file or package/.test(help), '? lists its keys', help);
        await page.keyboard.press('/');
        ok(!(await isOpen(page)), 'which do nothing while another box is open');
        await close(page, `${name}: box`);
    }
}

async function typing({ open, close, ok, inTime }) {
    const page = await open('index.html');
    await page.keyboard.press('/');
    await hasNames(page);
    const first = await shown(page);
    ok(first.n > 3 && first.at === 0 && first.chosen === 1, 'the box begins with the names of most time', first);
    await page.keyboard.press('ArrowUp');
    ok((await shown(page)).at === first.n - 1, 'arrows go round');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await shown(page);
    ok(second.at === 1 && second.chosen === 1, 'and choose a name', second);
    const took = await page.evaluate(() => {
        const input = document.querySelector('.goto input');
        const times = ['e', 'er', 'a', 'area', 'a1', 'ar0', '::', 'main x', 'qqq', ''].map(text => {
            const begin = performance.now();
            input.value = text;
            input.dispatchEvent(new Event('input'));
            document.body.getBoundingClientRect();
            return performance.now() - begin;
        });
        return times.sort((a, b) => a - b)[times.length >> 1];
    });
    inTime(took, MOST, 'typing in the box');
    await page.keyboard.type('qqq no such name');
    await page.waitForFunction(() => /^None found/.test(document.querySelector('.goto output').value));
    ok((await shown(page)).n === 0, 'a name that is not there is not found');
    await page.keyboard.press('Enter');
    ok(await isOpen(page), 'and leads nowhere');
    await close(page, 'typing');
}

// Types a name of that kind, presses Enter and returns the address and the name.
async function go(page, kind) {
    await hasNames(page);
    const name = await page.$$eval('.goto [role=option]', (all, wanted) => all.map(each => each.children)
        .find(each => each[3].textContent === wanted)?.[0].textContent, kind);
    if (!name) return undefined;
    await page.keyboard.type(name.slice(0, 60));
    const isFirst = ([wanted, of]) => {
        const cells = document.querySelector('.goto [aria-selected=true]')?.children;
        return cells && cells[0].textContent === wanted && cells[3].textContent === of;
    };
    while (!(await page.evaluate(isFirst, [name, kind]))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await new Promise(done => setTimeout(done, 700));
    return { name, url: page.url() };
}

async function going({ open, close, ok, sources }) {
    const kinds = { file: /-line\.html$/, sub: /-line\.html#|t=sandwich&w=/, package: /[#&]sf=/ };
    for (const from of ['index.html', sources[1]]) {
        for (const [kind, to] of Object.entries(kinds)) {
            const page = await open(from);
            await page.keyboard.press('/');
            const went = await go(page, kind);
            ok(!went || to.test(went.url), `${from}: Enter on a ${kind} goes there`, JSON.stringify(went));
            const top = went && kind === 'package'
                && await page.$eval('#subs', each => each.getBoundingClientRect().top).catch(() => -1);
            ok(!top || (top > -1 && top < 900), 'so that it is in sight', top);
            await close(page, `${from} to a ${kind}`);
        }
    }
}

async function looks({ open, close, ok, violations, phone, sources }) {
    for (const [name, scheme] of [['index.html', 'light'], [sources[1], 'dark']]) {
        const page = await open(name, { scheme });
        await page.keyboard.press('/');
        await hasNames(page);
        await page.keyboard.type('e');
        const found = await violations(page);
        ok(!found.length, `axe: box on ${name} ${scheme}`, found);
        await page.emulateMediaType('print');
        ok(await page.$eval('dialog', box => getComputedStyle(box).display) === 'none', 'it is not on paper');
        await close(page, `box on ${name} ${scheme}`);
    }
    const page = await open(sources[1], { view: phone });
    await page.click('header > button::-p-text(Go to)');
    await hasNames(page);
    const box = await page.$eval('dialog', each => each.getBoundingClientRect().toJSON());
    ok(box.left === 0 && box.width === 360, 'on a phone a button opens it, as wide as the window', box);
    await page.tap('.goto [role=option]');
    ok(!(await isOpen(page)), 'and a name is tapped');
    await close(page, 'box on a phone');
}

// Buttons stand beside the text of the head, not on it.
async function buttons({ open, close, ok, wide, sources, others }) {
    for (const name of ['index.html', sources[1], ...others]) {
        const page = await open(name);
        for (const width of [1440, 1000, 360]) {
            await page.setViewport({ ...wide, width });
            const found = await page.$eval('header', header => {
                const isOn = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                const boxes = Array.from(header.querySelectorAll('button'), each => each.getBoundingClientRect());
                return Array.from(header.querySelectorAll('h1, p, legend, label')).filter(text => {
                    const range = document.createRange();
                    range.selectNodeContents(text);
                    return Array.from(range.getClientRects()).some(line => boxes.some(box => isOn(line, box)));
                }).map(text => text.textContent.slice(0, 60));
            });
            ok(!found.length, `${name}: no button lies on text at ${width} pixels`, found);
        }
        await close(page, `${name}: buttons`);
    }
}

// Each takes the tools of check.mjs; others: names of pages without source.
export const gotos = { openAndClose, typing, going, looks, buttons };
