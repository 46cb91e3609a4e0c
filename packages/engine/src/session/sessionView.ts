import { isStale } from '../entry/gates.ts';
import { unrealised } from '../ledger/holding.ts';
import { startCapitalOf } from '../ledger/wallet.ts';
import { type Market, notional } from '../market/market.ts';
import { exact, formatUnits, type Quantity, type Quote, SCALE } from '../money/units.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import { benchmarkPercent } from '../state/benchmark.ts';
import type { Bot } from '../state/bot.ts';
import type { LastOrder, PairState, Position } from '../state/botState.ts';
import { equityOf } from '../state/equity.ts';
import { neededVolume } from '../state/neededVolume.ts';
import { isWatched } from '../state/pairActivity.ts';
import {
  clientOrderId,
  hasOwnPrice,
  isCancellable,
  type LiveOrder,
  type ParentOrder,
  waitsForPrice,
} from '../state/parentOrder.ts';
import { referencePrice } from '../state/quotePrices.ts';
import type { BotSession } from './botSession.ts';
import { valuesOf } from './candleLog.ts';
import { columnsOf } from './columnsOf.ts';
import { nextPlanOf } from './nextPlan.ts';
import { gridView, planView } from './planView.ts';
import { positionLevels } from './positionLevels.ts';

/** The figures of a bot as docs/accounting.md#figures-of-a-bot defines them; amounts are exact decimals as text. */
export function performanceView(session: BotSession) {
  const { bot, maxDrawdown } = session.state;
  const total = equityOf(session.bot);
  const start = startCapitalOf(bot.wallet);
  const base = start > 0 ? start : bot.wallet.start;
  let realised: Quote = 0;
  let open: Quote = 0;
  let dust: Quote = 0;
  for (const pair of bot.pairs) {
    realised += pair.holding.realised;
    if (pair.market !== null && pair.holding.quantity > 0) open += unrealised(pair.market, pair.holding, pair.mark);
    if (pair.market !== null && pair.position === null && !session.bot.rules.future)
      dust += notional(pair.market, pair.mark, pair.holding.quantity);
  }
  return {
    currency: bot.options.product_currency.toUpperCase(),
    startCapital: formatUnits(start),
    totalCapital: formatUnits(total),
    cash: formatUnits(bot.wallet.quote),
    available: formatUnits(availableQuote(session.bot, null)),
    realised: formatUnits(exact(realised)),
    unrealised: formatUnits(exact(open)),
    unrealisedPercent: percentOf(open, base),
    dust: formatUnits(exact(dust)),
    profitPercent: percentOf(total - start, base),
    trades: bot.trades,
    wins: bot.wins,
    losses: bot.losses,
    winRatePercent: bot.wins + bot.losses === 0 ? 0 : (100 * bot.wins) / (bot.wins + bot.losses),
    benchmarkPercent: benchmarkPercent(bot),
    maxDrawdownPercent: 100 * maxDrawdown,
  };
}

function percentOf(profit: Quote, capital: Quote): number {
  return capital === 0 ? 0 : (100 * profit) / capital;
}

/** Returns the view of one pair at `at`; null when the bot does not watch it. */
export function pairView(session: BotSession, name: string, at: number) {
  const pair = session.state.bot.pairs.find((candidate) => candidate.pair === name);
  if (!pair || !isWatched(pair)) return null;
  const { quote, market } = pair;
  return {
    pair: pair.pair,
    phase: pair.phase,
    flag: flagOf(session, pair, at),
    pausedBy: pair.paused,
    volume: volumeView(session.bot, pair),
    tickSize: market && formatUnits(market.tick),
    bid: quote && quote.bid > 0 ? formatUnits(quote.bid) : null,
    ask: quote && quote.ask > 0 ? formatUnits(quote.ask) : null,
    last: quote && quote.last > 0 ? formatUnits(quote.last) : null,
    quotedAt: quote?.at ?? null,
    candlesHeld: pair.candles,
    candlesNeeded: session.bot.warmup,
    lastSignal: pair.lastSignal,
    lastRefusal: pair.lastRefusal,
    lastOrder: market && pair.lastOrder ? lastOrderView(pair, pair.lastOrder, market) : null,
    refusals: pair.refusals,
    position:
      pair.position && market
        ? { ...positionView(session.bot, pair, pair.position, market), stop: stopView(session, pair, market) }
        : null,
    ladder: market ? planView(session.bot, pair, market) : null,
    grid: gridView(pair, at),
    nextPlan: nextPlanOf(session.bot, pair, at),
    orders: market
      ? // The view of a position includes its protective stop.
        [pair.entry, pair.exit, ...pair.planOrders, pair.position === null ? pair.stop : null].flatMap((parent) =>
          parent ? orderView(session.state.bot.id, pair, market, parent) : [],
        )
      : [],
  };
}

function lastOrderView({ entry, exit, stop }: PairState, last: LastOrder, market: Market) {
  const working = [entry, exit, stop].find((parent) => parent?.id === last.id);
  const amount = (quantity: Quantity) => formatUnits(quantity, market.assetDecimals);
  return {
    at: last.at,
    kind: last.kind,
    direction: last.direction === 1 ? ('long' as const) : ('short' as const),
    reason: last.reason,
    price: last.price === 0 ? null : formatUnits(last.price),
    quantity: last.quantity === 0 ? null : amount(working?.target ?? last.quantity),
    filled: amount(working?.filled ?? last.filled),
    end: last.end,
  };
}

