import type { Database } from '@heron/database/connect.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';

/** New accounts by one address, however they register. */
const REGISTRATIONS = { name: 'register', points: 100, seconds: 3_600 };

/** Counts an account that an address is about to add. @throws CallError `too_many_requests` */
export type CountRegistration = (address: string) => Promise<void>;

export function createCountRegistration(database: Database): CountRegistration {
  const registrations = persistentLimiter(database, REGISTRATIONS);
  return (address) => consumePoint(registrations, address);
}
