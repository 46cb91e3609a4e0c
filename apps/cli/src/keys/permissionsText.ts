import type { ExchangeKey } from '@heron/contract/bots/entities.ts';

/** Formats the permissions of a key. Those that must be changed at the exchange are in capitals. */
export function permissionsText({ trade, withdraw, ipRestricted }: ExchangeKey['permissions']): string {
  return [
    trade ? 'can trade' : 'CANNOT TRADE',
    withdraw === null ? 'withdrawals unknown' : withdraw ? 'CAN WITHDRAW' : 'cannot withdraw',
    ipRestricted === null ? 'IP restriction unknown' : ipRestricted ? 'restricted by IP' : 'any IP address',
  ].join(', ');
}
