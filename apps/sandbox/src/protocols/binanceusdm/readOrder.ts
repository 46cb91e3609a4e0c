import { randomBytes } from 'node:crypto';
import type { Contract } from '../../accounts/futures/contracts.ts';
import type {
  AlgoOrderRequest,
  AlgoType,
  FuturesOrderRequest,
  PositionSide,
  TimeInForce,
} from '../../accounts/futures/futuresOrders.ts';
import { valueAt } from '../../accounts/futures/margin.ts';
import { notionalUnit, stepUnit } from '../../accounts/money.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { BinanceError, binanceError } from '../binance/errors.ts';
import { parseUnits } from '../binance/format.ts';
import type { Parameters } from '../binance/parameters.ts';
import { usdmError } from './errors.ts';
import { MAX_ALGO_ORDERS, MAX_OPEN_ORDERS } from './exchangeInfo.ts';
import { plain } from './format.ts';

const ALGO_TYPES = ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'] as const;
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'] as const;
const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'] as const;
const CLIENT_ID = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$';
const DECIMAL = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const MIN_CALLBACK = 10;
const MAX_CALLBACK = 1000;
const MIN_LIFETIME_MS = 600_000;

/** Reads and checks the parameters of a new order, filters included. */
export function readOrder(exchange: FuturesExchange, market: PairMarket, parameters: Parameters): FuturesOrderRequest {
  const contract = exchange.contract(market);
  const typeName = parameters.mandatory('type');
  if ((ALGO_TYPES as readonly string[]).includes(typeName)) throw usdmError.algoEndpoint();
  const type = parameters.word('type', ['LIMIT', 'MARKET'], binanceError.orderType) ?? 'LIMIT';
  const side = readSide(parameters);
  const positionSide = readPositionSide(parameters);
  const reduceOnly = readFlag(parameters, 'reduceOnly');
  if (reduceOnly && positionSide !== 'BOTH') throw binanceError.notRequired('reduceonly');
  const timeInForce = parameters.word('timeInForce', TIMES_IN_FORCE, binanceError.timeInForce);
  if (type === 'LIMIT' && timeInForce === undefined) throw binanceError.missing('timeinforce');
  if (type === 'MARKET' && parameters.has('timeInForce')) throw binanceError.notRequired('timeinforce');
  const steps = readSteps(contract, parameters, type === 'MARKET');
  const common = {
    clientId: readClientId(parameters, 'newClientOrderId'),
    side,
    positionSide,
    reduceOnly,
    steps,
    selfTrade: readSelfTrade(parameters),
  };
  const closes = exchange.account.isClosing(common);
  if (type === 'MARKET') {
    if (parameters.has('price')) throw binanceError.notRequired('price');
    const value = valueAt(contract, exchange.mark(market).mark, steps);
    if (!closes) checkNotional(contract, value);
    return { ...common, type, timeInForce: 'GTC', tick: 0, goodTill: 0 };
  }
  parameters.mandatory('price');
  const tick = readTick(contract, parameters, 'price') as number;
  checkBand(exchange, market, side, tick);
  if (!closes) checkNotional(contract, BigInt(tick) * BigInt(steps) * notionalUnit(contract));
  if (exchange.account.openOrders(contract.symbol).length >= MAX_OPEN_ORDERS) throw usdmError.tooManyOpenOrders();
  return {
    ...common,
    type,
    timeInForce: timeInForce as TimeInForce,
    tick,
    goodTill: readGoodTill(parameters, timeInForce, exchange.time),
  };
}

/** Reads and checks the parameters of an amendment. */
export function readAmendment(
  exchange: FuturesExchange,
  market: PairMarket,
  parameters: Parameters,
): { tick: number; steps: number } {
  const contract = exchange.contract(market);
  const side = readSide(parameters);
  const steps = readSteps(contract, parameters, false);
  parameters.mandatory('price');
  const tick = readTick(contract, parameters, 'price') as number;
  checkBand(exchange, market, side, tick);
  return { tick, steps };
}

