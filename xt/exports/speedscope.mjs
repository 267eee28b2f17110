// SPDX-License-Identifier: MIT
// node speedscope.mjs FILE... opens each file in speedscope's own page, in a browser without a window, and prints a
// line of JSON with its title, its trouble (errors, dialogs, messages), and what the page saves: the profiles as it has
// read them. NYTPROF_SCREENSHOTS names a directory for pictures.
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.env.NYTPROF_PACKAGES, 'package.json'));
const puppeteer = require('puppeteer-core');
const release = join(dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html');
const scratch = mkdtempSync(join(tmpdir(), 'speedscope-'));
const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM, headless: true,
    args: ['--no-sandbox', '--allow-file-access-from-files', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND'],
});

// The page saves by a link to a blob, whose text is kept instead.
function keepBlobs() {
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => {
        if (blob.type.includes('json')) blob.text().then(text => { window.saved = text; });
        return make.call(URL, blob);
    };
}

async function look(file) {
    const page = await browser.newPage();
    const trouble = [];
    page.on('pageerror', error => trouble.push(`error: ${error.message}`));
    page.on('console', message => { if (message.type() === 'error') trouble.push(`console: ${message.text()}`); });
    page.on('dialog', dialog => { trouble.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    await page.evaluateOnNewDocument(keepBlobs);
    await page.setViewport({ width: 1400, height: 900 });
    const name = basename(file), script = join(scratch, 'profile.js');
    const text = readFileSync(file).toString('base64');
    writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ${JSON.stringify(text)})`);
    await page.goto(`${pathToFileURL(release)}#localProfilePath=${script.slice(1)}`);
    await page.waitForFunction(() => !/^speedscope$/.test(document.title), { timeout: 60000 }).catch(() => {});
    await new Promise(done => setTimeout(done, 1000));
    if (process.env.NYTPROF_SCREENSHOTS) {
        await page.screenshot({ path: join(process.env.NYTPROF_SCREENSHOTS, `${name}.png`) });
    }
    const title = await page.title();
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await page.waitForFunction(() => window.saved, { timeout: 60000 }).catch(() => trouble.push('nothing was saved'));
    const saved = JSON.parse(await page.evaluate(() => window.saved ?? 'null'));
    console.log(JSON.stringify({ title, trouble, saved }));
    await page.close();
}

for (const file of process.argv.slice(2)) await look(file);
await browser.close();
rmSync(scratch, { recursive: true });
