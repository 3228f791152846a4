// Finds out which codes of a vocabulary no record has, hidden ones included, so that their terms can be taken away.

import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import { valuesIn } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import type { ChangeLog } from '../../store/key-value/change-log.js'
import type { Duplicates } from '../duplicates.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import { referenceOf } from '../records/record-cache.js'
import type { Attachments } from './attachments.js'
import type { RunExclusively } from './exclusive-work.js'
import { valuesOf } from './record-state.js'

export type CodeUses = {
  /** Does work with those of these codes that no record has. Nothing is written meanwhile. */
  withUnusedCodes(
    vocabulary: string,
    codes: readonly string[],
    work: (unused: readonly string[]) => Promise<void>,
  ): Promise<void>
}

type CodeUsesDependencies = {
  readonly resources: Resources
  readonly changeLog: Pick<ChangeLog, 'last' | 'read'>
  readonly fieldValues: Duplicates['fieldValues']
  readonly attachments: Pick<Attachments, 'hasCode'>
  readonly hiddenRecords: Pick<HiddenRecords, 'all'>
  readonly runExclusively: RunExclusively
}

export const createCodeUses = ({
  resources,
  changeLog,
  fieldValues,
  attachments,
  hiddenRecords,
  runExclusively,
}: CodeUsesDependencies): CodeUses => ({
  async withUnusedCodes(vocabulary, codes, work) {
    const fieldsOf = (name: ResourceName): readonly Field[] =>
      resources[name].fields.filter((field) => field.vocabulary?.name === vocabulary)
    const used = new Set<string>()
    const addUsed = (name: ResourceName, values: RecordValues): void => {
      for (const field of fieldsOf(name)) for (const code of valuesIn(field, values)) used.add(code)
    }
    const position = changeLog.last()
    for (const { name } of Object.values(resources)) {
      const names = fieldsOf(name).map((field) => field.name)
      if (names.length === 0) continue
      for await (const [, values] of fieldValues(name, names))
        for (const code of Object.values(values).flat()) used.add(code)
    }
    for await (const [{ target }, { values }] of hiddenRecords.all()) addUsed(target, values)
    // Others can write while all records are read; what they wrote is read again.
    await runExclusively(async (state) => {
      for await (const { record } of changeLog.read(position)) {
        const reference = referenceOf(record)
        addUsed(reference.target, (await valuesOf(state, reference)) ?? {})
      }
      await work(codes.filter((code) => !used.has(code) && !attachments.hasCode(vocabulary, code)))
    })
  },
})
