// A SPARQL 1.1 endpoint over HTTP: one query or one update at a time, and the truth about what became
// of it. It keeps to what every engine takes, and knows the ways of some of them.
import { answerTo } from './digest.js';
import { Unreadable, rowsOf } from './results.js';
/** The request never reached the engine. */
export class Unreached extends Error {
}
/** The engine answered that it does not do it. */
export class Refused extends Error {
    said;
    constructor(message, 
    /** What the engine itself said, if anything. */
    said = '') {
        super(message);
        this.said = said;
    }
}
/** No answer came, or half of one: what the engine did, or may still do, is not known. */
export class Unanswered extends Error {
}
/** The answer is longer than it may be. */
export class TooLong extends Error {
}
export function openEndpoint({ query, update, credentials, timeout }) {
    /** What each address asked for when it was asked last. */
    const authorizations = new Map();
    async function post(address, { type, body, accept, seconds, most = Infinity }) {
        const { pathname, search } = new URL(address);
        const send = async () => {
            const authorization = authorizations.get(address)?.('POST', pathname + search);
            const headers = {
                'content-type': type,
                accept,
                ...(authorization === undefined ? {} : { authorization }),
            };
            return exchange(address, { seconds, most, body, headers });
        };
        let answer = await send();
        // A challenge is answered once; the nonce of the last one may have had its time.
        const challenge = answer.headers.get('www-authenticate');
        if (answer.status === 401 && credentials && challenge !== null) {
            const authorization = answerTo(challenge, credentials);
            if (authorization) {
                authorizations.set(address, authorization);
                answer = await send();
            }
        }
        if (answer.status < 200 || answer.status > 299)
            throw refusalOf(address, answer);
        return answer;
    }
    async function answer(text, accept, most) {
        const { headers, body } = await post(query, {
            type: 'application/x-www-form-urlencoded; charset=UTF-8',
            // Where a string holds a NUL as it is, Virtuoso sees the end of the query.
            body: new URLSearchParams({ query: text.replaceAll('\0', '\\u0000') }).toString(),
            accept,
            seconds: timeout,
            most,
        });
        for (const name of partial)
            if (headers.has(name))
                throw new Partial(`only a part was given: ${name}: ${headers.get(name) ?? ''}`);
        return body;
    }
    async function ask(text) {
        const body = await answer(text, 'application/sparql-results+json');
        try {
            return rowsOf(body);
        }
        catch (cause) {
            if (!(cause instanceof Unreadable))
                throw cause;
            throw new Unanswered(`${query}: ${cause.message}`, { cause });
        }
    }
    /** Again in pieces that are small enough; in a query around it, which Virtuoso sorts to any depth. */
    async function inPieces(text) {
        const rows = [];
        for (;;) {
            const some = await ask(around(text, `LIMIT ${piece} OFFSET ${rows.length}`));
            rows.push(...some);
            if (some.length < piece)
                return rows;
        }
    }
    async function select(text) {
        try {
            return await ask(text);
        }
        catch (error) {
            if (error instanceof Partial)
                return inPieces(text);
            const [, inner = '', slice = ''] = /^([^]*)\n(LIMIT \d+ OFFSET \d+)$/.exec(text) ?? [];
            // Virtuoso sorts no more than 10,000 rows for a LIMIT of the query itself.
            if (error instanceof Refused && error.message.includes('SR353') && slice !== '')
                return ask(around(inner, slice));
            throw error;
        }
    }
    return {
        answer,
        async select(text) {
            try {
                return await select(text);
            }
            catch (error) {
                // A connection that was kept open may be closed just when it is used again.
                if (error instanceof Unanswered && error.cause instanceof TypeError)
                    return select(text);
                throw error;
            }
        },
        async update(operation, patience = 0) {
            await post(update, {
                type: 'application/sparql-update; charset=UTF-8',
                body: operation,
                accept: '*/*',
                seconds: timeout + patience,
            });
        },
    };
}
/** The engine gave some of the rows, and said so in a header. */
export class Partial extends Refused {
}
/** Virtuoso's: more rows than it gives at a time, or more time than it takes for one query. */
const partial = ['x-sparql-maxrows', 'x-sql-state'];
/** How many rows every engine gives at a time. */
const piece = 5000;
const around = (query, slice) => `SELECT * WHERE { {\n${query}\n} }\n${slice}`;
async function exchange(address, { seconds, most, body, headers }) {
    try {
        const response = await fetch(address, {
            method: 'POST',
            headers,
            body,
            redirect: 'manual',
            signal: AbortSignal.timeout(seconds * 1000),
        });
        const { status, headers: answered } = response;
        return { status, headers: answered, body: await textOf(response, most) };
    }
    catch (cause) {
        if (cause instanceof TooLong)
            throw cause;
        const why = `${address}: ${reasonOf(cause)}`;
        throw unreached.has(codeOf(cause))
            ? new Unreached(why, { cause })
            : new Unanswered(why, { cause });
    }
}
async function textOf(response, most) {
    const chunks = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
        length += chunk.length;
        // To leave the loop is to let go of the rest.
        if (length > most)
            throw new TooLong();
        chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
}
// What stands between us and the engine answers for it; whether the engine itself has been asked is
// not known.
const betweenUs = new Set([502, 503, 504]);
function refusalOf(address, { status, body }) {
    const why = `${address} answers ${status}: ${body.trim().slice(0, 500)}`;
    return betweenUs.has(status) ? new Unanswered(why) : new Refused(why, body);
}
/** The codes of what fails before anything is sent. */
const unreached = new Set([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
]);
function codeOf(error) {
    if (!(error instanceof Error))
        return undefined;
    // A name with several addresses fails once for each.
    const [first] = error instanceof AggregateError ? error.errors : [];
    return error.code ?? codeOf(first ?? error.cause);
}
const reasonOf = (error) => error instanceof Error
    ? `${error.message}${error.cause ? ` (${reasonOf(error.cause)})` : ''}`
    : String(error);
//# sourceMappingURL=endpoint.js.map