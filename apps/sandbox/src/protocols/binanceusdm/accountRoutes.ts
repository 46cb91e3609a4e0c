import { initialMargin, maxNotionalAt } from '../../accounts/futures/margin.ts';
import type { AccountStatement, PositionFigures } from '../../accounts/futures/statement.ts';
import { apiRestrictions } from '../binance/apiRestrictions.ts';
import {
  accountRow,
  balanceRow,
  incomeRow,
  oldAccountRow,
  oldPositionRiskRow,
  positionRiskRow,
} from './accountRows.ts';
import { bracketRow } from './marketRows.ts';
import type { Route, RouteContext } from './route.ts';
import { chosenMarkets, isWithin, oneMarket, span } from './routeParameters.ts';

const get = (path: string, weight: number, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  security: 'signed',
  weight,
  handle,
});

export const ACCOUNT_ROUTES: readonly Route[] = [
  get('/fapi/v3/account', 5, ({ exchange }) => accountRow(exchange.account, exchange.statement())),
  get('/fapi/v2/account', 5, (context) => {
    const all = context.exchange.statement();
    return oldAccountRow(context.exchange.account, all, everyPosition(context, all));
  }),
  get('/fapi/v3/balance', 5, ({ exchange }) => [balanceRow(exchange.account, exchange.statement())]),
  get('/fapi/v2/balance', 5, ({ exchange }) => [balanceRow(exchange.account, exchange.statement())]),
  get('/fapi/v3/positionRisk', 5, (context) => {
    const all = context.exchange.statement();
    const symbols = new Set(chosenMarkets(context).map(({ pair }) => pair.symbol));
    return all.positions.filter(({ contract }) => symbols.has(contract.symbol)).map((row) => positionRiskRow(all, row));
  }),
  get('/fapi/v2/positionRisk', 5, (context) => {
    const all = context.exchange.statement();
    return everyPosition(context, all).map((row) => oldPositionRiskRow(all, row));
  }),
  get('/fapi/v1/accountConfig', 5, ({ exchange }) => ({
    feeTier: 0,
    canTrade: true,
    canDeposit: false,
    canWithdraw: false,
    dualSidePosition: exchange.account.hedgeMode,
    updateTime: 0,
    multiAssetsMargin: false,
    tradeGroupId: -1,
  })),
  // On Binance this endpoint has a host of its own.
  get('/sapi/v1/account/apiRestrictions', 1, () => apiRestrictions('futures')),
  get('/fapi/v1/symbolConfig', 5, (context) =>
    chosenMarkets(context).map((market) => {
      const contract = context.exchange.contract(market);
      const { leverage, marginType } = context.exchange.account.settings(contract.symbol);
      return {
        symbol: contract.symbol,
        marginType,
        isAutoAddMargin: false,
        leverage,
        maxNotionalValue: String(maxNotionalAt(contract, leverage)),
      };
    }),
  ),
  get('/fapi/v1/leverageBracket', 1, (context) => {
    const rows = chosenMarkets(context).map((market) => bracketRow(context.exchange.contract(market)));
    return rows;
  }),
  get('/fapi/v1/commissionRate', 20, (context) => ({
    symbol: oneMarket(context).pair.symbol,
    makerCommissionRate: '0.000200',
    takerCommissionRate: '0.000500',
    rpiCommissionRate: '0.000200',
  })),
  get('/fapi/v1/income', 30, (context) => {
    const { parameters, exchange } = context;
    const symbol = parameters.has('symbol') ? oneMarket(context).pair.symbol : undefined;
    const type = parameters.text('incomeType');
    const { start, end } = span(parameters);
    const rows = exchange.account.incomes.filter(
      (income) =>
        (symbol === undefined || income.symbol === symbol) &&
        (type === undefined || income.type === type) &&
        isWithin(income.time, start, end),
    );
    const limit = parameters.limit(100, 1000);
    const skipped = ((parameters.integer('page') ?? 1) - 1) * limit;
    return (start === undefined ? rows.slice(-limit) : rows.slice(skipped, skipped + limit)).map(incomeRow);
  }),
];

/** Returns the positions of all requested contracts, flat ones included. */
function everyPosition(context: RouteContext, all: AccountStatement): PositionFigures[] {
  const { account } = context.exchange;
  const sides = account.hedgeMode ? (['LONG', 'SHORT'] as const) : (['BOTH'] as const);
  return chosenMarkets(context).flatMap((market) => {
    const contract = context.exchange.contract(market);
    return sides.map((side): PositionFigures => {
      const known = all.positions.find((row) => row.contract === contract && row.position.side === side);
      const { leverage, marginType } = account.settings(contract.symbol);
      return (
        known ?? {
          contract,
          position: account.position(contract.symbol, side),
          leverage,
          marginType,
          mark: context.exchange.mark(market).mark,
          notional: 0n,
          unrealised: 0n,
          maintenance: 0n,
          positionMargin: initialMargin(0n, leverage),
          orderMargin: 0n,
          bidNotional: 0n,
          askNotional: 0n,
        }
      );
    });
  });
}
