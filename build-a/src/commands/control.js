// The way from the command line into a running service: a unix socket in its data directory. Who may
// open the socket is the authentication, so its mode is 600. One connection carries one request and
// one answer, each a line of JSON; but for a backup, which is answered with its bytes.
import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AccountRefused } from '../accounts/accounts.js';
import { readLine } from './line.js';
/** No socket can be there, or nobody answers at it: nothing was done. */
export class ControlUnreachable extends Error {
}
/** The service was asked and could not do it, or it is not known whether it did. */
export class ControlFailed extends Error {
}
/**
 * Does what is asked, and answers with the accounts it was about.
 * @throws AccountRefused
 */
export async function carryOut(accounts, request) {
    return commandOf(request)(accounts, request);
}
/**
 * Takes requests at the socket until it is closed. The caller holds the lock of the data directory,
 * before and until after: a socket that is there already was left by a process that is dead.
 * `failed` is told whatever goes wrong here, but not of accounts that were refused; `backUp` gives the
 * bytes of a backup.
 * @throws ControlUnreachable when the path is too long for a socket
 */
export async function serveControl(path, accounts, failed = (error) => process.emitWarning(error), backUp) {
    const address = socketAddress(path);
    const open = new Set();
    const working = new Set();
    let closing = false;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        void take(socket);
    });
    async function take(socket) {
        // An error here means that who asked has gone; there is nobody to tell, and `close` follows.
        socket.on('error', () => undefined);
        socket.setTimeout(patience, () => socket.destroy());
        const line = await readLine(socket, maxRequest).catch((error) => error);
        // What has not begun when the socket is closed is not begun: the home is closed next.
        if (closing || socket.destroyed)
            return;
        if (backUp && line === backupRequest) {
            await send(socket, backUp());
            return;
        }
        const work = reply(socket, line);
        working.add(work);
        await work;
        working.delete(work);
    }
    // Nobody waits for its end where the service stops: whoever asked sees that it is not whole.
    async function send(socket, bytes) {
        socket.resume();
        await pipeline(bytes, socket).catch(unlessGone(failed));
    }
    async function reply(socket, line) {
        // Hashing a password waits for its turn, which can be longer than one waits for a client.
        socket.setTimeout(0);
        const answer = await answerTo(line);
        socket.setTimeout(patience);
        // What else was sent is read and ignored: closing over it would reset the connection, and the
        // answer would be lost.
        socket.resume();
        await new Promise((done) => socket.end(`${JSON.stringify(answer)}\n`, done));
    }
    async function answerTo(line) {
        try {
            if (line instanceof Error)
                throw line;
            // carryOut looks at what it is given before it trusts it.
            return { accounts: await carryOut(accounts, JSON.parse(line)) };
        }
        catch (error) {
            if (error instanceof AccountRefused)
                return { refused: error.message };
            const failure = error instanceof Error ? error : new Error(String(error));
            failed(failure);
            return { failed: failure.message };
        }
    }
    await removeSocket(address);
    await listen(server, address);
    server.on('error', failed);
    await chmod(address, 0o600);
    return {
        /** Answers what was asked so far, then removes the socket. */
        async close() {
            closing = true;
            const closed = new Promise((done) => server.close(done));
            await Promise.all(working);
            for (const socket of open)
                socket.destroy();
            await closed;
        },
    };
}
/**
 * Asks the service that listens at the socket.
 * @throws AccountRefused, ControlUnreachable, ControlFailed
 */
export async function askControl(path, request) {
    const socket = await reach(path);
    try {
        socket.write(`${JSON.stringify(request)}\n`);
        return accountsIn(await answerFrom(socket));
    }
    finally {
        socket.destroy();
    }
}
/**
 * Asks the service that listens at the socket for a backup: its bytes, which end early when it stops.
 * @throws ControlUnreachable
 */
