import type { User } from './users.ts';

/**
 * Names by id of the versions that are sold and of "top" users.
 */
const VERSIONS: Readonly<Record<number, string>> = { 100: 'Top', 2000: 'Trial', 2001: 'VIP', 2002: 'Ultra' };

/**
 * Returns the names of a user's version and level, the same in all languages; empty for none. Levels are named by
 * number.
 *
 */
export function tierNames({ tier, tierLevel }: Pick<User, 'tier' | 'tierLevel'>): {
  tierName: string;
  levelName: string;
} {
  return {
    tierName: VERSIONS[tier] ?? '',
    levelName: tierLevel > 0 ? `Lv. ${tierLevel}` : '',
  };
}
