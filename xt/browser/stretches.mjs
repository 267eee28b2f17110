// SPDX-License-Identifier: MIT
// Looks at a stretch of time in a report with the metric waiting, and in one whose lines were seen in samples, and says
// what comes of it as lines of TAP: node stretches.mjs WAITING SEEN.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ok } from './launch.mjs';

const [waiting, seen] = process.argv.slice(2);
const { browser, page, trouble, text } = await launch();

async function show(report, name, address = '') {
    await page.goto('about:blank');
    await page.goto(pathToFileURL(join(report, name)).href + address, { waitUntil: 'load' });
}

const milliseconds = shown => Number.parseFloat(shown) * { s: 1e3, ms: 1, 'µs': 1e-3, ns: 1e-6 }[shown.split(' ')[1]];
const everything = async () => milliseconds(/^everything (\S+ \S+)/.exec(await text('.details'))[1]);

// The program waits in the first half of its time only.
const parts = [];
for (const when of ['', '0-0.4', '0.4-9']) {
    await show(waiting, 'index.html', `#m=waiting&when=${when}&b=subs`);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    parts.push(await everything());
}
ok(Math.abs(parts[1] + parts[2] - parts[0]) <= 0.01 * parts[0], 'waiting in two stretches is that of the run', parts);
ok(parts[1] > 4 * parts[2], 'most of it in the stretch with the sleeps', parts);
const titles = await page.$$eval('section:has(#subs) th', all => all.map(each => each.textContent));
ok(titles.includes('Waiting') && !titles.includes('Calls'), 'a table has it, and no counts', titles);
const chosen = await page.$eval('select[aria-label="What is shown"]', each => each.value);
ok(chosen === 'waiting', 'the metric is still chosen', chosen);

const loading = await text('section:has(#loading) .whole');
ok(loading.startsWith('These are of the whole run, as times from '), 'tables that cannot follow say so', loading);
await page.evaluate(() => { location.hash = 'b=loading'; });
await page.waitForFunction(() => !document.querySelector('.whole'));

const [name] = readdirSync(seen).filter(each => /-line\.html$/.test(each));
await show(seen, name);
const whole = await text('#code');
await show(seen, name, '?when=0-0.4');
await page.waitForFunction(() => document.documentElement.dataset.during);
const why = await text('.during');
ok(/^The capture does not tell times of lines from .* What follows is of the whole run\./.test(why),
    'a page whose lines were seen in samples says why it shows the whole run', why);
ok(await text('#code') === whole, 'and does');
ok(!trouble.length, 'nothing in the console', trouble);
await browser.close();
