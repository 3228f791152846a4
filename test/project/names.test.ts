// Rules for names in src/: one name for one type, errors that are called errors, and one way to name
// functions that make things.

import { expect } from 'chai'
import ts from 'typescript'

/** Other ways to name a function that makes something. */
const factoryNames = /^(?:make|setUp)[A-Z]|[a-z](?:By|With)$/

describe('names in src', () => {
  let program: ts.Program
  let checker: ts.TypeChecker
  let sources: readonly ts.SourceFile[]

  before(function () {
    // The compiler reads the whole program.
    const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as {
      readonly config: object
    }
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
    const names = fileNames.filter((name) => /(?:^|\/)src\//.test(name))
    program = ts.createProgram(names, { ...options, noEmit: true, incremental: false })
    checker = program.getTypeChecker()
    sources = names.flatMap((name) => program.getSourceFile(name) ?? [])
  })

  it('declare each exported type once', () => {
    const files = new Map<string, string[]>()
    for (const { name, node } of exportedDeclarations())
      if (
        ts.isTypeAliasDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isClassLike(node)
      )
        files.set(name, [...(files.get(name) ?? []), locationOf(node)])
    const repeated = [...files].filter(([, locations]) => locations.length > 1)
    expect(repeated).to.deep.equal([])
  })

  it('end in Error for every class that extends Error', () => {
    const strays: string[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isClassLike(node) && isErrorClass(node) && !node.name?.text.endsWith('Error'))
        strays.push(`${node.name?.text ?? 'class'} in ${locationOf(node)}`)
      ts.forEachChild(node, visit)
    }
    sources.forEach(visit)
    expect(strays).to.deep.equal([])
  })

  it('begin with open only for functions whose result can be closed', () => {
    const strays = exportedFunctions()
      .filter(({ name }) => /^open[A-Z]/.test(name))
      .filter(({ results }) => !results.every(({ type }) => type.getProperty('close')))
    expect(strays.map(describeFunction)).to.deep.equal([])
  })

  it('begin with create or open for functions that make things', () => {
    const strays = exportedFunctions()
      .filter(({ name }) => factoryNames.test(name))
      .filter(({ results }) => results.some(({ type }) => isMade(type)))
    expect(strays.map(describeFunction)).to.deep.equal([])
  })

  type Declaration = { readonly name: string; readonly node: ts.Declaration }

  const exportedDeclarations = (): readonly Declaration[] =>
    sources.flatMap((source) => {
      const module = checker.getSymbolAtLocation(source)
      const symbols = module ? checker.getExportsOfModule(module) : []
      return symbols.flatMap(({ name, declarations = [] }) =>
        declarations
          .filter((node) => node.getSourceFile() === source)
          .map((node) => ({ name, node })),
      )
    })

  type FunctionResult = { readonly type: ts.Type }

  type ExportedFunction = Declaration & { readonly results: readonly FunctionResult[] }

  const exportedFunctions = (): readonly ExportedFunction[] =>
    exportedDeclarations().flatMap(({ name, node }) => {
      const signatures = checker.getTypeAtLocation(node).getCallSignatures()
      const results = signatures.map((signature) => ({ type: resultOf(signature) }))
      return results.length > 0 && !ts.isTypeAliasDeclaration(node) ? [{ name, node, results }] : []
    })

  function resultOf(signature: ts.Signature): ts.Type {
    const type = checker.getReturnTypeOfSignature(signature)
    return checker.getAwaitedType(type) ?? type
  }

  /** Whether a value is a function or an object of several, rather than plain data. */
  const isMade = (type: ts.Type): boolean =>
    type.getCallSignatures().length > 0 || (type.flags & ts.TypeFlags.Object) !== 0

  function isErrorClass(node: ts.ClassLikeDeclaration): boolean {
    const bases = [checker.getTypeAtLocation(node)]
    for (const type of bases) {
      if (type.symbol.name === 'Error' && type !== bases[0]) return true
      bases.push(...(type.getBaseTypes() ?? []))
    }
    return false
  }

  const describeFunction = ({ name, node }: Declaration): string => `${name} in ${locationOf(node)}`

  function locationOf(node: ts.Node): string {
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    return `${source.fileName.replace(/^.*\/src\//, 'src/')}:${line + 1}`
  }
})
