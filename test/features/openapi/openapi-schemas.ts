// Reads an OpenAPI document for tests: lists its operations, and checks answers against its schemas.

import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { parse } from 'yaml'

import type { Answer } from '../../service.js'

export const methods = ['get', 'post', 'put', 'patch', 'delete']

export const operationsOf = (document: any): [method: string, path: string, operation: any][] =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method): [string, string, any] => [method.toUpperCase(), path, item[method]]),
  )

export type AnswerChecker = (method: string, path: string, answer: Answer, sent?: unknown) => void

/** Creates a function that checks answers against the document. Undocumented keys fail too. */
export function createAnswerChecker(document: any): AnswerChecker {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const resolve = (value: any): any => {
    if (!value.$ref) return value
    const steps: string[] = value.$ref.slice(2).split('/')
    return steps.reduce((at: any, step) => at[step], document)
  }
  ajv.addSchema({ $id: 'api', ...withoutOtherKeys(joined(document, resolve)) })
  const compiled = new Map<string, ValidateFunction>()
  const expectValid = (schema: any, value: unknown, description: string): void => {
    const absolute = JSON.stringify(schema).replaceAll('"#/', '"api#/')
    const validate = compiled.get(absolute) ?? ajv.compile(withoutOtherKeys(JSON.parse(absolute)))
    compiled.set(absolute, validate)
    const text = JSON.stringify(value).slice(0, 1000)
    expect(validate(value) ? [] : validate.errors, `${description}: ${text}`).to.be.empty
  }

  return (method, path, answer, sent) => {
    const pathname = path.replace(/\?.*/, '')
    const matching = operationsOf(document).filter(
      ([otherMethod, template]) =>
        otherMethod === method &&
        new RegExp(`^${template.replace(/{.*?}/g, '[^/]+')}$`).test(pathname),
    )
    // A path without parameters takes precedence over one with them (OpenAPI 3.0.3, "Paths Object").
    const exact = matching.filter(([, template]) => template === pathname)
    const operations = exact.length > 0 ? exact : matching
    expect(operations, `${method} ${pathname}`).to.have.length(1)
    const [, , operation] = operations[0] ?? ['', '', {}]
    const description = `${method} ${path} ${answer.status}`
    expect(operation.responses, description).to.have.property(String(answer.status))
    const response = resolve(operation.responses[answer.status])
    const headers = Object.entries(response.headers ?? {})
    for (const [name] of headers.filter(([, header]) => resolve(header).required))
      expect(answer.headers.has(name), `${description} has the header ${name}`).to.equal(true)
    if (sent !== undefined && answer.status < 300)
      expectValid(
        operation.requestBody.content['application/json'].schema,
        sent,
        `${description} accepts the body`,
      )
    if (!response.content) return expect(answer.text, description).to.equal('')
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
    // Errors are pages for browsers, which the description says once for all operations.
    if (answer.status >= 400 && method === 'GET' && type === 'text/html') return
    expect(response.content, description).to.have.property(type)
    const { schema } = response.content[type]
    const body = schema.type === 'string' ? answer.text : (answer.body ?? parse(answer.text))
    expectValid(schema, body, description)
  }
}

/** The same schemas, with one object for all parts of an `allOf`, which have keys of the same value. */
function joined(schema: any, resolve: (value: any) => any): any {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((one) => joined(one, resolve))
  if (schema.allOf?.length > 1) {
    const parts: any[] = schema.allOf.map((one: any) => joined(resolve(one), resolve))
    return {
      type: 'object',
      required: parts.flatMap(({ required = [] }) => required),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    }
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, joined(value, resolve)]),
  )
}

/** The same schemas, which allow no keys but their own. */
function withoutOtherKeys(schema: any): any {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(withoutOtherKeys)
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutOtherKeys(value)]),
  )
  return schema.type === 'object' && schema.properties
    ? { additionalProperties: false, ...inner }
    : inner
}
