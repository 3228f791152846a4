import { jsx as _jsx } from "preact/jsx-runtime";
// The documents that IRIs lead to, and the description of the API, as pages: a concept scheme, the
// ontology, the dataset. What they say is read from the same triples and facts as their data.
import { compactBy } from '../formats/compact.js';
import { rdfFormats, writeAs } from '../formats/rdf.js';
import { triplesOf } from '../formats/vocabularies.js';
import { DatasetPage } from '../html/dataset.js';
import { schemePath } from '../html/links.js';
import { OntologyPage } from '../html/ontology.js';
import { OperationsPage } from '../html/operations.js';
import { SchemePage } from '../html/vocabulary.js';
import { literalOf } from '../model/vocabulary.js';
import { dcterms, rdf, rdfs } from '../rdf/namespaces.js';
import { bySubject } from '../rdf/terms.js';
import { datasetQuads } from './dataset.js';
import { schemaFormats } from './schema.js';
import { showPage, visitOf } from './sight.js';
const turtle = 'text/turtle';
/** The pages of the concept schemes and of the ontology. */
export const document = (documents) => ({
    scheme: (vocabulary) => schemePage(documents, vocabulary),
    ontology: ontologyPage(documents),
});
function schemePage({ assets, around }, vocabulary) {
    return (ctx) => showPage(ctx, _jsx(SchemePage, { visit: visitOf(ctx, assets), vocabulary: vocabulary, formats: rdfFormats, turtle: writeAs(turtle, triplesOf(vocabulary, vocabulary.entries), around) }));
}
function ontologyPage(documents) {
    const { addresses, assets, ontology, vocabularies, around } = documents;
    const compact = compactBy(around.prefixes);
    const groups = bySubject(ontology);
    const about = groups.get(addresses.ontology) ?? [];
    const terms = [...groups]
        .filter(([iri]) => iri !== addresses.ontology && !iri.startsWith('_:'))
        .map(([iri, said]) => termOf(documents, compact, iri, said));
    const isOwn = ({ iri }) => iri.startsWith(`${addresses.ontology}#`);
    return (ctx) => showPage(ctx, _jsx(OntologyPage, { visit: visitOf(ctx, assets), title: literalOf(about, dcterms('title'))?.value ?? 'Ontology', description: literalOf(about, dcterms('description'))?.value ?? '', license: about.find((one) => one.predicate.equals(dcterms('license')))?.object.value ?? '', own: terms.filter(isOwn), others: terms.filter((term) => !isOwn(term)), schemes: vocabularies.map((one) => ({ text: one.title, href: schemePath(one) })), formats: rdfFormats, turtle: writeAs(turtle, ontology, around) }));
}
const said = [
    ['A', rdf('type')],
    ['Kind of', rdfs('subPropertyOf')],
    ['Kind of', rdfs('subClassOf')],
    ['Of', rdfs('domain')],
    ['Values', rdfs('range')],
];
function termOf({ addresses, resources }, compact, iri, statements) {
    const nameOf = (value) => compact(value)?.join(':') ?? value;
    const own = `${addresses.ontology}#`;
    const named = (value) => ({
        text: nameOf(value),
        // Our own terms are on this page; the IRIs of others lead to their makers.
        href: value.startsWith(own) ? `#${value.slice(own.length)}` : value,
    });
    const facts = said.map(([title, property]) => ({
        title,
        values: statements
            .filter(({ predicate }) => predicate.equals(property))
            .map(({ object }) => named(object.value)),
    }));
    const fields = Object.values(resources).flatMap((resource) => resource.fields
        .filter(({ path }) => path.at(-1)?.value === iri)
        .map(({ name }) => ({ text: `${resource.name}.${name}`, href: '' })));
    return {
        iri,
        name: nameOf(iri),
        anchor: iri.startsWith(own) ? iri.slice(own.length) : nameOf(iri),
        label: literalOf(statements, rdfs('label'))?.value ?? nameOf(iri),
        comment: literalOf(statements, rdfs('comment'))?.value ?? '',
        facts: [...facts, { title: 'In the API', values: fields }].filter(({ values }) => values.length > 0),
    };
}
export function datasetPage(parts) {
    const { about, assets, exports, license, numbers, around } = parts;
    return async (ctx) => {
        const survey = await numbers.survey();
        const page = (_jsx(DatasetPage, { visit: visitOf(ctx, assets), description: `${about.description}.`, license: license, counts: survey.counts, issued: survey.issued, modified: survey.modified, exports: exports, formats: rdfFormats, turtle: writeAs(turtle, datasetQuads(parts, survey), around) }));
        showPage(ctx, page);
    };
}
/** The operations of the API, chapter by chapter, as the description has them. */
export const operationsPage = (assets) => (written) => {
    const chapters = chaptersOf(written.document);
    const { title, description } = written.document.info;
    return (ctx) => showPage(ctx, _jsx(OperationsPage, { visit: visitOf(ctx, assets), title: `${title} API`, description: description, chapters: chapters, formats: schemaFormats, yaml: written.yamlFor(ctx) }));
};
function chaptersOf(described) {
    const operations = Object.entries(described.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({
        tag: operation.tags[0] ?? '',
        operation: operationOf(described, path, method.toUpperCase(), operation),
    })));
    return described.tags.map(({ name, description = '' }) => ({
        name,
        description,
        operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    }));
}
function operationOf({ components }, path, method, { operationId, summary, description, security, requestBody, parameters = [], responses, }) {
    return {
        id: operationId,
        method,
        path,
        summary,
        description,
        isGuarded: security.length > 0 && security.every((one) => Object.keys(one).length > 0),
        takes: Object.keys(requestBody?.content ?? {}),
        parameters: parameters
            .map((one) => referred(one, components.parameters))
            .map((one) => ({
            name: one.name,
            where: one.in,
            description: one.description,
            isRequired: one.required ?? false,
        })),
        answers: Object.entries(responses).map(([status, one]) => ({
            status,
            description: referred(one, components.responses).description,
        })),
    };
}
/** What a reference points to among the components; what is no reference is itself. */
function referred(one, components) {
    if (!('$ref' in one))
        return one;
    const found = components[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)];
    if (!found)
        throw new Error(`the description has no ${one.$ref}`);
    return found;
}
//# sourceMappingURL=documents.js.map