// SPDX-License-Identifier: MIT
// Checks a report in a browser and prints the results as lines of TAP: node check.mjs REPORT BUDGETS, where BUDGETS is
// JSON. The variable NYTPROF_BROWSER names the directory with the packages of package.json.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gotos } from './goto.mjs';
import { names } from './names.mjs';
import { places } from './places.mjs';
import { followLine, strips } from './strip.mjs';

const require = createRequire(join(process.env.NYTPROF_BROWSER, 'package.json'));
const puppeteer = require('puppeteer-core');
const { HtmlValidate } = require('html-validate');
const parse5 = require('parse5');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const [, , report, json] = process.argv;
const budget = JSON.parse(json);
const SLACK = 10; // factor for limits of time, as machines are busy
const LOADS = 5; // the median of so many counts
const WIDE = { width: 1400, height: 1000 };
const PHONE = { width: 360, height: 800, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

function ok(fine, name, ...more) {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
    if (!fine) for (const line of more.flat().slice(0, 20)) console.log(`# ${line}`.replace(/\n/g, ' '));
}

function within(got, most, what, unit) {
    ok(got <= most, `${what}: ${Math.round(got)} of ${most} ${unit}`);
}

function inTime(got, most, what) {
    console.log(`# ${what}: ${got.toFixed(1)} ms, budget ${most} ms`);
    ok(got <= SLACK * most, `${what} in ${SLACK} times ${most} ms`, `${got} ms`);
}

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const bytes = name => statSync(join(report, name)).size;
const textOf = name => readFileSync(join(report, name), 'utf8');
const isMoved = name => bytes(name) < 2000 && textOf(name).includes('http-equiv="refresh"');
const pages = readdirSync(report).filter(name => name.endsWith('.html') && !isMoved(name))
    .sort((a, b) => bytes(b) - bytes(a));
const isSource = name => /-line\.html$/.test(name);
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND'],
});

