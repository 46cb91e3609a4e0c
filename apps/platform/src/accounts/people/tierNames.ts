import type { User } from '../users.ts';

/** Names of what somebody has bought and reached, alike in all languages; empty for none. @see accounts.md 7, "memberInfo" */
export function tierNames({ memberVersion, memberLevel }: User): { version_name: string; level_name: string } {
  return {
    version_name: memberVersion > 0 ? `VIP ${memberVersion}` : '',
    level_name: memberLevel > 0 ? `Lv. ${memberLevel}` : '',
  };
}
