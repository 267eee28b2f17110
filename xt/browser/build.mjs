// SPDX-License-Identifier: MIT
// Looks at pages of builds and says what comes of it as lines of TAP: node build.mjs LARGE HOSTILE CHANGES COMPARED.
// LARGE is of 24,000 processes (t/lib/Builds.pm), HOSTILE has texts that are markup, CHANGES is of what differs between
// the two, COMPARED of what differs between two profiles, with names that are markup.
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.NYTPROF_BROWSER, 'package.json'));
const puppeteer = require('puppeteer-core');
const { HtmlValidate } = require('html-validate');
const parse5 = require('parse5');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [, , large, hostile, changes, compared] = process.argv;
const SLACK = 10; // factor for limits of time, as machines are busy
const WIDE = { width: 1400, height: 1000 };
const PHONE = { width: 360, height: 800, isMobile: true, hasTouch: true };
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND'],
});

function ok(fine, name, got) {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
    if (!fine) console.log(`# ${JSON.stringify(got)}`.replace(/\n/g, ' '));
}

function inTime(got, most, what) {
    console.log(`# ${what}: ${got.toFixed(1)} ms, budget ${most} ms`);
    ok(got <= SLACK * most, `${what} in ${SLACK} times ${most} ms`, got);
}

async function open(file, { hash = '', view = WIDE, scheme = 'light', script = true } = {}) {
    const page = await browser.newPage();
    page.trouble = [];
    page.on('console', message => page.trouble.push(message.text()));
    page.on('pageerror', error => page.trouble.push(error.message));
    page.on('request', request => /^(file|data):/.test(request.url()) || page.trouble.push(request.url()));
    page.on('dialog', dialog => {
        page.trouble.push(dialog.message());
        dialog.dismiss();
    });
    await page.setViewport(view);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setJavaScriptEnabled(script);
    await page.goto(pathToFileURL(file).href + hash, { waitUntil: 'load' });
    if (script && ![changes, compared].includes(file))
        await page.waitForFunction(() => document.documentElement.dataset.ready, { timeout: 60000 });
    return page;
}

async function close(page, what) {
    ok(!page.trouble.length, `${what}: nothing in the console, no request, no dialog`, page.trouble);
    await page.close();
}

const hashOf = page => page.evaluate(() => location.hash);
const told = page => page.$eval('.details', bar => bar.textContent);

async function measure() {
    const bytes = statSync(large).size;
    ok(bytes < 3e6, `${bytes} bytes, less than 3 MB`);
    const ready = [];
    for (let k = 0; k < 3; k++) {
        const page = await open(large);
        ready.push(Number(await page.$eval('html', html => html.dataset.ready)));
        if (k === 2) ok(await page.$$eval('*', all => all.length) < 5000, 'fewer than 5000 elements');
        await close(page, 'the page');
    }
    inTime(Math.min(...ready), 500, 'interactive');
    const page = await open(large);
    const times = await page.evaluate(() => {
        const took = act => {
            const begin = performance.now();
            act();
            document.body.getBoundingClientRect();
            return performance.now() - begin;
        };
        const median = act => [0, 1, 2, 3, 4].map(k => took(() => act(k))).sort((a, b) => a - b)[2];
        const type = (input, text) => {
            input.value = text;
            input.dispatchEvent(new Event('input'));
        };
        const [find, filter] = ['view', 'processes'].map(id =>
            document.getElementById(id).closest('section').querySelector('input[type=search]'));
        const sort = document.querySelector('section:has(#processes) th button');
        const zoom = document.querySelectorAll('#view .tools button');
        return {
            draw: median(() => dispatchEvent(new Event('themechange'))), zoom: median(k => zoom[k % 2].click()),
            find: median(k => type(find, ['gcc', 'e', '/1.*o$/', 'dir2', ''][k])),
            filter: median(k => type(filter, ['gcc', 'e', '/1.*o$/', 'dir2', ''][k])), sort: median(() => sort.click()),
        };
    });
    for (const [what, got] of Object.entries(times)) inTime(got, { draw: 33, zoom: 33 }[what] || 100, what);
    await close(page, 'interaction');
}

