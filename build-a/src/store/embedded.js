// The embedded store: Oxigraph in this process, which answers and forgets, over the durable home,
// which remembers. A record is one entry of the home, its value the record's N-Quads.
import { Store as Oxigraph, parse } from 'oxigraph';
import { isPlain, linesIn } from '../rdf/nquads.js';
import { writeNQuads } from '../rdf/terms.js';
import { openBacklog } from './backlog.js';
import { StorageFailed } from './failures.js';
import { readTsv } from './tsv.js';
const nquads = { format: 'application/n-quads' };
// What was judged when it was written is not judged again; a third less time.
const judged = { ...nquads, lenient: true, no_transaction: true };
/** How many records a dump gives at a time: whoever takes them holds everybody up for no longer. */
const piece = 25;
/** The part of the home that holds records. */
export const recordPrefix = 'record/';
/**
 * Opens the store with all that the home holds.
 * @param loaded is told the number of records read so far, now and then
 * @param taken is given every record that was kept, its quads as N-Quads, under its key
 */
export async function openEmbedded(home, { loaded, broken, taken, }) {
    const oxigraph = new Oxigraph();
    await loadRecords(oxigraph, home, { loaded, taken });
    /** What is in no home. */
    const passing = [];
    let stage = new Oxigraph();
    let rehearsals = 0;
    let failure;
    /** What is on the disk and not yet here. */
    const backlog = openBacklog(apply);
    const watchers = new Set();
    async function* dump(graphs) {
        for (const quads of passing)
            yield linesIn(quads, graphs);
        for await (const records of chunksOf(home, piece))
            yield linesIn(records.map(([, value]) => value).join(''), graphs);
    }
    /** Whatever Oxigraph could refuse it refuses here, before anything is written. */
    function rehearse(quads) {
        if (isPlain(quads))
            return;
        // A store for each time would be slow, and one for ever would grow.
        if ((rehearsals += 1) % 100 === 0)
            stage = new Oxigraph();
        unlessBroken(() => stage.load(quads, nquads));
    }
    /** Without a pause, so that nobody sees a record half changed. */
    function apply({ removed, added }) {
        try {
            for (const quad of parse(removed, nquads))
                oxigraph.delete(quad);
            oxigraph.load(added, judged);
        }
        catch (cause) {
            fail(cause);
        }
    }
    /** @throws StorageFailed once memory cannot be trusted any more */
    function unlessBroken(work) {
        if (failure)
            throw failure;
        try {
            return work();
        }
        catch (cause) {
            throw isCrash(cause) ? fail(cause) : cause;
        }
    }
    function fail(cause) {
        failure = new StorageFailed('the store in memory broke', { cause });
        broken(failure);
        return failure;
    }
    return {
        // The answer is a string that leaves WASM whole: walking terms out one by one is far slower.
        select: (query) => settle(() => {
            backlog.flush();
            const ask = () => oxigraph.query(query, { results_format: 'tsv' });
            return readTsv(unlessBroken(ask));
        }),
        async commit(changes) {
            const entries = changes.map(({ key, quads }) => ({
                key: recordPrefix + key,
                value: quads && writeNQuads(quads),
            }));
            const kept = await Promise.all(entries.map(async ({ key }, index) => changes[index]?.isNew ? undefined : await home.get(key)));
            // What stays is not touched: a change of one field costs that field.
            const differences = entries.map(({ value = '' }, index) => compare(kept[index] ?? '', value));
            const removed = differences.map((difference) => difference.removed).join('');
            const added = differences.map((difference) => difference.added).join('');
            rehearse(added);
            await home.write(entries);
            const commit = { removed, added };
            backlog.add(commit);
            for (const tell of watchers)
                tell(commit);
        },
        // Nothing is ever left unconfirmed here.
        settle: () => Promise.resolve(),
        load: (quads) => settle(() => {
            for (let start = 0; start < quads.length; start += piece * 10) {
                const written = writeNQuads(quads.slice(start, start + piece * 10));
                oxigraph.load(written, nquads);
                passing.push(written);
            }
        }),
        dump,
        watch(graphs, told) {
            const tell = ({ removed, added }) => told({ removed: linesIn(removed, graphs), added: linesIn(added, graphs) });
            watchers.add(tell);
            return () => watchers.delete(tell);
        },
        size() {
            backlog.flush();
            return oxigraph.size;
        },
        // Oxigraph lives in memory alone; the home is closed by whoever opened it.
        close: () => settle(backlog.close),
    };
}
/** The lines that are in one text alone. */
function compare(before, after) {
    const [old, now] = [linesOf(before), linesOf(after)];
    return {
        removed: [...old].filter((line) => !now.has(line)).join(''),
        added: [...now].filter((line) => !old.has(line)).join(''),
    };
}
/** The lines of N-Quads, each with its end; no literal holds one. */
const linesOf = (nquads) => new Set(nquads
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`));
async function loadRecords(oxigraph, home, { loaded, taken, }) {
    let count = 0;
    // One string of 40 MB loads four times slower than forty of one; and between two of them the
    // process answers that it is not ready yet.
    for await (const records of chunksOf(home, 1000)) {
        oxigraph.load(records.map(([, value]) => value).join(''), judged);
        await new Promise(setImmediate);
        for (const [key, value] of records)
            taken(key.slice(recordPrefix.length), value);
        loaded((count += records.length));
        await new Promise(setImmediate);
    }
}
/** All records, so many at a time; at the end, what is left. */
export async function* chunksOf(home, size) {
    let records = [];
    for await (const record of home.entries(recordPrefix)) {
        if (records.push(record) < size)
            continue;
        yield records;
        records = [];
    }
    yield records;
}
// What ends every store of a WebAssembly instance: its memory or its stack was overrun. The first has
// no class that Node's types know.
const isCrash = (error) => error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
const settle = (answer) => new Promise((resolve) => resolve(answer()));
//# sourceMappingURL=embedded.js.map