import type { Contract } from '../../accounts/futures/contracts.ts';
import { type FuturesAccount, TAKER_FEE } from '../../accounts/futures/futuresAccount.ts';
import type { Income, Position } from '../../accounts/futures/futuresOrders.ts';
import { maxNotionalAt } from '../../accounts/futures/margin.ts';
import { type AccountStatement, liquidationPriceOf, type PositionFigures } from '../../accounts/futures/statement.ts';
import { markPrice, money, plain } from './format.ts';

/**
 * Returns the entry price as Binance writes it: the cost of the open position over its quantity. @returns quote, as
 * text
 */
export function entryPrice(contract: Contract, position: Readonly<Position>): string {
  return perCoin(contract, position, position.cost);
}

/** Returns the price at which closing covers the taker fees of entry and exit. */
export function breakEvenPrice(contract: Contract, position: Readonly<Position>): string {
  const fees = (position.cost * TAKER_FEE * 2n) / 1_000_000n;
  return perCoin(contract, position, position.steps < 0 ? position.cost - fees : position.cost + fees);
}

function perCoin(contract: Contract, position: Readonly<Position>, units: bigint): string {
  if (position.steps === 0) return '0.0';
  const steps = BigInt(Math.abs(position.steps));
  const scale = 10n ** BigInt(contract.quantityDecimals);
  return money((units * scale + steps / 2n) / steps);
}

/** Returns the value of the isolated margin at the mark price; 0 in cross mode. */
function isolatedMargin({ position, unrealised, marginType }: PositionFigures): bigint {
  return marginType === 'ISOLATED' && position.steps !== 0 ? position.isolated + unrealised : 0n;
}

function initialOf(row: PositionFigures): string {
  return money(row.positionMargin + row.orderMargin);
}

/** Returns a row of GET /fapi/v3/positionRisk. */
export function positionRiskRow(all: AccountStatement, row: PositionFigures): { [name: string]: unknown } {
  const { contract, position } = row;
  const price = liquidationPriceOf(all, row);
  return {
    symbol: contract.symbol,
    positionSide: position.side,
    positionAmt: plain(position.steps, contract.quantityDecimals),
    entryPrice: entryPrice(contract, position),
    breakEvenPrice: breakEvenPrice(contract, position),
    markPrice: markPrice(row.mark),
    unRealizedProfit: money(row.unrealised),
    liquidationPrice: price === 0 ? '0' : price.toFixed(8),
    isolatedMargin: money(isolatedMargin(row)),
    notional: money(row.notional),
    marginAsset: 'USDT',
    isolatedWallet: money(position.isolated),
    initialMargin: initialOf(row),
    maintMargin: money(row.maintenance),
    positionInitialMargin: money(row.positionMargin),
    openOrderInitialMargin: money(row.orderMargin),
    adl: position.steps === 0 ? 0 : 1,
    bidNotional: money(row.bidNotional),
    askNotional: money(row.askNotional),
    updateTime: position.updateTime,
  };
}

/** Returns a row of GET /fapi/v2/positionRisk, which includes the settings of the contract. */
export function oldPositionRiskRow(all: AccountStatement, row: PositionFigures): object {
  const risk = positionRiskRow(all, row);
  return {
    entryPrice: risk.entryPrice,
    breakEvenPrice: risk.breakEvenPrice,
    marginType: row.marginType === 'ISOLATED' ? 'isolated' : 'cross',
    isAutoAddMargin: 'false',
    isolatedMargin: risk.isolatedMargin,
    leverage: String(row.leverage),
    liquidationPrice: risk.liquidationPrice,
    markPrice: risk.markPrice,
    maxNotionalValue: String(maxNotionalAt(row.contract, row.leverage)),
    positionAmt: risk.positionAmt,
    notional: risk.notional,
    isolatedWallet: risk.isolatedWallet,
    symbol: risk.symbol,
    unRealizedProfit: risk.unRealizedProfit,
    positionSide: risk.positionSide,
    updateTime: risk.updateTime,
  };
}

