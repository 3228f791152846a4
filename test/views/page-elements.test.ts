// Elements of pages that are written in one place: what is decided there, such as the CSRF token of a form, holds for all
// pages.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

const components: Readonly<Record<string, string>> = {
  '<form': 'src/views/form.tsx',
  '<select': 'src/views/components/select.tsx',
  'role="region"': 'src/views/components/data-table.tsx',
  '<section class="panel"': 'src/views/components/panel.tsx',
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => join('src', name))

describe('pages', () => {
  for (const [element, component] of Object.entries(components))
    it(`have ${element} from ${component} alone`, () => {
      const found = files.filter((file) => readFileSync(file, 'utf8').includes(element))
      expect(found).to.deep.equal([component])
    })
})
