import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { mergeGroups } from '@heron/contract/bots/mergeGroups.ts';
import type { PortfolioGroup, PortfolioMoney } from '@heron/contract/bots/portfolio.ts';
import { decimalText, decimalUnits, differenceOf, UNIT_DECIMALS } from '@heron/engine/money/decimalText.ts';
import { environmentOf, exchangeOfVenue } from '@heron/engine/options/venues.ts';
import type { BotClosedSums } from '../../store/closedSums.ts';
import type { BotReturns } from '../../store/dailyReturns.ts';
import { marginOfPosition, markValue, positionRisk } from './positionRisk.ts';

const text = (units: bigint) => decimalText(units, UNIT_DECIMALS);

/** Figures of a bot that are not in its details. */
export interface BotHistory {
  readonly closed: BotClosedSums;
  /** Undefined without any. */
  readonly returns: BotReturns | undefined;
  /** Label of the exchange key of a live bot; undefined on paper. */
  readonly keyLabel: string | undefined;
}

/**
 * Returns the figures of one bot as a group of a portfolio.
 *
 * @see docs/accounting.md#figures-of-a-portfolio
 */
export function botGroup(bot: BotDetail, { closed, returns, keyLabel }: BotHistory): PortfolioGroup {
  const { performance, venue } = bot;
  const open = bot.pairViews.flatMap((pair) => (pair.position === null ? [] : [{ pair, position: pair.position }]));
  const money = moneyOf(bot);
  const strategy = bot.strategy.id;
  const values = open.map(({ pair, position }) => ({ asset: baseOf(pair.pair), position, value: markValue(position) }));
  const group: PortfolioGroup = {
    ...{ mode: bot.mode, environment: environmentOf(venue), currency: performance.currency },
    money,
    bots: [{ ...money, bot: bot.id, name: bot.name, venue, strategy }],
    venues: [{ ...money, venue, bots: 1 }],
    accounts: bot.account === null ? [] : [{ ...money, key: bot.account.key, label: keyLabel ?? '', bots: 1 }],
    assets: assetsOf(bot, money, values),
    exposures: values.map(({ asset, position: { direction }, value }) => {
      const [long, short] = direction === 'long' ? [value, 0n] : [0n, value];
      return { asset, long: text(long), short: text(short), net: text(long - short), gross: text(long + short) };
    }),
    returns: returns === undefined ? [] : [{ bot: bot.id, ...returns }],
    // The merge makes what follows from the lists.
    ...{ months: [], correlations: [] },
    exposure: { long: '0', short: '0', net: '0', gross: '0' },
    risk: { positions: 0, lossAtStops: '0', unprotected: 0, withoutStop: '0' },
    positions: open.map(({ pair, position }) => positionRisk(bot, pair, position)),
    closed: closed.all,
    strategies: closed.all.positions === 0 ? [] : [{ ...closed.all, strategy }],
    pairs: [...closed.pairs],
    // The engine writes only reasons that the contract lists.
    reasons: closed.reasons as PortfolioGroup['reasons'],
    days: [...closed.days],
  };
  const [merged] = mergeGroups([group]);
  return merged ?? group;
}

const baseOf = (pair: string) => pair.slice(0, pair.lastIndexOf('-'));

function moneyOf(bot: BotDetail): PortfolioMoney {
  const { totalCapital: equity, startCapital, cash: held, realised, unrealised } = bot.performance;
  const invested = isFuture(bot) ? marginOf(bot) : differenceOf(equity, held);
  return {
    ...{ equity, cash: differenceOf(equity, invested), invested },
    ...{ profit: differenceOf(equity, startCapital), realised, unrealised },
  };
}

function isFuture({ venue }: BotDetail): boolean {
  return exchangeOfVenue(venue)?.future === true;
}

function marginOf(bot: BotDetail): string {
  const margins = bot.pairViews.map(({ position }) => (position === null ? 0n : marginOfPosition(bot, position)));
  return text(margins.reduce((sum, margin) => sum + margin, 0n));
}

/** Divides the equity by the asset that holds it. The wallet and the margin of futures are in the quote currency. */
function assetsOf(
  bot: BotDetail,
  { equity, cash, invested }: PortfolioMoney,
  values: readonly { readonly asset: string; readonly value: bigint }[],
): PortfolioGroup['assets'] {
  const { currency } = bot.performance;
  if (isFuture(bot)) return [{ asset: currency, value: equity }];
  const held = values.map(({ asset, value }) => ({ asset, value: text(value) }));
  const rest = values.reduce((left, { value }) => left - value, decimalUnits(invested));
  return [{ asset: currency, value: cash }, ...held, ...(rest === 0n ? [] : [{ asset: null, value: text(rest) }])];
}
