// SPDX-License-Identifier: MIT
// Uses the largest source page as a reader does, and prints the results as lines of TAP: node pages.mjs REPORT. The
// report is that on a capture of xt/large.c, or any other with folded runs and different levels.
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.NYTPROF_BROWSER, 'package.json'));
const puppeteer = require('puppeteer-core');

const SLACK = 10; // factor for limits of time, as machines are busy
const report = process.argv[2];
const isSource = name => /-line\.html$/.test(name);
const size = name => statSync(join(report, name)).size;
const largest = readdirSync(report).filter(isSource).sort((a, b) => size(b) - size(a))[0];
const address = pathToFileURL(join(report, largest)).href;
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

function ok(fine, name, got) {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
    if (!fine) console.log(`# ${JSON.stringify(got)}`.replace(/\n/g, ' '));
}

const open = async (hash = '', script = true) => {
    const page = await browser.newPage();
    page.trouble = [];
    page.on('console', message => page.trouble.push(message.text()));
    page.on('pageerror', error => page.trouble.push(error.message));
    await page.setJavaScriptEnabled(script);
    await page.setViewport({ width: 1400, height: 1000 });
    await page.goto(address + hash, { waitUntil: 'load' });
    return page;
};

async function close(page, what) {
    ok(!page.trouble.length, `${what}: nothing in the console`, page.trouble);
    await page.close();
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const marked = page => page.$eval('.at', at => at.querySelector('[id]')?.id || at.id || at.value).catch(() => '');
const topOf = (page, selector) => page.$eval(selector, at => at.getBoundingClientRect().top);

// The level that the first cells with several levels display.
const shownTimes = page => page.$$eval('.code td > :is(i, b, u)', all =>
    all.slice(0, 40).filter(each => getComputedStyle(each).display !== 'none').map(each => each.tagName)
        .filter((tag, i, tags) => tags.indexOf(tag) === i).join());

async function addresses() {
    const page = await open();
    const line = await page.$$eval('summary[id]', all => Number(all[Math.floor(all.length / 2)].id) + 2);
    await close(page, 'opened');
    for (const hash of [`#L${line}`, `#${line}`]) {
        const other = await open(hash);
        await pause(400);
        const at = await other.$eval('li.at', item => ({
            number: item.value || item.parentElement.start + Array.from(item.parentElement.children).indexOf(item),
            isOpen: item.closest('details').open, top: item.getBoundingClientRect().top,
        })).catch(() => ({}));
        ok(at.number === line && at.isOpen && at.top > 0 && at.top < 900, `${hash} opens the folded run it is in`, at);
        await close(other, hash);
    }
    const third = await open();
    const sub = await third.$$eval('.code section', all => all[Math.floor(all.length * 0.8)].id);
    await third.evaluate(id => { location.hash = id; }, sub);
    await pause(400);
    const top = await topOf(third, `.code section[id="${sub}"]`);
    const high = top / await third.evaluate(() => innerHeight);
    ok(high > 0.25 && high < 0.45, `#${sub}: the sub comes to stand a third down the window`, top);
    await pause(400); // until layout on the way has moved it
    await third.evaluate(y => scrollBy(0, y + 100), top);
    const heading = await topOf(third, `.code section[id="${sub}"] > h2`);
    ok(heading >= 0 && heading < 30, 'where its heading stays in view', heading);
    const way = await third.$eval('.code section:last-of-type h2 small a:last-child', link => link.href);
    ok(/index\.html#t=sandwich&w=Area/.test(way), 'and leads to its callers and callees', way);
    await third.goto(way, { waitUntil: 'load' });
    await third.waitForFunction(() => document.documentElement.dataset.ready);
    ok((await third.$eval('#view', view => view.textContent)).includes('Area'), 'which the index page shows');
    await close(third, 'a sub');
}

async function keys() {
    const page = await open();
    await page.keyboard.press('n');
    const first = await marked(page);
    await page.keyboard.press('n');
    const second = await marked(page);
    ok(first && Number(second) > Number(first), 'n goes to the next hot line', [first, second]);
    await page.keyboard.press('p');
    ok(await marked(page) === first, 'p to the one before', await marked(page));
    await page.keyboard.press(']');
    const sub = Number(await marked(page));
    ok(sub > Number(first), '] goes to the next sub', sub);
    await page.keyboard.press('[');
    ok(Number(await marked(page)) < sub, '[ to the one before');
    for (const [key, tag] of [['2', 'B'], ['3', 'U'], ['1', 'I'], ['2', 'B']]) {
        await page.keyboard.press(key);
        ok(await shownTimes(page) === tag, `${key} shows another level`, await shownTimes(page));
    }
    await page.reload({ waitUntil: 'load' });
    ok(await page.$eval('#by-block', input => input.checked), 'which is remembered');
    await page.keyboard.press('?');
    ok((await page.$eval('dialog', dialog => dialog.textContent)).includes('next hot line'), '? names the keys');
    await page.click('dialog input');
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    ok(await page.$eval('#by-block', input => input.checked), 'which can be switched off');
    await close(page, 'keys');
}

// Pointing at a line marks the lines that its block's numbers, or its sub's, sum up.
async function together() {
    const page = await open();
    const marked = () => page.$$eval('.same', rows => rows.map(({ cells: [cell] }) => cell.id).join());
    const row = await page.$$eval('.code section', sections => { // in a sub of xt/large.c, where all lines ran
        const hasRun = ({ id }, line) => document.getElementById(Number(id) + line)?.nextElementSibling.textContent;
        const section = sections.find(each => [1, 3, 4, 5, 6].every(line => hasRun(each, line)));
        section.scrollIntoView();
        return Number(section.id) + 3;
    });
    const pointAtRow = async () => {
        await page.hover(`.code [id="${row}"]`);
        await page.waitForSelector('.same', { timeout: 5000 }).catch(() => 0);
    };
    const expected = lines => lines.map(line => row - 3 + line).join();
    await pointAtRow();
    ok(await marked() === expected([1, 3, 4]), 'a line is marked with those of its block', [row, await marked()]);
    ok(await page.$eval('.head', head => Number(head.cells[0].id)) === row - 2, 'which has a head');
    await page.click('#by-sub');
    ok(await marked() === '', 'until one points elsewhere', await marked());
    await pointAtRow();
    ok(await marked() === expected([1, 3, 4, 5, 6]), 'or with those of its sub', [row, await marked()]);
    await close(page, 'together');
}

async function heat() {
    const page = await open();
    const classes = () => page.$$eval('.code td:nth-child(3)', all => all.map(cell => cell.className).join(' '));
    const before = await classes();
    await page.select('#heat', 'file');
    const ofFile = await classes();
    await page.select('#heat', 'deviation');
    const deviation = await classes();
    await page.select('#heat', 'run');
    ok(new Set([before, ofFile, deviation]).size === 3, 'heat can be of the run, of the file, above the median');
    ok(await classes() === before, 'and of the run again');
    await page.waitForSelector('#map b');
    await page.mouse.click(1394, 700);
    ok(await page.evaluate(() => scrollY) > 100, 'a click on the map goes there');
    await close(page, 'heat');
}

// The height that a page states, and its height when all of it is laid out.
async function heights() {
    const page = await open();
    const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
    const said = await heightOf();
    await page.addStyleTag({ content: '.code div { content-visibility: visible !important; }' }).catch(() => 0);
    await page.evaluate(() => document.querySelectorAll('.code div').forEach(each => {
        each.style.contentVisibility = 'visible';
    }));
    const real = await heightOf();
    ok(Math.abs(real / said - 1) < 0.06, 'the page is as high as it said', [said, real]);
    page.trouble = page.trouble.filter(text => !text.includes('style'));
    await close(page, 'heights');
}

async function withoutScript() {
    const page = await open('', false);
    ok(await shownTimes(page) === 'I', 'without scripts: lines');
    await page.click('#by-block');
    ok(await shownTimes(page) === 'B', 'or blocks, as one likes');
    await page.click('.code summary[id]');
    const [number, top] = await page.$eval('details[open] ol', list => [list.start, list.getBoundingClientRect().top]);
    ok(number > 0 && top > 0, 'and the source that did not run, with its numbers', [number, top]);
    await close(page, 'without scripts');
}

async function printed() {
    const page = await open();
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const screen = await height();
    await page.emulateMediaType('print');
    ok(await height() < 0.8 * screen, 'print is smaller than the screen', [screen, await height()]);
    const hidden = await page.$$eval('.levels, #map', all => all.every(each => !each.getClientRects().length));
    ok(hidden, 'and has nothing to press');
    await close(page, 'print');
}

async function loads() {
    const page = await open();
    const took = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
    const count = await page.evaluate(() => document.querySelectorAll('*').length);
    console.log(`# ${largest}: ${size(largest)} bytes, ${count} elements, loads in ${Math.round(took)} ms`);
    ok(took < SLACK * 600, `the largest page loads in ${SLACK} times 600 ms`, took);
    ok(count < 80000, 'of eighty thousand elements at most', count);
    await close(page, 'loading');
}

try {
    for (const check of [loads, addresses, keys, together, heat, heights, withoutScript, printed]) await check();
} finally {
    await browser.close();
}
