// Joins the parts. Everything else knows its neighbours alone; only this file sees the whole house.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccounts } from './accounts/accounts.js';
import { accountsElsewhere, sessionsElsewhere } from './accounts/elsewhere.js';
import { openSessions } from './accounts/sessions.js';
import { createKey, readKey } from './accounts/token.js';
import { openCatalogue } from './catalogue/catalogue.js';
import { askStore } from './catalogue/finder.js';
import { openIndex } from './catalogue/index/index.js';
import { ArchiveRefused, exportTo, importFrom } from './commands/archive.js';
import { backUp } from './commands/backup.js';
import { serveControl } from './commands/control.js';
import { dataFiles } from './config.js';
import { contextOf } from './formats/context.js';
import { setUpExportPresses, setUpPresses } from './formats/presses.js';
import { openAssets } from './http/assets.js';
import { browse } from './http/browse.js';
import { openCounter } from './http/counter.js';
import { authenticateBy } from './http/credentials.js';
import { consult } from './http/consult.js';
import { datasetEndpoint } from './http/dataset.js';
import { datasetPage, document, operationsPage } from './http/documents.js';
import { dumpEndpoints } from './http/dumps.js';
import { accountEndpoints } from './http/desk/accounts.js';
import { formEndpoints } from './http/desk/records.js';
import { exportEndpoints } from './http/exports.js';
import { homePage } from './http/home.js';
import { linkedDataEndpoints } from './http/linked.js';
import { keepNumbers } from './http/numbers.js';
import { authenticateAt } from './http/pass.js';
import { recordEndpoints } from './http/records.js';
import { referenceEndpoints } from './http/reference.js';
import { doorEndpoint, rootEndpoints } from './http/root.js';
import { readAbout, schemaEndpoint } from './http/schema.js';
import { browsersOf } from './http/sessions.js';
import { sparqlEndpoints } from './http/sparql.js';
import { sparqlPage } from './http/sparql-page.js';
import { swaggerEndpoint } from './http/swagger.js';
import { tokenEndpoint } from './http/token.js';
import { addressesUnder } from './model/addresses.js';
import { readDeclarations } from './model/declarations.js';
import { joinResources } from './model/facts.js';
import { judgeBy } from './model/judge.js';
import { lensOf } from './model/lens.js';
import { readPlaces } from './model/places.js';
import { prefixesUnder } from './rdf/namespaces.js';
import { readTurtle } from './rdf/turtle.js';
import { openLog } from './log.js';
import { openMetrics } from './metrics.js';
import { openPool } from './sparql/pool.js';
import { claimBase, rebase, versionEntry } from './store/base.js';
import { openEmbedded } from './store/embedded.js';
import { openHome } from './store/home.js';
import { openEndpoint } from './store/endpoint.js';
import { openReader } from './store/reader.js';
import { leaveRemote, openRemote, takeRemote } from './store/remote.js';
import { watchHome } from './store/watched.js';
/** The directory of `ontology`, `shapes` and `vocabularies`: above `build/src`, where this is compiled to. */
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The files that pages are made with. */
const shelves = [
    { directory: join(root, 'src', 'html', 'assets'), files: /\.(?:css|svg)$/ },
    { directory: join(root, 'build', 'client'), files: /\.js$/ },
    {
        directory: packageFiles('@fontsource/courier-prime/files'),
        files: /latin(?:-ext)?-[47]00-normal\.woff2$/,
    },
    { directory: packageFiles('@zazuko/yasgui/build'), files: /^yasgui\.min\.(?:js|css)$/ },
    { directory: packageFiles('swagger-ui-dist'), files: /^swagger-ui(?:-bundle\.js|\.css)$/ },
];
const ignore = () => undefined;
async function openModel({ baseUrl, dataDir }) {
    const addresses = addressesUnder(baseUrl);
    const declared = await readDeclarations(root, dataFiles(dataDir).vocabularies, addresses);
    return { addresses, declared, resources: joinResources(addresses, declared) };
}
/** What the fields of the resources are, for who has no collection open. */
export async function readResources() {
    const addresses = addressesUnder('http://localhost');
    return joinResources(addresses, await readDeclarations(root, '', addresses));
}
/** What pages are made with. */
export const readAssets = () => openAssets(shelves);
/** A directory of a package that browsers get files from. */
function packageFiles(path) {
    return join(root, 'node_modules', path);
}
/**
 * The catalogue and its accounts over one data directory, without a server before them.
 * @throws HomeInUse, BaseRefused, FactMissing, TurtleError, VocabularyError, KeyRefused
 */
