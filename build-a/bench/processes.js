// The processes that are measured: the service, with a probe inside, and the reference.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { base } from './filled.js';
const built = (path) => fileURLToPath(new URL(path, import.meta.url));
/** @param profile the directory for a CPU profile of the process, if one is wanted */
export async function startService(dataDir, profile) {
    const port = await freePort();
    const running = await start('../src/main.js', profile, `http://127.0.0.1:${port}`, {
        PORT: String(port),
        // The reference tells nobody of its requests either.
        LOG_LEVEL: 'warn',
        BASE_URL: base,
        DATA_DIR: dataDir,
        ADMIN_USERNAME: 'admin',
        ADMIN_PASSWORD: 'a long pass phrase',
        SPARQL_WORKERS: '1',
    });
    const answer = await fetch(`${running.url}/api/auth/token/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: 'a long pass phrase' }),
    });
    const { token } = (await answer.json());
    // While the replica loads it takes a processor of two.
    while ((await fetch(`${running.url}/sparql?query=ASK%7B%7D`)).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 500));
    return { ...running, token };
}
/** @param answer what it answers to every GET */
export async function startReference(dataDir, answer, profile) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return start('reference.js', profile, url, {
        PORT: String(port),
        DATA_DIR: dataDir,
        ANSWER: answer,
    });
}
async function start(program, profile, url, env) {
    const before = performance.now();
    const prof = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [...prof, '--import', built('probe.js'), built(program)], {
        env: { PATH, HOME, ...env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    await answering(child, url);
    const started = (performance.now() - before) / 1000;
    return {
        url,
        started,
        async probe() {
            const told = once(child, 'message');
            child.send('probe');
            return (await told)[0];
        },
        async end() {
            const closed = once(child, 'close');
            child.kill('SIGTERM');
            await closed;
        },
    };
}
/** Waits until the process says that it is well. */
async function answering(child, url) {
    let err = '';
    child.stdout?.resume();
    child.stderr?.setEncoding('utf8').on('data', (chunk) => (err += chunk));
    for (;;) {
        if (child.exitCode !== null)
            throw new Error(`the process ended: ${err.slice(-2000)}`);
        const { ok } = await fetch(`${url}/healthz`).catch(() => ({ ok: false }));
        if (ok)
            return;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');
    return port;
}
//# sourceMappingURL=processes.js.map