// Opens a page; messages, dialogs and requests, which it should not have, are put into trouble.
async function open(name, { view = WIDE, scheme = 'light', script = true, waits = false } = {}) {
    const page = await browser.newPage();
    page.trouble = [];
    page.on('console', message => page.trouble.push(`console: ${message.text()}`));
    page.on('pageerror', error => page.trouble.push(`error: ${error.message}`));
    page.on('requestfailed', request => page.trouble.push(`failed: ${request.url()}`));
    page.on('request', request => {
        if (!/^(file|data|blob):/.test(request.url())) page.trouble.push(`request: ${request.url()}`);
    });
    page.on('dialog', dialog => {
        page.trouble.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    await page.setViewport(view);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.setJavaScriptEnabled(script);
    const [path, hash = ''] = name.split('#');
    await page.goto(pathToFileURL(join(report, path)).href + (hash && `#${hash}`), { waitUntil: 'load' });
    if (waits || (path === 'index.html' && script)) {
        await page.waitForFunction(() => document.documentElement.dataset.ready, { timeout: 60000 });
    }
    return page;
}

async function close(page, what) {
    ok(!page.trouble.length, `${what}: nothing in the console, no request, no dialog`, page.trouble);
    await page.close();
}

async function violations(page) {
    await page.evaluate(axe);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations: found } = await page.evaluate(values =>
        axe.run({ preload: false, runOnly: { type: 'tag', values } }), tags);
    return found.map(each => `${each.id}: ${each.nodes.length}, as ${each.nodes[0].html.slice(0, 150)}` +
        ` ${each.nodes[0].any.map(any => any.message).join('; ').slice(0, 150)}`);
}

// ---- bytes, elements and times ----

async function measure() {
    const parts = ['index.html', 'data.js', 'app.js', 'app.css', 'style.css', 'dark.css', 'theme.js', 'report.js'];
    within(parts.reduce((sum, name) => sum + bytes(name), 0), budget.index, 'the index', 'bytes');
    const times = { paint: [], ready: [] };
    let page;
    for (let k = 0; k < LOADS; k++) {
        if (page) await close(page, 'index');
        page = await open('index.html');
        await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
        const took = await page.evaluate(() => ({
            paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
            ready: Number(document.documentElement.dataset.ready),
        }));
        for (const what of Object.keys(times)) times[what].push(took[what]);
    }
    inTime(median(times.paint), budget.paint, 'first paint');
    inTime(median(times.ready), budget.ready, 'interactive');
    within(await page.$$eval('*', all => all.length), budget.nodes, 'elements of the index', 'elements');
    const session = await page.createCDPSession();
    await session.send('HeapProfiler.collectGarbage');
    within((await page.metrics()).JSHeapUsedSize / 1e6, budget.heap, 'heap of the index', 'MB');
    await close(page, 'index');
}

// Times of a reader's actions, measured in the page: the handler and the layout that follows.
async function interact() {
    const page = await open('index.html');
    const times = await page.evaluate(() => {
        const took = act => {
            const begin = performance.now();
            act();
            document.body.getBoundingClientRect();
            return performance.now() - begin;
        };
        const type = (input, text) => {
            input.value = text;
            input.dispatchEvent(new Event('input'));
        };
        const median = act => [0, 1, 2, 3, 4].map(k => took(() => act(k))).sort((a, b) => a - b)[2];
        const canvas = document.querySelector('#view canvas[tabindex]');
        const box = canvas.getBoundingClientRect();
        const at = y => new MouseEvent('click', { clientX: box.left + 200, clientY: box.top + y, bubbles: true });
        const search = document.querySelector('#view input[type=search]');
        const subs = document.getElementById('subs').closest('section');
        const calls = subs.querySelector('th button');
        return {
            draw: median(() => dispatchEvent(new Event('themechange'))),
            zoom: median(k => canvas.dispatchEvent(at(k % 2 ? 5 : 60))),
            find: median(k => type(search, ['/a.*e$/', '::', '/^P/', 'in', 'e'][k])),
            sort: median(() => calls.click()),
            filter: median(k => type(subs.querySelector('input[type=search]'), ['in', 'e', '/a/', '::', ''][k])),
        };
    });
    for (const [what, most] of Object.entries(budget.times)) inTime(times[what], most, what);
    await close(page, 'interaction');
}

// ---- a reader's actions ----

const hashOf = page => page.evaluate(() => location.hash);
const backed = page => page.evaluate(() => new Promise(done => {
    addEventListener('hashchange', () => done(location.hash), { once: true });
    history.back();
}));

async function click() {
    const page = await open('index.html');
    const canvas = await page.$('#view canvas[tabindex]');
    await canvas.evaluate(element => element.scrollIntoView({ block: 'center' }));
    const { x, y } = await canvas.boundingBox();
    const url = page.url();
    await page.mouse.click(x + 40, y + 27);
    ok(/[#&]z=/.test(await hashOf(page)) && page.url().startsWith(url), 'a click zooms and does not leave the page');
    const part = await page.$eval('.overview', each => each.getBoundingClientRect().toJSON());
    ok(part.width > 300 && part.height > 2, 'the whole is above it, in small', part);
    await page.mouse.click(part.x + 40, part.y + 1);
    ok(!/[#&]z=/.test(await hashOf(page)), 'whose first row shows everything again', await hashOf(page));
    await page.goBack();
    await page.mouse.move(x + 40, y + part.height + 13);
    ok(/everything/.test(await page.$eval('.details', bar => bar.textContent)), 'pointing at a frame tells of it');
    ok(await backed(page) === '', 'going back undoes it');
    const drawn = () => canvas.evaluate(element => element.toDataURL());
    const before = await drawn();
    const shown = await page.$$eval('.legend > :not([hidden])', all => all.length);
    await page.$eval('.legend > :not([hidden])', key => key.click());
    ok(/[#&]k=/.test(await hashOf(page)) && (shown < 2 || await drawn() !== before),
        'a key of the legend fades the other kinds');
    ok(await page.$('.legend [aria-pressed=true][tabindex="0"]') !== null, 'and is pressed');
    ok(await backed(page) === '' && await drawn() === before, 'going back undoes that, too');
    await page.evaluate(() => document.querySelector('section [id=subs]').closest('section')
        .querySelector('th:first-child button').click());
    ok(/s=-calls/.test(await hashOf(page)), 'the order of a table is in the address');
    const told = all => all.map(th => th.textContent + th.getAttribute('aria-sort'));
    const sorts = () => page.$$eval('section:has(#subs) th[aria-sort]', told);
    ok((await sorts())[0] === 'Callsdescending', 'and is told', await sorts());
    ok(await backed(page) === '' && (await sorts())[0] !== 'Callsdescending', 'going back undoes that too');
    await close(page, 'clicks');
}

async function keys() {
    const page = await open('index.html');
    const focused = () => page.evaluate(() => {
        const at = document.activeElement;
        return `${at.tagName.toLowerCase()} ${at.className} ${at.getAttribute('aria-label') || at.textContent}`;
    });
    const seen = [];
    for (let k = 0; k < 30; k++) {
        await page.keyboard.press('Tab');
        seen.push(await focused());
    }
    ok(/^a skip/.test(seen[0]), 'Tab comes to the skip link first', seen[0]);
    const table = seen.findIndex(each => /^div scroll/.test(each));
    ok(table > 0 && table < 25, `and to the table of subs after ${table}`, seen);
    await page.focus('#view canvas[tabindex]');
    for (const key of ['ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    ok(/z=/.test(await hashOf(page)), 'arrows and space zoom', await hashOf(page));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    ok(!/z=/.test(await hashOf(page)), 'Escape zooms out', await hashOf(page));
    await page.keyboard.press('s');
    await page.keyboard.type('zz no such sub');
    ok(/sf=zz/.test(await hashOf(page)), 'a key leads to the filter');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('?');
    ok(await page.$('dialog[open]') !== null, '? lists the keys');
    await close(page, 'keys');
}

// ---- accessibility ----

async function readable() {
    const tables = ['#b=subs', '#b=subs&g=packages', '#b=files&d=tree'];
    const views = ['', '#t=down', '#t=up', '#t=sandwich', ...tables, '#h=1&r=1'];
    for (const scheme of ['light', 'dark']) {
        for (const view of scheme === 'light' ? views : views.slice(0, 2)) {
            const page = await open(`index.html${view}`, { scheme });
            const found = await violations(page);
            ok(!found.length, `axe: index ${view} ${scheme}`, found);
            await close(page, `index ${view} ${scheme}`);
        }
    }
    for (const name of budget.all ? pages : pages.filter(isSource).slice(0, 2)) {
        const page = await open(name);
        const found = bytes(name) < 1e6 ? await violations(page) : [];
        ok(!found.length, `axe: ${name}`, found);
        await close(page, name);
    }
}

// Pages of which there are hundreds: the largest, and those with the longest names.
function someSources() {
    const sources = pages.filter(isSource);
    const byName = sources.toSorted((a, b) => b.length - a.length);
    return new Set([...sources.filter(name => bytes(name) < 1e6).slice(0, 4), ...byName.slice(0, 8)]);
}

async function narrow() {
    const sources = someSources();
    const isQuick = name => name === 'index.html' || bytes(name) < 1e6;
    for (const name of pages.filter(each => budget.all || sources.has(each) || (!isSource(each) && isQuick(each)))) {
        const page = await open(name, { view: { ...WIDE, width: 1000 } });
        await page.$$eval('details', all => { if (all.length < 100) all.forEach(each => { each.open = true; }); });
        const found = [];
        for (const view of [{ ...WIDE, width: 1000 }, { ...WIDE, width: 600 }, { ...PHONE, isMobile: false }]) {
            await page.setViewport(view);
            const [all, seen] = await page.evaluate(() => new Promise(done => requestAnimationFrame(() =>
                requestAnimationFrame(() => {
                    const { scrollWidth, clientWidth } = document.scrollingElement;
                    done([scrollWidth, clientWidth]);
                }))));
            if (all > seen) found.push(`${all} at ${view.width}`);
        }
        ok(!found.length, `${name} does not scroll sideways at 1000, 600 and 360 pixels`, found);
        await close(page, `${name}, at three widths`);
    }
    for (const name of ['index.html', 'index.html#t=down', pages.find(isSource)]) {
        const page = await open(name, { view: PHONE });
        const width = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth].join(' '));
        ok(width === '360 360', `${name} fits 360 pixels`, width);
        await close(page, `${name}, narrow`);
    }
}

const UNIT = { s: 1, ms: 1e-3, 'µs': 1e-6, ns: 1e-9 };

// The page rounds ticks and the script whole nanoseconds: the last of three digits may differ.
function isNear(one, other) {
    const [a, b] = [one, other].map(text => parseFloat(text) * UNIT[text.split(' ')[1]]);
    return one === other || Math.abs(a - b) <= 0.011 * Math.max(a, b);
}

async function withoutScript() {
    const timesOf = page => page.$$eval('section:has(#subs) tbody:not(.pad) tr', all =>
        all.filter(tr => tr.cells.length > 6).map(tr => [3, 5, 6].map(k => tr.cells[k].textContent)));
    const scripted = await open('index.html');
    const made = await timesOf(scripted);
    await close(scripted, 'with scripts');
    const page = await open('index.html', { script: false });
    const written = await timesOf(page);
    const isWritten = row => written.some(other => row.every((time, k) => isNear(time, other[k])));
    const strange = made.slice(0, 20).filter(row => !isWritten(row));
    ok(made.length > 3 && !strange.length,
        'the script shows the times that the page has', strange.join('; '), written.slice(0, 20).join('; '));
    const rows = await page.$$eval('tbody tr', all => all.length);
    ok(rows > 10 && await page.$('svg.icicle') !== null, `without scripts: ${rows} rows and a picture`);
    await close(page, 'without scripts');
}

// Without the rules against optional tags that are left out, and ids that are numbers; axe checks accessibility.
async function valid() {
    const off = ['no-inline-style', 'valid-id', 'prefer-native-element', 'doctype-style', 'long-title', 'require-sri'];
    const rules = Object.fromEntries(off.map(rule => [rule, 'off']));
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules });
    const some = budget.all ? pages : ['index.html', ...pages.filter(name => bytes(name) < 2e5).slice(0, 3)];
    for (const name of some) {
        const errors = [];
        const tree = parse5.parse(textOf(name), {
            sourceCodeLocationInfo: true, onParseError: error => errors.push(`${error.startLine}: ${error.code}`),
        });
        ok(!errors.length, `${name} is read as it is written`, errors);
        const { results } = await validator.validateString(parse5.serialize(tree));
        const found = results.flatMap(({ messages }) => messages.map(({ ruleId, line, column, message }) =>
            `${line}:${column} ${ruleId} ${message}`));
        ok(!found.length, `${name} is HTML`, found);
    }
}

// The report as one file, which contains and shows its pages.
async function single() {
    if (!budget.single) return;
    within(statSync(budget.single).size, 7e6, 'the report as one file', 'bytes');
    const page = await open(relative(report, budget.single), { waits: true });
    const link = 'section:has(#subs) tbody td.name a[href*="-line.html"]';
    const href = await page.$eval(link, each => each.getAttribute('href'));
    await page.click('#tab-subs');
    await page.$eval(link, each => each.click());
    await page.waitForFunction(() => !document.querySelector('.source').hidden, { timeout: 20000 });
    const shown = await page.evaluate(() => [location.hash, document.querySelectorAll('.source tr').length]);
    const [to, line] = href.split('#');
    ok(shown[0].includes(`p=${to}`) && shown[0].includes(`l=${line}`) && shown[1] > 5, 'a link shows its page', shown);
    ok(await page.$('.source header > button::-p-text(Go to)') !== null, 'with a button for going elsewhere');
    await page.waitForSelector('#map b');
    await page.keyboard.press('n');
    ok(await page.$eval('.source tr.at', row => row.querySelector('[class^=h]') !== null), 'where keys work and a map');
    await page.keyboard.press('?');
    ok((await page.$$eval('dialog', all => all.map(each => each.textContent).join())).includes('next hot line'),
        'and the keys are listed, once');
    await page.keyboard.press('Escape');
    ok(await backed(page) === '#b=subs', 'and back leads to the index');
    await page.waitForFunction(() => document.querySelector('.source').hidden, { timeout: 20000 });
    ok(await followLine(page), 'a stretch has its pages, too');
    await page.$eval('.during button', each => each.click());
    await page.waitForFunction(() => !document.querySelector('.during'), { timeout: 20000 });
    ok(!(await hashOf(page)).includes('when'), 'and they lead to those of the run', await hashOf(page));
    await page.$eval('.source header a[href^="index.html"]', each => each.click());
    await page.waitForFunction(() => document.querySelector('.source').hidden, { timeout: 20000 });
    const found = await violations(page);
    ok(!found.length, 'axe: one file', found);
    await close(page, 'one file');
}

const called = pages.find(name => isSource(name) && /<section id=/.test(textOf(name)));
const others = pages.filter(name => !isSource(name) && name !== 'index.html');
const sources = [pages.find(isSource), called];
const tools = { open, close, ok, inTime, hashOf, backed, violations, sources, called, others, wide: WIDE, phone: PHONE,
    isLarge: budget.isLarge };
try {
    const boxes = budget.isLarge ? { typing: gotos.typing } : gotos; // pages of large reports take long to open
    const checks = { measure, interact, click, ...strips, keys, ...names, ...places, ...boxes, readable, narrow,
        withoutScript, valid, single };
    for (const [name, check] of Object.entries(checks)) if ((budget.only || name) === name) await check(tools);
} finally {
    await browser.close();
}
