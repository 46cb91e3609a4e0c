import type { MarginType, PositionSide } from '../../accounts/futures/futuresOrders.ts';
import { initialMargin, maxNotionalAt } from '../../accounts/futures/margin.ts';
import { absolute, orderMargin } from '../../accounts/futures/statement.ts';
import { FuturesRejected } from './futuresRejected.ts';
import type { FuturesState } from './futuresState.ts';
import { checkPositionSide } from './orderChecks.ts';

/** Sets the leverage of a contract. @throws FuturesRejected */
export function setLeverage(state: FuturesState, symbol: string, leverage: number): void {
  const contract = state.contract(state.market(symbol));
  const settings = state.account.settings(symbol);
  if (leverage === settings.leverage) return;
  if (settings.marginType === 'ISOLATED' && hasPosition(state, symbol) && leverage < settings.leverage) {
    throw new FuturesRejected('leverage-of-isolated');
  }
  const all = state.statement();
  const rows = all.positions.filter((row) => row.contract.symbol === symbol);
  const notional = rows.reduce((sum, row) => sum + absolute(row.notional) + row.bidNotional + row.askNotional, 0n);
  if (notional > BigInt(maxNotionalAt(contract, leverage)) * 10n ** 8n) {
    throw new FuturesRejected('leverage-too-high');
  }
  const added = rows.reduce((sum, row) => {
    const margin = orderMargin(row.position.side, row.notional, row.bidNotional, row.askNotional, leverage);
    const isolated = row.marginType === 'ISOLATED';
    const own = isolated ? 0n : initialMargin(absolute(row.notional), leverage) - row.positionMargin;
    return sum + margin - row.orderMargin + own;
  }, 0n);
  if (added > all.available) throw new FuturesRejected('insufficient-margin');
  state.apply({ kind: 'leverage', symbol, leverage, time: state.time });
}

/** Sets the margin type of a contract. @throws FuturesRejected */
export function setMarginType(state: FuturesState, symbol: string, marginType: MarginType): void {
  if (state.account.settings(symbol).marginType === marginType) throw new FuturesRejected('same-margin-type');
  if (hasOrders(state, symbol)) throw new FuturesRejected('open-orders');
  if (hasPosition(state, symbol)) throw new FuturesRejected('open-position');
  state.apply({ kind: 'marginType', symbol, marginType, time: state.time });
}

/** Sets hedge mode or one-way mode. @throws FuturesRejected */
export function setHedgeMode(state: FuturesState, hedgeMode: boolean): void {
  const { account } = state;
  if (account.hedgeMode === hedgeMode) throw new FuturesRejected('same-position-mode');
  if (account.openOrders().length > 0 || account.pendingAlgos.size > 0) throw new FuturesRejected('open-orders');
  if (account.positions().length > 0) throw new FuturesRejected('open-position');
  state.apply({ kind: 'positionMode', dual: hedgeMode, time: state.time });
}

/**
 * Adds margin to an isolated position, or removes some.
 *
 * @param units of 1e-8 USDT; below 0 to remove
 * @throws FuturesRejected
 */
export function changeMargin(state: FuturesState, symbol: string, positionSide: PositionSide, units: bigint): void {
  checkPositionSide(state, positionSide);
  const position = state.account.position(symbol, positionSide);
  if (state.account.settings(symbol).marginType !== 'ISOLATED' || position.steps === 0) {
    throw new FuturesRejected('not-isolated');
  }
  const all = state.statement();
  if (units > all.available) throw new FuturesRejected('insufficient-margin');
  const row = all.positions.find((one) => one.contract.symbol === symbol && one.position.side === positionSide);
  if (row && units < 0n) {
    const loss = row.unrealised < 0n ? row.unrealised : 0n;
    if (position.isolated + units + loss < row.positionMargin) throw new FuturesRejected('isolated-margin');
  }
  state.apply({ kind: 'margin', symbol, positionSide, units: String(units), time: state.time });
}

function hasOrders({ account }: FuturesState, symbol: string): boolean {
  const hasAlgos = [...account.pendingAlgos.values()].some((algo) => algo.symbol === symbol);
  return hasAlgos || account.openOrders(symbol).length > 0;
}

function hasPosition({ account }: FuturesState, symbol: string): boolean {
  return account.positions().some((position) => position.symbol === symbol);
}
