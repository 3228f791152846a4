// The language in which a resource is said: only what neither the ontology nor a shape knows.
export {};
//# sourceMappingURL=row.js.map