import { decimalUnits, differenceOf, sumOf } from '@heron/engine/money/decimalText.ts';
import { correlationsOf } from './correlation.ts';
import type { ClosedSums, PortfolioGroup, PortfolioMoney, PositionRisk } from './portfolio.ts';

/** Real money comes first here, unlike where a venue is chosen. */
const ENVIRONMENTS: readonly PortfolioGroup['environment'][] = ['real', 'testnet', 'demo'];

/** Length of the month in `2026-11-27`. */
const MONTH_LENGTH = 7;

/**
 * Adds up groups of the same mode, environment and currency; different ones stay apart. The groups of single bots, or of several
 * bot hosts, become those of all bots. Every list is sorted as it is shown.
 *
 * @see docs/accounting.md#figures-of-a-portfolio
 */
export function mergeGroups(groups: readonly PortfolioGroup[]): PortfolioGroup[] {
  const same = Map.groupBy(groups, ({ mode, environment, currency }) => `${mode} ${environment} ${currency}`);
  return [...same.values()]
    .map(mergeSame)
    .sort(
      (a, b) =>
        ENVIRONMENTS.indexOf(a.environment) - ENVIRONMENTS.indexOf(b.environment) ||
        compareTexts(a.currency, b.currency) ||
        compareTexts(a.mode, b.mode),
    );
}

function mergeSame(groups: readonly PortfolioGroup[]): PortfolioGroup {
  // `Map.groupBy` makes no empty group.
  const [{ mode, environment, currency }] = groups as [PortfolioGroup];
  const positions = groups.flatMap((group) => group.positions).sort(byRisk);
  const exposures = exposuresOf(groups);
  const returns = groups.flatMap((group) => group.returns).sort((a, b) => compareTexts(a.bot, b.bot));
  const days = byKey(groups, 'days', 'day', addClosed).sort((a, b) => compareTexts(a.day, b.day));
  return {
    ...{ mode, environment, currency },
    money: addMoney(groups.map((group) => group.money)),
    bots: groups.flatMap((group) => group.bots).sort(byAmount('equity', 'bot')),
    venues: byKey(groups, 'venues', 'venue', addBots).sort(byAmount('equity', 'venue')),
    accounts: byKey(groups, 'accounts', 'key', (rows) => ({
      ...addBots(rows),
      label: rows[0]?.label ?? '',
    })).sort(byAmount('equity', 'label')),
    assets: byKey(groups, 'assets', 'asset', (rows) => ({ value: sum(rows, 'value') })).sort(
      byAmount('value', 'asset'),
    ),
    exposures,
    exposure: addExposures(exposures),
    risk: riskOf(positions),
    positions,
    closed: addClosed(groups.map(({ closed }) => closed)),
    strategies: byKey(groups, 'strategies', 'strategy', addClosed).sort(byAmount('net', 'strategy')),
    pairs: byKey(groups, 'pairs', 'pair', addClosed).sort(byAmount('net', 'pair')),
    reasons: byKey(groups, 'reasons', 'reason', addClosed).sort(byAmount('net', 'reason')),
    days,
    months: [...Map.groupBy(days, ({ day }) => day.slice(0, MONTH_LENGTH))].map(([month, own]) => ({
      ...addClosed(own),
      month,
    })),
    returns,
    correlations: correlationsOf(returns),
  };
}

type Lists = { [K in keyof PortfolioGroup]: PortfolioGroup[K] extends (infer Row)[] ? Row : never };

/** Adds up the rows of a list that have the same key. */
function byKey<List extends keyof Lists, Key extends keyof Lists[List], Sums>(
  groups: readonly PortfolioGroup[],
  list: List,
  key: Key,
  add: (rows: readonly Lists[List][]) => Sums,
): (Sums & { [K in Key]: Lists[List][K] })[] {
  const rows = groups.flatMap((group) => group[list] as unknown as Lists[List][]);
  return [...Map.groupBy(rows, (row) => row[key])].map(([name, own]) => ({
    ...add(own),
    ...({ [key]: name } as { [K in Key]: Lists[List][K] }),
  }));
}

function exposuresOf(groups: readonly PortfolioGroup[]) {
  return byKey(groups, 'exposures', 'asset', addExposures).sort(byAmount('gross', 'asset'));
}

function addExposures(rows: readonly { readonly long: string; readonly short: string }[]) {
  const long = sum(rows, 'long');
  const short = sum(rows, 'short');
  return { long, short, net: differenceOf(long, short), gross: sumOf([long, short]) };
}

function riskOf(positions: readonly PositionRisk[]): PortfolioGroup['risk'] {
  return {
    positions: positions.length,
    lossAtStops: sum(positions, 'lossAtStop'),
    unprotected: positions.filter(({ withoutStop }) => decimalUnits(withoutStop) > 0n).length,
    withoutStop: sum(positions, 'withoutStop'),
  };
}

function addMoney(rows: readonly PortfolioMoney[]): PortfolioMoney {
  return {
    equity: sum(rows, 'equity'),
    cash: sum(rows, 'cash'),
    invested: sum(rows, 'invested'),
    profit: sum(rows, 'profit'),
    realised: sum(rows, 'realised'),
    unrealised: sum(rows, 'unrealised'),
  };
}

function addBots(rows: readonly (PortfolioMoney & { readonly bots: number })[]): PortfolioMoney & { bots: number } {
  return { ...addMoney(rows), bots: rows.reduce((all, { bots }) => all + bots, 0) };
}

function addClosed(rows: readonly ClosedSums[]): ClosedSums {
  const total = (name: 'positions' | 'wins' | 'losses') => rows.reduce((all, row) => all + row[name], 0);
  return {
    positions: total('positions'),
    wins: total('wins'),
    losses: total('losses'),
    net: sum(rows, 'net'),
    fees: sum(rows, 'fees'),
    funding: sum(rows, 'funding'),
  };
}

function sum<Name extends string>(rows: readonly { readonly [N in Name]: string }[], name: Name): string {
  return sumOf(rows.map((row) => row[name]));
}

/** Sorts positions by risk: the largest part without a stop first, then the largest loss at the stops. */
function byRisk(a: PositionRisk, b: PositionRisk): number {
  return (
    compareAmounts(b.withoutStop, a.withoutStop) ||
    compareAmounts(b.lossAtStop, a.lossAtStop) ||
    compareTexts(`${a.bot} ${a.pair}`, `${b.bot} ${b.pair}`)
  );
}

/** Sorts by an amount, largest first, then by name. */
function byAmount<Amount extends string, Name extends string>(amount: Amount, name: Name) {
  type Row = { readonly [A in Amount]: string } & { readonly [N in Name]: string | null };
  return (a: Row, b: Row) => compareAmounts(b[amount], a[amount]) || compareTexts(a[name] ?? '', b[name] ?? '');
}

function compareAmounts(a: string, b: string): number {
  const difference = decimalUnits(a) - decimalUnits(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