/** Returns the response of GET /fapi/v3/account. */
export function accountRow(account: FuturesAccount, all: AccountStatement): { [name: string]: unknown } {
  const margin = all.positionMargin + all.orderMargin;
  return {
    totalInitialMargin: money(margin),
    totalMaintMargin: money(all.maintenance),
    totalWalletBalance: money(all.wallet),
    totalUnrealizedProfit: money(all.unrealised),
    totalMarginBalance: money(all.wallet + all.unrealised),
    totalPositionInitialMargin: money(all.positionMargin),
    totalOpenOrderInitialMargin: money(all.orderMargin),
    totalCrossWalletBalance: money(all.crossWallet),
    totalCrossUnPnl: money(all.crossUnrealised),
    availableBalance: money(all.available),
    maxWithdrawAmount: money(withdrawable(all)),
    assets: [
      {
        asset: 'USDT',
        walletBalance: money(all.wallet),
        unrealizedProfit: money(all.unrealised),
        marginBalance: money(all.wallet + all.unrealised),
        maintMargin: money(all.maintenance),
        initialMargin: money(margin),
        positionInitialMargin: money(all.positionMargin),
        openOrderInitialMargin: money(all.orderMargin),
        crossWalletBalance: money(all.crossWallet),
        crossUnPnl: money(all.crossUnrealised),
        availableBalance: money(all.available),
        maxWithdrawAmount: money(withdrawable(all)),
        marginAvailable: true,
        updateTime: account.updateTime,
      },
    ],
    positions: all.positions.map((row) => ({
      symbol: row.contract.symbol,
      positionSide: row.position.side,
      positionAmt: plain(row.position.steps, row.contract.quantityDecimals),
      unrealizedProfit: money(row.unrealised),
      isolatedMargin: money(isolatedMargin(row)),
      notional: money(row.notional),
      isolatedWallet: money(row.position.isolated),
      initialMargin: initialOf(row),
      maintMargin: money(row.maintenance),
      updateTime: row.position.updateTime,
    })),
  };
}

/** Returns the response of GET /fapi/v2/account: the third version with all contracts and their settings. */
export function oldAccountRow(
  account: FuturesAccount,
  all: AccountStatement,
  positions: readonly PositionFigures[],
): object {
  return {
    feeTier: 0,
    canTrade: true,
    canDeposit: false,
    canWithdraw: false,
    updateTime: 0,
    multiAssetsMargin: false,
    tradeGroupId: -1,
    ...accountRow(account, all),
    positions: positions.map((row) => ({
      symbol: row.contract.symbol,
      initialMargin: initialOf(row),
      maintMargin: money(row.maintenance),
      unrealizedProfit: money(row.unrealised),
      positionInitialMargin: money(row.positionMargin),
      openOrderInitialMargin: money(row.orderMargin),
      leverage: String(row.leverage),
      isolated: row.marginType === 'ISOLATED',
      entryPrice: entryPrice(row.contract, row.position),
      breakEvenPrice: breakEvenPrice(row.contract, row.position),
      maxNotional: String(maxNotionalAt(row.contract, row.leverage)),
      positionSide: row.position.side,
      positionAmt: plain(row.position.steps, row.contract.quantityDecimals),
      notional: money(row.notional),
      isolatedWallet: money(row.position.isolated),
      bidNotional: money(row.bidNotional),
      askNotional: money(row.askNotional),
      updateTime: row.position.updateTime,
    })),
  };
}

/** Returns a row of GET /fapi/v3/balance. */
export function balanceRow(account: FuturesAccount, all: AccountStatement): object {
  return {
    accountAlias: 'sandbox',
    asset: 'USDT',
    balance: money(all.wallet),
    crossWalletBalance: money(all.crossWallet),
    crossUnPnl: money(all.crossUnrealised),
    availableBalance: money(all.available),
    maxWithdrawAmount: money(withdrawable(all)),
    marginAvailable: true,
    updateTime: account.updateTime,
  };
}

/** Returns a row of GET /fapi/v1/income. */
export function incomeRow(income: Income): object {
  return {
    symbol: income.symbol,
    incomeType: income.type,
    income: money(income.units),
    asset: 'USDT',
    info: income.tradeId === 0 ? income.type : String(income.tradeId),
    time: income.time,
    tranId: income.id,
    tradeId: income.tradeId === 0 ? '' : String(income.tradeId),
  };
}

function withdrawable({ available, crossWallet }: AccountStatement): bigint {
  const max = available < crossWallet ? available : crossWallet;
  return max > 0n ? max : 0n;
}
