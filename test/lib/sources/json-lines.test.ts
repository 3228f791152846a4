import { expect } from 'chai'

import { recognize, rowsOfText, writeSource } from './files.js'

describe('JSON Lines', () => {
  it('have a row for each object, with a part for each value', async () => {
    const content =
      '{"zine_id":"a","creator":["x","y"],"pages":24,"public":true,"notes":"","x":null}\n\n{"publisher":[{"agent_id":"p","display_name":"P"},{"agent_id":"q"}]}\n'
    const { options, description } = await recognize(await writeSource('jsonl', content))
    expect(options.type).to.equal('json-lines')
    expect(description).to.equal('JSON Lines, UTF-8')
    const rows = await rowsOfText('jsonl', content)
    expect(
      rows.map(({ fields }) =>
        fields.map(({ name, parts }) => [name, ...parts.map(({ text }) => text)]),
      ),
    ).to.deep.equal([
      [
        ['zine_id', 'a'],
        ['creator', 'x', 'y'],
        ['pages', '24'],
        ['public', 'true'],
      ],
      [
        ['publisher.agent_id', 'p', 'q'],
        ['publisher.display_name', 'P'],
      ],
    ])
  })

  it('go on after a line that is no object', async () => {
    const rows = await rowsOfText('jsonl', '{"a":"1"}\n{"a":\n[1]\n{"a":"2"}')
    expect(rows.map(({ problem }) => problem?.split(':')[0])).to.deep.equal([
      undefined,
      'The line is no JSON',
      'The line is no JSON object.',
      undefined,
    ])
  })
})
