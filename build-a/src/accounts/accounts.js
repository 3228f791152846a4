// The accounts: who they are, their passwords and their tokens. They live in the durable home and are
// held in memory, so that asking who a token belongs to costs a hash. What an account may do is told
// by rights.ts.
import { atMost } from '../turns.js';
import { networkOf, openAttempts } from './attempts.js';
import { checkPassword, maxName, maxPassword, readName, readRights, refuseShort } from './checks.js';
import { AccountDisabled, AccountRefused, InvalidToken, WrongCredentials } from './failures.js';
import { defaultCost, dummyHash, hashPassword, matches } from './password.js';
import { createKey, deriveToken, hashAddress, hashToken, missingKey, readKey } from './token.js';
export { minPassword, refuseShort } from './checks.js';
export * from './failures.js';
/**
 * Opens the accounts in the home. The server key is made with the first start. Another key in its
 * place is taken as its keeper's wish: all tokens change.
 * @param options.now the time in milliseconds
 * @throws KeyRefused when the key cannot be used, or is missing though there are accounts
 */
export async function openAccounts(home, keyFile, options = {}) {
    const { passwordCost: cost = defaultCost, now = Date.now } = options;
    const dummy = dummyHash(cost);
    const byName = new Map();
    const byToken = new Map();
    // Changes happen one after the other, each upon what the one before it left.
    const inTurn = atMost(1);
    // They are over with the process, so they go by a clock that nobody sets: set back, the other would
    // count failures that are still to come, and keep people out until it is there again.
    const attempts = openAttempts(options.now ?? (() => performance.now()));
    for await (const [key, value] of home.entries(prefix))
        hold(fromEntry(key, value));
    for await (const [key, value] of home.entries(usePrefix))
        holdUse(key, value);
    const serverKey = await openKey();
    await keep(...[...byName.values()].filter(isOutdated).map(withToken));
    async function openKey() {
        const key = await readKey(keyFile);
        if (key)
            return key;
        if (byName.size > 0)
            throw missingKey(keyFile);
        return createKey(keyFile);
    }
    /** Whether its token was made with another server key. */
    function isOutdated(kept) {
        return withToken(kept).token !== kept.token;
    }
    function withToken(kept) {
        return { ...kept, token: hashToken(tokenOf(kept)) };
    }
    function tokenOf({ account, generation }) {
        return deriveToken(serverKey, account.name, generation);
    }
    /** Memory follows the disk, never the other way round. */
    async function keep(...all) {
        await home.write(all.map(toEntry));
        all.forEach(hold);
    }
    function hold(kept) {
        const before = byName.get(kept.account.name);
        if (before)
            byToken.delete(before.token);
        byName.set(kept.account.name, kept);
        byToken.set(kept.token, kept);
    }
    function holdUse(key, value) {
        const kept = byName.get(key.slice(usePrefix.length));
        // A cast, for it is what toUse wrote.
        const { lastUsed, from } = JSON.parse(value);
        if (kept)
            hold({ ...kept, account: { ...kept.account, lastUsed }, from });
    }
    async function add({ name, password, role, only }) {
        const rights = readRights(role, only);
        const account = {
            name: readName(name),
            ...rights,
            disabled: false,
            created: new Date(now()).toISOString(),
            lastUsed: undefined,
            epoch: 0,
        };
        checkPassword(password);
        refuseTaken(account.name);
        const hash = await hashPassword(password, cost);
        return inTurn(async () => {
            // Somebody else may have taken the name while the password was hashed.
            refuseTaken(account.name);
            await keep(withToken({ account, password: hash, generation: 0, from: [] }));
            return account;
        });
    }
    function refuseTaken(name) {
        if (byName.has(name))
            throw new AccountRefused(`There is already an account named "${name}".`);
    }
    async function ensureAdmin(name, password) {
        if (byName.has(name.normalize('NFC')))
            return;
        await add({ name, password, role: 'admin', only: [] });
    }
    function change(name, changed) {
        return inTurn(async () => {
            const kept = keptOf(name);
            const after = changed(kept);
            if (isAdmin(kept) && !isAdmin(after))
                refuseLast(kept);
            await keep(after);
            return after.account;
        });
    }
    function keptOf(name) {
        const kept = byName.get(name.normalize('NFC'));
        if (!kept)
            throw new AccountRefused(`There is no account named "${name}".`);
        return kept;
    }
    function refuseLast({ account: { name } }) {
        const others = [...byName.values()].filter(({ account }) => account.name !== name);
        if (!others.some(isAdmin))
            throw new AccountRefused(`"${name}" is the last administrator who can log in, and there has to be one.`);
    }
    /** Who logged in with this name and password. */
    async function verify(name, password, address) {
        // Before they are normalised, which takes far longer than they are long. No name has so many units.
        if (password.length > maxPassword || name.length > 4 * maxName)
            throw new WrongCredentials();
        const known = name.normalize('NFC');
        const network = address === undefined ? undefined : networkOf(address);
        const from = network === undefined ? undefined : hashAddress(serverKey, network);
        const isAtHome = from !== undefined && byName.get(known)?.from.includes(from) === true;
        const kept = await attempts.make({ name: known, network, isAtHome }, () => compare(known, password));
        if (!kept)
            throw new WrongCredentials();
        note(known, from);
        await upgrade(kept, password);
        return kept;
    }
    async function compare(name, password) {
        const before = byName.get(name);
        const prices = new Set([dummy, ...[...byName.values()].map((kept) => kept.password)].map(({ N }) => N));
        const right = await matches(password, before?.password ?? dummy, prices);
        // Read again: meanwhile it may have been disabled, or its token revoked, or its password changed.
        const kept = byName.get(name);
        const isSame = kept && kept.account.epoch === before?.account.epoch;
        return right && isSame && !kept.account.disabled ? kept : undefined;
    }
    /** Hashes the password anew where its hash was made at a lower price than is paid now. */
    async function upgrade({ account, password: old }, password) {
        if (old.N >= cost)
            return;
        const hash = await hashPassword(password, cost);
        await change(account.name, (kept) => kept.password === old ? { ...kept, password: hash } : kept).catch(
        // The old hash stays as good as it was: on a full disk one can still log in.
        () => undefined);
    }
    /**
     * Notes that it was used, at most once in an hour, and from where it logged in. Nobody waits for
     * the write: what is lost with the process is the hour at most.
     */
    function note(name, from) {
        // As it is now: what the caller has may be older than a change.
        const kept = byName.get(name);
        if (!kept)
            return;
        const lastUsed = hourOf(now());
        const isNew = from !== undefined && !kept.from.includes(from);
        if (kept.account.lastUsed === lastUsed && !isNew)
            return;
        const noted = {
            ...kept,
            account: { ...kept.account, lastUsed },
            from: isNew ? [...kept.from, from].slice(-mostHomes) : kept.from,
        };
        hold(noted);
        // A disk that failed is told by the home itself, and one that is full may take the next note.
        home.write([toUse(noted)]).catch(() => undefined);
    }
    async function setPassword(name, password) {
        refuseShort(password);
        keptOf(name);
        const hash = await hashPassword(password, cost);
        return change(name, (kept) => ended({ ...kept, password: hash }));
    }
    async function changePassword(name, current, next, address) {
        refuseShort(next);
        const { account } = await verify(name, current, address);
        const hash = await hashPassword(next, cost);
        return change(account.name, (kept) => {
            // Somebody else may have changed it while this one was hashed.
            if (kept.account.epoch !== account.epoch)
                throw new WrongCredentials();
            return ended({ ...kept, password: hash });
        });
    }
    // What is looked up is a hash, so how long the search takes tells nothing about any token.
    function authenticate(token) {
        const kept = byToken.get(hashToken(token));
        if (!kept)
            throw new InvalidToken();
        if (kept.account.disabled)
            throw new AccountDisabled();
        note(kept.account.name);
        return kept.account;
    }
    return {
        add,
        ensureAdmin,
        list: () => [...byName.values()].map(({ account }) => account).sort(inOrder),
        find: (name) => byName.get(name.normalize('NFC'))?.account,
        disable: (name) => change(name, (kept) => ended(withAccount(kept, { disabled: true }))),
        enable: (name) => change(name, (kept) => withAccount(kept, { disabled: false })),
        async setRights(name, role, only) {
            const rights = readRights(role, only);
            return change(name, (kept) => withAccount(kept, rights));
        },
        setPassword,
        changePassword,
        revoke: (name) => change(name, (kept) => withToken({ ...kept, generation: kept.generation + 1 })),
        tokenOf: (name) => tokenOf(keptOf(name)),
        login: async (name, password, address) => tokenOf(await verify(name, password, address)),
        identify: async (name, password, address) => (await verify(name, password, address)).account,
        authenticate,
        noteUse: (name) => note(name),
    };
}
const prefix = 'account/';
const usePrefix = 'account-use/';
/** From how many addresses an account is known to log in, the latest. */
const mostHomes = 10;
function toEntry({ account, password, generation, token }) {
    const { name, role, only, disabled, created, epoch } = account;
    const stored = {
        account: { role, only, disabled, created, epoch },
        password,
        generation,
        token,
    };
    return { key: prefix + name, value: JSON.stringify(stored) };
}
function toUse({ account: { name, lastUsed }, from }) {
    const use = { lastUsed, from };
    return { key: usePrefix + name, value: JSON.stringify(use) };
}
function fromEntry(key, value) {
    // A cast, for what toEntry wrote comes back as it was or not at all: LevelDB checks its sums.
    const kept = JSON.parse(value);
    const { epoch = 0, ...account } = kept.account;
    const name = key.slice(prefix.length);
    return { ...kept, account: { ...account, name, epoch, lastUsed: undefined }, from: [] };
}
const withAccount = (kept, changes) => ({
    ...kept,
    account: { ...kept.account, ...changes },
});
/** The same, its sessions ended. */
const ended = (kept) => withAccount(kept, { epoch: kept.account.epoch + 1 });
const isAdmin = ({ account }) => account.role === 'admin' && !account.disabled;
function hourOf(time) {
    return new Date(time - (time % 3_600_000)).toISOString();
}
function inOrder(a, b) {
    return a.name < b.name ? -1 : 1;
}
//# sourceMappingURL=accounts.js.map