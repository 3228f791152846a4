// The examples of queries as people are shown them, read from their description (sh:SPARQLExecutable).
import { rdfs, sh } from '../rdf/namespaces.js';
const forms = [sh('select'), sh('construct'), sh('ask'), sh('describe')];
/** In the order in which they are described. */
export const examplesOf = (quads) => quads
    .filter(({ predicate }) => forms.some((form) => form.equals(predicate)))
    .map(({ subject, object }) => ({
    question: quads.find((quad) => quad.subject.equals(subject) && quad.predicate.equals(rdfs('comment')))
        ?.object.value ?? subject.value,
    query: object.value,
}));
//# sourceMappingURL=examples.js.map