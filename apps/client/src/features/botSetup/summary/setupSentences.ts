import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { effectiveOptions } from '@heron/engine/options/effective.ts';
import type { ExitRow } from '@heron/engine/options/item.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { sellsByPlan } from '@heron/engine/options/unusedOptions.ts';
import { exchangeOf } from '@heron/engine/options/validate.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { type SetupDraft, shownParams, typedOptions, typedParams } from '../../../entities/bot/setup/setupDraft.ts';
import { paramText } from '../../../entities/bot/setup/valueLabels.ts';
import { strategyTitle } from '../../../entities/bot/strategyTitle.ts';
import type { Preferences } from '../../../lib/preferences.ts';

/** Describes the money that a bot trades with. */
export interface Stake {
  /** Amount in the quote currency; null for the whole account, and NaN while the typed text is not a number. */
  readonly amount: number | null;
}

/** Holds the sentences about one part of a setup. */
interface SummaryPart {
  readonly part: 'market' | 'pairs' | 'strategy' | 'money' | 'exits' | 'fees';
  readonly sentences: readonly string[];
}

interface Context {
  readonly used: BotOptions;
  readonly preferences: Preferences;
  readonly params: Readonly<Record<string, unknown>>;
  /** The strategy sells by a plan of its own. */
  readonly hasPlan: boolean;
  /** The strategy gives signals to enter and to exit. */
  readonly hasSignals: boolean;
  /** The user opens positions by hand. */
  readonly byHand: boolean;
}

/** Says in sentences what a bot with this setup will do. Options that are not valid yet show a dash. */
export function setupSentences(draft: SetupDraft, stake: Stake, preferences: Preferences): SummaryPart[] {
  const used = effectiveOptions(typedOptions(draft));
  const params = typedParams(draft);
  const group = STRATEGIES.get(used.strategy)?.group;
  const context = {
    used,
    preferences,
    hasPlan: sellsByPlan(used.strategy, params),
    byHand: group === 'none',
    params,
    hasSignals: group !== 'orderPlan',
  };
  return [
    { part: 'market', sentences: marketSentences(context) },
    { part: 'pairs', sentences: [draft.pairs.length > 0 ? draft.pairs.join(', ') : preferences.t('add.noneChosen')] },
    { part: 'strategy', sentences: strategySentences(draft, context) },
    { part: 'money', sentences: moneySentences(stake, context) },
    { part: 'exits', sentences: exitSentences(context) },
    { part: 'fees', sentences: [feeSentence(context)] },
  ];
}

function marketSentences({ used, preferences: { t, language } }: Context): string[] {
  const mode = t(used.mode === 'live' ? 'summary.live' : 'summary.paper', {
    venue: venueTitle(used.exchange)[language],
  });
  if (exchangeOf(used)?.future !== true) return [mode];
  const leverage = figure(used.leverage, String);
  return [mode, t(`summary.${used.market}`), t(`summary.${used.margin_mode}`, { leverage })];
}

function strategySentences(draft: SetupDraft, { used, preferences, hasPlan, byHand }: Context): string[] {
  const { t, language } = preferences;
  const name = strategyTitle(used.strategy, preferences);
  const title = hasPlan || byHand ? name : t('summary.strategy', { strategy: name, period: used.period });
  const values = typedParams(draft);
  const params = shownParams(draft).map(
    (param) => `${paramTitle(param)[language]}: ${paramText(param, values[param.name] ?? param.value, preferences)}`,
  );
  return [title, ...(params.length > 0 ? [params.join(' · ')] : [])];
}

function moneySentences(stake: Stake, context: Context): string[] {
  const { used, preferences } = context;
  const { t } = preferences;
  const currency = used.product_currency;
  const amount = (value: number) => figure(value, preferences.format.quantity);
  const whole =
    stake.amount === null
      ? t('summary.wholeAccount', { currency })
      : t(used.mode === 'live' ? 'summary.allotment' : 'summary.paperMoney', {
          amount: amount(stake.amount),
          currency,
        });
  if (context.byHand) return [whole, t('summary.byHand')];
  return [whole, ...entrySentences(stake, context), ...limitSentences(context)];
}

function entrySentences(
  { amount: capital }: Stake,
  { used, params, preferences, hasPlan, hasSignals }: Context,
): string[] {
  const { t, format } = preferences;
  const { amount: fixed } = params;
  if (!hasPlan && !hasSignals && typeof fixed === 'number' && fixed > 0)
    return [t('summary.fixedEntry', { amount: format.quantity(fixed), currency: used.product_currency })];
  const onlyShort = used.market === 'only_short' && used.short_buy_pct > 0;
  const share = onlyShort ? used.short_buy_pct : used.buy_pct;
  if (share === 0) return [t('summary.noEntries')];
  const text = figure(share, format.quantity);
  const margin = ((capital ?? Number.NaN) * share) / 100;
  const first = Number.isFinite(margin) && used.max_buy_size === 0;
  const size = first
    ? t(hasPlan ? 'summary.planSize' : 'summary.entrySize', {
        share: text,
        amount: format.quantity(margin),
        currency: used.product_currency,
      })
    : t(hasPlan ? 'summary.planShare' : 'summary.entryShare', { share: text });
  if (!first || used.leverage <= 1) return [size];
  const value = format.quantity(margin * used.leverage);
  return [size, t('summary.orderValue', { value, currency: used.product_currency })];
}

function limitSentences({ used, preferences: { t, format } }: Context): string[] {
  const { max_buy_pair_count: positions, max_buy_size: most } = used;
  return [
    ...(most > 0 ? [t('summary.maxEntry', { amount: format.quantity(most), currency: used.product_currency })] : []),
    ...(positions > 0 ? [t('summary.maxPositions', { count: positions })] : []),
  ];
}

function exitSentences({ used, preferences, hasPlan, hasSignals, byHand }: Context): string[] {
  const { t, format } = preferences;
  const shown = (value: number) => figure(value, format.quantity);
  const rows = (
    table: readonly ExitRow[],
    key: 'summary.stopLoss' | 'summary.trailingStop' | 'summary.trailingProfit' | 'summary.takeProfit',
  ) =>
    table.map(({ profit, stop }) =>
      t(key, { percent: shown(profit), share: shown(stop), start: shown(used.profit_callback_start) }),
    );
  const stops = [
    ...rows(used.stop_sell, 'summary.stopLoss'),
    ...(hasPlan ? [] : rows(used.trailing_stop, 'summary.trailingStop')),
  ];
  const none = stops.length === 0 ? [t('summary.noStop')] : [];
  if (hasPlan) return [t('summary.planExits'), ...stops, ...none];
  return [
    ...(used.sell_pct > 0 && hasSignals && !byHand ? [t('summary.signalExit', { share: shown(used.sell_pct) })] : []),
    ...stops,
    ...none,
    ...rows(used.profit_callback, 'summary.trailingProfit'),
    ...rows(used.profit_win, 'summary.takeProfit'),
  ];
}

function feeSentence({ used, preferences: { t, format } }: Context): string {
  const taker = figure(used.takerFee, format.quantity);
  if (exchangeOf(used)?.defi) return t('summary.poolFee', { taker });
  return t('summary.fees', { maker: figure(used.makerFee, format.quantity), taker });
}

/** Formats a number. A dash stands for one that is not typed yet. */
function figure(value: number, format: (value: number) => string): string {
  return Number.isFinite(value) ? format(value) : '—';
}
