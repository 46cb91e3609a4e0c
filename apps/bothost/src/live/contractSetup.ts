import type { OrderTicket } from '@heron/engine/live/orderTicket.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { ContractSettings, MarginAccount, TradingExchange } from '@heron/exchanges/trading.ts';

/** Sets futures up as their next entry needs them. */
export interface ContractSetup {
  /** What the exchange has told of them. */
  learn(settings: readonly ContractSettings[]): void;
  /**
   * Before an order is sent.
   *
   * @throws ExchangeError the order must not be sent
   * @see options.md 4.1 leverage, margin_mode
   */
  prepare(trading: TradingExchange, ticket: OrderTicket): Promise<void>;
}

export function contractSetup(): ContractSetup {
  const known = new Map<string, ContractSettings>();
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
    learn(settings) {
      for (const { pair, leverage, isolated } of settings) known.set(pair, { pair, leverage, isolated });
    },
    async prepare({ margin, name }, { pair, margin: wanted, nets }) {
      if (margin === null) return;
      if (nets && (await margin.hedged())) {
        throw new ExchangeRefused(name, 'a grid of both sides needs the one-way mode of the account');
      }
      if (wanted === undefined) return;
      const done = (working.get(pair) ?? Promise.resolve()).catch(() => {}).then(() => set(margin, pair, wanted));
      working.set(pair, done);
      await done;
    },
  };
}
