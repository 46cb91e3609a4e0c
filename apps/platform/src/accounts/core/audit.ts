import { audit } from '@heron/database/schema/accounts.ts';
import type { Queries } from './queries.ts';

/** Stands in place of an address where whoever runs the installation does it by the command line. */
export const COMMAND_LINE = 'command line';

/** Everything that is written down; names are stable. */
export type AuditedAct =
  | 'password.change'
  | 'password.reset'
  | 'contact.change'
  | 'sessions.end'
  | 'device.theft'
  | 'device.forget'
  | 'second-factor.add'
  | 'second-factor.remove'
  | 'second-factor.codes'
  | 'second-factor.recovery'
  | 'identity.link'
  | 'identity.unlink'
  | 'user.delete'
  | 'user.restore'
  | 'user.erase'
  | 'user.role'
  | 'settings.change'
  | 'proxy.change'
  | 'outbox.read'
  | 'administrator.create';

/**
 * Writes an act down, within the transaction that does it: neither is there without the other.
 *
 * @param act.details no secrets, and no personal data beyond uids
 */
export async function writeAudit(
  orm: Queries,
  act: {
    action: AuditedAct;
    actorUid: number | null;
    targetUid: number | null;
    address: string;
    details?: Record<string, string | number | boolean | null>;
  },
): Promise<void> {
  await orm.insert(audit).values({ ...act, details: act.details ?? {} });
}
