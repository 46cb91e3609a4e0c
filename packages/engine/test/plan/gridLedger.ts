import type { Grid } from '@heron/engine/grid/grid.ts';
import { type Market, meetsMinimums } from '@heron/engine/market/market.ts';
import { type Price, parseUnits } from '@heron/engine/money/units.ts';
import { type Note, PLAN_NOTE } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';

/** Extra digits of amounts, so that shares of a cost round far below one unit. */
const FINE = 10n ** 12n;

/** One grid level: what it holds, its exact cost, and the result of its unfinished cycle. */
interface Level {
  readonly side: bigint;
  readonly entry: Price;
  readonly exit: Price;
  readonly byBase: boolean;
  readonly wanted: bigint;
  entered: bigint;
  held: bigint;
  cost: bigint;
  unfinished: bigint;
}

interface Order {
  readonly key: string;
  readonly kind: 'entry' | 'exit';
}

/**
 * Computes the result of the grids of a pair from its journal alone, in whole numbers with twelve more digits than the engine.
 * It knows the prices of a grid from its state, and nothing of its bookkeeping.
 */
export class GridLedger {
  private readonly orders = new Map<string, Order>();
  private levels: Level[] = [];
  private matched = 0n;
  /** Number of completed cycles. */
  cycles = 0;
  /** Number of roundings of the engine, each of at most one unit. */
  roundings = 0;
  /** False once something other than a grid order has changed the position, or a grid has ended. */
  isPure = true;

  /** Follows the notes of one event on the pair, which is as it is after the event. */
  follow(pair: PairState, notes: readonly Note[]): void {
    for (const { id, planKey, kind } of pair.planOrders) this.orders.set(`${id}`, { key: planKey, kind });
    for (const { kind, data } of notes) {
      if (kind === PLAN_NOTE) this.onPlan(pair, data);
      else if (kind === 'order') this.onOrder(data);
      else if (kind === 'fill') this.onFill(pair.market as Market, data);
      else if (kind === 'intent_end') this.onEnd(pair.market as Market, data);
      else if (kind === 'funding' || kind === 'liquidation') this.isPure = false;
    }
  }

  /** Grid profit, in units of the engine. */
  get profit(): number {
    return toNumber(this.matched);
  }

  /** Result of unfinished cycles. */
  get unfinished(): number {
    return toNumber(this.levels.reduce((sum, level) => sum + level.unfinished, 0n));
  }

  /** Value of what the levels hold at `mark`, less its cost. */
  floating(mark: Price, { assetDecimals }: Market): number {
    const unit = 10n ** BigInt(assetDecimals);
    return toNumber(
      this.levels.reduce((sum, { side, held, cost }) => sum + side * ((BigInt(mark) * held * FINE) / unit - cost), 0n),
    );
  }

  private onPlan(pair: PairState, { what, price }: Note['data']): void {
    if (what === 'grid_laid' || what === 'grid_moved') this.lay(pair, unitsOf(price), what === 'grid_moved');
    if (what === 'ended' || what === 'replaced' || what === 'removed') {
      this.levels = [];
      this.isPure = false;
    }
  }

  private lay({ orderPlan }: PairState, price: Price, moved: boolean): void {
    // The plan may have ended in the event that started it.
    if (orderPlan?.kind !== 'grid') throw new Error('the grid ended at its start');
    const grid: Grid = orderPlan;
    const before = moved ? this.levels : [];
    this.levels = grid.cells.map(({ side, low, high, quantity }, index) => {
      const old = before[index]?.side === BigInt(side) ? before[index] : undefined;
      // Dust of a level that changes its side stays outside.
      return {
        side: BigInt(side),
        entry: side === 1 ? low : high,
        exit: side === 1 ? high : low,
        byBase: grid.side !== 0 && grid.rules.initialBuy && (side === 1 ? low >= price : high <= price),
        wanted: BigInt(quantity),
        entered: 0n,
        held: old?.held ?? 0n,
        cost: old?.cost ?? 0n,
        unfinished: 0n,
      };
    });
    if (before.some(({ held, side }, index) => held > 0n && this.levels[index]?.side !== side)) this.isPure = false;
  }

