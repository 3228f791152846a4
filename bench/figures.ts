// `npm run figures`: counts how many ways of doing the same there are in src/, by TypeScript's syntax trees, beside what is
// to be reached. It fails nothing: it is read before and after a change of the structure.

import { spawnSync } from 'node:child_process'

import ts from 'typescript'

const files = ts.sys
  .readDirectory('src', ['.ts', '.tsx'])
  .map((path) =>
    ts.createSourceFile(path, ts.sys.readFile(path) ?? '', ts.ScriptTarget.Latest, true),
  )

const trees = files.flatMap(nodesOf)

const resourceNames: readonly string[] = ['agents', 'holdings', 'repositories', 'zines']

const functionLengths = trees.filter(ts.isFunctionLike).map(linesOf)

const rows: readonly (readonly [name: string, count: number, goal: number])[] = [
  ['lines of TypeScript', sum(files.map((file) => file.getLineStarts().length - 1)), 88_000],
  ['exports that no other file imports', unusedExports(), 0],
  ['functions over 60 lines', functionLengths.filter((lines) => lines > 60).length, 60],
  ['functions over 150 lines', functionLengths.filter((lines) => lines > 150).length, 0],
  ['functions with more than four parameters', count(hasManyParameters), 0],
  ['classes of errors', count(isErrorClass), 35],
  ['calls of createCache', count(isCallOf('createCache')), 9],
  ['object literals with a key for each resource', count(isKeyedByResources), 8],
  ['comparisons with the name of a resource', count(comparesResource), 0],
  ['<form>', count(isElement('form')), 1],
  ['<select>', count(isElement('select')), 1],
  ['spreads of literals', count(spreadsLiteral), 0],
]

const width = Math.max(...rows.map(([name]) => name.length))
for (const [name, found, goal] of [['', 'now', 'goal'] as const, ...rows])
  process.stdout.write(
    `${name.padEnd(width)} ${String(found).padStart(8)} ${String(goal).padStart(8)}\n`,
  )

function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node]
  ts.forEachChild(node, (child) => void nodes.push(...nodesOf(child)))
  return nodes
}

function linesOf(node: ts.Node): number {
  const file = node.getSourceFile()
  const line = (position: number): number => file.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart()) + 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function count(matches: (node: ts.Node) => boolean): number {
  return trees.filter(matches).length
}

/** Counted by knip, which `npm run lint` runs too. */
function unusedExports(): number {
  const { stdout } = spawnSync('npx', ['knip', '--reporter', 'json'], { encoding: 'utf8' })
  // The cast: as this reporter writes it.
  const { issues } = JSON.parse(stdout) as { issues: readonly Record<'exports' | 'types', []>[] }
  return sum(issues.map(({ exports, types }) => exports.length + types.length))
}

function hasManyParameters(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && node.parameters.length > 4 && 'body' in node
}

function isErrorClass(node: ts.Node): boolean {
  return ts.isClassDeclaration(node) && node.name?.text.endsWith('Error') === true
}

function isCallOf(name: string) {
  return (node: ts.Node): boolean =>
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name
}

function isKeyedByResources(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false
  const names = node.properties.map(({ name }) => name && ts.isIdentifier(name) && name.text)
  return resourceNames.every((name) => names.includes(name))
}

function comparesResource(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    /^[!=]==$/.test(node.operatorToken.getText()) &&
    [node.left, node.right].some(
      (side) => ts.isStringLiteral(side) && resourceNames.includes(side.text),
    )
  )
}

function isElement(name: string) {
  return (node: ts.Node): boolean =>
    (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) &&
    node.tagName.getText() === name
}

function spreadsLiteral(node: ts.Node): boolean {
  return (
    (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) &&
    (ts.isObjectLiteralExpression(node.expression) || ts.isArrayLiteralExpression(node.expression))
  )
}
