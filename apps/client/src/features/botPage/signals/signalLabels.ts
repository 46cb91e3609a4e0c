import type { SignalOutcome, SignalReason } from '@heron/contract/bots/signals.ts';
import type { KeyUnder } from '../../../locales/texts.ts';

/** Texts of the outcomes of a signal. */
export const OUTCOMES: Readonly<Record<SignalOutcome, `signalOutcome.${KeyUnder<'signalOutcome'>}`>> = {
  placed: 'signalOutcome.placed',
  dry: 'signalOutcome.dry',
  repeated: 'signalOutcome.repeated',
  refused: 'signalOutcome.refused',
  unknown: 'signalOutcome.unknown',
};

/** Texts of the reasons why a signal was not executed. */
export const REASONS: Readonly<Record<SignalReason, `signalReason.${KeyUnder<'signalReason'>}`>> = {
  malformed: 'signalReason.malformed',
  address: 'signalReason.address',
  old: 'signalReason.old',
  future: 'signalReason.future',
  pairMissing: 'signalReason.pairMissing',
  pairUnknown: 'signalReason.pairUnknown',
  amountMissing: 'signalReason.amountMissing',
  bot: 'signalReason.bot',
};

export const SIDES = { buy: 'signalSide.buy', sell: 'signalSide.sell' } as const;
