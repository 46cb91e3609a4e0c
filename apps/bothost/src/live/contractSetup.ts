import type { PairOnAccount } from '@heron/engine/live/executionEvent.ts';
import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Quantity } from '@heron/engine/money/units.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { ContractSettings, MarginAccount, TradingExchange } from '@heron/exchanges/trading.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';

/** Sets leverage and margin mode of contracts before an order needs them. */
export interface ContractSetup {
  /** Must be called when an account snapshot starts. @returns takes its result; pairs invalidated meanwhile stay invalid */
  beginObservation(): AccountObservation;
  /** Records that a pair was traded externally. */
  invalidate(pair: string): void;
  /** Sets whether the account stream reports trades of others from now on. Earlier trades may have been missed. */
  setStreaming(streams: boolean): void;
  /**
   * Sets up the contract of an order before it is sent. A flat bot must not enter a contract with an external
   * position, because the order would change its settings or reduce it.
   *
   * @throws ExchangeError the order must not be sent
   * @see docs/entries.md#leverage-and-margin-mode
   */
  prepare(trading: TradingExchange, request: OrderRequest): Promise<void>;
}

/** Records the contracts of an account snapshot. @param own returns the bot's own position in a pair, signed */
export type AccountObservation = (
  contracts: readonly Pick<PairOnAccount, 'pair' | 'leverage' | 'isolated' | 'quantity'>[],
  own: (pair: string) => Quantity,
) => void;

export function createContractSetup(): ContractSetup {
  let streaming = false;
  /** Pairs that others have traded since the last snapshot started. */
  let invalidated = { all: true, pairs: new Set<string>() };
  const known = new Map<string, ContractSettings>();
  /** Pairs whose position belongs to the bot alone, as the last snapshot showed, without an external trade since. */
  const exclusivelyHeld = new Set<string>();
  /** Orders of one pair wait for each other, because the margin mode cannot change while one is open. */
  const mutex = createKeyedMutex();

  async function set(margin: MarginAccount, pair: string, wanted: NonNullable<OrderRequest['margin']>): Promise<void> {
    const { leverage, isolated } = wanted;
    const now = known.get(pair);
    if (now?.isolated !== isolated) await margin.setMarginMode(pair, isolated ? 'isolated' : 'cross');
    if (now?.leverage !== leverage) await margin.setLeverage(pair, leverage);
    known.set(pair, { pair, leverage, isolated });
  }

  return {
    beginObservation() {
      const meanwhile = { all: !streaming, pairs: new Set<string>() };
      invalidated = meanwhile;
      return (contracts, own) => {
        for (const { pair, leverage, isolated, quantity } of contracts) {
          known.set(pair, { pair, leverage, isolated });
          if (quantity === own(pair) && !meanwhile.all && !meanwhile.pairs.has(pair)) exclusivelyHeld.add(pair);
          else exclusivelyHeld.delete(pair);
        }
      };
    },
    invalidate(pair) {
      exclusivelyHeld.delete(pair);
      invalidated.pairs.add(pair);
    },
    setStreaming(streams) {
      streaming = streams;
      exclusivelyHeld.clear();
      invalidated.all = true;
    },
    async prepare({ margin, name }, { pair, margin: wanted, nets }) {
      if (margin === null) return;
      if (nets && (await margin.hedged())) {
        throw new ExchangeRefused(name, 'a grid of both sides needs the one-way mode of the account');
      }
      if (wanted === undefined) return;
      if (!exclusivelyHeld.has(pair) && (await margin.positions()).some((position) => position.pair === pair)) {
        throw new ExchangeRefused(name, 'a position is open on this contract that the bot has not made');
      }
      await mutex.run(pair, () => set(margin, pair, wanted));
    },
  };
}
