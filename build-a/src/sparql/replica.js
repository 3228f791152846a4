// The replica of what everybody may see, in a worker: an Oxigraph of its own that strangers' queries
// may break. It never holds anything else.
import { Parser as TurtleParser } from 'n3';
import { Store as Oxigraph, namedNode, parse } from 'oxigraph';
import { writeTurtle } from '../rdf/pretty.js';
import { datasetOf } from './dataset.js';
import { FormRefused, QueryRefused } from './failures.js';
import { readQuery } from './inspect.js';
import { countRows, limited } from './rows.js';
import { asXml } from './xml.js';
import { graphsOnly, tablesOnly, tooManyBytes } from './words.js';
/** Oxigraph overflowed its stack or its memory; nothing in this thread can be asked any more. */
export class ReplicaBroken extends Error {
}
const nquads = { format: 'application/n-quads' };
// What was kept was judged when it was written; a third less time without doing so again.
const kept = { ...nquads, lenient: true, no_transaction: true };
export function openReplica({ endpoint, graphs, limits }) {
    const oxigraph = new Oxigraph();
    function answer({ query: text, dataset, table, graph }) {
        const query = readQuery(text, endpoint);
        const about = aboutOf(datasetOf(dataset, query, graphs));
        const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK';
        if (isTable) {
            if (!table)
                throw new FormRefused(tablesOnly);
            const answered = ask(limited(text, query, limits.rows + 1), about, table.type);
            // A row takes a few bytes in every format, so that most answers need not be counted.
            if (query.queryType === 'SELECT' && answered.length > limits.rows)
                countRows(answered, table.name, limits.rows);
            return { type: table.type, bytes: bytesOf(answered) };
        }
        if (!graph)
            throw new FormRefused(graphsOnly);
        return { type: graph.type, bytes: bytesOf(writeGraph(text, query, about, graph)) };
    }
    function writeGraph(text, query, about, { type }) {
        if (type !== 'text/turtle')
            return ask(text, about, type);
        const triples = ask(text, about, 'application/n-triples');
        // Not worth the time for what is refused in any case.
        if (triples.length > limits.bytes)
            return triples;
        // With the prefixes that the client likes.
        return writeTurtle(new TurtleParser({ format: 'application/n-triples' }).parse(triples), query.prefixes);
    }
    /** @throws QueryRefused, ReplicaBroken */
    function ask(text, about, type) {
        try {
            const options = { ...about, base_iri: endpoint, results_format: formatOf(type) };
            const answered = oxigraph.query(text, options);
            return type.endsWith('+xml') ? asXml(answered) : answered;
        }
        catch (error) {
            // What it refuses is a plain Error. An overflow, of the stack or of the memory, is not, and
            // leaves the whole module in no state to go on.
            if (error instanceof QueryRefused)
                throw error;
            if (error instanceof Error && error.constructor === Error)
                throw new QueryRefused(error.message, { cause: error });
            throw new ReplicaBroken(error.message, { cause: error });
        }
    }
    function bytesOf(answered) {
        const bytes = new TextEncoder().encode(answered);
        if (bytes.length > limits.bytes)
            throw new QueryRefused(tooManyBytes(limits.bytes));
        return bytes;
    }
    return {
        /** @throws QueryRefused, UpdateRefused, FormRefused; ReplicaBroken */
        answer,
        /** @throws whatever Oxigraph does: what it then holds is not what it should */
        load: (quads) => oxigraph.load(quads, kept),
        /** Without a question in between. @throws as above */
        change(removed, added) {
            for (const quad of parse(removed, nquads))
                oxigraph.delete(quad);
            oxigraph.load(added, kept);
        },
    };
}
/** As Oxigraph calls it. */
const formatOf = (type) => type === 'application/json' ? 'application/sparql-results+json' : type;
const aboutOf = ({ default: unnamed, named }) => ({
    default_graph: unnamed.map((name) => namedNode(name)),
    named_graphs: named.map((name) => namedNode(name)),
});
//# sourceMappingURL=replica.js.map