/** Reads and checks the parameters of a conditional order. */
export function readAlgo(exchange: FuturesExchange, market: PairMarket, parameters: Parameters): AlgoOrderRequest {
  const contract = exchange.contract(market);
  if (parameters.mandatory('algoType') !== 'CONDITIONAL') throw binanceError.invalid('algoType');
  parameters.mandatory('type');
  const type = parameters.word('type', ALGO_TYPES, binanceError.orderType) as AlgoType;
  const side = readSide(parameters);
  const positionSide = readPositionSide(parameters);
  const { closePosition, reduceOnly } = readAlgoFlags(parameters, type, positionSide);
  const steps = closePosition ? 0 : readSteps(contract, parameters, !isLimited(type));
  const { tick, trigger, activate } = readAlgoTicks(contract, parameters, type);
  const tickUnit = 10 ** (8 - contract.priceDecimals);
  const last = market.lastTick;
  if (activate > 0 && (side === 'sell' ? activate < last : activate > last)) throw usdmError.activation();
  if (exchange.account.pendingAlgos.size >= MAX_ALGO_ORDERS) throw usdmError.tooManyAlgoOrders();
  const closes = exchange.account.isClosing({ side, positionSide, reduceOnly: reduceOnly || closePosition });
  const reference = tick || trigger || market.lastTick;
  if (!closes) checkNotional(contract, BigInt(reference) * BigInt(steps) * notionalUnit(contract));
  const timeInForce = parameters.word('timeInForce', [...TIMES_IN_FORCE, 'GTE_GTC'], binanceError.timeInForce);
  return {
    clientId: readClientId(parameters, 'clientAlgoId'),
    side,
    positionSide,
    type,
    timeInForce: timeInForce ?? (closePosition ? 'GTE_GTC' : 'GTC'),
    steps,
    tick,
    triggerPrice: trigger * tickUnit,
    activatePrice: activate * tickUnit,
    callbackRate: type === 'TRAILING_STOP_MARKET' ? readCallbackRate(parameters) : 0,
    workingType:
      parameters.word('workingType', ['CONTRACT_PRICE', 'MARK_PRICE'], () => binanceError.invalid('workingType')) ??
      'CONTRACT_PRICE',
    closePosition,
    reduceOnly: reduceOnly || (closePosition && positionSide === 'BOTH'),
    priceProtect: readFlag(parameters, 'priceProtect'),
    selfTrade: readSelfTrade(parameters),
    goodTill: readGoodTill(parameters, timeInForce, exchange.time),
  };
}

function readAlgoFlags(
  parameters: Parameters,
  type: AlgoType,
  positionSide: PositionSide,
): { closePosition: boolean; reduceOnly: boolean } {
  const closePosition = readFlag(parameters, 'closePosition');
  const reduceOnly = readFlag(parameters, 'reduceOnly');
  if (reduceOnly && (positionSide !== 'BOTH' || closePosition)) throw binanceError.notRequired('reduceonly');
  if (closePosition && (isLimited(type) || type === 'TRAILING_STOP_MARKET')) {
    throw usdmError.strategy(type, 'closePosition true');
  }
  if (closePosition && parameters.has('quantity')) throw usdmError.quantityOfClosing();
  return { closePosition, reduceOnly };
}

/** Reads the prices of a conditional order in ticks; 0 for those that its type does not have. */
function readAlgoTicks(
  contract: Contract,
  parameters: Parameters,
  type: AlgoType,
): { tick: number; trigger: number; activate: number } {
  const limited = isLimited(type);
  const trailing = type === 'TRAILING_STOP_MARKET';
  if (limited) parameters.mandatory('price');
  parameters.mandatory(trailing ? 'callbackRate' : 'triggerPrice');
  const tick = limited ? (readTick(contract, parameters, 'price') as number) : 0;
  if (!trailing) return { tick, trigger: readTick(contract, parameters, 'triggerPrice') ?? 0, activate: 0 };
  const activateName = parameters.has('activatePrice') ? 'activatePrice' : 'activationPrice';
  return { tick, trigger: 0, activate: readTick(contract, parameters, activateName) ?? 0 };
}

function isLimited(type: AlgoType): boolean {
  return type === 'STOP' || type === 'TAKE_PROFIT';
}

/** Whether the response shows the result: newOrderRespType is RESULT, not ACK. */
export function wantsResult(parameters: Parameters): boolean {
  return parameters.word('newOrderRespType', ['ACK', 'RESULT'], usdmError.responseType) === 'RESULT';
}

export function readPositionSide(parameters: Parameters): PositionSide {
  return parameters.word('positionSide', ['BOTH', 'LONG', 'SHORT'], usdmError.positionSide) ?? 'BOTH';
}

function readSide(parameters: Parameters): 'buy' | 'sell' {
  parameters.mandatory('side');
  return parameters.word('side', ['BUY', 'SELL'], binanceError.side) === 'BUY' ? 'buy' : 'sell';
}

