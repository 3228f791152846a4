// The parts of an OpenAPI 3.0.3 document that we write, under the names that the standard gives them.
/** Points to a component, as in `refer('schemas', 'Place')`. */
export const refer = (kind, name) => ({
    $ref: `#/components/${kind}/${name}`,
});
//# sourceMappingURL=document.js.map