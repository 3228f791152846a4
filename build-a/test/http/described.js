// What the service says of itself in OpenAPI: its operations, and answers judged by them.
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { parse } from 'yaml';
export const methods = ['get', 'post', 'put', 'patch', 'delete'];
export const operationsOf = (document) => Object.entries(document.paths).flatMap(([path, item]) => methods
    .filter((method) => method in item)
    .map((method) => [method.toUpperCase(), path, item[method]]));
/** Checks answers against the description; keys that it does not name are failures too. */
export function checkerOf(document) {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'api', ...closed(document) });
    const compiled = new Map();
    const resolve = (value) => {
        if (!value.$ref)
            return value;
        const steps = value.$ref.slice(2).split('/');
        return steps.reduce((at, step) => at[step], document);
    };
    const expectValid = (schema, value, what) => {
        const absolute = JSON.stringify(schema).replaceAll('"#/', '"api#/');
        const validate = compiled.get(absolute) ?? ajv.compile(closed(JSON.parse(absolute)));
        compiled.set(absolute, validate);
        const shown = JSON.stringify(value).slice(0, 1000);
        expect(validate(value) ? [] : validate.errors, `${what}: ${shown}`).to.be.empty;
    };
    return (method, path, answer, sent) => {
        const where = path.replace(/\?.*/, '');
        const fitting = operationsOf(document).filter(([one, template]) => one === method && new RegExp(`^${template.replace(/{.*?}/g, '[^/]+')}$`).test(where));
        // An address that is written out goes before one with a part to be filled in (OpenAPI: Paths).
        const exact = fitting.filter(([, template]) => template === where);
        const operations = exact.length > 0 ? exact : fitting;
        expect(operations, `${method} ${where}`).to.have.length(1);
        const [, , operation] = operations[0] ?? ['', '', {}];
        const what = `${method} ${path} ${answer.status}`;
        expect(operation.responses, what).to.have.property(String(answer.status));
        const response = resolve(operation.responses[answer.status]);
        for (const name of Object.keys(response.headers ?? {}))
            expect(answer.headers.has(name), `${what} has ${name}`).to.equal(true);
        if (sent !== undefined && answer.status < 300)
            expectValid(operation.requestBody.content['application/json'].schema, sent, `${what} takes`);
        if (!response.content)
            return expect(answer.text, what).to.equal('');
        const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
        expect(response.content, what).to.have.property(type);
        const { schema } = response.content[type];
        const body = schema.type === 'string' ? answer.text : (answer.body ?? parse(answer.text));
        expectValid(schema, body, what);
    };
}
/** The same schemas, with no room for keys that they do not name. */
function closed(schema) {
    if (typeof schema !== 'object' || schema === null)
        return schema;
    if (Array.isArray(schema))
        return schema.map(closed);
    const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, closed(one)]));
    return schema.type === 'object' && schema.properties
        ? { additionalProperties: false, ...inner }
        : inner;
}
//# sourceMappingURL=described.js.map