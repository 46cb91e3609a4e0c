import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
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

/** Names the bot, and the pair on screen, that the kill switch acts on; null means all live bots. */
export type KillTarget = { readonly bot: BotDetail; readonly pair: string | undefined } | null;

export interface KillButtonProps {
  readonly of: KillTarget;
  /** True when there is anything to stop. A kill in progress stays on screen after that. */
  readonly isOffered?: boolean;
}

export type KillButtonSlot = ComponentType<KillButtonProps>;

export type ChartSlot = ComponentType<{ readonly bot: BotDetail; readonly view: PairView }>;
