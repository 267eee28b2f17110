// SPDX-License-Identifier: MIT
// The strip of time: a stretch selected by the pointer and by keys, and what the page then tells of it.

// The first time of each row, in nanoseconds.
const firstTimes = rows => rows.map(row => Number(row.querySelector('[title$=" ns"]').title.replace(/\D/g, '')));

async function strip({ open, close, ok, inTime, hashOf, backed, isLarge }) {
    const page = await open('index.html');
    const area = await page.$('.brush');
    if (!area) return close(page, 'no strip of time');
    const told = () => page.$eval('#stretch', bar => bar.textContent);
    const heading = () => page.$eval('#flame', each => each.textContent);
    const tables = await page.$('#lines') ? ['subs', 'lines', 'files'] : ['subs', 'files'];
    const described = () => Promise.all(tables.map(id => page.$eval(`section:has(#${id})`, each => each.textContent)));
    const before = (await described()).join();
    const isShown = () => page.$eval('.brush > div', brush => !brush.hidden);
    const { x, y, width } = await area.boundingBox();
    await page.mouse.move(x + 0.3 * width, y + 9);
    await page.mouse.down();
    await page.mouse.move(x + 0.6 * width, y + 9, { steps: 4 });
    await page.mouse.up();
    const dragged = await hashOf(page);
    ok(/[#&]when=[\d.]+-[\d.]+$/.test(dragged) && await isShown(), 'a drag over the strip of time selects', dragged);
    const [from, to] = dragged.match(/[\d.]+/g);
    const text = await told();
    ok(text.includes('%') && text.includes(`nytprof html --time ${from}..${to} `), 'which is told', text);
    const part = text.split(':')[0];
    ok(!await page.$('#view canvas') || (await heading()).endsWith(`, ${part}`), 'the tree is that of it',
        await heading());
    for (const [k, said] of (await described()).entries()) {
        const times = await page.$$eval(`section:has(#${tables[k]}) tr:has(td[title$=" ns"])`, firstTimes);
        ok(said.includes(`from ${part}`), `and so is the table of ${tables[k]}`, said.slice(0, 300));
        const isEmpty = isLarge && !k && !times.length; // the invented program's subs have other stretches
        const isSorted = times.length && times.every((ns, row) => !row || times[row - 1] >= ns);
        ok(isEmpty || isSorted, 'the most time first', times);
    }
    ok(await backed(page) === '' && !(await isShown()), 'going back undoes it');
    ok(!(await heading()).includes(',') && (await described()).join() === before, 'in all of them', await heading());
    const press = brush => {
        const begin = performance.now();
        brush.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
        return performance.now() - begin;
    };
    inTime(await area.evaluate(press), 100, 'numbers of a stretch');
    await area.focus();
    await page.keyboard.press('Escape');
    const at = async key => {
        await page.keyboard.press(key);
        return (await hashOf(page)).split('=')[1];
    };
    const first = await at('ArrowRight');
    const second = await at('ArrowRight');
    ok(first.split('-')[1] === second.split('-')[0], 'arrows move from slice to slice', `${first} ${second}`);
    await page.keyboard.down('Shift');
    const wide = await at('ArrowLeft');
    await page.keyboard.up('Shift');
    ok(wide === `${first.split('-')[0]}-${second.split('-')[1]}`, 'with Shift they widen', wide);
    await page.keyboard.press('Escape');
    ok(!/when/.test(await hashOf(page)) && !(await isShown()), 'Escape selects nothing', await hashOf(page));
    return close(page, 'strip of time');
}

const LINE = 'section:has(#lines) tbody td.name a';

// Selects slices from the first one to the first with a line; returns what the page says of them.
async function selectLines(page) {
    await page.focus('.brush');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.down('Shift');
    const n = Number(await page.$eval('.brush', brush => brush.getAttribute('aria-valuemax')));
    for (let k = 1; k < n && !await page.$(LINE); k++) await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    return page.$eval('#stretch b', each => each.textContent);
}

// The first line of a stretch leads to its page, in a report of one file.
export async function followLine(page) {
    const part = await selectLines(page);
    await page.$eval(LINE, link => link.click());
    await page.waitForSelector('.source .during', { timeout: 20000 });
    return (await page.$eval('.during', each => each.textContent)).startsWith(`${part}: `);
}

const nanoseconds = text => Number.parseFloat(text) * { s: 1e9, ms: 1e6, 'µs': 1e3, ns: 1 }[text.split(' ').pop()];

// A page of source that is gone to from a stretch: its lines add up to what it says of the file.
async function during({ open, close, ok, inTime, hashOf, violations }) {
    const page = await open('index.html');
    if (!await page.$('.brush') || !await page.$('#lines')) return close(page, 'no lines of a stretch');
    const part = await selectLines(page);
    const hash = await hashOf(page);
    const link = await page.$(LINE);
    const line = await link.evaluate(each => each.getAttribute('href').split('#').pop());
    await Promise.all([page.waitForNavigation(), link.evaluate(each => each.click())]);
    await page.waitForFunction(() => document.documentElement.dataset.during, { timeout: 20000 });
    ok(page.url().includes(`?${hash.slice(1)}#${line}`), 'a link from a stretch keeps it', page.url());
    const told = await page.$eval('.during', each => each.textContent);
    ok(told.startsWith(`${part}: `), 'the page of source says that it is of it', told);
    const [file, rest] = [/: (\S+ \S+) \(/, /file, (\S+ \S+) of/].map(pattern => nanoseconds(pattern.exec(told)[1]));
    const cells = await page.$$eval('#code td:nth-child(3):not([colspan])', all => all.map(each => each.textContent));
    const sum = cells.filter(Boolean).reduce((all, text) => all + nanoseconds(text), 0);
    ok(Math.abs(sum + rest - file) <= 0.01 * file, 'and has its times', `${sum} ${rest} ${told}`);
    const marked = await page.$$eval('.at', all => all.length);
    ok(marked === 1, 'the line of the link is marked', marked);
    const found = await violations(page);
    ok(!found.length, 'axe: source of a stretch', found);
    inTime(Number(await page.$eval('html', root => root.dataset.during)), 400, 'source of a stretch');
    const [before] = await Promise.all([page.url(), page.waitForNavigation(), page.click('.during button')]);
    ok(page.url() === before.replace(/\?[^#]*/, '') && !await page.$('.during'), 'and the whole run is there, too',
        page.url());
    await Promise.all([page.waitForNavigation(), page.goBack()]);
    await page.waitForSelector('.during', { timeout: 20000 });
    await Promise.all([page.waitForNavigation(), page.$eval('header a[href^="index.html"]', each => each.click())]);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    ok(await hashOf(page) === hash && await page.$eval('#stretch b', each => each.textContent) === part,
        'the way back leads to the stretch', await hashOf(page));
    return close(page, 'source of a stretch');
}

export const strips = { strip, during };