/** Flag that prevents entries of a pair; null for none. @see docs/bot-lifecycle.md#watched-pairs */
function flagOf({ bot, state }: BotSession, pair: PairState, at: number) {
  if (pair.flag !== null) return pair.flag;
  if (pair.paused !== null) return 'paused' as const;
  if (pair.suspended !== undefined) return pair.suspended;
  if (state.bot.status === 'created' || state.bot.status === 'finished') return null;
  if (pair.volume?.low === true) return 'volume' as const;
  return isStale(bot, pair, at) ? ('stale' as const) : null;
}

/** The 24-hour volume of a pair and the volume that entries need, in whole units of the quote currency; null while unknown. */
function volumeView(bot: Bot, { volume }: PairState) {
  return volume && { at: volume.at, value: volume.value, needed: neededVolume(bot, volume.low) };
}

/** Views of every pair. */
export function pairViews(session: BotSession, at: number) {
  return session.state.bot.pairs
    .filter(isWatched)
    .map(({ pair }) => pairView(session, pair, at) as NonNullable<ReturnType<typeof pairView>>);
}

/** Pairs that hold a position. */
export function positionCount(session: BotSession): number {
  return session.state.bot.pairs.filter(({ position }) => position !== null).length;
}

function positionView(bot: Bot, pair: PairState, position: Position, market: Market) {
  const { holding, quote } = pair;
  const { direction } = position;
  const { entryPrice, leverage } = holding;
  const price = quote ? referencePrice(quote, direction) : entryPrice;
  const liquidation = bot.rules.future ? liquidationPriceOf(bot, pair) : 0;
  return {
    direction: direction === 1 ? ('long' as const) : ('short' as const),
    quantity: formatUnits(holding.quantity, market.assetDecimals),
    entryPrice: formatUnits(entryPrice),
    cost: formatUnits(holding.cost),
    openedAt: position.openedAt,
    leverage,
    margin: formatUnits(holding.margin),
    liquidationPrice: liquidation > 0 ? formatUnits(liquidation) : null,
    unrealised: formatUnits(unrealised(market, holding, pair.mark)),
    /** On margin: with leverage. @see docs/exits.md#return-on-margin */
    returnPercent: entryPrice === 0 ? 0 : (100 * direction * (price - entryPrice) * leverage) / entryPrice,
    priceExits: (position.priceExits ?? []).map(({ id, share, stopLoss, takeProfit }) => ({
      id,
      stopLoss: stopLoss === 0 ? null : formatUnits(stopLoss),
      takeProfit: takeProfit === 0 ? null : formatUnits(takeProfit),
      percent: (100 * share) / SCALE,
    })),
    levels: positionLevels(bot, pair, position, market).map((level) => ({
      ...level,
      price: formatUnits(level.price),
      sells: (100 * level.sells) / SCALE,
    })),
  };
}

/** Protective stop of a position; null on paper. */
function stopView({ state }: BotSession, { pair, stop }: PairState, market: Market) {
  if (state.stops === undefined) return null;
  const order = stop?.order;
  if (!order) return { resting: false, price: null, quantity: null, of: null, gap: state.stops[pair]?.gap ?? null };
  const lacking = state.stops[pair]?.lacking ?? 0;
  return {
    resting: order.status === 'open',
    price: order.trigger === undefined ? null : formatUnits(order.trigger.price),
    quantity: formatUnits(order.quantity - order.filled, market.assetDecimals),
    of: lacking > 0 ? formatUnits(order.quantity + lacking, market.assetDecimals) : null,
    gap: null,
  };
}

function orderView(botId: string, pair: PairState, market: Market, parent: ParentOrder) {
  const { order } = parent;
  if (order === null && !hasOwnPrice(parent)) return [];
  const { n, type, price, quantity, filled, status, placedAt } = order ?? waitingOrder(parent);
  return [
    {
      clientOrderId: clientOrderId(botId, parent, { n }),
      pair: pair.pair,
      side: parent.side,
      type,
      price: price === 0 ? null : formatUnits(price),
      trigger: waitsForPrice(parent) ? formatUnits(parent.firstPrice) : null,
      quantity: formatUnits(quantity, market.assetDecimals),
      filled: formatUnits(filled, market.assetDecimals),
      status,
      placedAt,
      reason: parent.reason,
      revocable: isCancellable(parent) && status !== 'cancelling',
    },
  ];
}

/** Returns a stop entry, or a limit order between two orders, as an order that the exchange does not have now. */
function waitingOrder({ target, filled, openedAt, limit }: ParentOrder) {
  const type: LiveOrder['type'] = limit === undefined ? 'stop_market' : 'limit_maker';
  const price = limit?.price ?? 0;
  return { n: 0, type, price, quantity: target - filled, filled: 0, status: 'waiting' as const, placedAt: openedAt };
}

/** Closed candles of a pair with the strategy's values, as columns; null when the bot does not watch it. */
export function candleHistory(session: BotSession, name: string) {
  const index = session.state.bot.pairs.findIndex(({ pair }) => pair === name);
  const log = session.candles[index];
  if (!log) return null;
  const rows = log.candles.map((_candle, row) => valuesOf(log, row));
  return {
    pair: name,
    period: session.state.bot.options.period,
    ...columnsOf(log.candles),
    series: session.bot.strategy.series(session.state.bot.params).map((series, at) => ({
      ...series,
      values: rows.map((row) => row[at] ?? null),
    })),
  };
}
