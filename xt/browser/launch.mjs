// SPDX-License-Identifier: MIT
// A browser with one page, of which all that the console says is kept; and lines of TAP.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.NYTPROF_BROWSER, 'package.json'));
const puppeteer = require('puppeteer-core');

export async function launch() {
    const browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM, headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    const page = await browser.newPage();
    const trouble = [];
    page.on('console', message => trouble.push(message.text()));
    page.on('pageerror', error => trouble.push(error.message));
    return { browser, page, trouble, text: selector => page.$eval(selector, each => each.textContent) };
}

export function ok(fine, name, got) {
    console.log(`${fine ? 'ok' : 'not ok'} - ${name}`);
    if (!fine) console.log(`# ${JSON.stringify(got)}`.replace(/\n/g, ' '));
}
