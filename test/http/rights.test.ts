// Tests which role may write which resource. How tokens are checked is tested in auth.test.ts.

import { expect } from 'chai'

import { listPath, recordPath, resources, unique, useCatalogue } from './catalogue.js'

const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' }
const INVALID_TOKEN = { detail: 'Invalid token.' }
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' }

describe('rights:', () => {
  const { service, given } = useCatalogue()

  for (const resource of resources) {
    const { name, idField, textField, minimal } = resource

    /** By method: creates a record to write to; gives the path, the body and the expected status. */
    const writes = {
      POST: () => [listPath(name), minimal(unique(idField)), 201] as const,
      PUT: async () => {
        const { [idField]: id } = await given.record(resource)
        return [recordPath(name, id), minimal(id), 200] as const
      },
      PATCH: async () => {
        const { [idField]: id } = await given.record(resource)
        return [recordPath(name, id), { [textField]: 'Changed.' }, 200] as const
      },
      DELETE: async () => {
        const { [idField]: id } = await given.record(resource)
        return [recordPath(name, id), undefined, 204] as const
      },
    }

    for (const [method, write] of Object.entries(writes))
      describe(`a ${method} of ${name}`, () => {
        it('without credentials answers 401', async () => {
          const [path, body] = await write()
          const answer = await service().ask(method, path, { body, token: null })
          expect(answer.status).to.equal(401)
          expect(answer.body).to.deep.equal(NO_CREDENTIALS)
          expect(answer.headers.get('www-authenticate')).to.equal('Token')
        })

        it('with an unknown token answers 401', async () => {
          const [path, body] = await write()
          const answer = await service().ask(method, path, { body, token: '0'.repeat(40) })
          expect(answer.status).to.equal(401)
          expect(answer.body).to.deep.equal(INVALID_TOKEN)
          expect(answer.headers.get('www-authenticate')).to.equal('Token')
        })

        it('by a viewer answers 403', async () => {
          const [path, body] = await write()
          const token = service().tokens.viewer
          const answer = await service().ask(method, path, { body, token })
          expect(answer.status).to.equal(403)
          expect(answer.body).to.deep.equal(FORBIDDEN)
        })

        for (const role of ['admin', 'editor'] as const)
          it(`by the ${role} is accepted`, async () => {
            const [path, body, status] = await write()
            const token = service().tokens[role]
            const answer = await service().ask(method, path, { body, token })
            expect(answer.status, answer.text).to.equal(status)
          })

        it(`by an editor of zines only ${name === 'zines' ? 'is accepted' : 'answers 403'}`, async () => {
          const [path, body, status] = await write()
          const token = service().tokens.zinesEditor
          const answer = await service().ask(method, path, { body, token })
          expect(answer.status, answer.text).to.equal(name === 'zines' ? status : 403)
        })

        for (const sender of ['nobody', 'a viewer'])
          it(`${sender === 'nobody' ? 'without credentials' : 'by a viewer'} writes nothing`, async () => {
            const [path, body] = await write()
            const { body: before } = await service().get(path)
            const token = sender === 'nobody' ? null : service().tokens.viewer
            await service().ask(method, path, { body, token })
            expect((await service().get(path)).body).to.deep.equal(before)
          })
      })

    for (const role of ['viewer', 'editor', 'zinesEditor'] as const)
      it(`the list of ${name} can be read by the ${role}`, async () => {
        const token = service().tokens[role]
        expect((await service().get(listPath(name), { token })).status).to.equal(200)
      })
  }
})
