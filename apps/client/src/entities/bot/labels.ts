import type { BotStatus, Order, optionChange, PairView, Trade } from '@heron/contract/bots/entities.ts';
import type { Alarm } from '@heron/contract/bots/notifications.ts';
import { STOP_GAP_TEXTS } from '@heron/contract/locales/stopGapTexts.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import type { ExpiryReason } from '@heron/engine/live/report.ts';
import type { AuditCheck } from '@heron/engine/paper/paperAudit.ts';
import type { Command, OrderEnd } from '@heron/engine/state/botEvents.ts';
import type { ParentOrderEnd } from '@heron/engine/state/parentOrder.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Strategy } from '@heron/engine/strategies/strategy.ts';
import type { z } from 'zod';
import type { Locale } from '../../lib/preferences.ts';
import type { Key, KeyUnder } from '../../locales/texts.ts';
import type { PlanName } from './planName.ts';

type Refusal = NonNullable<PairView['lastRefusal']>['gate'];
type Position = NonNullable<PairView['position']>;
type Plan = NonNullable<PairView['ladder']>;

/** Maps label prefixes to enumerations of the contract and the engine. The label of `side.buy` has the key `side.buy`. */
interface Enumerations {
  acts: z.infer<typeof optionChange>['acts'];
  /** Has the values of `acts`, for a change that is not yet saved. */
  applies: z.infer<typeof optionChange>['acts'];
  alarm: Alarm;
  auditCheck: AuditCheck;
  averaging: Extract<Plan, { kind: 'dca' }>['phase'];
  cell: Extract<Plan, { kind: 'grid' }>['cells'][number]['state'];
  /** The journal names a buy that opens a short `short`. */
  command: Command['type'] | 'short';
  direction: Position['direction'];
  end: ParentOrderEnd;
  expiry: ExpiryReason;
  flag: NonNullable<PairView['flag']>;
  liquidity: Trade['fills'][number]['liquidity'];
  orderState: Order['status'] | OrderEnd;
  orderType: Order['type'];
  phase: PairView['phase'];
  reason: Trade['reason'];
  refusal: Refusal;
  side: Trade['side'];
  status: BotStatus;
  working: Trade['kind'] | Plan['kind'];
}

type Prefix = keyof Enumerations;
/** Lists members without a label, and labels without a member. */
type Mismatch = {
  [P in Prefix]: Exclude<Enumerations[P], KeyUnder<P>> | Exclude<KeyUnder<P>, Enumerations[P]>;
}[Prefix];
/** A prefix that `label` accepts. While anything mismatches it accepts none, and the compiler names what mismatches. */
type LabelledPrefix = [Mismatch] extends [never] ? Prefix : { mismatch: Mismatch };

/** Returns the label of an enumeration's member. A member that only a newer host knows is returned as it is. */
export function label(prefix: LabelledPrefix, member: unknown, { t }: Pick<Locale, 't'>): string {
  if (typeof member !== 'string') return String(member ?? '');
  const key = `${prefix}.${member}`;
  const text = (t as (key: Key) => string)(key as Key);
  return text === key ? member : text;
}

const GROUP_HEADINGS = {
  trend: 'trend',
  momentum: 'momentum',
  reversion: 'reversion',
  volatility: 'volatility',
  volume: 'volume',
  orderPlan: 'orderPlan',
  pattern: 'advanced',
  meta: 'advanced',
  none: 'advanced',
} as const satisfies Record<Strategy['group'], string>;

/** Returns the heading under which a strategy is listed. @see docs/strategies.md#what-a-strategy-is */
export function strategyGroupLabel(group: Strategy['group'], { t }: Locale): string {
  return t(`strategyGroup.${GROUP_HEADINGS[group]}`);
}

/** Returns the label of a reason. @param locale with the plan of the bot, where it is known */
export function reasonLabel(reason: unknown, locale: Locale & { readonly plan?: PlanName | null }): string {
  if (reason === 'ladder' && locale.plan) return locale.t(`orderPlan.${locale.plan}`);
  return label('reason', reason, locale);
}
export const sideLabel = (side: unknown, locale: Locale) => label('side', side, locale);
export const liquidityLabel = (liquidity: unknown, locale: Locale) => label('liquidity', liquidity, locale);
export const phaseLabel = (phase: unknown, locale: Locale) => label('phase', phase, locale);
export const flagLabel = (flag: unknown, locale: Locale) => label('flag', flag, locale);
export const directionLabel = (direction: unknown, locale: Locale) => label('direction', direction, locale);
export const orderStateLabel = (state: unknown, locale: Locale) => label('orderState', state, locale);
export const gridLevelStateLabel = (state: unknown, locale: Locale) => label('cell', state, locale);
export const dcaPhaseLabel = (phase: unknown, locale: Locale) => label('averaging', phase, locale);
/** Returns a part of a sentence: the reason why no stop order protects a position. */
export function stopGapLabel(gap: unknown, { language }: Locale): string {
  // A newer bot host may know more reasons.
  const texts: Readonly<Record<string, Text | undefined>> = STOP_GAP_TEXTS;
  return texts[String(gap)]?.[language] ?? String(gap ?? '');
}
export const orderTypeLabel = (type: unknown, locale: Locale) => label('orderType', type, locale);

/** Returns whether a strategy places an order plan, which a manual order ends. */
export function isOrderPlanStrategy(id: string): boolean {
  return STRATEGIES.get(id)?.group === 'orderPlan';
}

/** Reasons that have a sentence of their own for the pause of a pair. */
const PAUSE_REASONS = [
  'liquidation',
  'liquidation_guard',
  'stop_sell',
  'exchange_stop',
  'manual',
  'external',
] as const satisfies readonly (Trade['reason'] & KeyUnder<'pausedBy'>)[];

/** Returns the reason of a pair's pause as one sentence. @param hasOrderPlan whether its strategy is a grid or DCA */
export function pausedSentence(by: PairView['pausedBy'], hasOrderPlan: boolean, locale: Locale): string {
  const { t } = locale;
  if (by === 'manual' && !hasOrderPlan) return t('paused.byKillSwitch');
  const known = PAUSE_REASONS.find((reason) => reason === by);
  return known === undefined ? t('paused.byOther', { reason: reasonLabel(by, locale) }) : t(`pausedBy.${known}`);
}

/** Returns the reason of a blocked entry or exit as one sentence. */
export function refusalSentence(gate: Refusal, locale: Locale): string {
  return locale.t(`refusal.${gate}`);
}
