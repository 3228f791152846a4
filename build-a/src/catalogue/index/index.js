// The index in memory: answers lists, searches and tallies without asking the store. Filled while the
// store is, and told of every write; what it answers is what the generated SPARQL would.
import { dcterms } from '../../rdf/namespaces.js';
import { triplesIn } from '../../rdf/nquads.js';
import { fromMicroseconds } from '../clock.js';
import { inSteps } from '../turns.js';
import { readEntries } from './entry.js';
import { openShelf } from './shelf.js';
export function openIndex({ addresses, resources, lens }, limits) {
    const graph = addresses.graphs.public;
    const sections = Object.fromEntries(Object.values(resources).map((resource) => [
        resource.name,
        {
            resource,
            shelf: openShelf(resource, limits),
            reader: readEntries(resource, { addresses, lens }),
        },
    ]));
    const idsOf = (shelf, docs) => Array.from(docs, shelf.idOf);
    return {
        take(key, nquads) {
            const [, name = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(key) ?? [];
            const { shelf, reader } = sections[name];
            shelf.take(reader.entryOf(id, triplesIn(nquads, graph, reader.properties)));
        },
        async settle() {
            for (const { shelf } of Object.values(sections))
                await inSteps(shelf.settle());
        },
        has: ({ target, id }) => Promise.resolve(sections[target].shelf.has(id)),
        page({ resource, ...listing }, { limit, offset }) {
            const { shelf } = sections[resource.name];
            return shelf.find({ resource, ...listing }, (docs) => ({
                count: docs.length,
                ids: idsOf(shelf, docs.subarray(offset, offset + limit)),
            }));
        },
        whole(listing) {
            const { shelf } = sections[listing.resource.name];
            return shelf.find(listing, (docs) => idsOf(shelf, docs));
        },
        tally: (listing, filter) => sections[listing.resource.name].shelf.tally(listing, filter),
        survey: () => Promise.resolve(survey(Object.values(sections))),
        note(changes) {
            for (const { reference, quads } of changes) {
                const { shelf, reader } = sections[reference.target];
                const statements = quads && statementsIn(quads, graph, reader.properties);
                shelf.put(reference.id, statements && reader.entryOf(reference.id, statements));
            }
        },
    };
}
const statementsIn = (quads, open, properties) => quads
    .filter(({ predicate, graph }) => properties.has(predicate.value) && graph.equals(open))
    .map(({ subject, predicate, object }) => ({
    s: subject.value,
    p: predicate.value,
    o: object.value,
}));
function survey(sections) {
    const timesOf = (property, end) => sections
        .map(({ resource, shelf }) => shelf.ends(fieldOf(resource, property))[end])
        .filter((time) => typeof time === 'number');
    const made = timesOf(dcterms('created'), 0);
    const written = timesOf(dcterms('modified'), 1);
    return {
        counts: Object.fromEntries(sections.map(({ resource, shelf }) => [resource.name, shelf.count()])),
        issued: made.length > 0 ? fromMicroseconds(Math.min(...made)) : undefined,
        modified: written.length > 0 ? fromMicroseconds(Math.max(...written)) : undefined,
    };
}
function fieldOf({ name, fields }, property) {
    const field = fields.find(({ path }) => path.at(-1)?.equals(property));
    if (!field)
        throw new Error(`${name} do not say <${property.value}>`);
    return field;
}
//# sourceMappingURL=index.js.map