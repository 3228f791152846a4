// Roles, and which resources an account may write. Reading is open to everybody, so it is not
// checked here. Who is logged in: accounts.ts and sessions.ts.

import { type ResourceName, resourceNames } from '../model/iris.js'

export const roles = ['admin', 'editor', 'viewer'] as const

export type Role = (typeof roles)[number]

/** What an account may do. */
export type Rights = {
  readonly role: Role
  /** The only resources that an editor may write; empty means all. */
  readonly restrictedTo: readonly ResourceName[]
  /**
   * The identifier of the only repository whose holdings an editor may write, who then writes
   * nothing else. The catalogue checks it for each record: catalogue/writes/library-guard.ts.
   */
  readonly repository?: string | undefined
}

/**
 * What a token may do of what its account may do: as much, unless a role or resources are named.
 */
export type TokenLimits = {
  readonly role: Role | undefined
  readonly restrictedTo: readonly ResourceName[]
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

/** Whether the account may create, replace, change and delete records of the resource. */
export function mayWrite({ role, restrictedTo }: Rights, resource: ResourceName): boolean {
  return mayWriteByRole[role](restrictedTo, resource)
}

/** Whether the account may write records of any resource. */
export const mayWriteSomething = ({ role }: Rights): boolean => role !== 'viewer'

/** Whether the account sees the private fields of all: docs/reference/accounts.md, "Privacy". */
export const maySeeAllPrivate = (rights: Rights): boolean =>
  resourceNames.every((name) => mayWrite(rights, name))

/**
 * What is left of an account's rights within the limits of a token, also after the rights changed.
 */
export function narrowRights(rights: Rights, { role, restrictedTo }: TokenLimits): Rights {
  const narrower = narrowestRole([rights.role, ...(role ? [role] : []), ...roleOf(restrictedTo)])
  if (narrower !== 'editor') return { ...rights, role: narrower, restrictedTo: [] }
  const common = resourceNames.filter((name) =>
    [rights.restrictedTo, restrictedTo].every(
      (names) => names.length === 0 || names.includes(name),
    ),
  )
  // No resource in common: nothing is left to write, while an empty list would mean all.
  if (common.length === 0) return { ...rights, role: 'viewer', restrictedTo: [] }
  return { ...rights, role: 'editor', restrictedTo: isComplete(common) ? [] : common }
}

/** Whether the limits name nothing that an account with these rights may not do. */
export function isWithin(rights: Rights, { role, restrictedTo }: TokenLimits): boolean {
  const isRoleWithin = role === undefined || narrowestRole([role, rights.role]) === role
  return isRoleWithin && restrictedTo.every((name) => mayWrite(rights, name))
}

/** From the widest to the narrowest, which is the order of `roles`. */
const narrowestRole = (named: readonly Role[]): Role =>
  roles.findLast((role) => named.includes(role)) ?? 'viewer'

/** Only editors are restricted to resources. */
const roleOf = (restrictedTo: readonly ResourceName[]): readonly Role[] =>
  restrictedTo.length > 0 ? ['editor'] : []

const isComplete = (names: readonly ResourceName[]): boolean =>
  names.length === resourceNames.length

const mayWriteByRole: Record<
  Role,
  (restrictedTo: readonly ResourceName[], resource: ResourceName) => boolean
> = {
  admin: () => true,
  editor: (restrictedTo, resource) => restrictedTo.length === 0 || restrictedTo.includes(resource),
  viewer: () => false,
}
