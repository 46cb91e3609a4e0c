/**
 * Roles by `group_id`; the lower the number, the more a person may. People without a group are members.
 *
 * @see accounts.md 6
 */
export const ROLES = { 1: 'super_administrator', 2: 'advanced_editor', 3: 'editor', 4: 'teacher' } as const;

export type GroupId = keyof typeof ROLES;
export type Role = (typeof ROLES)[GroupId] | 'member';

export const SUPER_ADMINISTRATOR: GroupId = 1;

/** Role of a `group_id`; whatever is no known group is a member. */
export function roleOf(groupId: number | null): Role {
  return groupId !== null && groupId in ROLES ? ROLES[groupId as GroupId] : 'member';
}

/** Levels that guards ask for, by the greatest `group_id` that has them. @see accounts.md 6, "Editor: group_id 3 or lower" */
const EDITOR_LEVELS = { editor: 3, super_editor: 2, admin: 1 } as const;

export type EditorLevel = keyof typeof EDITOR_LEVELS;

/** Whether somebody of a `group_id` has a level. Members, whose group is null, and unknown groups have none. */
export function hasRole(groupId: number | null, level: EditorLevel): boolean {
  return roleOf(groupId) !== 'member' && Number(groupId) <= EDITOR_LEVELS[level];
}

/** Whether an editor may manage somebody: only people of strictly lower rank, where no group is the lowest. Never oneself. */
export function mayManage(editor: number | null, other: number | null): boolean {
  const rank = (groupId: number | null) => (roleOf(groupId) === 'member' ? Number.POSITIVE_INFINITY : Number(groupId));
  return hasRole(editor, 'editor') && rank(editor) < rank(other);
}
