import { audit } from '@heron/database/schema/accounts.ts';
import type { Queries } from './queries.ts';

/** Replaces the address in entries of acts on the command line. */
export const COMMAND_LINE = 'command line';

/** All audited acts. Their names are stored. */
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
  | 'token.create'
  | 'token.enable'
  | 'token.revoke'
  | 'administrator.create';

/**
 * Writes an audit entry in the transaction of the act, so that both are committed or neither.
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
