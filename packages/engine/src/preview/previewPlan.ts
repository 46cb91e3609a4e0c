import { safetyOrders } from '../dca/safetyOrders.ts';
import { startDca } from '../dca/startDca.ts';
import { planGrid } from '../grid/planGrid.ts';
import type { PlanInput } from '../grid/planInput.ts';
import { marginOf } from '../ledger/marginOf.ts';
import type { Market } from '../market/market.ts';
import { exact, formatUnits, mulDivUp, type Price, type Quote, SCALE, toUnits } from '../money/units.ts';
import type { Setup } from '../options/setup.ts';
import { tryPlan } from '../plan/beginPlan.ts';
import { type Bot, createBot } from '../state/bot.ts';
import { createBotState, type PairState } from '../state/botState.ts';
import type { Refused } from '../state/refusal.ts';
import { silentObserver } from '../state/silentObserver.ts';
import { turnOf } from '../state/turn.ts';
import { dcaRows, gridRows, type PlanRow } from './planRows.ts';

/** A pair as it is now. */
export interface PreviewedPair {
  readonly market: Market;
  readonly price: Price;
}

/** The orders that a grid or a DCA deal would place in one pair; amounts are exact decimals as text. */
export interface PlanPreview {
  readonly pair: string;
  readonly kind: 'grid' | 'dca';
  readonly price: string;
  /** Why it would not start; null while it would. */
  readonly refused: Refused | null;
  /** Order value that it may use; null when it would not start. */
  readonly budget: string | null;
  /** Own money that all its orders need; on futures margin and entry fees. */
  readonly needed: string | null;
  /** Least own money with which it could start; null when no amount would do. */
  readonly minMoney: string | null;
  readonly rows: readonly PlanRow[];
}

/**
 * Returns what a bot with this setup would place now, pair by pair: the second pair gets its share of what the first one leaves. The
 * functions are those that place the orders, on a bot that nothing runs.
 *
 * @param setup checked, with the capital of the bot
 * @param pairs in the order of the watch list
 * @param at present time, ms
 * @returns an empty list for strategies without a plan of prices
 * @see docs/grids-and-dca.md#preview
 */
export function previewPlan({ options, params }: Setup, pairs: readonly PreviewedPair[], at: number): PlanPreview[] {
  const watched = pairs.map(({ market }) => market.pair).join(',');
  const state = createBotState('trial1', { ...options, watch_pairs: watched, max_watch_size: 0 }, params);
  const bot = createBot(state, silentObserver);
  const { planRules } = bot;
  if (planRules === null || (planRules.kind === 'dca' && planRules.dca.periodic)) return [];
  state.status = 'working';
  state.pairs.forEach((pair, index) => {
    makeReady(bot, pair, pairs[index] as PreviewedPair, at);
  });
  return state.pairs.map((pair, index) => previewOf(bot, pair, (pairs[index] as PreviewedPair).price, at));
}

function makeReady(bot: Bot, pair: PairState, { market, price }: PreviewedPair, at: number): void {
  pair.market = market;
  pair.flag = null;
  pair.candles = bot.warmup;
  pair.candleTime = at - bot.rules.periodMs;
  pair.mark = price;
  pair.quote = { at, bid: price, bidSize: 0, ask: price, askSize: 0, last: price };
}

function previewOf(bot: Bot, pair: PairState, price: Price, at: number): PlanPreview {
  const refused = tryPlan(turnOf({ bot, at, effects: [] }, pair), price);
  const { orderPlan: plan } = pair;
  const rows = plan === null ? [] : rowsOf(bot, pair, price);
  const total = toUnits(Number(rows.at(-1)?.total ?? 0));
  return {
    pair: pair.pair,
    kind: bot.planRules?.kind ?? 'grid',
    price: formatUnits(price),
    refused,
    budget: plan && formatUnits(plan.budget),
    needed: plan && formatUnits(ownMoney(bot, total, pair.holding.leverage)),
    minMoney: minMoneyOf(bot, pair, price),
    rows,
  };
}

function rowsOf(bot: Bot, pair: PairState, price: Price): PlanRow[] {
  const { orderPlan: plan, entry } = pair;
  const market = pair.market as Market;
  const fees = { maker: bot.rules.makerFee, taker: bot.rules.takerFee, inAsset: !bot.rules.future };
  if (plan?.kind === 'grid') return gridRows(plan, market, fees, price);
  if (plan?.kind !== 'dca' || bot.planRules?.kind !== 'dca' || entry === null) return [];
  const orders = [{ price, quantity: entry.target }, ...safetyOrders(plan, market, price)];
  return dcaRows(orders, bot.planRules.dca, { market, fees, side: plan.side, maker: bot.rules.maker });
}

/** Returns the own money behind an order value. */
function ownMoney({ rules }: Bot, value: Quote, leverage: number): Quote {
  return rules.future ? exact(marginOf(value, leverage) + mulDivUp(value, rules.takerFee, SCALE)) : value;
}

/** Cents of the search for the least money. */
const CENT = SCALE / 100;
const MAX_CENTS = 1e8;

/** Returns the least own money with which the plan starts, to the cent; null when no amount would do. */
function minMoneyOf(bot: Bot, pair: PairState, price: Price): string | null {
  const { rules } = bot;
  const input = { market: pair.market as Market, price, makerFee: rules.makerFee, feeInAsset: !rules.future };
  const starts = (cents: number) => startsWith(bot, { ...input, budget: cents * CENT });
  let high = 1;
  while (high < MAX_CENTS && !starts(high)) high *= 2;
  if (!starts(high)) return null;
  let low = Math.floor(high / 2);
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (starts(middle)) high = middle;
    else low = middle;
  }
  const value = Math.max(high * CENT, rules.minBuy);
  return formatUnits(ownMoney(bot, value, rules.future ? rules.leverage : 1));
}

function startsWith({ planRules, rules }: Bot, input: PlanInput): boolean {
  const both = rules.longs && rules.shorts;
  if (planRules?.kind === 'grid') return planGrid(planRules.grid, input, both ? 0 : rules.longs ? 1 : -1).ok;
  return planRules?.kind === 'dca' && startDca(planRules.dca, input, rules.longs ? 1 : -1).ok;
}
