// SPDX-License-Identifier: MIT
// Opens each FILE in speedscope and prints a line of JSON for it: the title, what went wrong, and the rows of the view
// "sandwich" as [time with callees, own time, name]: node sandwich.mjs FILE... xt/lib/Exports.pm has NYTPROF_PACKAGES.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.NYTPROF_PACKAGES, 'package.json'));
const puppeteer = require('puppeteer-core');
const release = join(dirname(require.resolve('speedscope/package.json')), 'dist', 'release');
const scratch = mkdtempSync(join(tmpdir(), 'sandwich-'));
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true,
    args: ['--no-sandbox', '--allow-file-access-from-files', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--host-resolver-rules=MAP * ~NOTFOUND'],
});

// A page of speedscope loads a file by a script that it finds by the name behind the #.
async function open(file) {
    const page = await browser.newPage(), script = join(scratch, 'profile.js'), trouble = [];
    await page.setViewport({ width: 1400, height: 20000 }); // so that all rows are drawn
    page.on('pageerror', error => trouble.push(`error: ${error.message}`));
    page.on('console', message => { if (message.type() === 'error') trouble.push(`console: ${message.text()}`); });
    page.on('dialog', dialog => { trouble.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, ` +
        `"${readFileSync(file).toString('base64')}")`);
    await page.goto(`${pathToFileURL(join(release, 'index.html'))}#localProfilePath=${encodeURI(script)}`);
    await page.waitForFunction(() => document.title !== 'speedscope', { timeout: 60000 }).catch(() => 0);
    return { page, trouble };
}

// A row has three cells: two times, each with its share, and a name.
async function rows(page) {
    await page.keyboard.press('3');
    await page.waitForSelector('table tr td', { timeout: 60000 }).catch(() => 0);
    return page.evaluate(() => [...document.querySelectorAll('table tr')].map(row =>
        [...row.querySelectorAll('td')].map(cell => cell.textContent)).filter(cells => cells.length === 3));
}

for (const file of process.argv.slice(2)) {
    const { page, trouble } = await open(file);
    const title = await page.title();
    console.log(JSON.stringify({ title, trouble, rows: await rows(page) }));
    await page.close();
}
await browser.close();
rmSync(scratch, { recursive: true });
