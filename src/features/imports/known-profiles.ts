// The profiles that imports can use: those that were saved, and those that are shipped.

import type { Resources } from '../../model/resources.js'
import type { Imports } from './imports.js'
import { shippedProfiles } from './mapping/propose-profile.js'
import type { Profile } from './profile.js'

type ProfileDependencies = {
  readonly imports: Pick<Imports, 'profiles'>
  readonly resources: Resources
}

/** The saved profiles before the shipped ones, without those that have the name of a saved one. */
export async function allProfiles({
  imports,
  resources,
}: ProfileDependencies): Promise<readonly Profile[]> {
  const savedProfiles = await imports.profiles.profiles()
  const isSaved = ({ name }: Profile): boolean =>
    savedProfiles.some((profile) => isNamed(profile, name))
  return [...savedProfiles, ...shippedProfiles(resources).filter((profile) => !isSaved(profile))]
}

/** The profile of a name, whatever its case. */
export const findProfile = async (
  dependencies: ProfileDependencies,
  name: string,
): Promise<Profile | undefined> =>
  (await allProfiles(dependencies)).find((profile) => isNamed(profile, name))

export const isNamed = (profile: Profile, name: string): boolean =>
  profile.name.toLowerCase() === name.toLowerCase()
