// Clients that keep their connections and ask as fast as they are answered, or at a pace. Plain sockets,
// so that two cores are enough for them and what they measure; a timing is exact to the microsecond.
import { connect } from 'node:net';
/** Asks for a time, and tells how it went. Answers have to say their length. */
export async function load(url, next, { clients, milliseconds, pace, least = 0 }) {
    const took = [];
    const statuses = {};
    let bytes = 0;
    const start = performance.now();
    const end = start + milliseconds;
    const between = pace === undefined ? 0 : (1000 * clients) / pace;
    async function ask(number) {
        const line = await openLine(url);
        // Those who keep a pace do not all come at once.
        let due = start + (between * number) / clients;
        while (performance.now() < end || took.length < least) {
            if (between > 0)
                await until((due += between));
            const asked = performance.now();
            const { status, length } = await line.ask(next());
            took.push(performance.now() - asked);
            statuses[status] = (statuses[status] ?? 0) + 1;
            bytes += length;
        }
        line.close();
    }
    await Promise.all(Array.from({ length: clients }, (_, number) => ask(number)));
    const seconds = (performance.now() - start) / 1000;
    took.sort((a, b) => a - b);
    const share = (part) => took[Math.ceil(took.length * part) - 1] ?? NaN;
    return {
        perSecond: took.length / seconds,
        p50: share(0.5),
        p99: share(0.99),
        max: share(1),
        count: took.length,
        statuses,
        bytes: bytes / took.length,
    };
}
/** One connection, on which one question is asked at a time. */
async function openLine(url) {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let waiting;
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
        received += chunk;
        const head = received.indexOf('\r\n\r\n');
        if (head < 0)
            return;
        const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head + 2));
        const status = Number(received.slice(9, 12));
        const size = head + 4 + Number(length?.[1] ?? 0);
        if (!length && status !== 204)
            waiting?.failed(new Error(`no length: ${received.slice(0, head)}`));
        if (received.length < size)
            return;
        const answer = { status, length: size, body: received.slice(head + 4, size) };
        received = received.slice(size);
        waiting?.done(answer);
    });
    socket.on('error', (error) => waiting?.failed(error));
    socket.on('close', () => waiting?.failed(new Error('the connection was closed')));
    await new Promise((done, failed) => {
        waiting = { done: () => undefined, failed };
        socket.once('connect', done);
    });
    return {
        ask: (asking) => new Promise((done, failed) => {
            waiting = { done, failed };
            socket.write(write(asking, host));
        }),
        close() {
            waiting = undefined;
            socket.destroy();
        },
    };
}
function write({ method = 'GET', path, headers = {}, body }, host) {
    const all = {
        host,
        accept: '*/*',
        'user-agent': 'bench',
        ...headers,
        ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
const until = (time) => new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
//# sourceMappingURL=client.js.map