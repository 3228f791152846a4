// What the records are, joined from what this program declares and what is declared in a data directory.
import { dataFiles } from '../config.js';
import { addressesUnder } from '../model/addresses.js';
import { readDeclarations } from '../model/declarations.js';
import { joinResources } from '../model/facts.js';
import { judgeBy } from '../model/judge.js';
import { lensOf } from '../model/lens.js';
import { root } from './files.js';
/** @throws FactMissing, TurtleError, VocabularyError */
export async function openModel({ baseUrl, dataDir }) {
    const addresses = addressesUnder(baseUrl);
    const declared = await readDeclarations(root, dataFiles(dataDir).vocabularies, addresses);
    const resources = joinResources(addresses, declared);
    const lens = lensOf(addresses);
    const judge = judgeBy(declared.shapes, { addresses, resources, lens });
    return { addresses, declared, resources, lens, judge };
}
/** What the fields of the resources are, for who has no collection open. */
export async function readResources() {
    const addresses = addressesUnder('http://localhost');
    return joinResources(addresses, await readDeclarations(root, '', addresses));
}
//# sourceMappingURL=model.js.map