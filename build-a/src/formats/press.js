// What a press is: a record in, text out.
/** Prints a list that is in the hand. */
export const printList = (press, sheets, listed) => [
    press.open(listed),
    ...sheets.map((sheet, index) => press.item(sheet, index, listed)),
    press.close(listed),
].join('');
//# sourceMappingURL=press.js.map