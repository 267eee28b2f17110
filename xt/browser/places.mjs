// SPDX-License-Identifier: MIT
// The reader's place in a page: the wheel, going back, links to lines, on screens of any width and on paper.

const WAITS = { timeout: 20000 };

// Waits until the condition holds in the page, or for a limited time: the test that follows fails then.
const until = (page, isSo, ...values) => page.waitForFunction(isSo, WAITS, ...values).catch(() => 0);

// The reader's place: the height in the window of the address's line, or how far the page is scrolled. Nothing
// while the page is still being made.
function whereNow() {
    const line = document.querySelector('.at');
    const lacksIt = document.body && document.body.matches('.source') && location.hash && !line;
    if (document.readyState !== 'complete' || lacksIt) return null;
    return line ? line.getBoundingClientRect().top : -scrollY;
}

// The reader's place, once it has been the same for half a second.
async function atRest(page) {
    let last = null;
    const end = Date.now() + WAITS.timeout;
    for (let same = 0; same < 5 && Date.now() < end;) {
        const now = await page.evaluate(whereNow).catch(() => null); // between two pages
        same = now !== null && now === last ? same + 1 : 0;
        last = now;
        await new Promise(done => setTimeout(done, 100));
    }
    return last;
}

// The column where the code of some lines begins: of lines with numbers, and of lines without.
function firstLetters() {
    const begins = node => {
        const range = document.createRange();
        range.setStart(node, 0);
        range.setEnd(node, 1);
        return Math.round(range.getBoundingClientRect().left);
    };
    const lefts = selector => Array.from(document.querySelectorAll(selector), each => each.firstChild)
        .filter(node => node && node.nodeType === Node.TEXT_NODE && /^\S/.test(node.data)).slice(0, 5).map(begins);
    return [lefts('#code tr > td[id] ~ td:last-child'), lefts('#code ol:not(details ol) > li')];
}

// The wheel scrolls the page, wherever the pointer is.
async function wheel({ open, close, ok }) {
    for (const id of ['view', 'subs', 'files']) {
        const over = id === 'view' ? '#view canvas[tabindex]' : `section:has(#${id}) tbody td`;
        const page = await open(`index.html#b=${id}&d=tree`);
        await page.$eval(over, each => each.scrollIntoView({ block: 'center' }));
        await atRest(page);
        const { x, y } = await (await page.$(over)).boundingBox(); // a table makes its rows anew when it is scrolled
        await page.mouse.move(x + 20, y + 8);
        for (let k = 0; k < 30; k++) await page.mouse.wheel({ deltaY: 500 });
        await until(page, () => document.documentElement.scrollHeight - innerHeight - scrollY < 5);
        const left = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY);
        ok(left < 5, `the wheel over ${over} goes to the end of the page`, `${left} px left`);
        await close(page, 'wheel');
    }
}

// A table of all rows has the rows in sight only as elements, and the filter counts all.
async function long({ open, close, ok }) {
    const page = await open('index.html#b=subs&sn=all');
    const told = await page.$eval('section:has(#subs) table', table => table.getAttribute('aria-rowcount') - 1);
    const end = Math.max(0, Math.min(told, 300) - 5);
    await page.$eval('section:has(#subs) tbody', (above, row) =>
        scrollTo(0, scrollY + above.getBoundingClientRect().top + 25 * row - innerHeight / 2), end);
    await atRest(page);
    const there = await page.$eval('section:has(#subs) tbody', (above, row) => {
        const at = document.elementFromPoint(600, above.getBoundingClientRect().top + 25 * row + 12);
        return at && at.closest('tr') && at.closest('tr').getAttribute('aria-rowindex') - 2;
    }, end);
    ok(there === end, `row ${end} of ${told} is where it should be`, there);
    for (let k = 0; k < 3; k++) await page.evaluate(() => scrollBy(0, 30)); // by less than the rows that are made anew
    await page.$eval('section:has(#subs) .rest', rest => rest.scrollIntoView({ block: 'end' }));
    await atRest(page);
    const last = await page.$$eval('section:has(#subs) tr[aria-rowindex]', all =>
        all[all.length - 1].getAttribute('aria-rowindex') - 1);
    ok(last === told, 'and so is the last one', last);
    await close(page, 'a long table');
    const tree = await open('index.html#t=down');
    const heights = await tree.$$eval('#panel tr[aria-level]', all => all.map(row => row.offsetHeight));
    ok(heights.every(height => height === 25), 'all rows are as high as the script takes them to be', heights.join());
    await close(tree, 'rows');
}