export async function askBackup(path) {
    const socket = await reach(path);
    socket.write(`${backupRequest}\n`);
    return socket;
}
const backupRequest = '{"command":"backup"}';
/** That whoever asked has gone is nothing to be told. */
const unlessGone = (failed) => (error) => {
    const isGone = /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(error.code ?? '');
    if (!isGone)
        failed(error);
};
// A password of 4096 characters, every one of them escaped, and all the rest.
const maxRequest = 128 * 1024;
const maxAnswer = 64 * 1024 * 1024;
const patience = 60_000;
// `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of them a NUL. What is longer is cut
// off by libuv without a word, so the socket would be somewhere else.
const maxAddress = process.platform === 'linux' ? 107 : 103;
const commands = new Map([
    ['add', async (accounts, fields) => [await accounts.add(newAccount(fields))]],
    ['list', (accounts) => Promise.resolve(accounts.list())],
    ['disable', async (accounts, { name }) => [await accounts.disable(text(name))]],
    ['enable', async (accounts, { name }) => [await accounts.enable(text(name))]],
    [
        'role',
        async (accounts, { name, role, only }) => [
            await accounts.setRights(text(name), text(role), texts(only)),
        ],
    ],
    [
        'password',
        async (accounts, { name, password }) => [
            await accounts.setPassword(text(name), text(password)),
        ],
    ],
    ['revoke', async (accounts, { name }) => [await accounts.revoke(text(name))]],
]);
function commandOf(request) {
    const command = typeof request === 'object' && request !== null && 'command' in request && request.command;
    return commands.get(command) ?? notUnderstood();
}
function newAccount({ name, password, role, only }) {
    return { name: text(name), password: text(password), role: text(role), only: texts(only) };
}
function texts(value) {
    return Array.isArray(value) ? value.map(text) : notUnderstood();
}
function text(value) {
    return typeof value === 'string' ? value : notUnderstood();
}
function notUnderstood() {
    throw new ControlFailed('the request is not understood');
}
function socketAddress(path) {
    const absolute = resolve(path);
    const fitting = [absolute, relative(process.cwd(), absolute)].find(fits);
    if (fitting !== undefined)
        return fitting;
    throw new ControlUnreachable(`${absolute} is too long for a socket: its path may have ${maxAddress} bytes. ` +
        'Take a shorter data directory, or work from a directory nearer to it.');
}
function fits(address) {
    return Buffer.byteLength(address) <= maxAddress;
}
// Only a socket is removed: anything else of that name is not ours, and listening will say so.
async function removeSocket(address) {
    try {
        if ((await lstat(address)).isSocket())
            await unlink(address);
    }
    catch (error) {
        if (error.code !== 'ENOENT')
            throw error;
    }
}
// The socket is made inside `listen`, before it returns. The umask keeps it from others from its
// first moment, where a chmod alone would come after it. Not 0o177: directories that another thread
// makes in this moment would be closed to ourselves.
async function listen(server, address) {
    const listening = once(server, 'listening');
    const umask = process.umask(0o077);
    try {
        server.listen(address);
    }
    finally {
        process.umask(umask);
    }
    await listening;
}
async function reach(path) {
    const socket = connect(socketAddress(path));
    try {
        await once(socket, 'connect');
    }
    catch (cause) {
        const { code = 'an unknown reason' } = cause;
        throw new ControlUnreachable(`nobody answers at ${path} (${code})`, { cause });
    }
    // What breaks from here on is told by the answer that does not come.
    socket.on('error', () => undefined);
    socket.setTimeout(patience, () => socket.destroy(new Error('no answer in time')));
    return socket;
}
async function answerFrom(socket) {
    try {
        // A cast, for at the other end is this program.
        return JSON.parse(await readLine(socket, maxAnswer));
    }
    catch (cause) {
        throw new ControlFailed('The service did not answer: `account list` tells whether it did what was asked.', { cause });
    }
}
function accountsIn(answer) {
    if ('accounts' in answer)
        return answer.accounts;
    if ('refused' in answer)
        throw new AccountRefused(answer.refused);
    throw new ControlFailed(`The service could not do it: ${answer.failed}.`);
}
//# sourceMappingURL=control.js.map