// Runs xmllint, an XML reader that is not ours; tests are skipped where it is not installed.

import { spawnSync } from 'node:child_process'

const isInstalled = spawnSync('xmllint', ['--version']).status === 0

/**
 * The complaints of xmllint about a document; empty when it is well-formed. Skips the test without
 * xmllint.
 */
export function complaintsOf(test: Mocha.Context, xml: string, ...options: string[]): string {
  if (!isInstalled) {
    if (test.test) test.test.title += ' (skipped: xmllint is not installed)'
    test.skip()
  }
  const { stderr } = spawnSync('xmllint', ['--noout', ...options, '-'], { input: xml })
  return String(stderr)
}

/** The texts that an XPath expression selects. */
export function textsIn(test: Mocha.Context, xml: string, path: string): string[] {
  if (!isInstalled) complaintsOf(test, xml)
  const expression = `count(${path})`
  const count = Number(evaluate(xml, expression))
  return Array.from({ length: count }, (_, index) =>
    evaluate(xml, `string((${path})[${index + 1}])`),
  )
}

const evaluate = (xml: string, expression: string): string =>
  String(spawnSync('xmllint', ['--xpath', expression, '-'], { input: xml }).stdout).replace(
    /\n$/,
    '',
  )
