// A SPARQL 1.1 endpoint for tests: a small server over an Oxigraph store of its own, which takes what
// the protocol has (form-encoded queries, direct updates) and can be told to do badly.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Store as Oxigraph } from 'oxigraph';
export async function startEndpoint(lock) {
    const oxigraph = new Oxigraph();
    const asked = [];
    let fault;
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    async function answer(request, response) {
        const body = await text(request);
        if (lock && !opens(lock, request)) {
            response.writeHead(401, { 'www-authenticate': challenges[lock.scheme] }).end('Who is there?');
            return;
        }
        const { accept = '' } = request.headers;
        const isUpdate = request.headers['content-type']?.startsWith('application/sparql-update');
        const one = isUpdate
            ? { kind: 'update', text: body, accept }
            : { kind: 'query', text: new URLSearchParams(body).get('query') ?? '', accept };
        asked.push(one);
        const serve = () => {
            try {
                serveTo(response, one);
            }
            catch (error) {
                response.writeHead(400).end(error.message);
            }
        };
        if (fault)
            await fault(one, response, serve);
        else
            serve();
    }
    function serveTo(response, one) {
        if (one.kind === 'update') {
            oxigraph.update(one.text);
            if (!response.headersSent)
                response.writeHead(204).end();
            return;
        }
        const results = oxigraph.query(one.text, { results_format: one.accept });
        if (!response.headersSent)
            response.writeHead(200, { 'content-type': one.accept }).end(results);
    }
    return {
        url: `http://127.0.0.1:${port}/sparql`,
        oxigraph,
        /** What was asked since it was started, in order. */
        asked,
        /** From now on; nothing sets it right again. */
        failWith(how) {
            fault = how;
        },
        async stop() {
            server.close();
            server.closeAllConnections();
            await once(server, 'close');
        },
        /** Listens again where it did, with what it had. */
        async restart() {
            server.listen(port, '127.0.0.1');
            await once(server, 'listening');
        },
    };
}
const nonce = 'a nonce';
const realm = 'engine';
const challenges = {
    Basic: `Basic realm="${realm}"`,
    Digest: `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=MD5, opaque="o"`,
};
function opens({ scheme, user, password }, { headers, method = '', url = '' }) {
    const authorization = headers.authorization ?? '';
    if (scheme === 'Basic')
        return authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const part = (name) => new RegExp(`${name}="?([^",]*)"?`).exec(authorization)?.[1] ?? '';
    const md5 = (value) => createHash('md5').update(value).digest('hex');
    const secret = md5(`${user}:${realm}:${password}`);
    const right = md5(`${secret}:${nonce}:${part('nc')}:${part('cnonce')}:auth:${md5(`${method}:${url}`)}`);
    return authorization.startsWith('Digest ') && part('response') === right;
}
//# sourceMappingURL=endpoint.js.map