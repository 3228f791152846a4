// Durable homes that hold a synthetic catalogue, as the service itself would have written them. They are
// kept in `bench/.cache/`, since a hundred thousand zines take a while, and copied for each run.
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keyOf } from '../src/catalogue/cards.js';
import { dataFiles } from '../src/config.js';
import { addressesUnder } from '../src/model/addresses.js';
import { lensOf } from '../src/model/lens.js';
import { writeNQuads } from '../src/rdf/terms.js';
import { claimBase } from '../src/store/base.js';
import { recordPrefix } from '../src/store/embedded.js';
import { openHome } from '../src/store/home.js';
import { median } from './figures.js';
import { countsOf, recordsOf } from './synthetic.js';
/** The base of the IRIs in the homes; it is that of `readResources`. */
export const base = 'http://localhost';
/** Where they are kept, and the figures of the last run. */
export const cache = resolve('bench', '.cache');
/** A data directory with so many zines and what belongs to them. */
export async function fillHome(zines, resources) {
    const lens = lensOf(addressesUnder(base));
    const kept = join(cache, `${zines}-${signature(zines, resources, lens)}`);
    if (!(await exists(kept))) {
        process.stderr.write(`making a catalogue of ${zines} zines in ${kept}\n`);
        const draft = `${kept}.draft`;
        await rm(draft, { recursive: true, force: true });
        await fill(draft, zines, resources, lens);
        await rename(draft, kept);
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'zine-bench-'));
    await cp(kept, dataDir, { recursive: true });
    return {
        dataDir,
        ...(await measure(dataDir)),
        remove: () => rm(dataDir, { recursive: true, force: true }),
    };
}
async function fill(directory, zines, resources, lens) {
    await mkdir(directory, { recursive: true });
    const home = await openHome(dataFiles(directory).home);
    await claimBase(home, base);
    let entries = [];
    for (const entry of entriesOf(zines, resources, lens)) {
        if (entries.push(entry) < 1000)
            continue;
        await home.write(entries);
        entries = [];
    }
    await home.write(entries);
    await home.close();
}
function* entriesOf(zines, resources, lens) {
    for (const { reference, card } of recordsOf(zines, resources))
        yield {
            key: recordPrefix + keyOf(reference),
            value: writeNQuads(lens.toQuads(resources[reference.target], card)),
        };
}
/** Changes with whatever would make the home another one. */
function signature(zines, resources, lens) {
    const hash = createHash('sha256');
    let left = countsOf(zines).agents + 200;
    for (const { key, value } of entriesOf(zines, resources, lens)) {
        if ((left -= 1) < 0)
            break;
        hash.update(`${key}\n${value}`);
    }
    return hash.digest('hex').slice(0, 12);
}
async function measure(dataDir) {
    const home = await openHome(dataFiles(dataDir).home);
    const quads = new Map();
    let bytes = 0;
    for (const name of Object.keys(countsOf(1))) {
        const counts = [];
        for await (const [key, value] of home.entries(`${recordPrefix}${name}/`)) {
            counts.push(value.split('\n').length - 1);
            bytes += key.length + value.length;
        }
        const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
        quads.set(name, { typical: median(counts), mean });
    }
    await home.close();
    return { quads: Object.fromEntries(quads), bytes };
}
const exists = (path) => stat(path).then(() => true, () => false);
//# sourceMappingURL=filled.js.map