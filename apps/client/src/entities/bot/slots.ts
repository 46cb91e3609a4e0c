import type { BotDetail, PairView, Trade } from '@heron/contract/bots/entities.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import type { ComponentProps, ComponentType } from 'react';
import type { Button } from '../../ui/Button.tsx';

/*
 * Parts of one feature that screens of another feature show. Features do not import each other, so `app/screens` passes these
 * components to the screens.
 */

export type BacktestButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  /** Groups the backtests that are compared with each other: the id of a bot, or `new` for the draft of a new one. */
  readonly of: string;
};

export interface BacktestSheetProps {
  /** Valid, as `checkSetup` returns it. */
  readonly setup: Setup;
  /** Name of the bot; becomes part of the file name. */
  readonly name: string;
  /** Id of the paired bot host that fetches the candles; null for this Heron's own host. */
  readonly host: string | null;
  /** Groups the backtests that are compared with each other: the id of a bot, or `new` for the draft of a new one. */
  readonly of: string;
  /** A button beside the result. */
  readonly act?: { readonly label: string; readonly run: () => void };
  readonly onClose: () => void;
}

export interface BacktestSlot {
  readonly Button: ComponentType<BacktestButtonProps>;
  readonly Sheet: ComponentType<BacktestSheetProps>;
}

/** Parts of other features on the forms for new and changed bots. */
export interface SetupSlots {
  readonly backtest: BacktestSlot;
  readonly ChartPreview: ChartPreviewSlot;
}

/** Names the bot, and the pair on screen, that the kill switch acts on; null means all live bots. */
export type KillTarget = { readonly bot: BotDetail; readonly pair: string | undefined } | null;

export interface KillButtonProps {
  readonly of: KillTarget;
  /** True when there is anything to stop. A kill in progress stays on screen after that. */
  readonly isOffered?: boolean;
}

export type KillButtonSlot = ComponentType<KillButtonProps>;

/** Shows candles of a pair with the lines that a strategy would have, before a bot exists. */
export type ChartPreviewSlot = ComponentType<ChartPreviewProps>;

/** An order that a bot would place, for a line on a chart. */
export interface PlannedOrder {
  readonly side: 'buy' | 'sell';
  /** Exact decimal. */
  readonly price: string;
}

/** A trade whose fills the chart marks. */
export type MarkedTrade = Pick<Trade, 'kind'> & {
  readonly fills: readonly Pick<Trade['fills'][number], 'id' | 'at' | 'side' | 'price' | 'quantity' | 'reason'>[];
};

export interface ChartPreviewProps {
  readonly venue: VenueId;
  /** Id of the paired bot host that fetches the candles; null for this Heron's own host. */
  readonly host: string | null;
  readonly pair: string;
  readonly period: Period;
  /** Strategy with valid parameters; null draws the candles alone. */
  readonly strategy: { readonly id: string; readonly params: Params } | null;
  /** Orders that a plan would place now; none when omitted. */
  readonly orders?: readonly PlannedOrder[];
  /** Trades to mark; none when omitted. */
  readonly trades?: readonly MarkedTrade[];
  /** The chart moves to this position and marks it; null or omitted for none. */
  readonly span?: PositionSpan | null;
  /** The chart ends at this time, ms; now when omitted. */
  readonly until?: number;
}

/** A position that the chart marks, from its entry to its exit. */
export interface PositionSpan {
  readonly id: number;
  readonly pair: string;
  /** Times of entry and exit, ms. */
  readonly from: number;
  readonly to: number;
  readonly entryPrice: number;
  /** Average price of the exits; that of the entries without an exit. */
  readonly exitPrice: number;
}

/** A new price of a price exit, which its owner has still to confirm. */
export interface ExitMove {
  readonly pair: string;
  /** Time at which its position was opened, ms. */
  readonly openedAt: number;
  /** Number of the price exit. */
  readonly exit: number;
  readonly kind: 'stopLoss' | 'takeProfit';
  /** Decimal. */
  readonly price: string;
}

export type ChartSlot = ComponentType<{
  readonly bot: BotDetail;
  readonly view: PairView;
  /** The chart moves to this position; null for none. */
  readonly span: PositionSpan | null;
  /** Called when the user has dragged the line of a price exit. */
  readonly onMoveExit: (move: ExitMove) => void;
}>;
