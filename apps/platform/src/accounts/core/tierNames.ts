import type { User } from './users.ts';

/** Versions by their ids: those that are sold (trading.md 3, "Subscription version"), and that of "top" users (accounts.md 6). */
const VERSIONS: Readonly<Record<number, string>> = { 100: 'Top', 2000: 'Trial', 2001: 'VIP', 2002: 'Ultra' };

/**
 * Names of what somebody has bought and reached, alike in all languages; empty for none. Levels have no names but their numbers.
 *
 * @see accounts.md 7, "memberInfo"
 */
export function tierNames({ memberVersion, memberLevel }: Pick<User, 'memberVersion' | 'memberLevel'>): {
  version_name: string;
  level_name: string;
} {
  return {
    version_name: VERSIONS[memberVersion] ?? '',
    level_name: memberLevel > 0 ? `Lv. ${memberLevel}` : '',
  };
}
