// SPDX-License-Identifier: MIT
// The tasks of browser-tasks.t, one after the other, each on a page of its own: node tasks.mjs REPORT DIFF.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.NYTPROF_BROWSER, 'package.json'));
const puppeteer = require('puppeteer-core');
const [, , report, diff] = process.argv;
const pictures = process.env.NYTPROF_PICTURES;
const SECONDS = 10; // for a task
const SLACK = 10; // factor, as machines are busy
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true, args: ['--no-sandbox', '--disable-gpu'],
});

function ok(fine, name, more = '') {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
    if (!fine) console.log(`# ${more}`.replace(/\n/g, ' ').slice(0, 600));
}

const index = pathToFileURL(join(report, 'index.html')).href;
const isReady = page => page.waitForFunction(() => document.documentElement.dataset.ready, { timeout: 60000 });
const textOf = (page, selector) => page.$eval(selector, each => each.textContent);

async function open(url) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    await page.goto(url, { waitUntil: 'load' });
    if (url.startsWith(index)) await isReady(page);
    return page;
}

// Rows of a section's table, as arrays of texts.
const rowsOf = (page, id) => page.$eval(`section:has(#${id})`, section =>
    Array.from(section.querySelectorAll('tbody:not(.pad) tr'), row => Array.from(row.cells, cell => cell.textContent)));

const nanoseconds = text => parseFloat(text) * { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 }[text.split(' ')[1]];
const follow = (page, selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);

// Follows the link of a sub in the table of subs.
async function goToSub(page, name) {
    await page.click('#tab-subs');
    const link = await page.evaluateHandle(wanted => Array.from(document.querySelectorAll('section:has(#subs) td a'))
        .find(each => each.textContent === wanted), name);
    await Promise.all([page.waitForNavigation(), link.click()]);
}

