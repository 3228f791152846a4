// What the doctor finds in entries of a test.

import { type DoctorModel, type Finding, createDoctor } from '../src/commands/doctor.js'

type Entries = Iterable<readonly [key: string, value: string]>

/** @param entries in the order of their keys */
export async function checkEntries(
  entries: Entries | AsyncIterable<readonly [key: string, value: string]>,
  openModel: (base: string) => Promise<DoctorModel>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const doctor = createDoctor(openModel, (finding) => findings.push(finding))
  for await (const [key, value] of entries) await doctor.checkEntry(key, value)
  doctor.end()
  return findings
}
