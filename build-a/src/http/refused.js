// What the counter itself refuses, with its status and body; and what it says of the librarian's
// failures. The bodies are the specification's error table.
import { AccountDisabled, InvalidToken, TooManyFailures, TooManyLogins, WrongCredentials, } from '../accounts/accounts.js';
import { Changed, NoSuchPage, NotFound, NotWritten, StorageFull, StoreUnavailable, Unconfirmed, } from '../catalogue/failures.js';
import { Invalid } from '../model/write-shape.js';
import { Busy, FormRefused, QueryRefused, TooMany, UpdateRefused } from '../sparql/failures.js';
/** A request that the counter does not pass on. */
export class Refused extends Error {
    answer;
    constructor(answer) {
        super(JSON.stringify(answer.body));
        this.answer = answer;
    }
}
const detail = (status, text, headers = {}) => ({
    status,
    body: { detail: text },
    headers,
});
// Every 401 says how to do better (RFC 9110, 11.6.1).
const challenge = { 'WWW-Authenticate': 'Token' };
const notFound = detail(404, 'Not found.');
export const refusals = {
    badRequest: (why) => new Refused(detail(400, why)),
    notFound: () => new Refused(notFound),
    notAcceptable: () => new Refused(detail(406, 'Could not satisfy the request Accept header.')),
    noCredentials: () => new Refused(detail(401, 'Authentication credentials were not provided.', challenge)),
    badHeader: (why) => new Refused(detail(401, `Invalid token header. ${why}`, challenge)),
    forged: () => new Refused(detail(403, 'This form did not come from here, or is too old, or cookies are switched off: load its page again.')),
    noPermission: () => new Refused(detail(403, 'You do not have permission to perform this action.')),
    throttled: (seconds) => new Refused(detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
        'Retry-After': String(seconds),
    })),
    notAllowed: (method, allow) => new Refused(detail(405, `Method "${method}" not allowed.`, { Allow: allow })),
    unsupportedMediaType: (type) => new Refused(detail(415, `Unsupported media type "${type}" in request.`)),
    tooLarge: () => new Refused(detail(413, 'Request body too large.')),
    notJson: (why) => new Refused(detail(400, `JSON parse error - ${why}`)),
    notAnObject: (type) => new Refused({
        status: 400,
        body: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
    }),
};
const soon = { 'Retry-After': '2' };
const unconfirmed = 'The store did not answer, so it is not known yet whether this was written. It will be settled; ' +
    'the same request may safely be made again.';
const to = (kind, answer) => (error) => error instanceof kind ? answer(error) : undefined;
// prettier-ignore
const replies = [
    to(Refused, ({ answer }) => answer),
    to(Invalid, ({ failures }) => ({ status: 400, body: Object.fromEntries(failures) })),
    to(NotFound, () => notFound),
    to(NoSuchPage, () => detail(404, 'Invalid page.')),
    to(Changed, () => detail(412, 'The record has been changed since it was read.')),
    to(WrongCredentials, ({ message }) => ({ status: 400, body: { non_field_errors: [message] } })),
    to(InvalidToken, ({ message }) => detail(401, message, challenge)),
    to(AccountDisabled, ({ message }) => detail(401, message, challenge)),
    to(TooManyFailures, ({ seconds }) => refusals.throttled(seconds).answer),
    to(TooManyLogins, ({ message }) => detail(503, message, { 'Retry-After': '5' })),
    // A query that takes too long is the client's to change, like one that is malformed; and what reads
    // 503 or 504 asks again by itself.
    to(QueryRefused, ({ message }) => detail(400, message)),
    to(UpdateRefused, ({ message }) => detail(403, message)),
    to(FormRefused, ({ message }) => detail(406, message)),
    to(TooMany, ({ message, seconds }) => detail(429, message, { 'Retry-After': String(seconds) })),
    to(Busy, ({ message, seconds }) => detail(503, message, { 'Retry-After': String(seconds) })),
    to(StoreUnavailable, () => detail(503, 'The store does not answer.', soon)),
    to(NotWritten, () => detail(503, 'The store did not take it; nothing was written.', soon)),
    to(Unconfirmed, () => detail(504, unconfirmed, soon)),
    to(StorageFull, () => detail(507, 'The disk is full; nothing was written.')),
];
/** What is answered to a failure; undefined when it is nobody's business but the log's. */
export function answerTo(error) {
    for (const reply of replies) {
        const answer = reply(error);
        if (answer)
            return answer;
    }
    return undefined;
}
export const serverError = detail(500, 'Internal server error');
//# sourceMappingURL=refused.js.map