// What a catalogue keeps, and where: in a data directory, behind an endpoint, or by the process that writes.
import { openAccounts } from '../accounts/accounts.js';
import { accountsElsewhere, sessionsElsewhere } from '../accounts/elsewhere.js';
import { openSessions } from '../accounts/sessions.js';
import { openIndex } from '../catalogue/index/index.js';
import { ArchiveRefused } from '../commands/archive.js';
import { backUp } from '../commands/backup.js';
import { dataFiles } from '../config.js';
import { claimBase, versionEntry } from '../store/base.js';
import { openEmbedded } from '../store/embedded.js';
import { openEndpoint } from '../store/endpoint.js';
import { openHome } from '../store/home.js';
import { openReader } from '../store/reader.js';
import { leaveRemote, openRemote } from '../store/remote.js';
import { watchHome } from '../store/watched.js';
/** @throws HomeInUse, BaseRefused, KeyRefused */
export const openKept = (config, parts, options) => config.store !== 'embedded' && config.writer !== undefined
    ? openElsewhere(config.store, parts)
    : openHere(config, parts, options);
/** What another process keeps: its records are read from the same endpoint, all else is asked of it. */
function openElsewhere(where, { addresses }) {
    const store = openReader(openEndpoint(where), addresses.graphs.records);
    return {
        accounts: accountsElsewhere,
        sessions: sessionsElsewhere,
        store,
        finder: undefined,
        backUp: () => {
            throw new ArchiveRefused('what is kept is at the process that writes');
        },
        disk: () => Promise.resolve('kept'),
        close: () => store.close(),
    };
}
async function openHere(config, parts, options) {
    const files = dataFiles(config.dataDir);
    const opened = await openHome(files.home, options.broken, [files.tokenKey]);
    const home = watchHome(opened, options.committed ?? ignore, () => versionEntry);
    try {
        await claimBase(home, config.baseUrl);
        const accounts = await openAccounts(home, files.tokenKey, options);
        const sessions = await openSessions(home, accounts, { idle: config.sessionIdle });
        return {
            accounts,
            sessions,
            ...(await openStore(home, config, parts, options)),
            backUp: () => backUp(home, config.dataDir),
            disk: () => home.state(),
            async close() {
                await this.store.close();
                await home.close();
            },
        };
    }
    catch (error) {
        await home.close();
        throw error;
    }
}
/** The store, and what finds faster in it than it does itself. */
async function openStore(home, { store: where }, parts, { loaded = ignore, broken = ignore, log }) {
    if (where === 'embedded') {
        await leaveRemote(home);
        const finder = openIndex(parts);
        const store = await openEmbedded(home, { loaded, broken, taken: finder.take });
        await finder.settle();
        return { store, finder };
    }
    const { public: open, records } = parts.addresses.graphs;
    const report = (error) => log?.error({ err: error }, 'the store');
    const store = await openRemote(home, openEndpoint(where), { shown: [open], records }, { loaded, report });
    return { store, finder: undefined };
}
const ignore = () => undefined;
//# sourceMappingURL=kept.js.map