  /** Finds the level of an order by its price, which may fill in the event that places it. The base order is no maker at a level. */
  private onOrder({ intent, reason, type, side, price }: Note['data']): void {
    if (reason !== PLAN_REASON || type !== 'limit_maker' || this.orders.has(String(intent))) return;
    const at = unitsOf(price);
    for (const kind of ['entry', 'exit'] as const) {
      const direction = (side === 'buy') === (kind === 'entry') ? 1n : -1n;
      const index = this.levels.findIndex((level) => level.side === direction && level[kind] === at);
      if (index >= 0) this.orders.set(String(intent), { key: String(index), kind });
    }
  }

  private onFill({ base, assetDecimals }: Market, data: Note['data']): void {
    if (data.reason !== PLAN_REASON || this.levels.length === 0) {
      this.isPure = false;
      return;
    }
    const quantity = BigInt(unitsOf(data.quantity, assetDecimals));
    const inBase = data.feeAsset === base;
    const feeBase = inBase ? BigInt(unitsOf(data.fee, assetDecimals)) : 0n;
    const feeQuote = inBase ? 0n : FINE * BigInt(unitsOf(data.feeQuote));
    const value = (FINE * BigInt(unitsOf(data.price)) * quantity) / 10n ** BigInt(assetDecimals);
    this.roundings += 2;
    const order = this.orders.get(String(data.intent));
    if (order === undefined) this.fillBase({ quantity, feeBase, feeQuote, value });
    else this.fillLevel(this.levels[Number(order.key)] as Level, order.kind, { quantity, feeBase, feeQuote, value });
  }

  /** Distributes a fill of the base order: each level gets what it still wants, the nearest to its exit first. */
  private fillBase({ quantity, feeBase, feeQuote, value }: Fill): void {
    const takers = this.levels.filter(({ byBase }) => byBase);
    if (takers[0]?.side === -1n) takers.reverse();
    let left = quantity;
    // A fee in the asset is a whole number of units, so its shares are of the remainder.
    let feeLeft = feeBase;
    takers.forEach((level, index) => {
      const part = index === takers.length - 1 ? left : min(level.wanted - level.entered, left);
      if (part <= 0n) return;
      const fee = (2n * feeLeft * part + left) / (2n * left);
      left -= part;
      feeLeft -= fee;
      this.roundings += 4;
      this.fillLevel(level, 'entry', {
        quantity: part,
        feeBase: fee,
        feeQuote: (feeQuote * part) / quantity,
        value: (value * part) / quantity,
      });
    });
  }

  private fillLevel(level: Level, kind: 'entry' | 'exit', { quantity, feeBase, feeQuote, value }: Fill): void {
    if (kind === 'entry') {
      level.entered += quantity;
      level.held += quantity - feeBase;
      level.cost += value + level.side * feeQuote;
      return;
    }
    const out = quantity + feeBase;
    const share = out >= level.held ? level.cost : (level.cost * out) / level.held;
    level.held = out >= level.held ? 0n : level.held - out;
    level.cost -= share;
    level.unfinished += level.side * (value - share) - feeQuote;
  }

  /** Completes the cycle of a level whose exit has ended with less than an order needs. */
  private onEnd(market: Market, { id, reason, kind, filled }: Note['data']): void {
    const order = this.orders.get(String(id));
    if (reason !== PLAN_REASON || order === undefined || kind !== 'exit' || filled === '0') return;
    const level = this.levels[Number(order.key)];
    if (level === undefined) return;
    const whole = level.held - (level.held % BigInt(market.step));
    if (meetsMinimums(market, level.exit, Number(whole))) return;
    this.matched += level.unfinished;
    this.cycles += 1;
    level.unfinished = 0n;
    level.entered = whole;
  }
}

interface Fill {
  readonly quantity: bigint;
  readonly feeBase: bigint;
  readonly feeQuote: bigint;
  readonly value: bigint;
}

function toNumber(fine: bigint): number {
  return Number(fine / FINE);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Returns the units of an amount of a note. */
function unitsOf(amount: Note['data'][string] | undefined, decimals?: number): number {
  const units = parseUnits(String(amount), decimals);
  if (units === null) throw new Error(`${amount} is no amount`);
  return units;
}
