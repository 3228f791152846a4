// The seam between the catalogue and whatever keeps its quads: SPARQL in, rows out; changes in, and kept.
export {};
//# sourceMappingURL=store.js.map