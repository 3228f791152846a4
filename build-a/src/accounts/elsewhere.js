// The accounts and sessions of a process that only reads: they are all at the one that writes, and
// whatever asks for them is passed on to it before it comes here.
const refuse = () => {
    throw new Error('accounts are at the process that writes');
};
// The casts: whatever they have is refused.
export const accountsElsewhere = new Proxy({}, { get: () => refuse });
/** A browser that has a session is answered by the process that writes; here nobody has one. */
export const sessionsElsewhere = {
    open: refuse,
    find: () => undefined,
    close: refuse,
    closeAll: refuse,
    count: () => 0,
};
//# sourceMappingURL=elsewhere.js.map