import { type EditorLevel, hasRole } from '@heron/contract/accounts/roles.ts';

/** A user without a group has the lowest rank. */
const rankOf = (groupId: number | null) => groupId ?? 5;

/** Returns whether a user may delete another: at least an editor, and only users of a lower rank. */
export function mayDelete(own: number | null, theirs: number | null): boolean {
  const required: EditorLevel = 'editor';
  return hasRole(own, required) && rankOf(own) < rankOf(theirs);
}
