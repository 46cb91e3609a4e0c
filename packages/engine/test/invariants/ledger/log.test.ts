import type { Account } from '@heron/engine/ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, eventsOf, history } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

describe.each(['spot', 'futures'] as const)('the log of a %s account', (kind) => {
  test('I-3: an event applied twice, at once or later, changes nothing more than once', () => {
    fc.assert(
      fc.property(history(kind, { adjusts: true }), fc.array(fc.nat(200), { maxLength: 20 }), (given, repeats) => {
        const events = eventsOf(given);
        const once = replay(accountOf(given), events);
        const account = accountOf(given);
        for (const [index, event] of events.entries()) {
          expect(applyLedgerEvent(account, event)).toBe(true);
          expect(applyLedgerEvent(account, event)).toBe(false);
          const earlier = events[(repeats[index % Math.max(1, repeats.length)] ?? 0) % (index + 1)];
          if (earlier) expect(applyLedgerEvent(account, earlier)).toBe(false);
        }
        expect(JSON.stringify(account)).toBe(JSON.stringify(once));
      }),
      { numRuns: RUNS },
    );
  });

  test('I-3: a snapshot plus the rest of the log equals the whole log, byte for byte', () => {
    fc.assert(
      fc.property(history(kind, { adjusts: true }), (given) => {
        const events = eventsOf(given);
        const whole = JSON.stringify(replay(accountOf(given), events));
        const account = accountOf(given);
        for (let cut = 0; cut <= events.length; cut++) {
          const snapshot = JSON.parse(JSON.stringify(account)) as Account;
          expect(JSON.stringify(replay(snapshot, events.slice(cut)))).toBe(whole);
          const next = events[cut];
          if (next) applyLedgerEvent(account, next);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-37: nothing it stores is infinite, no number or a negative zero', () => {
    fc.assert(
      fc.property(history(kind, { adjusts: true }), (given) => {
        const account = accountOf(given);
        for (const event of eventsOf(given)) {
          applyLedgerEvent(account, event);
          for (const part of [account.wallet, account.wallet.third, ...Object.values(account.holdings)]) {
            if (!Object.values(part).every(isStorable)) throw new Error(JSON.stringify(part));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function replay(account: Account, events: readonly LedgerEvent[]): Account {
  for (const event of events) applyLedgerEvent(account, event);
  return account;
}

/** Returns whether a value is an exact whole number, or not a number type. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'number' || (Number.isSafeInteger(value) && !Object.is(value, -0));
}
