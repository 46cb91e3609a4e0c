import { NONE_TRIGGERED } from '../exitRules/exitTables.ts';
import { averagePrice, type Holding } from '../ledger/holding.ts';
import type { Price } from '../money/units.ts';
import { defaultOptions } from '../options/table.ts';
import { checkVersion, STATE_VERSION } from '../session/stateVersion.ts';
import { upgradeBot } from '../session/upgradeBot.ts';
import { withDefaults } from '../session/withDefaults.ts';
import type { ExitReference, PairState, Position } from '../state/botState.ts';
import { createParentOrder, type LiveOrder, type ParentOrder } from '../state/parentOrder.ts';
import { createPaperState, type PaperState } from './paperState.ts';

/** Version 1 had no version number, only spot, and text ids of parent orders and positions. */
interface Version1 extends Omit<PaperState, 'version' | 'bot'> {
  version?: undefined;
  bot: Omit<PaperState['bot'], 'pairs'> & { pairs: Pair1[] };
}

interface Pair1 extends Omit<PairState, 'position' | 'entry' | 'exit' | 'exitReference'> {
  position: Position1 | null;
  entry: ParentOrder1 | null;
  exit: ParentOrder1 | null;
  exitReference: { price: Price; until: number } | null;
}

interface Position1 extends Omit<Position, 'id' | 'direction' | 'fired'> {
  /** `p` and a number. */
  id: string;
  /** Indices of rows. */
  fired: Record<'stopSell' | 'profitWin' | 'callback', number[]>;
}

interface ParentOrder1 extends Omit<ParentOrder, 'id' | 'direction' | 'order'> {
  id: string;
  order: (Omit<LiveOrder, 'n'> & { clientOrderId: string }) | null;
}

/**
 * Upgrades the state of a saved session of any version. Fields that its version did not have get the value of a fresh session.
 *
 * @param saved as JSON gave it
 * @throws SessionTooNew
 */
export function upgradePaperState(saved: PaperState | Version1): PaperState {
  const { version = 1 } = saved;
  checkVersion(version);
  const { id, options, params } = saved.bot;
  const fresh = createPaperState(id, { ...defaultOptions(), ...options }, params);
  // Markets of an older version have no average sizes; the first quote sets them.
  for (const market of Object.values(saved.exchange?.markets ?? {})) market.averageSizes ??= { bid: 0, ask: 0 };
  upgradeBot(fresh.bot, saved.bot as PaperState['bot'], version);
  return withDefaults(fresh, saved.version === undefined ? fromVersion1(saved) : { ...saved, version: STATE_VERSION });
}

function fromVersion1(saved: Version1): PaperState {
  const pairs = saved.bot.pairs.map(pairFrom1);
  const orders = saved.exchange.orders.map((order) => ({ ...order, filled: order.filled ?? 0 }));
  return { ...saved, version: STATE_VERSION, bot: { ...saved.bot, pairs }, exchange: { ...saved.exchange, orders } };
}

function pairFrom1(pair: Pair1): PairState {
  return {
    ...pair,
    holding: holdingFrom1(pair),
    position: pair.position && positionFrom1(pair.position),
    entry: pair.entry && parentFrom1(pair.entry),
    exit: pair.exit && parentFrom1(pair.exit),
    exitReference: pair.exitReference && referenceFrom1(pair.exitReference),
  };
}

/** Converts a holding, whose entry price was a quotient; the next exit uses its share of the present cost. */
function holdingFrom1({ holding, market }: Pair1): Holding {
  const { entryNotional, entryQuantity, quantity, cost } = holding;
  const entryPrice = market === null || entryQuantity === 0 ? 0 : averagePrice(market, entryNotional, entryQuantity);
  return { ...holding, entryPrice, basisCost: cost, basisQuantity: quantity };
}

function positionFrom1({ id, fired, ...position }: Position1): Position {
  const bits = (rows: readonly number[]) => rows.reduce((set, index) => set | (1 << index), 0);
  return {
    ...position,
    id: Number(id.slice(1)),
    direction: 1,
    fired: {
      ...NONE_TRIGGERED,
      stopSell: bits(fired.stopSell),
      profitWin: bits(fired.profitWin),
      callback: bits(fired.callback),
    },
  };
}

function parentFrom1({ id, order, ...parent }: ParentOrder1): ParentOrder {
  const { kind, reason, openedAt, target, urgency, orders } = parent;
  const fresh = createParentOrder({ id: Number(id), kind, direction: 1, reason, openedAt, target, urgency });
  // The open order of a parent order is always its newest.
  return { ...fresh, ...parent, order: order && orderFrom1(order, orders) };
}

function orderFrom1({ clientOrderId: _, ...order }: NonNullable<ParentOrder1['order']>, n: number): LiveOrder {
  return { ...order, n };
}

function referenceFrom1({ price, until }: NonNullable<Pair1['exitReference']>): ExitReference {
  return { lowest: price, highest: price, until };
}
