import type { Database } from '@heron/database/connect.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';

/** Limits new accounts per address, for all kinds of registration. */
const REGISTRATIONS = { name: 'register', points: 100, seconds: 3_600 };

/** Counts one registration of an address. @throws CallError `too_many_requests` */
export type CountRegistration = (address: string) => Promise<void>;

export function createCountRegistration(database: Database): CountRegistration {
  const registrations = persistentLimiter(database, REGISTRATIONS);
  return (address) => consumePoint(registrations, address);
}
