import type { PairOnAccount } from '@heron/engine/live/news.ts';
import type { OrderTicket } from '@heron/engine/live/orderTicket.ts';
import type { Quantity } from '@heron/engine/money/units.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { ContractSettings, MarginAccount, TradingExchange } from '@heron/exchanges/trading.ts';

/** Sets futures up as their next entry needs them. */
export interface ContractSetup {
  /** What the exchange has told of them. @param own what the bot itself holds of a pair, signed */
  learn(
    told: readonly Pick<PairOnAccount, 'pair' | 'leverage' | 'isolated' | 'quantity'>[],
    own: (pair: string) => Quantity,
  ): void;
  /** Somebody else has traded it since the last look. */
  doubt(pair: string): void;
  /**
   * Before an order is sent. A flat bot enters no contract of which somebody else holds a position: it would change how
   * that is set up, or reduce it.
   *
   * @throws ExchangeError the order must not be sent
   * @see options.md 4.1 leverage, margin_mode
   */
  prepare(trading: TradingExchange, ticket: OrderTicket): Promise<void>;
}

export function contractSetup(): ContractSetup {
  const known = new Map<string, ContractSettings>();
  /** Pairs of which the last look has shown what the bot holds and no more, traded by nobody else since. */
  const onlyOurs = new Set<string>();
  /** Orders of one pair wait for each other: the margin mode cannot change once one rests. */
  const working = new Map<string, Promise<void>>();

  async function set(margin: MarginAccount, pair: string, wanted: NonNullable<OrderTicket['margin']>): Promise<void> {
    const { leverage, isolated } = wanted;
    const now = known.get(pair);
    if (now?.isolated !== isolated) await margin.setMarginMode(pair, isolated ? 'isolated' : 'cross');
    if (now?.leverage !== leverage) await margin.setLeverage(pair, leverage);
    known.set(pair, { pair, leverage, isolated });
  }

  return {
    learn(told, own) {
      for (const { pair, leverage, isolated, quantity } of told) {
        known.set(pair, { pair, leverage, isolated });
        if (quantity === own(pair)) onlyOurs.add(pair);
        else onlyOurs.delete(pair);
      }
    },
    doubt(pair) {
      onlyOurs.delete(pair);
    },
    async prepare({ margin, name }, { pair, margin: wanted, nets }) {
      if (margin === null) return;
      if (nets && (await margin.hedged())) {
        throw new ExchangeRefused(name, 'a grid of both sides needs the one-way mode of the account');
      }
      if (wanted === undefined) return;
      if (!onlyOurs.has(pair) && (await margin.positions()).some((position) => position.pair === pair)) {
        throw new ExchangeRefused(name, 'a position is open on this contract that the bot has not made');
      }
      const done = (working.get(pair) ?? Promise.resolve()).catch(() => {}).then(() => set(margin, pair, wanted));
      working.set(pair, done);
      await done;
    },
  };
}
