// A record in the hand: the values of its fields as the write shape names them.
/** The text of a field; empty when it is unset. */
export const textOf = (card, field) => {
    const value = card[field];
    return typeof value === 'string' ? value : '';
};
/** The values of a repeatable field. */
export const valuesOf = (card, field) => {
    const value = card[field];
    return Array.isArray(value) ? value : [];
};
//# sourceMappingURL=card.js.map