// The service as a process of its own, for what only a process can show: signals, exit codes, the
// command line, and what is left after a kill.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
const program = resolve('build/src/main.js');
/** A data directory that is removed when the test's work is done. */
export async function withDirectory(work) {
    const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'));
    try {
        await work(directory);
    }
    finally {
        await rm(directory, { recursive: true, force: true });
    }
}
/** Runs the program to its end. */
export async function run(args, env, input = '', through = []) {
    const child = start(args, env, through);
    const [out, err] = [gather(child.stdout), gather(child.stderr)];
    child.stdin?.end(input);
    const [code] = (await once(child, 'close'));
    return { code, out: out(), err: err() };
}
/**
 * Starts the service on a free port and waits until it listens.
 * @param through a command that runs it, such as one that has its system calls fail
 */
export async function serve(env, through = []) {
    const child = start([], { PORT: '0', BASE_URL: 'https://zines.example', ...env }, through);
    const [out, err] = [gather(child.stdout), gather(child.stderr)];
    const ended = once(child, 'close');
    const url = await new Promise((found, failed) => {
        child.stdout?.on('data', () => {
            const listening = /listening at (http:\/\/[^,"]+)/.exec(out())?.[1];
            if (listening)
                found(listening);
        });
        void ended.then(() => failed(new Error(`the service ended: ${err()}`)));
    });
    const end = ended.then(([code, signal]) => ({ code, signal, out: out(), err: err() }));
    return {
        url,
        pid: child.pid ?? 0,
        /** Kept when the process ends, for whatever reason. */
        ended: end,
        /** Sends a signal and tells how the process ended. */
        end(signal) {
            child.kill(signal);
            return end;
        },
    };
}
/** The administrator that `serve` and `run` know by these settings. */
export const adminSettings = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse' };
/** The administrator's token. */
export async function tokenAt(url) {
    const response = await fetch(`${url}/api/auth/token/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: 'correct horse' }),
    });
    return (await response.json()).token;
}
// A test that fails leaves no process behind.
const running = new Set();
after(() => {
    for (const child of running)
        child.kill('SIGKILL');
});
function start(args, env, through) {
    // Nothing of the environment that the tests run in may set the service.
    const { PATH = '', HOME = '' } = process.env;
    const [command = '', ...rest] = [...through, process.execPath, program, ...args];
    const child = spawn(command, rest, { env: { PATH, HOME, ...env } });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
}
function gather(stream) {
    let text = '';
    stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    return () => text;
}
//# sourceMappingURL=process.js.map