/** Returns a flag as clients write it: `true`, `TRUE` or `True`. */
function readFlag(parameters: Parameters, name: string): boolean {
  const text = parameters.text(name)?.toLowerCase();
  if (text !== undefined && text !== 'true' && text !== 'false') throw binanceError.invalid(name);
  return text === 'true';
}

function readClientId(parameters: Parameters, name: string): string {
  const text = parameters.text(name);
  if (text === undefined) return randomBytes(16).toString('base64url').slice(0, 22);
  if (text.length > 36) throw new BinanceError(-4015, 'Client order id length should not be more than 36 chars');
  if (!new RegExp(CLIENT_ID).test(text)) throw binanceError.illegal(name, CLIENT_ID);
  return text;
}

function readSelfTrade(parameters: Parameters): FuturesOrderRequest['selfTrade'] {
  if (parameters.has('priceMatch') && parameters.text('priceMatch') !== 'NONE') throw usdmError.priceMatch();
  return parameters.word('selfTradePreventionMode', SELF_TRADE_MODES, usdmError.selfTrade) ?? 'EXPIRE_MAKER';
}

function readGoodTill(parameters: Parameters, timeInForce: string | undefined, now: number): number {
  if (timeInForce !== 'GTD') return 0;
  parameters.mandatory('goodTillDate');
  const sent = parameters.integer('goodTillDate') as number;
  // Binance drops the milliseconds.
  const time = Math.floor(sent / 1000) * 1000;
  if (time <= now + MIN_LIFETIME_MS || time >= 253_402_300_799_000) throw usdmError.goodTill();
  return time;
}

/** @returns parts per 10,000 */
function readCallbackRate(parameters: Parameters): number {
  const units = readUnits(parameters, 'callbackRate') ?? 0n;
  const rate = Number(units) / 1e6;
  if (!Number.isInteger(rate) || rate < MIN_CALLBACK || rate > MAX_CALLBACK) throw usdmError.callbackRate();
  return rate;
}

/** Returns a decimal number in units of 1e-8. @throws BinanceError -1111 when it has more decimals */
export function readUnits(parameters: Parameters, name: string): bigint | undefined {
  const text = parameters.text(name);
  if (text === undefined) return undefined;
  if (text.startsWith('-')) throw name === 'quantity' ? usdmError.noQuantity() : usdmError.noPrice();
  if (!new RegExp(DECIMAL).test(text)) throw binanceError.illegal(name, DECIMAL);
  const units = parseUnits(text);
  if (units === undefined) throw usdmError.precision();
  return units;
}

function readSteps(contract: Contract, parameters: Parameters, isMarket: boolean): number {
  parameters.mandatory('quantity');
  const units = readUnits(parameters, 'quantity') as bigint;
  if (units === 0n) throw usdmError.noQuantity();
  const step = stepUnit(contract);
  if (units % step !== 0n) throw usdmError.precision();
  const steps = units / step;
  if (steps > BigInt(isMarket ? contract.maxMarketSteps : contract.maxSteps)) throw usdmError.largeQuantity();
  return Number(steps);
}

/** Returns a price in ticks. */
function readTick(contract: Contract, parameters: Parameters, name: string): number | undefined {
  const units = readUnits(parameters, name);
  if (units === undefined) return undefined;
  if (units === 0n) throw name === 'price' ? usdmError.noPrice() : usdmError.noTriggerPrice();
  if (units % 10n ** BigInt(8 - contract.pricePrecision) !== 0n) throw usdmError.precision();
  const tickUnit = 10n ** BigInt(8 - contract.priceDecimals);
  if (units > BigInt(contract.maxTick) * tickUnit) throw usdmError.highPrice();
  if (units % tickUnit !== 0n) throw usdmError.tickSize();
  return Number(units / tickUnit);
}

/** Rejects bids far above the mark price and asks far below it. */
function checkBand(exchange: FuturesExchange, market: PairMarket, side: 'buy' | 'sell', tick: number): void {
  const contract = exchange.contract(market);
  const mark = exchange.mark(market).mark / 10 ** (8 - contract.priceDecimals);
  const max = Math.floor((mark * (10_000 + contract.priceBand)) / 10_000);
  const min = Math.ceil((mark * (10_000 - contract.priceBand)) / 10_000);
  if (side === 'buy' && tick > max) throw usdmError.aboveBand(plain(max, contract.priceDecimals));
  if (side === 'sell' && tick < min) throw usdmError.belowBand(plain(min, contract.priceDecimals));
}

function checkNotional(contract: Contract, value: bigint): void {
  if (value < BigInt(contract.minNotional) * 10n ** 8n) throw usdmError.notional(contract.minNotional);
}
