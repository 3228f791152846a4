// A client over HTTP that keeps its connections, and can hang up in the middle of an answer.
import { Agent, request } from 'node:http';
export function openCaller(url, token) {
    let connections = new Agent({ keepAlive: true });
    const call = (path, { method = 'GET', accept, body, anonymous, leave } = {}) => {
        const started = performance.now();
        const headers = {
            ...(accept ? { accept } : {}),
            ...(body
                ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
                : {}),
            ...(anonymous ? {} : { authorization: `Token ${token}` }),
        };
        return new Promise((done, failed) => {
            const sent = request(url + path, { method, headers, agent: connections });
            sent.on('error', failed);
            sent.once('response', (response) => {
                let text = '';
                const end = () => done({
                    status: response.statusCode ?? 0,
                    text,
                    milliseconds: performance.now() - started,
                });
                response.setEncoding('utf8').on('data', (chunk) => {
                    text += chunk;
                    if (!leave)
                        return;
                    end();
                    sent.destroy();
                });
                response.once('end', end);
                response.on('error', failed);
            });
            sent.end(body);
        });
    };
    return {
        call,
        /** Closes what is kept open. */
        hangUp() {
            connections.destroy();
            connections = new Agent({ keepAlive: true });
        },
    };
}
//# sourceMappingURL=caller.js.map