// Judges what a client wrote: the types of its JSON, the shapes of its graph, and whether what it names
// is there; and tells all that is wrong at once.
import { referencesIn } from '../model/read-shape.js';
import { Invalid } from '../model/write-shape.js';
export const checkWith = ({ addresses, cards, judge }) => async (resource, card, { card: judged, failures }, known) => {
    const named = resource.written.flatMap((field) => field.name in judged ? referencesIn(field, card) : []);
    const there = await cards.find(named);
    const exists = new Set(named.filter(there).map(({ target, id }) => addresses.thing(target, id).value));
    const refused = await judge.judge(resource, card, exists);
    const all = resource.written.flatMap((field) => {
        const { name } = field;
        const first = known.get(name);
        // A field that is not well typed is not in the graph, so the shapes know nothing of it.
        const rest = failures.get(name) ?? (name in judged ? (refused.get(name) ?? []) : []);
        const messages = [...(first === undefined ? [] : [first]), ...rest];
        return messages.length > 0 ? [[name, messages]] : [];
    });
    if (all.length > 0)
        throw new Invalid(new Map(all));
};
//# sourceMappingURL=check.js.map