// The log: a line of JSON for each thing that happened, on standard output.
import { destination, pino, stdSerializers } from 'pino';
export function openLog(level) {
    // Lines are written behind the back of whoever waits for an answer, ten times a second at most, since
    // a write for each costs a third of an answer; at the end of the process those that are left are
    // written out.
    return pino({ level, serializers: { err: errorOf } }, destination({ sync: false, minLength: 4096, periodicFlush: 100 }));
}
/** What is told of an error: nothing that a library may have put on it, such as a request's body. */
function errorOf(error) {
    const { type, message, stack, code } = stdSerializers.err(error);
    return { type, message, stack, ...(code === undefined ? {} : { code: code }) };
}
//# sourceMappingURL=log.js.map