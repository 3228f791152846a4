// What stands behind the question mark, as the client wrote it. A parameter given twice is the last one.
/** The parameters, each with its last value, in NFC as everything that is stored. */
export function queryOf(ctx) {
    if (ctx.querystring === '')
        return none;
    const pairs = [...new URLSearchParams(ctx.querystring)];
    // A Map built from pairs keeps the last of those with one key.
    return new Map(pairs.map(([name, value]) => [name, value.normalize('NFC')]));
}
const none = new Map();
/** The last value of one parameter; empty when there is none. */
export const lastOf = (ctx, name) => queryOf(ctx).get(name) ?? '';
/** The scheme and host that the client used; of several hosts, the one that the nearest proxy saw. */
export function originOf(ctx) {
    const forwarded = ctx.app.proxy
        ? (ctx.get('X-Forwarded-Host').split(',').at(-1)?.trim() ?? '')
        : '';
    return `${ctx.protocol === 'https' ? 'https' : 'http'}://${forwarded || ctx.get('Host').trim()}`;
}
/** Whether a request says no more than once where it goes; of several hosts Node keeps the first alone. */
export function hasOneHost({ rawHeaders }) {
    let hosts = 0;
    // Names and values alternate.
    for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = rawHeaders[index] ?? '';
        if (name.length === 4 && name.toLowerCase() === 'host')
            hosts += 1;
    }
    return hosts <= 1;
}
//# sourceMappingURL=query.js.map