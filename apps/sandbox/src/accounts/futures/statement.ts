import { notionalUnit } from '../money.ts';
import type { Contract } from './contracts.ts';
import type { FuturesAccount } from './futuresAccount.ts';
import type { MarginType, Position, PositionSide } from './futuresOrders.ts';
import { initialMargin, type LiquidationSide, liquidationPrice, maintenance, valueAt } from './margin.ts';

/** Figures of one position and of the orders that would change it. Money in units of 1e-8. */
export type PositionFigures = {
  contract: Contract;
  position: Readonly<Position>;
  leverage: number;
  marginType: MarginType;
  /** Units of 1e-8. */
  mark: number;
  /** Value at mark, signed as the position. */
  notional: bigint;
  unrealised: bigint;
  maintenance: bigint;
  positionMargin: bigint;
  orderMargin: bigint;
  bidNotional: bigint;
  askNotional: bigint;
};

/** Figures of the whole account. */
export type AccountStatement = {
  wallet: bigint;
  crossWallet: bigint;
  crossUnrealised: bigint;
  unrealised: bigint;
  maintenance: bigint;
  crossMaintenance: bigint;
  positionMargin: bigint;
  orderMargin: bigint;
  /** The margin that new orders may use. */
  available: bigint;
  positions: PositionFigures[];
};

/** Price in units of 1e-8 by contract. */
export type MarkOf = (symbol: string) => number;

/** Returns the account at these mark prices, with every position that is not flat or has orders. */
export function accountStatement(account: FuturesAccount, markOf: MarkOf): AccountStatement {
  const sides: PositionSide[] = account.hedgeMode ? ['LONG', 'SHORT'] : ['BOTH'];
  const waiting = orderNotionals(account);
  const positions: PositionFigures[] = [];
  for (const contract of account.contracts.values()) {
    for (const side of sides) {
      const position = account.position(contract.symbol, side);
      const orders = waiting.get(`${contract.symbol} ${side}`);
      if (position.steps !== 0 || orders) positions.push(figures(account, contract, position, markOf, orders));
    }
  }
  const sum = (pick: (positionFigures: PositionFigures) => bigint, only?: MarginType) =>
    positions.reduce((total, row) => (only === undefined || row.marginType === only ? total + pick(row) : total), 0n);
  const crossWallet = account.crossWallet;
  const crossUnrealised = sum(({ unrealised }) => unrealised, 'CROSSED');
  const orderMargin = sum((row) => row.orderMargin);
  const available =
    crossWallet + crossUnrealised - sum(({ positionMargin }) => positionMargin, 'CROSSED') - orderMargin;
  return {
    wallet: account.wallet,
    crossWallet,
    crossUnrealised,
    unrealised: sum(({ unrealised }) => unrealised),
    maintenance: sum((row) => row.maintenance),
    crossMaintenance: sum((row) => row.maintenance, 'CROSSED'),
    positionMargin: sum(({ positionMargin }) => positionMargin),
    orderMargin,
    available: available > 0n ? available : 0n,
    positions,
  };
}

/**
 * Returns the liquidation price of a position, all else unchanged.
 *
 * @returns quote, a fraction; 0 when there is none
 */
export function liquidationPriceOf(all: AccountStatement, row: PositionFigures): number {
  if (row.position.steps === 0) return 0;
  if (row.marginType === 'ISOLATED') return liquidationPrice([held(row)], row.position.isolated);
  const together = all.positions.filter(
    ({ contract, position }) => contract.symbol === row.contract.symbol && position.steps !== 0,
  );
  const others = all.positions.filter(
    ({ contract, marginType }) => contract.symbol !== row.contract.symbol && marginType === 'CROSSED',
  );
  const backing = others.reduce((sum, other) => sum - other.maintenance + other.unrealised, all.crossWallet);
  return liquidationPrice(together.map(held), backing);
}

/** Returns the margin of open orders beside the margin of the position (Binance: openOrderInitialMargin). */
export function orderMargin(
  side: PositionSide,
  notional: bigint,
  bidNotional: bigint,
  askNotional: bigint,
  leverage: number,
): bigint {
  if (side === 'LONG') return initialMargin(bidNotional, leverage);
  if (side === 'SHORT') return initialMargin(askNotional, leverage);
  const max = [notional + bidNotional, notional - askNotional].map(absolute).reduce((a, b) => (a > b ? a : b));
  const held = absolute(notional);
  return max > held ? initialMargin(max, leverage) - initialMargin(held, leverage) : 0n;
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function figures(
  account: FuturesAccount,
  contract: Contract,
  position: Readonly<Position>,
  markOf: MarkOf,
  orders: Notionals | undefined,
): PositionFigures {
  const { leverage, marginType } = account.settings(contract.symbol);
  const mark = markOf(contract.symbol);
  const value = valueAt(contract, mark, Math.abs(position.steps));
  const notional = position.steps < 0 ? -value : value;
  const { bid = 0n, ask = 0n } = orders ?? {};
  return {
    contract,
    position,
    leverage,
    marginType,
    mark,
    notional,
    unrealised: position.steps < 0 ? position.cost - value : value - position.cost,
    maintenance: maintenance(contract, value),
    positionMargin: initialMargin(value, leverage),
    orderMargin: orderMargin(position.side, notional, bid, ask, leverage),
    bidNotional: bid,
    askNotional: ask,
  };
}

type Notionals = { bid: bigint; ask: bigint };

/** Returns the value of open orders that can increase a position, by contract and side of the position. */
function orderNotionals(account: FuturesAccount): Map<string, Notionals> {
  const out = new Map<string, Notionals>();
  for (const order of account.openOrders()) {
    const key = `${order.symbol} ${order.positionSide}`;
    const notionals = out.get(key) ?? { bid: 0n, ask: 0n };
    out.set(key, notionals);
    if (account.isClosing(order)) continue;
    const contract = account.contracts.get(order.symbol) as Contract;
    const value = BigInt(order.tick) * BigInt(order.steps - order.filled) * notionalUnit(contract);
    if (order.side === 'buy') notionals.bid += value;
    else notionals.ask += value;
  }
  return out;
}

function held({ contract, position }: PositionFigures): LiquidationSide {
  return {
    contract,
    direction: position.steps < 0 ? -1 : 1,
    steps: Math.abs(position.steps),
    cost: position.cost,
  };
}
