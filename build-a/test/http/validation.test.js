// What every field of a type refuses, and in which words: what is missing, null, blank or of
// another type. Lengths and values have files of their own.
import { expect } from 'chai';
import { asWritten, listOf, pathOf, resourceOf, resources, unique, useCatalogue, } from './catalogue.js';
const REQUIRED = 'This field is required.';
const NULL = 'This field may not be null.';
const BLANK = 'This field may not be blank.';
const NO_STRING = 'Not a valid string.';
describe('validation', () => {
    const { service, given, refused } = useCatalogue();
    for (const { name, key, text, required, minimal, full } of resources)
        describe(`of ${name}`, () => {
            const fields = Object.entries(full('any')).filter(([field]) => field !== key);
            const strings = fields.filter(([, value]) => typeof value === 'string').map(nameOf);
            const arrays = fields.filter(([, value]) => Array.isArray(value)).map(nameOf);
            const numbers = fields.filter(([, value]) => typeof value === 'number').map(nameOf);
            const requiredStrings = strings.filter((field) => required.includes(field));
            const optional = fields.map(nameOf).filter((field) => !required.includes(field));
            for (const field of required)
                it(`a POST needs ${field}`, async () => {
                    const sent = minimal(unique(key), { [field]: undefined });
                    const answer = await service().post(listOf(name), sent);
                    expect(answer.status).to.equal(400);
                    expect(answer.body).to.deep.equal({ [field]: [REQUIRED] });
                });
            it('names every field that is missing', async () => {
                const answer = await service().post(listOf(name), {});
                expect(answer.status).to.equal(400);
                expect(answer.body).to.deep.equal(all(required, [REQUIRED]));
            });
            it('names every required field that is null', async () => {
                const answer = await service().post(listOf(name), all(required, null));
                expect(answer.status).to.equal(400);
                expect(answer.body).to.deep.equal(all(required, [NULL]));
            });
            it('lets no optional field but a number be null', async () => {
                const nulls = optional.filter((field) => !numbers.includes(field));
                expect(await refused(name, all(nulls, null))).to.deep.equal(all(nulls, [NULL]));
            });
            for (const field of numbers)
                it(`lets the number ${field} be null`, async () => {
                    const { [key]: id } = await given.record(resourceOf(name), { [field]: null });
                    expect(id).to.be.a('string');
                });
            for (const blank of ['', '  ', '\n'])
                it(`lets no required text be ${JSON.stringify(blank)}`, async () => {
                    const answer = await service().post(listOf(name), {
                        ...minimal(unique(key)),
                        ...all([key, ...requiredStrings], blank),
                    });
                    expect(answer.status).to.equal(400);
                    expect(answer.body).to.deep.equal(all([key, ...requiredStrings], [BLANK]));
                });
            for (const value of [true, false, [], ['x'], {}, { x: 'y' }])
                it(`takes ${JSON.stringify(value)} for no text`, async () => {
                    const sent = { ...minimal(unique(key)), ...all([key, ...strings], value) };
                    const answer = await service().post(listOf(name), sent);
                    expect(answer.status).to.equal(400);
                    expect(answer.body).to.deep.equal(all([key, ...strings], [NO_STRING]));
                });
            for (const [value, taken] of [
                [1994, '1994'],
                [0, '0'],
                [-1.5, '-1.5'],
            ])
                it(`takes ${value} for the text ${taken}`, async () => {
                    const made = await given.record(resourceOf(name), { [text]: value });
                    expect(made[text]).to.equal(taken);
                });
            for (const [value, type] of [
                ['x', 'str'],
                ['', 'str'],
                [{}, 'dict'],
                [{ 0: 'x', length: 1 }, 'dict'],
                [3, 'int'],
                [0.5, 'float'],
                [true, 'bool'],
                [false, 'bool'],
            ])
                it(`takes ${JSON.stringify(value)} for no list`, async () => {
                    expect(await refused(name, all(arrays, value))).to.deep.equal(all(arrays, [`Expected a list of items but got type "${type}".`]));
                });
            for (const [element, message] of [
                ['', BLANK],
                ['  ', BLANK],
                [null, NULL],
                [true, NO_STRING],
                [[], NO_STRING],
                [['punk'], NO_STRING],
                [{}, NO_STRING],
            ])
                it(`takes ${JSON.stringify(element)} for no element of a list`, async () => {
                    expect(await refused(name, all(arrays, [element]))).to.deep.equal(all(arrays, [`Item 1: ${message}`]));
                });
            it('judges a PATCH as it does a POST', async () => {
                const made = await given.record(resourceOf(name));
                const sent = { ...all(strings, []), ...all(arrays, [null]) };
                const answer = await service().patch(pathOf(name, made[key]), sent);
                expect(answer.status).to.equal(400);
                expect(answer.body).to.deep.equal({
                    ...all(strings, [NO_STRING]),
                    ...all(arrays, [`Item 1: ${NULL}`]),
                });
            });
            it('asks for nothing that a PATCH does not send', async () => {
                const made = await given.record(resourceOf(name));
                const answer = await service().patch(pathOf(name, made[key]), {});
                expect(answer.status, answer.text).to.equal(200);
                expect(asWritten(answer.body)).to.deep.equal(asWritten(made));
            });
        });
    for (const field of ['creator', 'subject'])
        it(`a zine needs at least one ${field}`, async () => {
            expect(await refused('zines', { [field]: [] })).to.deep.equal({
                [field]: ['This list may not be empty.'],
            });
        });
    for (const field of ['creator', 'subject'])
        it(`a PATCH may not take the last ${field} of a zine`, async () => {
            const { zine_id } = await given.zine();
            const answer = await service().patch(pathOf('zines', zine_id), { [field]: [] });
            expect(answer.status).to.equal(400);
            expect(answer.body).to.deep.equal({ [field]: ['This list may not be empty.'] });
        });
    it('an element of an array may be a number, taken as its text', async () => {
        expect((await given.zine({ date: [1994, '1995'] })).date).to.deep.equal(['1994', '1995']);
    });
    it('every bad element of an array is told, with its place', async () => {
        const date = ['1994', '', '1995', null, true, '1996'];
        expect(await refused('zines', { date })).to.deep.equal({
            date: [`Item 2: ${BLANK}`, `Item 4: ${NULL}`, `Item 5: ${NO_STRING}`],
        });
    });
    it('every failing field is told at once, whatever is wrong with it', async () => {
        const { zine_id } = await given.zine();
        const sent = {
            zine_id,
            creator: ['nobody-here'],
            subject: ['no-such-subject'],
            genre: 'perzine',
            abstract: {},
            date: [''],
            language: ['xx'],
            issue_designation: 'x'.repeat(101),
            rights: null,
        };
        const answer = await service().post('/api/zines/', sent);
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.equal({
            zine_id: ['Zine with this zine_id already exists.'],
            title: [REQUIRED],
            creator: ["Agent 'nobody-here' does not exist"],
            subject: ['Invalid subject codes: no-such-subject'],
            genre: ['Expected a list of items but got type "str".'],
            abstract: [NO_STRING],
            date: [`Item 1: ${BLANK}`],
            language: ['Invalid language codes: xx'],
            issue_designation: ['Ensure this field has no more than 100 characters.'],
            rights: [NULL],
        });
    });
    it('a refused POST makes no record', async () => {
        const id = unique('zine');
        await service().post('/api/zines/', { zine_id: id });
        expect((await service().get(pathOf('zines', id))).status).to.equal(404);
    });
});
function nameOf([field]) {
    return field;
}
/** The same value for each of these fields. */
function all(fields, value) {
    return Object.fromEntries(fields.map((field) => [field, value]));
}
//# sourceMappingURL=validation.test.js.map