// SPDX-License-Identifier: MIT
// Looks at the index of a report with metrics, of which bytes ranks, and says what comes of it as lines of TAP: node
// metrics.mjs REPORT.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ok } from './launch.mjs';

const address = pathToFileURL(join(process.argv[2], 'index.html')).href;
const { browser, page, trouble, text } = await launch();

// Another address alone would keep the page.
async function show(hash, width = 1280) {
    await page.setViewport({ width, height: 900 });
    await page.goto('about:blank');
    await page.goto(address + hash, { waitUntil: 'load' });
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 50))));
}

for (const width of [1280, 800]) {
    for (const table of ['subs', 'files']) {
        await show(`#b=${table}`, width);
        const names = await page.$$eval('.virtual th.name', all => all.map(each => each.offsetWidth).filter(Boolean));
        ok(names.length === 1 && names[0] >= 160, `${width} pixels: names of ${table} have room`, names);
        const cut = await page.$$eval('.virtual th button', all =>
            all.filter(each => each.offsetWidth > each.parentElement.clientWidth).map(each => each.textContent));
        ok(!cut.length, 'and no title of a column is cut', cut);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        ok(over <= 0, 'the page is no wider than the window', over);
    }
}

await show('');
ok(await text('#flame') === 'Bytes allocated', 'the metric that ranks has the call tree', await text('#flame'));
const first = await text('.details');
ok(/^everything .* k?B \(100/.test(first), 'with its values', first);
await page.select('select[aria-label="What is shown"]', 'time');
ok(await text('#flame') === 'Where the time goes', 'another one is chosen', await text('#flame'));
const second = await text('.details');
ok(/^everything .* ns \(100/.test(second) && await page.evaluate(() => location.hash) === '#m=time',
    'and is in the address', second);
await page.goBack();
await page.waitForFunction(() => document.getElementById('flame').textContent === 'Bytes allocated');
ok(await page.$eval('select[aria-label="What is shown"]', each => each.value) === 'bytes', 'a step back is the first');
await show('#t=down&m=allocations');
const row = await page.$eval('#panel tbody:not(.pad) tr', each => each.innerText);
ok(/^100\.0 %\s+17\b/.test(row), 'a table of calls has the metric of the address', row);
await show('#t=sandwich');
ok(/^outer|^inner/.test(await text('.middle')), 'a sandwich begins with the most of it', await text('.middle'));
ok(!trouble.length, 'nothing in the console', trouble);
await browser.close();