export async function openCollection(config, options = {}) {
    const { addresses, declared, resources } = await openModel(config);
    const lens = lensOf(addresses);
    const judge = judgeBy(declared.shapes, { addresses, resources, lens });
    const finders = { addresses, resources, lens };
    const kept = await openKept(config, finders, options);
    try {
        const { store } = kept;
        await store.load(declared.concepts);
        const finder = kept.finder ?? askStore({ store, ...finders });
        const catalogue = await openCatalogue({ store, finder, addresses, resources, lens, judge });
        const { public: open, vocabularies } = addresses.graphs;
        return {
            ...kept,
            addresses,
            catalogue,
            lens,
            dump: () => store.dump([open, vocabularies]),
            license: config.license,
            resources,
            vocabularies: declared.named,
            ontology: declared.ontology,
        };
    }
    catch (error) {
        await kept.close();
        throw error;
    }
}
/** What is kept: in a data directory, or by the process that writes. */
async function openKept(config, parts, options) {
    const { graphs } = parts.addresses;
    if (config.store !== 'embedded' && config.writer !== undefined) {
        const store = openReader(openEndpoint(config.store), graphs.records);
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
/**
 * Moves a stopped catalogue to the configuration's base, and tells the number of its records.
 * @throws HomeInUse, BaseRefused
 */
export async function moveCollection(config) {
    const { resources } = await openModel(config);
    const fields = Object.values(resources).flatMap((resource) => resource.fields);
    const links = fields.filter(({ kind }) => kind === 'link' || kind === 'url');
    const files = dataFiles(config.dataDir);
    const home = await openHome(files.home, undefined, [files.tokenKey]);
    try {
        await leaveRemote(home);
        return await rebase(home, config.baseUrl, new Set(links.map(({ path }) => path.at(-1)?.value ?? '')));
    }
    finally {
        await home.close();
    }
}
/** Writes all that a stopped catalogue keeps to a file. @throws HomeInUse, BaseRefused, ArchiveRefused */
export const exportCollection = (config, file) => withHome(config, (home) => exportTo(file, home, config.baseUrl));
/**
 * Puts what such a file holds into a data directory.
 * @throws HomeInUse, BaseRefused, ArchiveRefused
 */
export const importCollection = (config, file, how) => withHome(config, async (home) => {
    const tally = await importFrom(file, home, { base: config.baseUrl, ...how });
    await leaveRemote(home);
    // Without one the accounts would be refused; where the old one is put back, their tokens stay.
    const { tokenKey } = dataFiles(config.dataDir);
    if (!(await readKey(tokenKey)))
        await createKey(tokenKey);
    return tally;
});
/**
 * Has the engine of a stopped catalogue filled with what its data directory holds, at its next start.
 * @throws HomeInUse, BaseRefused, StoreUnavailable
 */
export const rebuildStore = ({ store, ...config }) => withHome(config, async (home) => {
    if (store === 'embedded')
        throw new ArchiveRefused('STORE names no engine to be filled');
    const { public: open, records } = addressesUnder(config.baseUrl).graphs;
    await takeRemote(home, openEndpoint(store), { shown: [open], records });
});
async function withHome({ baseUrl, dataDir }, work) {
    const files = dataFiles(dataDir);
    const home = await openHome(files.home, undefined, [files.tokenKey]);
    try {
        await claimBase(home, baseUrl);
        return await work(home);
    }
    finally {
        await home.close();
    }
}
/** What the doctor judges records by, for a base and a data directory. */
export async function openExamination(config) {
    const { addresses, declared, resources } = await openModel(config);
    const lens = lensOf(addresses);
    const judge = judgeBy(declared.shapes, { addresses, resources, lens });
    return { addresses, resources, lens, judge };
}
/**
 * A service that answers; it is listening, and says that it is not ready, while it loads.
 * @throws what openCollection throws, and what listening does
 */
export async function openService(config, options = {}) {
    const log = options.log ?? openLog(config.logLevel);
    const metrics = openMetrics();
    const server = createServer(timeouts);
    const closeServer = closerOf(server);
    let listener = answerStarting;
    server.on('request', (request, response) => listener(request, response));
    server.listen(config.port, config.host);
    await once(server, 'listening');
    /** What was opened behind the server, the last first: it is closed in that order. */
    const opened = [metrics];
    let isStopping = false;
    /** Finishes the requests in flight, then closes what is kept. */
    async function close() {
        isStopping = true;
        await closeServer();
        for (const one of opened)
            await one.close();
    }
    try {
        const collection = await openCollection(config, {
            committed: (outcome, seconds) => metrics.committed(outcome, seconds),
            ...options,
        });
        opened.unshift(collection);
        const writer = writerOf(config);
        const accounts = writer ? collection.accounts : countLogins(collection.accounts, metrics);
        if (config.admin && !writer)
            await accounts.ensureAdmin(config.admin.name, config.admin.password);
        const assets = await readAssets();
        const sparql = await openSparql(collection, config, { assets, metrics }, (error) => log.error({ err: error }, 'SPARQL'));
        opened.unshift(sparql);
        const browsers = browsersOf(collection.sessions, config.baseUrl);
        const endpoints = [
            ...(await openEndpoints({ ...collection, accounts }, assets)),
            ...openLinkedData(collection, assets),
            ...openDesk({ ...collection, accounts }, { assets, browsers }),
            swaggerEndpoint(assets),
            ...sparql.endpoints,
        ];
        const counter = openCounter({
            endpoints,
            assets,
            authenticate: writer ? authenticateAt(writer) : authenticateBy(accounts),
            sessionOf: browsers.sessionOf,
            config,
            writer,
            failed: (error, request, id) => log.error({ err: error, id }, request),
            told(exchange) {
                metrics.exchanged(exchange);
                noteIn(log, exchange);
            },
            watch: {
                trouble: async () => (isStopping ? 'stopping' : troubles[await collection.disk()]),
                figures: () => metrics.figures({
                    records: async () => (await collection.catalogue.survey()).counts,
                    quads: () => collection.store.size(),
                    workers: () => sparql.workers(),
                    sessions: () => collection.sessions.count(),
                }),
            },
        });
        if (!writer)
            opened.unshift(await serveControl(dataFiles(config.dataDir).control, accounts, (error) => log.error({ err: error }, 'the command line'), () => collection.backUp()));
        const answer = counter.callback();
        listener = (request, response) => void answer(request, response);
        return { url: urlOf(server), accounts, endpoints, close };
    }
    catch (error) {
        await close();
        throw error;
    }
}
/** The writer may ask the store twice, and hash a password. */
const writerOf = ({ store, writer }) => writer === undefined || store === 'embedded'
    ? undefined
    : { origin: writer, patience: 2 * store.timeout + 30 };
/** Why the service is not ready, by how the last write ended. */
const troubles = { kept: undefined, full: 'disk full', failed: 'disk failed' };
/** A line for each request; those of who only watches are for who looks closely. */
function noteIn(log, exchange) {
    const isWatching = exchange.route !== undefined && exchange.route === exchange.path;
    log[isWatching && watched.has(exchange.path) ? 'debug' : 'info'](exchange, 'request');
}
const watched = new Set(['/healthz', '/readyz', '/metrics']);
/** The accounts, with every login counted. */
function countLogins(accounts, { loggedIn }) {
    return {
        ...accounts,
        login: counted((...asked) => accounts.login(...asked), 'accepted', loggedIn),
        identify: counted((...asked) => accounts.identify(...asked), 'accepted', loggedIn),
    };
}
/** The same, but told how each ended: well, or with the class of its failure. */
const counted = (ask, well, told) => async (...asked) => {
    try {
        const answer = await ask(...asked);
        told(well);
        return answer;
    }
    catch (error) {
        told(error instanceof Error ? error.constructor.name : 'unknown');
        throw error;
    }
};
/** All addresses of the API but that of the health, the description of them included. */
export async function openEndpoints(collection, assets) {
    const { accounts, catalogue, resources } = collection;
    const about = await readAbout(join(root, 'package.json'));
    const places = await readPlaces(join(root, 'vocabularies', 'places.tsv'));
    const presses = setUpPresses(collection);
    const exports = setUpExportPresses(collection);
    const parts = {
        ...collection,
        about,
        assets,
        around: around(collection.addresses),
        numbers: keepNumbers(catalogue),
        places,
        presses,
    };
    const consulted = consult(parts);
    const endpoints = [
        ...rootEndpoints({ ...consulted, home: homePage(parts) }),
        tokenEndpoint(accounts),
        // Before the records, whose addresses are more general.
        ...exportEndpoints({ catalogue, resources, presses: exports }),
        ...recordEndpoints({ ...parts, pages: browse(parts) }),
        ...referenceEndpoints({ ...parts, pages: consulted }),
        ...dumpEndpoints(collection),
        datasetEndpoint({ ...parts, page: datasetPage({ ...parts, exports }) }),
    ];
    const pageOf = operationsPage(assets);
    return [...endpoints, schemaEndpoint({ about, endpoints, resources, pageOf })];
}
/** The pages on which people write, which no client of the API needs to be told of either. */
export const openDesk = (collection, doors) => [
    ...accountEndpoints({ ...collection, ...doors }),
    ...formEndpoints({ ...collection, ...doors }),
];
/** What the IRIs of the data lead to, which no client of the API needs to be told of. */
export function openLinkedData(collection, assets) {
    const parts = {
        ...collection,
        assets,
        presses: setUpPresses(collection),
        vocabularies: Object.values(collection.vocabularies),
        around: around(collection.addresses),
        context: contextOf(collection).document,
    };
    return [doorEndpoint, ...linkedDataEndpoints({ ...parts, pages: document(parts) })];
}
const around = ({ base }) => ({ base, prefixes: prefixesUnder(base) });
/** The endpoint for queries and the examples of them; only the examples where it is switched off. */
async function openSparql({ addresses, ontology, store }, { store: kept, sparql: { workers, timeout, ...limits } }, { assets, metrics }, failed) {
    const { base, graphs } = addresses;
    const examples = await readTurtle(join(root, 'ontology', 'sparql-examples.ttl'), `${base}/.well-known/sparql-examples`);
    const settings = {
        base,
        graphs: [graphs.public.value, graphs.vocabularies.value],
        workers,
        timeout,
        limits,
        engine: kept === 'embedded' ? undefined : { ...kept, timeout },
    };
    const pool = openPool(store, settings, failed);
    const counting = {
        ...pool,
        ask: counted((...asked) => pool.ask(...asked), 'answered', metrics.queried),
    };
    return {
        endpoints: sparqlEndpoints(counting, settings, examples, sparqlPage(counting, { assets, base, examples, ontology })),
        workers: () => pool.workers(),
        close: () => pool.close(),
    };
}
// Slow clients are let go (in milliseconds); Node's own limit for a request is five minutes.
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 };
const answerStarting = (request, response) => {
    const isWatching = ['/healthz', '/readyz'].includes(request.url ?? '');
    const body = isWatching ? { status: 'starting' } : { detail: 'Starting.' };
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' });
    response.end(JSON.stringify(body));
};
/** Follows a server's requests, and gives what closes it once they are answered. */
function closerOf(server) {
    const underWay = new Set();
    let isClosing = false;
    // A client that asks again and again over one connection would not be done by itself.
    const askedLast = (response) => void (response.shouldKeepAlive = false);
    server.on('request', (_, response) => {
        underWay.add(response);
        response.once('close', () => {
            underWay.delete(response);
            if (isClosing)
                server.closeIdleConnections();
        });
        if (isClosing)
            askedLast(response);
    });
    return async () => {
        isClosing = true;
        underWay.forEach(askedLast);
        const closed = once(server, 'close');
        // Node's own way for this kind of server hangs up at once on all who wait for no answer, and so on
        // those whose request has come but was not looked at. They are given a moment, and then a look.
        NetServer.prototype.close.call(server);
        await sleep(50);
        await setImmediate();
        server.close();
        // Whoever is slower than that to finish a request is cut off.
        const cut = setTimeout(() => server.closeAllConnections(), 10_000);
        await closed;
        clearTimeout(cut);
    };
}
function urlOf(server) {
    const { address, family, port } = server.address();
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
//# sourceMappingURL=app.js.map