// The endpoint for strangers' queries, with its threads, its examples and its page.
import { join } from 'node:path';
import { sparqlPage } from '../http/sparql-page.js';
import { sparqlEndpoints } from '../http/sparql.js';
import { readTurtle } from '../rdf/turtle.js';
import { openPool } from '../sparql/pool.js';
import { countQueries } from './counted.js';
import { root } from './files.js';
/** The endpoint for queries and the examples of them; only the examples where it is switched off. */
export async function openSparql({ addresses, ontology, store }, { store: kept, sparql: { workers, timeout, ...limits } }, { assets, metrics }, failed) {
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
    const pool = countQueries(openPool(store, settings, failed), metrics);
    const page = sparqlPage(pool, { assets, base, examples, ontology });
    return {
        endpoints: sparqlEndpoints(pool, settings, examples, page),
        workers: () => pool.workers(),
        close: () => pool.close(),
    };
}
//# sourceMappingURL=sparql.js.map