import { jsx as _jsx } from "preact/jsx-runtime";
import { SparqlPage } from '../html/sparql.js';
import { prefixesUnder, rdf, rdfs } from '../rdf/namespaces.js';
import { examplesOf } from '../sparql/examples.js';
import { graphFormats, tableFormats } from '../sparql/formats.js';
import { answerTo } from './refused.js';
import { showPage, visitOf } from './sight.js';
import { asks, askedIn, pose } from './sparql.js';
// The handles with which the columns of YASGUI's tables are dragged bring a style sheet that they write
// into the page: let through by what it says, as nothing else is.
const styles = ["'sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk='"];
export function sparqlPage(pool, { assets, base, examples, ontology }) {
    const shown = {
        examples: examplesOf(examples),
        prefixes: prefixesUnder(base),
        terms: termsOf(ontology),
    };
    return async (ctx) => {
        const { query, outcome, sent, status, headers } = await answerOn(ctx, pool);
        ctx.set(headers);
        const page = (_jsx(SparqlPage, { visit: visitOf(ctx, assets), query: query ?? shown.examples[0]?.query ?? '', outcome: outcome, sent: sent, ...shown }));
        showPage(ctx, page, status, styles);
    };
}
async function answerOn(ctx, pool) {
    const query = new URLSearchParams(ctx.querystring).get('query') ?? undefined;
    try {
        if (!asks(ctx))
            return { query, status: 200, headers: {} };
        const { type, bytes } = await pose(ctx, pool, askedIn(ctx), {
            table: tableFormats[0],
            graph: graphFormats[0],
        });
        const sent = { type, text: new TextDecoder().decode(bytes) };
        return { query, outcome: outcomeOf(sent), sent, status: 200, headers: {} };
    }
    catch (error) {
        const answer = answerTo(error);
        if (!answer || !('detail' in answer.body))
            throw error;
        const { status, headers = {}, body } = answer;
        return { query, outcome: { kind: 'refused', why: String(body.detail) }, status, headers };
    }
}
function outcomeOf({ type, text }) {
    if (!type.startsWith(tableFormats[0].type))
        return { kind: 'graph' };
    const { head, boolean, results } = JSON.parse(text);
    if (boolean !== undefined)
        return { kind: 'truth', is: boolean };
    return { kind: 'table', columns: head.vars ?? [], rows: results?.bindings ?? [] };
}
/** What the ontology says a word about: the terms that are used in the catalogue. */
function termsOf(ontology) {
    const of = (kind) => ontology
        .filter(({ predicate, object }) => predicate.equals(rdf('type')) && object.equals(kind))
        .map(({ subject }) => subject.value)
        .sort();
    return { properties: of(rdf('Property')), classes: of(rdfs('Class')) };
}
//# sourceMappingURL=sparql-page.js.map