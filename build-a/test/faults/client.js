// What the tests of faults share: an administrator at a service that may be gone at any moment, and
// whether a program of the system is there.
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { agent, repository } from '../examples.js';
import { adminSettings, tokenAt } from '../process.js';
/** The settings of a service for these tests: no thread that is not asked, no log but of what fails. */
export const settingsOf = (directory) => ({
    DATA_DIR: directory,
    SPARQL_WORKERS: '0',
    ...adminSettings,
});
/** Asks as the administrator. It fails as `fetch` does where there is no answer. */
export async function clientAt(url) {
    const token = await tokenAt(url);
    async function ask(method, path, body) {
        const response = await fetch(url + path, {
            method,
            headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, body: asJson(text) };
    }
    return {
        url,
        token,
        ask,
        get: (path) => ask('GET', path),
        post: (resource, record) => ask('POST', `/api/${resource}/`, record),
        /** Makes what other records refer to. */
        async prepare() {
            expect((await ask('POST', '/api/agents/', agent('maker'))).status).to.equal(201);
            expect((await ask('POST', '/api/repositories/', repository('library'))).status).to.equal(201);
        },
    };
}
function asJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** Whether a program is installed and does what is asked of it here. */
export const canRun = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
//# sourceMappingURL=client.js.map