async function point() {
    const page = await open(large);
    const canvas = await page.$('#view canvas[tabindex]');
    await canvas.evaluate(element => element.scrollIntoView({ block: 'center' }));
    const { x, y, width } = await canvas.boundingBox();
    await page.mouse.move(x + width / 2, y + 9);
    ok(/^make make -j.* took /.test(await told(page)), 'pointing at a bar tells of its process', await told(page));
    await page.click('#view [aria-label="Zoom in"]');
    const zoomed = await hashOf(page);
    ok(/^#z=[\d.]+-[\d.]+$/.test(zoomed), 'zooming is in the address', zoomed);
    await page.mouse.move(x + 400, y + 9);
    await page.mouse.down();
    await page.mouse.move(x + 300, y + 9, { steps: 3 });
    await page.mouse.up();
    ok(await hashOf(page) !== zoomed, 'dragging moves what is shown');
    await page.click('#view [aria-label^="All"]');
    ok(!/z=/.test(await hashOf(page)), 'and all of it is back', await hashOf(page));
    await page.mouse.move(x + 500, y + 27);
    const before = await told(page);
    await page.mouse.click(x + 500, y + 27, { clickCount: 2 });
    ok(/z=/.test(await hashOf(page)) && /make -C/.test(before), 'a double click zooms to a process', before);
    await page.click('.legend button');
    ok(/c=/.test(await hashOf(page)) && await page.$('.legend [aria-pressed=true]') !== null, 'a class is chosen');
    await close(page, 'pointing');
}

async function keys() {
    const page = await open(large);
    await page.focus('#view canvas[tabindex]');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    const walked = await told(page);
    ok(!/^make make -j/.test(walked), 'arrows walk', walked);
    await page.keyboard.press('Space');
    ok(/z=/.test(await hashOf(page)), 'space zooms');
    await page.keyboard.press('+');
    await page.keyboard.press('-');
    await page.keyboard.press('Escape');
    ok(!/z=/.test(await hashOf(page)), 'Escape shows all', await hashOf(page));
    await page.keyboard.press('n');
    ok(/status|signal/.test(await told(page)), 'n goes to what has failed', await told(page));
    await page.keyboard.press('/');
    await page.keyboard.type('gcc');
    const said = await page.$eval('#view output', output => output.textContent);
    ok(/^[\d,]+ of 24,0\d\d, /.test(said) && /q=gcc/.test(await hashOf(page)), 'a search is summed up', said);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('?');
    ok(await page.$('dialog[open]') !== null, '? lists the keys');
    await close(page, 'keys');
}

async function tables() {
    const page = await open(large, { hash: '#w=all&p=-own' });
    const rows = await page.$eval('section:has(#processes) table',
        table => Number(table.getAttribute('aria-rowcount')));
    ok(rows > 24000, 'the table has all processes', rows);
    const firstOf = () => page.$eval('section:has(#processes) tbody:not(.pad) tr', row => row.innerText);
    const most = await firstOf();
    await page.click('section:has(#processes) th button');
    ok(await firstOf() !== most && /p=-began/.test(await hashOf(page)), 'which sorts', await hashOf(page));
    await page.select('section:has(#processes) select', 'failed');
    const failed = await page.$$eval('section:has(#processes) tbody:not(.pad) tr', all => all.length);
    ok(failed >= 1 && failed <= 25, 'those that failed', failed);
    await page.type('section:has(#targets) input[type=search]', 'zz no such target');
    ok(await page.$$eval('section:has(#targets) tbody:not(.pad) tr', all => all.length) === 0, 'a filter of targets');
    await close(page, 'tables');
}

async function violations(page) {
    await page.evaluate(axe);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations: found } = await page.evaluate(values =>
        axe.run({ preload: false, runOnly: { type: 'tag', values } }), tags);
    return found.map(each => `${each.id}: ${each.nodes.length}, as ${each.nodes[0].html.slice(0, 150)}`);
}

async function readable() {
    for (const [name, file] of Object.entries({ large, hostile, changes, compared })) {
        for (const [scheme, view] of [['light', WIDE], ['dark', WIDE], ['light', PHONE], ['dark', PHONE]]) {
            const page = await open(file, { scheme, view });
            const found = await violations(page);
            const what = `${name}, ${scheme}, ${view.width} pixels`;
            ok(!found.length, `axe: ${what}`, found);
            const width = await page.evaluate(() => document.documentElement.scrollWidth);
            ok(width <= view.width, `${what}: no wider than the window`, width);
            await close(page, what);
        }
    }
}

async function withoutScript() {
    const page = await open(large, { script: false });
    const sections = await page.$$eval('h2', all => all.filter(h2 => h2.offsetHeight).map(h2 => h2.id));
    const rows = await page.$$eval('section:has(#processes) tbody tr', all => all.length);
    ok(rows === 100 && sections.includes('running') && !sections.includes('when'), 'without scripts there are tables',
        [rows, sections]);
    await close(page, 'without scripts');
}

async function changed() {
    const rowsOf = page => page.$$eval('section:has(#table-1) tbody tr',
        all => all.filter(row => row.offsetHeight).map(row => row.lastElementChild.textContent));
    const still = await open(changes, { script: false });
    const all = await rowsOf(still);
    ok(all.length === 500, 'changes: all rows are there without scripts', all.length);
    await close(still, 'changes without scripts');
    const page = await open(changes);
    ok((await rowsOf(page)).length === 20, 'changes: twenty rows, and a button for the rest');
    await page.type('section:has(#table-1) input', all[400]);
    const found = await rowsOf(page);
    ok(found.length < 20 && found.includes(all[400]), 'changes: a filter', found);
    await page.$eval('section:has(#table-0) th button', button => button.click());
    const sorted = await page.$$eval('section:has(#table-0) tbody tr', all => all.map(
        row => Number(row.firstElementChild.dataset.v)));
    const order = by => sorted.every((v, k) => !k || by * (v - sorted[k - 1]) >= 0);
    ok(sorted.length > 4 && (order(1) || order(-1)), 'changes: a column sorts', sorted);
    const filters = await page.$$eval('input.filter', all => all.map(input => input.placeholder));
    ok(filters.every(text => /^Filter \w/.test(text)), 'changes: each filter says what it is for', filters);
    await close(page, 'changes');
}

// Without the rules against optional tags that are left out; axe checks accessibility.
async function valid(file) {
    const off = ['no-inline-style', 'valid-id', 'prefer-native-element', 'doctype-style', 'long-title', 'require-sri'];
    const rules = Object.fromEntries(off.map(rule => [rule, 'off']));
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules });
    const errors = [];
    const tree = parse5.parse(readFileSync(file, 'utf8'), {
        sourceCodeLocationInfo: true, onParseError: error => errors.push(`${error.startLine}: ${error.code}`),
    });
    ok(!errors.length, 'the page is read as it is written', errors);
    const { results } = await validator.validateString(parse5.serialize(tree));
    const found = results.flatMap(({ messages }) => messages.map(({ ruleId, line, message }) =>
        `${line} ${ruleId} ${message}`));
    ok(!found.length, 'and is HTML', found);
}

try {
    for (const check of [measure, point, keys, tables, readable, withoutScript, changed]) await check();
    for (const file of [hostile, changes, compared]) await valid(file);
} finally {
    await browser.close();
}