const tasks = {
    'a: the hottest line': async page => {
        const [row] = await rowsOf(page, 'lines');
        await follow(page, 'section:has(#lines) td a');
        const line = await textOf(page, '.at');
        return [/tr\/a\/\//.test(row.at(-1)) && line.includes('tr/a//'), row];
    },
    'b: who calls this sub, how much of it': async page => {
        await goToSub(page, 'main::shared');
        await page.waitForFunction(() => location.hash && document.querySelector('main section ul'));
        const callers = await page.$$eval(`section[id="${new URL(page.url()).hash.slice(1)}"] ul > li`, all =>
            all.map(li => li.textContent.trim().replace(/\s+/g, ' ')));
        const isFirst = /^[\d.]+ \Ss 400 calls [\d.]+ \Ss each by main::many, line \d+/.test(callers[0]);
        return [isFirst && /main::few/.test(callers[1]), callers];
    },
    'c: what loading cost': async page => {
        await page.click('#tab-loading');
        const modules = (await rowsOf(page, 'loading')).map(cells => cells.at(-1));
        return [/Loading modules: .*ms, .*%/.test(await textOf(page, '#loading')) && modules.includes('Slow'), modules];
    },
    'd: which string eval': async page => {
        await page.click('#tab-files');
        await page.type('section:has(#files) .filter', 'eval');
        const [row] = await rowsOf(page, 'files');
        return [/^\(eval \d+\)\[.*tasks\.pl:18\]$/.test(row.at(-1)), row];
    },
    'e: the files of a directory': async page => {
        await page.click('#tab-files');
        await page.select('section:has(#files) select', 'tree');
        const [first, ...rest] = (await rowsOf(page, 'files')).map(cells => cells.at(-1));
        return [/^▾\/.*\/$/.test(first) && rest.some(name => name.endsWith('tasks.pl')), [first, ...rest]];
    },
    'g: a link to exactly this view': async page => {
        await page.click('#tab-subs');
        await page.type('section:has(#subs) .filter', 'main::');
        await page.evaluate(() => document.querySelector('section:has(#subs) th:first-child button').click());
        const before = await rowsOf(page, 'subs');
        const other = await open(page.url());
        const after = await rowsOf(other, 'subs');
        await other.close();
        return [before.length > 3 && JSON.stringify(before) === JSON.stringify(after), page.url()];
    },
    'h: how long it waited': async page => {
        const head = await textOf(page, 'header');
        const [, waited] = /waiting ([\d.]+) ms/.exec(head) || [];
        return [waited >= 250 && waited < 400, head];
    },
    'i: what ran late': async page => {
        await page.evaluate(() => document.getElementById('strip').scrollIntoView({ block: 'center' }));
        const area = await page.$('.brush');
        const { x, y, width } = await area.boundingBox();
        await page.mouse.move(x + 0.85 * width, y + 20);
        await page.mouse.down();
        await page.mouse.move(x + width, y + 20, { steps: 5 });
        await page.mouse.up();
        await page.click('#tab-subs');
        const names = (await rowsOf(page, 'subs')).map(cells => cells.at(-1));
        return [names.includes('main::late') && !names.includes('main::early'), names];
    },
    'j: a table for a spreadsheet': async page => {
        await page.evaluate(() => navigator.clipboard.writeText = async text => {
            globalThis.copied = text;
        });
        const copy = await page.evaluateHandle(() => Array.from(document.querySelectorAll(
            'section:has(#subs) .tools button')).find(each => each.textContent === 'Copy'));
        await page.click('#tab-subs');
        await copy.click();
        const copied = await page.evaluate(() => globalThis.copied || '');
        return [/^Calls\t.*\tSub\n(\d+\t.*\n)+/.test(copied) && copied.includes('main::late'), copied];
    },
    'k: the slowest calls': async page => {
        const column = name => page.evaluateHandle(wanted => Array.from(document.querySelectorAll(
            'section:has(#subs) th button')).find(each => each.textContent.includes(wanted)), name);
        await page.click('#tab-subs');
        await page.type('section:has(#subs) .filter', 'uneven');
        await (await column('max')).click();
        const [row] = await rowsOf(page, 'subs');
        const heads = await page.$$eval('section:has(#subs) th', all => all.map(th => th.textContent.trim()));
        const at = name => row[heads.findIndex(head => head.startsWith(name))];
        return [nanoseconds(at('max')) > 100 * nanoseconds(at('p50')), [heads, row]];
    },
};

tasks['l: what passed in the slowest request'] = async page => {
    await page.click('#tab-spans');
    await page.click('section:has(#spans) td a');
    await page.waitForFunction(() => / to /.test(document.getElementById('flame').textContent));
    const names = (await rowsOf(page, 'subs')).map(cells => cells.at(-1));
    return [names.some(name => name.startsWith('main::CORE:sselect')) && !names.includes('main::early'), names];
};

tasks['m: what if the whole program were twice as fast'] = async page => {
    await page.focus('#view canvas[tabindex]');
    await page.keyboard.press('ArrowDown');
    await page.click('.acts button::-p-text(What if)');
    const said = await textOf(page, '#view [role=group]');
    const [, before, after] =
        /called✕([\d.]+ \w+) → ([\d.]+ \w+) \(−[\d.]+ %\); then \S+ has the most/.exec(said) || [];
    const rest = before && nanoseconds(after) / nanoseconds(before);
    return [rest > 0.5 && rest < 0.75, said];
};

async function perform(name, url, task) {
    const begin = performance.now();
    const page = await open(url);
    let got = [false, 'no answer'];
    try {
        got = await task(page);
    } catch (error) {
        got = [false, error.message];
    }
    const took = (performance.now() - begin) / 1000;
    ok(got[0], name, JSON.stringify(got[1]));
    console.log(`# ${name}: ${took.toFixed(1)} s`);
    ok(took <= SLACK * SECONDS, `in ${SLACK} times ${SECONDS} s`);
    if (pictures) await page.screenshot({ path: join(pictures, `${name[0]}.png`) });
    await page.close();
}

for (const [name, task] of Object.entries(tasks)) await perform(name, index, task);
await perform('f: what changed', pathToFileURL(diff).href, async page => {
    const text = await textOf(page, 'main');
    return [/\+360\+600\.0 %60420main::shared/.test(text), text];
});
await browser.close();
