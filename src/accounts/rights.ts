// Who may do what: the roles, and what each of them may write. Reading is open to everyone, so no
// function here speaks of it; whether there is an account at all is asked elsewhere.

export const roles = ['admin', 'editor', 'viewer'] as const
export const resources = ['zines', 'agents', 'repositories', 'holdings'] as const

export type Role = (typeof roles)[number]
export type WritableResource = (typeof resources)[number]

/** What an account may do. `only` limits an editor to some resources; empty means all four. */
export type Rights = { readonly role: Role; readonly only: readonly WritableResource[] }

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

export function isResource(text: string): text is WritableResource {
  return (resources as readonly string[]).includes(text)
}

/** Whether the account may create, replace, change and remove records of the resource. */
export function mayWrite({ role, only }: Rights, resource: WritableResource): boolean {
  return writing[role](only, resource)
}

/** Whether the account sees the private fields of agents (decisions: Field values, privacy). */
export function maySeePrivate(rights: Rights): boolean {
  return mayWrite(rights, 'agents')
}

const writing: Record<
  Role,
  (only: readonly WritableResource[], resource: WritableResource) => boolean
> = {
  admin: () => true,
  editor: (only, resource) => only.length === 0 || only.includes(resource),
  viewer: () => false,
}
