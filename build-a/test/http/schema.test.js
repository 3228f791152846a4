// /api/schema/: that it is OpenAPI 3.0.3, and that it describes what the specification has.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { parse } from 'yaml';
import { useService } from '../service.js';
import { resources } from './catalogue.js';
const PAGING = ['page', 'page_size', 'ordering'];
const PARAMETERS = {
    zines: [...PAGING, 'search', 'subject', 'genre', 'creator', 'language'],
    agents: [...PAGING, 'search', 'kind', 'public'],
    repositories: [...PAGING, 'search', 'repository_kind', 'country', 'status'],
    holdings: [...PAGING, 'zine_id', 'repository_id', 'access_status', 'digital_available'],
};
const OPERATIONS = [
    ['list', 'get', false],
    ['create', 'post', false],
    ['retrieve', 'get', true],
    ['update', 'put', true],
    ['partial_update', 'patch', true],
    ['destroy', 'delete', true],
];
const SUCCESS = { create: '201', destroy: '204' };
const OTHERS = [
    '/api/vocabularies/subjects/',
    '/api/vocabularies/genres/',
    '/api/vocabularies/agent-kinds/',
    '/api/vocabularies/agent-roles/',
    '/api/vocabularies/repository-kinds/',
    '/api/vocabularies/access-status/',
    '/api/vocabularies/rights-status/',
    '/api/vocabularies/formats/',
    '/api/geography/places/',
    '/api/geography/countries/',
    '/api/geography/languages/',
];
describe('the schema', () => {
    const service = useService();
    const PATH = '/api/schema/';
    const asJson = { headers: { accept: 'application/json' } };
    const schema = async () => (await service().get(`${PATH}?format=json`)).body;
    it('is YAML by default', async () => {
        const { status, headers, text, body } = await service().get(PATH);
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.match(/yaml|openapi(?!\+json)/);
        expect(body).to.equal(undefined);
        expect(parse(text).openapi).to.equal('3.0.3');
    });
    it('is YAML when that is asked for', async () => {
        const { text } = await service().get(`${PATH}?format=yaml`, asJson);
        expect(text).to.match(/^openapi: ['"]?3\.0\.3/m);
    });
    for (const accept of ['application/json', 'application/vnd.oai.openapi+json'])
        it(`is JSON for ${accept}`, async () => {
            const { status, headers, body } = await service().get(PATH, { headers: { accept } });
            expect(status).to.equal(200);
            expect(headers.get('content-type')).to.match(/json/);
            expect(body.openapi).to.equal('3.0.3');
        });
    it('is JSON for ?format=json', async () => {
        const { headers, body } = await service().get(`${PATH}?format=json`);
        expect(headers.get('content-type')).to.match(/json/);
        expect(body.openapi).to.equal('3.0.3');
    });
    it('says the same in both', async () => {
        expect(parse((await service().get(PATH)).text)).to.deep.equal(await schema());
    });
    it('is valid', async () => {
        const { valid, errors } = await new Validator().validate(await schema());
        expect(valid, JSON.stringify(errors)).to.be.true;
    });
    for (const { name, key, required } of resources)
        describe(`of ${name}`, () => {
            for (const [operation, method, ofRecord] of OPERATIONS) {
                const path = ofRecord ? `/api/${name}/{${key}}/` : `/api/${name}/`;
                const found = async () => (await schema()).paths[path]?.[method];
                it(`has ${name}_${operation}: ${method} ${path}`, async () => {
                    expect((await found())?.operationId).to.equal(`${name}_${operation}`);
                });
                it(`says with what status ${name}_${operation} succeeds`, async () => {
                    const { responses } = await found();
                    expect(responses).to.include.keys(SUCCESS[operation] ?? '200');
                });
                if (method === 'get')
                    it(`has ${name}_${operation} need no token`, async () => {
                        const { security } = await found();
                        expect(security?.some((way) => Object.keys(way).length === 0) ?? true).to.be
                            .true;
                    });
                else
                    it(`has ${name}_${operation} need a token`, async () => {
                        const whole = await schema();
                        const { security = whole.security } = await found();
                        const schemes = security.map((way) => Object.keys(way)[0]);
                        expect(schemes).to.have.length.above(0);
                        for (const scheme of schemes)
                            expect(whole.components.securitySchemes[scheme]).to.include({
                                in: 'header',
                                name: 'Authorization',
                            });
                    });
            }
            it('has the parameters of the list', async () => {
                const whole = await schema();
                const { parameters } = whole.paths[`/api/${name}/`].get;
                const queries = parameters
                    .map((parameter) => resolve(whole, parameter))
                    .filter((parameter) => parameter.in === 'query')
                    .map((parameter) => parameter.name);
                expect(queries).to.include.members([...PARAMETERS[name]]);
            });
            for (const [operation, needed] of [
                ['post', required],
                ['put', required],
                ['patch', []],
            ])
                it(`says which fields a ${operation} needs`, async () => {
                    const whole = await schema();
                    const path = operation === 'post' ? `/api/${name}/` : `/api/${name}/{${key}}/`;
                    const body = resolve(whole, whole.paths[path][operation].requestBody);
                    const sent = resolve(whole, body.content['application/json'].schema);
                    expect(sent.required ?? []).to.have.members([...needed]);
                });
        });
    it('has auth_token_create', async () => {
        const { paths } = await schema();
        expect(paths['/api/auth/token/'].post.operationId).to.equal('auth_token_create');
    });
    for (const path of OTHERS)
        it(`has ${path}`, async () => {
            expect((await schema()).paths[path]?.get).to.be.an('object');
        });
    it('gives no two operations one name', async () => {
        const operations = Object.values((await schema()).paths).flatMap(operationsOf);
        const names = operations.map(({ operationId }) => operationId);
        expect(new Set(names).size).to.equal(names.length);
    });
    it('declares the parameters of every path', async () => {
        const whole = await schema();
        for (const [path, item] of Object.entries(whole.paths))
            for (const operation of operationsOf(item)) {
                const declared = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
                    .map((parameter) => resolve(whole, parameter))
                    .filter((parameter) => parameter.in === 'path' && parameter.required)
                    .map((parameter) => parameter.name);
                const named = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
                expect(declared, path).to.have.members(named);
            }
    });
});
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operationsOf = (item) => METHODS.map((method) => item[method]).filter((operation) => operation);
/** What a `$ref` of the schema leads to, or the object itself. */
function resolve(schema, object) {
    if (typeof object.$ref !== 'string')
        return object;
    const names = object.$ref.replace(/^#\//, '').split('/');
    return resolve(schema, names.reduce((at, name) => at[name], schema));
}
//# sourceMappingURL=schema.test.js.map