// The description of the catalogue as a dataset, at its own IRI: `{base}/dataset`.
import { rdfFormats, writeIn } from '../formats/rdf.js';
import { dcatNamespace, describeDataset } from '../model/dataset.js';
import { prefixesUnder } from '../rdf/namespaces.js';
import { send } from './conditional.js';
export const datasetEndpoint = (parts) => ({
    path: '/dataset',
    name: 'Dataset',
    description: 'What the catalogue holds and where to get it, in VoID and DCAT.',
    formats: rdfFormats,
    page: parts.page,
    methods: {
        async GET(ctx) {
            const { addresses, catalogue } = parts;
            const quads = datasetQuads(parts, await catalogue.survey());
            const { base } = addresses;
            const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace };
            send(ctx, writeIn(ctx.state.format, quads, { base, prefixes }));
        },
    },
});
export function datasetQuads({ about, addresses, license, resources }, survey) {
    const facts = {
        title: 'Zine Catalogue',
        description: `${about.description}.`,
        license,
        ...survey,
    };
    return describeDataset(facts, resources, addresses);
}
//# sourceMappingURL=dataset.js.map