// Gathers what a showing needs: the cards of those that records name, and of those that these name.
import { furtherReferencesOf, referencesOf, } from '../model/read-shape.js';
export const gatherWith = (reader, resources) => async (resource, cards, view, way) => {
    const named = await reader[way](cards.flatMap((card) => referencesOf(resource, card, view)));
    const further = await reader[way](cards.flatMap((card) => furtherReferencesOf(resources, resource, card, view, named)));
    const both = (reference) => named(reference) ?? further(reference);
    return cards.map((card) => ({ resource, card, cards: both }));
};
//# sourceMappingURL=sheets.js.map