// The door for what clients send: bytes in, a text or the members of one JSON object out. koa-body limits and
// inflates; decoding is left to us, since a decoder that puts U+FFFD for a bad byte loses it for good.
import { koaBody } from 'koa-body';
import { pythonType } from '../model/write-shape.js';
import { refusals } from './refused.js';
const mebibyte = 1024 * 1024;
const json = 'application/json';
const textTypes = [
    'application/x-www-form-urlencoded',
    'application/sparql-query',
];
// One byte of the body for one character of the string, so that no byte is lost on the way.
const readBytes = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: [json, ...textTypes],
    textLimit: mebibyte,
    encoding: 'latin1',
});
/**
 * The members of the JSON object in the body; none when there is no body. A client's keys stay in a
 * Map, where `__proto__` is a key like any other.
 * @throws Refused 415, 413, 400
 */
export async function readBody(ctx) {
    if (!hasBody(ctx))
        return new Map();
    if (!ctx.is(json))
        throw refusals.unsupportedMediaType(ctx.get('Content-Type'));
    const value = parse(await readWhole(ctx, json, refusals.notJson));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw refusals.notAnObject(pythonType(value));
    return new Map(Object.entries(value));
}
/**
 * The body as text.
 * @throws Refused 415, 413, 400
 */
export function readText(ctx, type) {
    if (!ctx.is(type))
        throw refusals.unsupportedMediaType(ctx.get('Content-Type'));
    return readWhole(ctx, type, refusals.badRequest);
}
async function readWhole(ctx, type, malformed) {
    refuseAnnounced(ctx);
    return decode(await readAll(ctx, type, malformed), malformed);
}
const hasBody = (ctx) => ctx.get('Transfer-Encoding') !== '' || !['', '0'].includes(ctx.get('Content-Length'));
/** A body that says of itself that it is too large is not waited for. */
function refuseAnnounced(ctx) {
    const length = Number(ctx.get('Content-Length'));
    if (length <= mebibyte)
        return;
    // What is left of a moderate one is read and forgotten, so that the connection can be used again.
    if (length > 16 * mebibyte)
        ctx.set('Connection', 'close');
    throw refusals.tooLarge();
}
async function readAll(ctx, type, malformed) {
    try {
        await readBytes(ctx, () => Promise.resolve());
    }
    catch (error) {
        throw refusalOf(error, ctx, type, malformed);
    }
    // Read as text, so it is text; nothing at all when the body was empty.
    return Buffer.from(ctx.request.body ?? '', 'latin1');
}
function refusalOf(error, ctx, type, malformed) {
    if (error.status === 413) {
        // Nobody knows how much is still to come.
        ctx.set('Connection', 'close');
        return refusals.tooLarge();
    }
    if (error.status === 415)
        return refusals.unsupportedMediaType(`${type}; ${ctx.get('Content-Encoding')}`);
    // What zlib, or a client that went away, could not bring: the body is not what its headers said.
    return malformed(error.message);
}
function decode(bytes, malformed) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch {
        throw malformed('the body is not UTF-8');
    }
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        throw refusals.notJson(unquoted(error.message));
    }
}
/** What the parser says without what it quotes of the body, which may be a password. */
function unquoted(message) {
    const [said = ''] = message.split(/, (?:\.\.\.)?"|^"/);
    return said === '' ? 'this is no JSON' : said;
}
//# sourceMappingURL=body.js.map