async function back({ open, close, ok }) {
    const page = await open('index.html#b=subs&sn=all&t=down');
    await page.$$eval('.fold', folds => folds.filter(fold => fold.textContent === '▸').slice(0, 2)
        .forEach(fold => fold.click()));
    const rows = () => page.$$eval('#panel tr[aria-level]', all => all.map(row => row.textContent));
    const opened = await rows();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    const place = await atRest(page);
    const link = await page.evaluateHandle(() => Array.from(document.querySelectorAll('td.name a[href*="-line.html"]'))
        .find(each => each.getBoundingClientRect().top > innerHeight / 3));
    await link.click();
    await page.waitForFunction(() => document.body && document.body.matches('.source'), WAITS);
    const scrolled = await atRest(page);
    const went = page.url();
    await page.goBack({ waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => document.documentElement.dataset.ready, { timeout: 60000 });
    const now = await atRest(page);
    ok(went.includes('-line.html') && Math.abs(now - place) < 3, 'going back leads to the same place', place, now);
    ok(JSON.stringify(await rows()) === JSON.stringify(opened), 'with the same rows open', opened.length);
    await page.goForward({ waitUntil: 'domcontentloaded' });
    await until(page, address => location.href === address, went);
    const again = await atRest(page);
    ok(Math.abs(again - scrolled) < 3, 'and forward again', scrolled, again);
    await close(page, 'back');
}

// The line of the address stands a third down, below all headings; lines with and without numbers are in a column.
async function lines({ open, ok }, name, view, media) {
    const page = await open(name, { view });
    if (media) await page.emulateMediaType(media);
    const [counted, others] = await page.evaluate(firstLetters);
    const isOne = !others.length || !counted.length || Math.abs(counted[0] - others[0]) <= 1;
    ok(isOne, `${name}, ${view.width} ${media || ''}: code is in one column`,
        counted.join(), others.join());
    if (media) return page.close();
    const line = await page.$$eval('#code td[id]', all => all.length && all[all.length >> 1].id);
    if (!line) return page.close();
    const target = await open(`${name}#${line}`, { view });
    await atRest(target);
    const at = await target.evaluate(id => {
        const cell = document.getElementById(id);
        const { top, height } = cell.getBoundingClientRect();
        const there = document.elementFromPoint(30, top + height / 2);
        return { top: top / innerHeight, isSeen: Boolean(there && there.closest('tr') === cell.closest('tr')),
            isEnd: scrollY + innerHeight > document.documentElement.scrollHeight - 5 || scrollY < 5 };
    }, line);
    ok(at.isSeen && (at.isEnd || (at.top > 0.15 && at.top < 0.5)), `${name}#${line}, ${view.width}: in sight`,
        JSON.stringify(at));
    await target.close();
    return page.close();
}

async function stands(tools) {
    const { sources, wide, phone } = tools;
    const zoomed = { width: 700, height: 450, deviceScaleFactor: 2 };
    for (const name of sources) {
        for (const view of [wide, phone, zoomed]) await lines(tools, name, view);
        await lines(tools, name, { width: 718, height: 1000 }, 'print');
    }
}

// Names are readable on A4 paper, in all tables.
async function paper({ open, ok }) {
    const page = await open('index.html#i=main::RUNTIME:2', { view: { width: 718, height: 1000 } });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMediaType('print');
    const widths = await page.$$eval('section table:not(.lines, .passed)', all => all.map(table =>
        table.querySelector('tbody:not(.pad) td.name').getBoundingClientRect().width));
    ok(widths.every(width => width > 200), 'names have room on paper', widths.join());
    const legend = await page.$eval('.legend', each => each.offsetHeight).catch(() => 0);
    const crumbs = await page.$eval('.crumbs', each => each.textContent).catch(() => '');
    ok(legend > 10 && crumbs.includes('were'), 'so do the legend and what is left out', legend, crumbs);
    const pdf = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1');
    ok((pdf.match(/\/Type\s*\/Page\b/g) || []).length < 40, 'and all of it has some pages');
    await page.close();
}

async function unknown({ open, close, ok }) {
    const page = await open('index.html#t=sandwich&w=no%20such%20name');
    const said = await page.$eval('.middle', each => each.textContent);
    ok(/No \w+ is called “no such name”/.test(said), 'a sandwich of nothing says so', said);
    const shown = await page.$$eval('#panel canvas', all => all.filter(each => each.offsetParent).length);
    ok(shown === 0, 'and shows none', shown);
    await close(page, 'no such name');
}

// Each takes { open, close, ok, sources: names of source pages, wide, phone: views }.
export const places = { wheel, long, back, stands, paper, unknown };
