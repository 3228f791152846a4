// Reads an OpenAPI document for tests: lists its operations, and checks answers against its schemas.

import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { parse } from 'yaml'

import type { Answer } from '../service.js'

export const methods = ['get', 'post', 'put', 'patch', 'delete']

export const operationsOf = (document: any): [method: string, path: string, operation: any][] =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method): [string, string, any] => [method.toUpperCase(), path, item[method]]),
  )

export type Checker = (method: string, path: string, answer: Answer, sent?: unknown) => void

/** Checks answers against the description; keys that it does not name are failures too. */
export function checkerOf(document: any): Checker {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', ...closed(document) })
  const compiled = new Map<string, ValidateFunction>()
  const resolve = (value: any): any => {
    if (!value.$ref) return value
    const steps: string[] = value.$ref.slice(2).split('/')
    return steps.reduce((at: any, step) => at[step], document)
  }
  const expectValid = (schema: any, value: unknown, what: string): void => {
    const absolute = JSON.stringify(schema).replaceAll('"#/', '"api#/')
    const validate = compiled.get(absolute) ?? ajv.compile(closed(JSON.parse(absolute)))
    compiled.set(absolute, validate)
    const shown = JSON.stringify(value).slice(0, 1000)
    expect(validate(value) ? [] : validate.errors, `${what}: ${shown}`).to.be.empty
  }

  return (method, path, answer, sent) => {
    const where = path.replace(/\?.*/, '')
    const fitting = operationsOf(document).filter(
      ([one, template]) =>
        one === method && new RegExp(`^${template.replace(/{.*?}/g, '[^/]+')}$`).test(where),
    )
    // An address that is written out goes before one with a part to be filled in (OpenAPI: Paths).
    const exact = fitting.filter(([, template]) => template === where)
    const operations = exact.length > 0 ? exact : fitting
    expect(operations, `${method} ${where}`).to.have.length(1)
    const [, , operation] = operations[0] ?? ['', '', {}]
    const what = `${method} ${path} ${answer.status}`
    expect(operation.responses, what).to.have.property(String(answer.status))
    const response = resolve(operation.responses[answer.status])
    const headers = Object.entries(response.headers ?? {})
    for (const [name] of headers.filter(([, header]) => resolve(header).required))
      expect(answer.headers.has(name), `${what} has ${name}`).to.equal(true)
    if (sent !== undefined && answer.status < 300)
      expectValid(operation.requestBody.content['application/json'].schema, sent, `${what} takes`)
    if (!response.content) return expect(answer.text, what).to.equal('')
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
    expect(response.content, what).to.have.property(type)
    const { schema } = response.content[type]
    const body = schema.type === 'string' ? answer.text : (answer.body ?? parse(answer.text))
    expectValid(schema, body, what)
  }
}

/** The same schemas, with no room for keys that they do not name. */
function closed(schema: any): any {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, closed(one)]))
  return schema.type === 'object' && schema.properties
    ? { additionalProperties: false, ...inner }
    : inner
}
