// JSON lines: each record in the write shape on a line of its own, so that it can be loaded again.
import { unset } from '../model/facts.js';
import { isOpen } from '../model/read-shape.js';
export const jsonLinesPress = {
    name: 'jsonl',
    type: 'application/jsonl',
    record: line,
    open: () => '',
    item: line,
    close: () => '',
};
function line({ resource, card }) {
    const fields = resource.written.filter((field) => isOpen(field, card, 'detail'));
    const written = Object.fromEntries(fields.map((field) => [field.name, card[field.name] ?? unset(field)]));
    return `${JSON.stringify(written)}\n`;
}
//# sourceMappingURL=json-lines.js.map