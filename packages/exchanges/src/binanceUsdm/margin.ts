import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import { ExchangeRefused } from '../errors.ts';
import type { MarginAccount } from '../trading.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import type { SignedVenue } from '../venue/signedVenue.ts';
import type { KnownAccountMode } from './accountMode.ts';
import { bracketsOf, incomeOf, positionOf, settingsOf } from './parseAccount.ts';
import { readContracts } from './readContracts.ts';

const PAGE = 1_000;
/** Margin rules are read again each day. @see docs/margin.md#leverage-brackets */
const DAY_MS = 86_400_000;
/** Code of the venue: the margin mode is already the wanted one. */
const NO_CHANGE = '-4046';

/** Returns the margin of an account: its positions, and the rules and settings of its contracts. */
export function openMargin(venue: SignedVenue, accountMode: KnownAccountMode, now: () => number): MarginAccount {
  const { client, call, read, readable, loadMarkets, marketOf, marketById } = venue;
  let brackets: { at: number; byPair: ReadonlyMap<string, readonly Bracket[]> } | null = null;

  return {
    async positions() {
      const rows = await read(5, (signed) => client.rows('GET /fapi/v3/positionRisk', signed));
      return (await readContracts(venue, rows, positionOf)).filter(({ quantity }) => quantity !== 0);
    },

    async settings() {
      const [rows] = await Promise.all([
        read(5, (signed) => client.rows('GET /fapi/v1/symbolConfig', signed)),
        accountMode.read(),
      ]);
      return readContracts(venue, rows, settingsOf);
    },

    async setLeverage(pair, leverage) {
      const symbol = venueSymbol(await marketOf(pair));
      await call(1, 'order', (venueTime) =>
        client.row('POST /fapi/v1/leverage', { symbol, leverage, timestamp: venueTime(now()) }),
      );
    },

    async setMarginMode(pair, mode) {
      const symbol = venueSymbol(await marketOf(pair));
      const marginType = mode === 'isolated' ? 'ISOLATED' : 'CROSSED';
      try {
        await call(1, 'order', (venueTime) =>
          client.row('POST /fapi/v1/marginType', { symbol, marginType, timestamp: venueTime(now()) }),
        );
      } catch (error) {
        if (!(error instanceof ExchangeRefused) || !error.message.includes(NO_CHANGE)) throw error;
      }
    },

    async hedged() {
      return (await accountMode.read()).hedge;
    },

    async brackets() {
      if (brackets !== null && now() < brackets.at + DAY_MS) return brackets.byPair;
      const rows = await read(1, (signed) => client.rows('GET /fapi/v1/leverageBracket', signed));
      const byPair = new Map(await readContracts(venue, rows, (row, { pair }) => [pair, bracketsOf(row)] as const));
      brackets = { at: now(), byPair };
      return byPair;
    },

    async incomes(since) {
      await loadMarkets();
      const found = new Map<string, OwnIncome>();
      for (let startTime = since; ; ) {
        const rows = await read(30, (signed) =>
          client.rows('GET /fapi/v1/income', { startTime, limit: PAGE, ...signed }),
        );
        for (const income of readable(() => rows.map((row) => incomeOf(row, marketById)))) {
          if (income !== null) found.set(`${income.type}/${income.id}`, income);
        }
        const newest = Math.max(...rows.map(({ time }) => Number(time)));
        if (rows.length < PAGE) break;
        // Rows of the newest millisecond may be missing: the next page begins with it.
        startTime = newest > startTime ? newest : newest + 1;
      }
      return [...found.values()].sort((a, b) => a.at - b.at);
    },
  };
}
