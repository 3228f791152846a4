// Who may do what: the roles, and what each of them may write. Reading is open to everyone, so no
// function here speaks of it; whether there is an account at all is asked elsewhere.
export const roles = ['admin', 'editor', 'viewer'];
export const resources = ['zines', 'agents', 'repositories', 'holdings'];
export function isRole(text) {
    return roles.includes(text);
}
export function isResource(text) {
    return resources.includes(text);
}
/** Whether the account may create, replace, change and remove records of the resource. */
export function mayWrite({ role, only }, resource) {
    return writing[role](only, resource);
}
/** Whether the account sees the private fields of agents (decisions: Field values, privacy). */
export function maySeePrivate(rights) {
    return mayWrite(rights, 'agents');
}
const writing = {
    admin: () => true,
    editor: (only, resource) => only.length === 0 || only.includes(resource),
    viewer: () => false,
};
//# sourceMappingURL=rights.js.map