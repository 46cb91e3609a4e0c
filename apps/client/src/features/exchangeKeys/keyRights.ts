import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import type { Key } from '../../locales/texts.ts';

interface Right {
  readonly name: Extract<Key, `right.${string}`>;
  /** `good`: as recommended. `doubt`: unknown, or better changed. `bad`: must be changed at the exchange. */
  readonly tone: 'good' | 'doubt' | 'bad';
}

/** Returns the permissions of a key as badges: trading, withdrawals, IP addresses. */
export function keyRights({ trade, withdraw, ipRestricted }: ExchangeKey['permissions']): Right[] {
  return [
    trade ? { name: 'right.trade', tone: 'good' } : { name: 'right.noTrade', tone: 'bad' },
    withdraw === null
      ? { name: 'right.withdrawUnknown', tone: 'doubt' }
      : withdraw
        ? { name: 'right.withdraw', tone: 'bad' }
        : { name: 'right.noWithdraw', tone: 'good' },
    ipRestricted === null
      ? { name: 'right.addressesUnknown', tone: 'doubt' }
      : ipRestricted
        ? { name: 'right.addresses', tone: 'good' }
        : { name: 'right.anyAddress', tone: 'doubt' },
  ];
}
