// What the doctor finds in entries of a test.

import { dataDirectoryOf } from '../src/app/data-directory.js'
import { Doctor, type Finding } from '../src/commands/doctor.js'
import type { DoctorModel } from '../src/commands/record-checks.js'

type Entries = Iterable<readonly [key: string, value: string]>

/** @param entries in the order of their keys */
export async function checkEntries(
  entries: Entries | AsyncIterable<readonly [key: string, value: string]>,
  openModel: (base: string) => Promise<DoctorModel>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const { parts } = dataDirectoryOf({ dataDir: '' })
  const doctor = new Doctor(parts, openModel, (finding) => findings.push(finding))
  for await (const [key, value] of entries) await doctor.checkEntry(key, value)
  doctor.end()
  return findings
}
