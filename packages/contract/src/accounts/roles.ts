/**
 * Roles by `groupId`; a lower number has more permissions. Users without a group are members.
 *
 */
export const ROLES = { 1: 'super_administrator', 2: 'advanced_editor', 3: 'editor', 4: 'teacher' } as const;

export type GroupId = keyof typeof ROLES;
export type Role = (typeof ROLES)[GroupId] | 'member';

export const SUPER_ADMINISTRATOR: GroupId = 1;

/** Returns the role of a `groupId`; `member` for unknown groups. */
export function roleOf(groupId: number | null): Role {
  return groupId !== null && groupId in ROLES ? ROLES[groupId as GroupId] : 'member';
}

/** Levels that guards require, with the maximum `groupId` that has them. */
const EDITOR_LEVELS = { editor: 3, super_editor: 2, admin: 1 } as const;

export type EditorLevel = keyof typeof EDITOR_LEVELS;

/** Returns whether a `groupId` has a level. Members, whose group is null, and unknown groups have none. */
export function hasRole(groupId: number | null, level: EditorLevel): boolean {
  return roleOf(groupId) !== 'member' && Number(groupId) <= EDITOR_LEVELS[level];
}

/** Returns whether an editor may manage a user: only users of strictly lower rank, never the editor. No group is the lowest rank. */
export function mayManage(editor: number | null, other: number | null): boolean {
  const rank = (groupId: number | null) => (roleOf(groupId) === 'member' ? Number.POSITIVE_INFINITY : Number(groupId));
  return hasRole(editor, 'editor') && rank(editor) < rank(other);
}
