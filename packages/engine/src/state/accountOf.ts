import type { Account } from '../ledger/account.ts';
import type { Bot } from './bot.ts';

/**
 * The money of a bot as an account: ledger events that are applied to it change the bot itself.
 *
 * @param applied ledger events that the bot has booked
 */
export function accountOf({ state, rules }: Bot, applied: Record<string, true>): Account {
  const account: Account = {
    kind: rules.future ? 'futures' : 'spot',
    paper: false,
    currency: state.options.product_currency.toUpperCase(),
    markets: {},
    wallet: state.wallet,
    holdings: {},
    applied,
  };
  for (const { pair, market, holding } of state.pairs) {
    if (market === null) continue;
    account.markets[pair] = market;
    account.holdings[pair] = holding;
  }
  return account;
}
