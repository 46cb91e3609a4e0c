import { type Market, notional } from '../market/market.ts';
import { exact, type Price, type Quote } from '../money/units.ts';
import { emptyHolding, type Holding, unrealised } from './holding.ts';
import { openWallet, type Wallet } from './wallet.ts';

/** State that ledger events change; plain data. */
export interface Account {
  kind: 'spot' | 'futures';
  /** Whether this is a paper account, whose wallet never falls below zero. @see docs/invariants.md#futures, I-19 */
  paper: boolean;
  /** Asset of the wallet. */
  currency: string;
  markets: Record<string, Market>;
  wallet: Wallet;
  holdings: Record<string, Holding>;
  /** Keys of the applied events: each event is applied once. */
  applied: Record<string, true>;
}

/** Creates an account without events. */
export function openAccount(
  given: Pick<Account, 'kind' | 'paper' | 'currency'>,
  markets: readonly Market[],
  capital: Quote,
): Account {
  return {
    ...given,
    markets: Object.fromEntries(markets.map((market) => [market.pair, market])),
    wallet: openWallet(capital),
    holdings: Object.fromEntries(markets.map(({ pair }) => [pair, emptyHolding()])),
    applied: {},
  };
}

/**
 * Returns the equity at these marks: `C + Σ qty·mark` on spot, `W + Σ uPnL` on futures.
 *
 * @param marks by pair, for each pair with a position
 * @see docs/accounting.md#unrealised-pnl-and-equity
 */
export function accountEquity(account: Account, marks: Readonly<Record<string, Price>>): Quote {
  let equity = account.wallet.quote;
  for (const [pair, holding] of Object.entries(account.holdings)) {
    if (holding.quantity === 0) continue;
    const market = account.markets[pair];
    const mark = marks[pair];
    if (market === undefined || mark === undefined) throw new ReferenceError(`no mark for ${pair}`);
    const value =
      account.kind === 'spot' ? notional(market, mark, holding.quantity) : unrealised(market, holding, mark);
    equity = exact(equity + value);
  }
  return equity;
}
