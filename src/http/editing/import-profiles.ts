// The profiles that imports can use: those that were saved, and those that are shipped.

import { shippedProfiles } from '../../imports/mapping/propose-profile.js'
import type { Profile } from '../../imports/profile.js'
import type { ImportPagesDependencies } from './import-step.js'

/** The saved profiles before the shipped ones, without those that have the name of a saved one. */
export async function allProfiles({
  imports,
  resources,
}: ImportPagesDependencies): Promise<readonly Profile[]> {
  const saved = await imports.profiles.profiles()
  const names = new Set(saved.map(({ name }) => name))
  return [...saved, ...shippedProfiles(resources).filter(({ name }) => !names.has(name))]
}

export async function findProfile(
  dependencies: ImportPagesDependencies,
  name: string,
): Promise<Profile | undefined> {
  return (await allProfiles(dependencies)).find((profile) => profile.name === name)
}
