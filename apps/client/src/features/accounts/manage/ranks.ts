import { type EditorLevel, hasRole } from '@heron/contract/accounts/roles.ts';

/** No group is the lowest rank. @see findings-identity.md, "editors delete users" */
const rankOf = (groupId: number | null) => groupId ?? 5;

/** Whether somebody of one group may delete somebody of another: editors, and only strictly downwards. */
export function mayDelete(own: number | null, theirs: number | null): boolean {
  const least: EditorLevel = 'editor';
  return hasRole(own, least) && rankOf(own) < rankOf(theirs);
}
