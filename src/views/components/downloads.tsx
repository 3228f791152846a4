// Links to files with everything that a list finds, in every format.

import { type Format, titleOfFormat } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import { createExportPaths } from '../links.js'
import { t } from '../translate.js'
import { ItemExports } from './item-exports.js'

type DownloadsProps = {
  readonly name: ResourceName
  /** The query of the list. */
  readonly query: string
  readonly title: string
  readonly formats: readonly Format[]
}

export const Downloads = ({ name, query, title, formats }: DownloadsProps) => {
  const pathOf = createExportPaths(name, query)
  return (
    <nav class="formats" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {formats.map((format) => (
          <li key={format.name}>
            <a href={pathOf(format.name)} type={format.type} rel="nofollow">
              {t(titleOfFormat(format))}
            </a>
          </li>
        ))}
        <ItemExports name={name} query={query} />
      </ul>
    </nav>
  )
}
