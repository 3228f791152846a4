// What people call a record that another one names.
import { textOf } from '../model/card.js';
/** Its title or name; empty when it has been deleted. */
export function titleOf(resources, cards, reference) {
    const { title } = resources[reference.target];
    const card = cards(reference);
    return title && card ? textOf(card, title.name) : '';
}
//# sourceMappingURL=titles.js.map