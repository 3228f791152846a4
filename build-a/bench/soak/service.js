// The service under load, in a process of its own that can be asked what it holds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
const program = join('build', 'src', 'main.js');
export const admin = { username: 'soak', password: 'correct horse battery' };
/** Starts the service over a data directory; what it logs of errors goes to standard error. */
export async function startService(directory, base) {
    const child = spawn(process.execPath, ['--expose-gc', '--import', new URL('../probe.js', import.meta.url).href, program], {
        env: {
            ...process.env,
            DATA_DIR: directory,
            PORT: '0',
            BASE_URL: base,
            SPARQL_TIMEOUT: '10',
            ADMIN_USERNAME: admin.username,
            ADMIN_PASSWORD: admin.password,
        },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const ended = once(child, 'close').then(([code]) => {
        throw new Error(`the service ended with ${String(code)}`);
    });
    ended.catch(() => undefined);
    let out = '';
    const listening = new Promise((found) => {
        child.stdout?.setEncoding('utf8').on('data', (text) => {
            out = (out + text).slice(-10_000);
            const url = /listening at (http:\/\/[^,"]+)/.exec(out)?.[1];
            if (url)
                found(url);
            for (const line of text.split('\n'))
                if (/"level":[56]0/.test(line))
                    console.error(line);
        });
    });
    return {
        url: await Promise.race([listening, ended]),
        /** Fails when the process ends. */
        ended,
        /** What the process holds once all garbage is collected. */
        async sample() {
            const answered = once(child, 'message');
            child.send('sample');
            const [sample] = await answered;
            return sample;
        },
        async stop() {
            child.kill('SIGTERM');
            await ended.catch(() => undefined);
        },
    };
}
//# sourceMappingURL=service.js.map