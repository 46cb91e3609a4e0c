import { type Market, notional } from '../market/market.ts';
import { exact, type Price, type Quote } from '../money/units.ts';
import { emptyHolding, type Holding, unrealised } from './holding.ts';
import { openWallet, type Wallet } from './wallet.ts';

/** Everything that ledger events change; plain data. */
export interface Account {
  kind: 'spot' | 'futures';
  /** A paper wallet is never below zero. @see docs/invariants.md#futures, I-19 */
  paper: boolean;
  /** Asset of the wallet. */
  currency: string;
  markets: Record<string, Market>;
  wallet: Wallet;
  holdings: Record<string, Holding>;
  /** Events that were applied: each is applied once. */
  applied: Record<string, true>;
}

/** An account before its first event. */
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
 * Equity at these marks: spot `C + Σ qty·mark`, futures `W + Σ uPnL`.
 *
 * @param marks by pair; of pairs that are held
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
