// The private fields of an agent, with values that are easily found wherever they come out.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
export const SECRETS = {
    legal_name: 'Xanthippe Quirrell',
    email: 'xq@secret.example',
    phone: '+99 1 ext. xqphone',
};
export const KEYS = Object.keys(SECRETS);
const MARKS = ['Xanthippe', 'xanthippe', 'Quirrell', 'secret.example', 'xqphone'];
export function expectNoMark(text) {
    for (const mark of MARKS)
        expect(text).not.to.include(mark);
}
/** Private fields that occur nowhere else: each holds the mark, which is found however it is cased or encoded. */
export const marked = (mark) => ({
    legal_name: `Legal ${mark} Name`,
    email: `${mark}@mark.example`,
    phone: `+99 ${mark}`,
});
/** A mark of this test run alone, of letters and digits, so that no format has to escape it. */
export const newMark = () => `qx${randomBytes(8).toString('hex')}`;
//# sourceMappingURL=secrets.js.map