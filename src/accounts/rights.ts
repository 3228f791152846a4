// Roles, and which resources an account may write. Reading is open to everybody, so it is not checked
// here. Who is logged in: accounts.ts and sessions.ts.

import type { ResourceName } from '../model/iris.js'

export const roles = ['admin', 'editor', 'viewer'] as const

export type Role = (typeof roles)[number]

/** What an account may do. `restrictedTo` lists the only resources that an editor may write; empty means all. */
export type Rights = { readonly role: Role; readonly restrictedTo: readonly ResourceName[] }

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

/** Whether the account may create, replace, change and delete records of the resource. */
export function mayWrite({ role, restrictedTo }: Rights, resource: ResourceName): boolean {
  return mayWriteByRole[role](restrictedTo, resource)
}

/** Whether the account may write records of any resource. */
export const mayWriteSomething = ({ role }: Rights): boolean => role !== 'viewer'

/** Whether the account sees the private fields of agents: docs/api.md, "Privacy". */
export function maySeePrivate(rights: Rights): boolean {
  return mayWrite(rights, 'agents')
}

const mayWriteByRole: Record<
  Role,
  (restrictedTo: readonly ResourceName[], resource: ResourceName) => boolean
> = {
  admin: () => true,
  editor: (restrictedTo, resource) => restrictedTo.length === 0 || restrictedTo.includes(resource),
  viewer: () => false,
}
