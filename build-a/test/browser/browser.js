// A real browser before the service: Debian's Chromium, driven through playwright-core. Where there is
// none, the tests that need one are skipped.
import { access } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { startService } from '../service.js';
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
// Without these, the browser looks for its maker's hosts, which are not there.
const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];
/** The service of a `describe` block with a browser before it, or every test of it skipped. */
export function useBrowser(env = {}) {
    let site;
    let complaints = [];
    before(async function () {
        this.timeout(60_000);
        if (!(await exists(executablePath))) {
            console.log('      skipped: there is no Chromium (CHROMIUM names another)');
            this.skip();
        }
        // Cookies for https alone would not come back to a service that is asked over http.
        const service = await startService({ BASE_URL: 'http://localhost', ...env });
        const browser = await chromium.launch({ executablePath, args });
        site = {
            service,
            browser,
            async visit(path, options) {
                const context = await browser.newContext({ baseURL: service.url, ...options });
                context.setDefaultTimeout(10_000);
                const page = await context.newPage();
                page.on('console', (message) => {
                    // That a page says no is for the page to tell.
                    const isAnswer = /status of (?:400|403|404|409)/.test(message.text());
                    if (message.type() === 'error' && !isAnswer)
                        complaints.push(message.text());
                });
                page.on('pageerror', (error) => complaints.push(error.message));
                await page.goto(path);
                return page;
            },
            complaints() {
                const said = complaints;
                complaints = [];
                return said;
            },
        };
    });
    after(async () => {
        await site?.browser.close();
        await site?.service.stop();
    });
    return () => {
        if (!site)
            throw new Error('the browser is started in a before hook');
        return site;
    };
}
/** Signs in by the form, as an account of the test service. */
export async function signIn(page, name, password) {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('User name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
const exists = (path) => access(path).then(() => true, () => false);
//# sourceMappingURL=browser.js.map