// A stranger's query for an engine elsewhere: read and judged as for a replica, written anew about
// nothing but the graphs that everybody may see, and its answer written by us, in any format, whatever
// the engine's own are. What the stranger wrote never reaches the engine as it is.
import { DataFactory, Parser as TurtleParser } from 'n3';
import { Store as Oxigraph, defaultGraph } from 'oxigraph';
import sparqljs from 'sparqljs';
import { writeTurtle } from '../rdf/pretty.js';
import { Partial as PartOfRows, Refused, TooLong, Unanswered, Unreached, openEndpoint, } from '../store/endpoint.js';
import { Unreadable, tableOf, truthOf } from '../store/results.js';
import { datasetOf } from './dataset.js';
import { Busy, FormRefused, QueryRefused } from './failures.js';
import { readQuery } from './inspect.js';
import { graphsOnly, tablesOnly, tooManyBytes, tooManyRows } from './words.js';
import { writeResults } from './tables.js';
import { asXml } from './xml.js';
export function openForward({ endpoint, graphs, limits, engine }) {
    const elsewhere = openEndpoint(engine);
    /** No engine writes shorter than we do by so much. */
    const most = 4 * limits.bytes + 65_536;
    async function answer({ query: text, dataset, table, graph }) {
        const query = readQuery(text, endpoint);
        const about = datasetOf(dataset, query, graphs);
        const isTable = query.queryType === 'SELECT' || query.queryType === 'ASK';
        if (isTable && !table)
            throw new FormRefused(tablesOnly);
        if (!isTable && !graph)
            throw new FormRefused(graphsOnly);
        const written = rewrite(query, about, limits.rows + 1);
        if (table && isTable) {
            const answered = await ask(written, 'application/sparql-results+json').catch((error) => {
                // Virtuoso sorts no more than 10,000 rows for a LIMIT, and any number without one.
                if (!(error instanceof QueryRefused && error.message.includes('SR353')))
                    throw error;
                return ask(rewrite(query, about, Infinity), 'application/sparql-results+json');
            });
            const results = query.queryType === 'ASK' ? truthOf(answered) : tableOf(answered);
            if (typeof results !== 'boolean' && results.rows.length > limits.rows)
                throw new QueryRefused(tooManyRows(limits.rows));
            return { type: table.type, bytes: bytesOf(writeResults(results, table.name)) };
        }
        const triples = await ask(written, 'application/n-triples');
        const type = graph?.type ?? '';
        return { type, bytes: bytesOf(writeGraph(triples, type, query)) };
    }
    /** The text for the engine: about these graphs, and with no more rows than tell that there are too many. */
    function rewrite(query, { default: unnamed, named }, rows) {
        const from = { default: iris(unnamed), named: iris(named) };
        const plain = query.queryType === 'DESCRIBE' ? described(query) : query;
        const limit = plain.queryType === 'SELECT' ? Math.min(plain.limit ?? Infinity, rows) : Infinity;
        const limited = limit < Infinity ? { ...plain, limit } : plain;
        const written = new sparqljs.Generator({ allPrefixes: false }).stringify({
            ...limited,
            prefixes: {},
            from,
        });
        if (own.test(written))
            throw new QueryRefused('IRIs that begin with bif: or sql: are not asked for here.');
        return written;
    }
    // To name none would be to leave it to the engine; this graph is empty.
    const iris = (names) => (names.length > 0 ? names : [`${endpoint}#nothing`]).map((name) => DataFactory.namedNode(name));
    async function ask(query, format) {
        try {
            return await elsewhere.answer(query, format, most);
        }
        catch (error) {
            throw reasonOf(error, limits);
        }
    }
    function bytesOf(text) {
        const bytes = new TextEncoder().encode(text);
        if (bytes.length > limits.bytes)
            throw new QueryRefused(tooManyBytes(limits.bytes));
        return bytes;
    }
    return async (question) => {
        try {
            return await answer(question);
        }
        catch (error) {
            if (error instanceof Unreadable)
                throw new Busy(silent, 5);
            throw error;
        }
    };
}
const silent = 'The store does not answer. Try again later.';
/** Functions and graphs of Virtuoso that are nobody's business. */
const own = /<(?:bif|sql):/i;
function reasonOf(error, { rows, bytes }) {
    if (error instanceof TooLong)
        return new QueryRefused(tooManyBytes(bytes));
    if (error instanceof PartOfRows)
        return new QueryRefused(tooManyRows(rows));
    if (error instanceof Refused) {
        const [line = ''] = error.said.trim().split('\n');
        return new QueryRefused(`The store does not take this query. ${line.slice(0, 300)}`.trim());
    }
    if (error instanceof Unreached || error instanceof Unanswered)
        return new Busy(silent, 5);
    return error;
}
/** What engines describe is what each of them likes; this is what is said of the things themselves. */
function described(query) {
    // The cast: sparqljs's types leave out that it takes the same modifiers as SELECT.
    const { variables, where, group, having, order, limit, offset, values, ...rest } = query;
    const wanted = variables;
    const [one] = wanted;
    const [thing, property, value] = [
        DataFactory.variable('described_thing'),
        DataFactory.variable('described_property'),
        DataFactory.variable('described_value'),
    ];
    const said = (subject) => ({ subject, predicate: property, object: value });
    const isNamed = wanted.every(({ termType }) => termType === 'NamedNode');
    const isVariable = wanted.length === 1 && one?.termType === 'Variable' && where;
    if (!isNamed && !isVariable)
        throw new QueryRefused('DESCRIBE takes either IRIs or one variable here; CONSTRUCT takes all.');
    const subject = isNamed ? thing : one;
    const found = isNamed
        ? {
            type: 'values',
            values: wanted.map((iri) => ({ [`?${thing.value}`]: iri })),
        }
        : {
            type: 'group',
            patterns: [
                {
                    type: 'query',
                    queryType: 'SELECT',
                    distinct: true,
                    variables: [subject],
                    where: where ?? [],
                    prefixes: {},
                    ...defined({ group, having, order, limit, offset, values }),
                },
            ],
        };
    return {
        ...rest,
        queryType: 'CONSTRUCT',
        template: [said(subject)],
        where: [found, { type: 'bgp', triples: [said(subject)] }],
    };
}
/** Without the members that are not there. */
const defined = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
function writeGraph(triples, type, { prefixes }) {
    const quads = new TurtleParser({ format: 'application/n-triples' }).parse(triples);
    if (type === 'text/turtle')
        return writeTurtle(quads, prefixes);
    const oxigraph = new Oxigraph();
    oxigraph.load(triples, { format: 'application/n-triples' });
    const written = oxigraph.dump({ format: type, from_graph_name: defaultGraph() });
    return type.endsWith('+xml') ? asXml(written) : written;
}
//# sourceMappingURL=forward.js.map