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

export const strips = { strip };
