// xmllint, a reader of XML that is not ours, for tests that are skipped where it is not installed.
import { spawnSync } from 'node:child_process';
const isInstalled = spawnSync('xmllint', ['--version']).status === 0;
/** What xmllint says of a document: nothing, when it is well-formed. Skips the test without it. */
export function complaintsOf(test, xml, ...options) {
    if (!isInstalled) {
        if (test.test)
            test.test.title += ' (skipped: xmllint is not installed)';
        test.skip();
    }
    const { stderr } = spawnSync('xmllint', ['--noout', ...options, '-'], { input: xml });
    return String(stderr);
}
/** The texts that an XPath expression finds. */
export function textsIn(test, xml, path) {
    if (!isInstalled)
        complaintsOf(test, xml);
    const expression = `count(${path})`;
    const count = Number(evaluate(xml, expression));
    return Array.from({ length: count }, (_, index) => evaluate(xml, `string((${path})[${index + 1}])`));
}
const evaluate = (xml, expression) => String(spawnSync('xmllint', ['--xpath', expression, '-'], { input: xml }).stdout).replace(/\n$/, '');
//# sourceMappingURL=xmllint.js.map