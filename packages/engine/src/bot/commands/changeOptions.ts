import { disarmDca } from '../../dca/dcaProgress.ts';
import { EXIT_RULES } from '../../exitRules/exitTables.ts';
import { percentRatio } from '../../money/units.ts';
import type { OptionFault } from '../../options/fault.ts';
import type { Apply, ExitRow } from '../../options/item.ts';
import { checkSetup, type GivenSetup } from '../../options/setup.ts';
import { type BotOptions, OPTIONS, type OptionName } from '../../options/table.ts';
import { normalizedOption } from '../../options/validate.ts';
import { cancelPlanOrders } from '../../orders/closePlan.ts';
import { endParentOrder } from '../../orders/finishParentOrder.ts';
import { ALL } from '../../orders/planFills.ts';
import { saveBenchmarkPrices } from '../../state/benchmark.ts';
import { type Bot, rederive } from '../../state/bot.ts';
import type { BotState, PairState } from '../../state/botState.ts';
import { isEnding } from '../../state/botStatus.ts';
import { currentEntryOptions } from '../../state/entryOptions.ts';
import { dropReversal } from '../../state/exitSignal.ts';
import { isBusy } from '../../state/pairActivity.ts';
import type { TriggeredLevel } from '../../state/parentOrder.ts';
import { type BotTurn, type Turn, turnOf } from '../../state/turn.ts';
import { findParam, strategyOf } from '../../strategies/catalogue.ts';
import { type Params, paramApply } from '../../strategies/strategy.ts';
import { forgetCandles } from '../feedStrategy.ts';
import { becomeReady } from '../lifecycle.ts';
import { judgeVolumes } from '../onVolumeUpdate.ts';
import { beginAccount } from './resetAccount.ts';
import { watchedPairs } from './watchedPairs.ts';

/** One option, or parameter of the strategy, that was changed. */
export interface OptionChange {
  readonly option: string;
  /** Strategy whose parameter it is, as a parameter can have the name of an option; omitted for an option. */
  readonly strategy?: string;
  /** Values as they read: text as it is, everything else as JSON. */
  readonly from: string;
  readonly to: string;
  /** When the change acts. @see docs/bot-lifecycle.md#when-option-changes-act */
  readonly acts: Apply;
}

/**
 * Changes options of a bot, whether it runs or not. The option table says when each acts: at once, for the next entry,
 * for the next grid or DCA deal, by reloading the strategy, or only without positions and orders. Positions, orders and money stay; another venue, mode or
 * currency starts a new account.
 *
 * @param given changed options and parameters; all others stay
 * @returns the changes and when they act, or every fault when nothing was changed
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function changeOptions(
  botTurn: BotTurn,
  given: GivenSetup,
): { ok: true; changes: OptionChange[] } | { ok: false; faults: OptionFault[] } {
  const { bot, at } = botTurn;
  const { state } = bot;
  const checked = changedSetup(state, given);
  if (!checked.ok) return checked;
  const changes = changesOf(state, checked.options, checked.params);
  const faults = state.pairs.some(isBusy) ? changes.filter(({ acts }) => acts === 'flat_reload').map(notFlat) : [];
  if (faults.length > 0) return { ok: false, faults };
  for (const change of changes) bot.observer.command(at, null, 'change', { ...change });
  if (changes.length === 0) return { ok: true, changes };
  const before = state.options;
  for (const pair of state.pairs) {
    retainEntryOptions(bot, pair);
    renumberExitRows(pair, before, checked.options);
  }
  state.options = checked.options;
  state.params = checked.params;
  if (changes.some(({ acts }) => acts === 'flat_reload')) beginAccount(bot);
  else applyChanges(botTurn, before, changes);
  if (before.run_for !== state.options.run_for) moveEnd(bot, at);
  // The pairs that still loaded may have been removed.
  if (state.status === 'preparing') becomeReady(bot, at);
  return { ok: true, changes };
}

/**
 * Returns the setup of a bot after a change, or every fault. Another strategy starts with its own defaults.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function changedSetup(
  { options, params }: Pick<BotState, 'options' | 'params'>,
  given: GivenSetup,
): ReturnType<typeof checkSetup> {
  const sameStrategy = (given.options.strategy ?? options.strategy) === options.strategy;
  return checkSetup({
    options: { ...options, ...given.options },
    params: sameStrategy ? { ...params, ...given.params } : given.params,
  });
}

function changesOf(state: BotState, options: BotOptions, params: Params): OptionChange[] {
  const changes: OptionChange[] = [];
  const compare = (change: Pick<OptionChange, 'option' | 'strategy' | 'acts'>, before: unknown, after: unknown) => {
    const [from, to] = [readable(before), readable(after)];
    if (from !== to) changes.push({ ...change, from, to });
  };
  for (const [option, { apply: acts }] of OPTIONS) {
    // Options of older versions are not normalised.
    const before = normalizedOption(option, state.options[option as OptionName]);
    compare({ option, acts }, before, options[option as OptionName]);
  }
  for (const option of new Set([...Object.keys(state.params), ...Object.keys(params)])) {
    const { strategy } = option in params ? options : state.options;
    const param = findParam(strategy, option);
    const acts = param === undefined || options.strategy !== state.options.strategy ? 'reload' : paramApply(param);
    compare({ option, strategy, acts }, state.params[option], params[option]);
  }
  return changes;
}

function readable(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function notFlat({ option }: OptionChange): OptionFault {
  return { option, code: 'not_flat' };
}

/** Retains the present entry options of a pair that holds or enters. */
function retainEntryOptions(bot: Bot, pair: PairState): void {
  if (pair.position === null && pair.entry === null) return;
  const current = currentEntryOptions(bot.rules, pair);
  const { entry, markdown } = current;
  if (pair.entryOptions === null) pair.entryOptions = current;
  else if (pair.entryOptions.entry !== entry) pair.entryOptions = { ...pair.entryOptions, entry, markdown };
}

/** Renumbers the levels that have triggered or trigger with an order, and drops those that no longer exist. */
function renumberExitRows({ position, exit, stop }: PairState, before: BotOptions, after: BotOptions): void {
  for (const { table, option } of EXIT_RULES) {
    const places = before[option].map(({ profit }) => placeOf(after[option], profit));
    if (position !== null) position.fired[table] = movedBits(position.fired[table], places);
    for (const parent of [exit, stop]) if (parent !== null) parent.rows = movedRows(parent.rows, table, places);
  }
}

function movedRows(
  rows: readonly TriggeredLevel[],
  table: TriggeredLevel['table'],
  places: readonly number[],
): TriggeredLevel[] {
  return rows.flatMap((row) => {
    if (row.table !== table) return [row];
    const index = places[row.index] ?? -1;
    return index < 0 ? [] : [{ table, index }];
  });
}

/**
 * Returns the new place of a level. Its `profit`, which is unique in a table, identifies it.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
function placeOf(rows: readonly ExitRow[], profit: number): number {
  return rows.findIndex((row) => percentRatio(row.profit) === percentRatio(profit));
}

function movedBits(bits: number, places: readonly number[]): number {
  return places.reduce((set, to, from) => ((bits & (1 << from)) !== 0 && to >= 0 ? set | (1 << to) : set), 0);
}

/** @see docs/bot-lifecycle.md#when-option-changes-act */
function applyChanges(botTurn: BotTurn, before: BotOptions, changes: readonly OptionChange[]): void {
  const { bot, at } = botTurn;
  const { state } = bot;
  saveBenchmarkPrices(state);
  state.pairs = watchedPairs(state);
  if (changes.some(({ acts }) => acts === 'reload')) {
    const { strategy, params } = strategyOf(state.options.strategy, state.params);
    for (const pair of state.pairs) reload(pair, strategy.init(params));
  }
  const pauseBefore = dealPause(bot);
  rederive(bot);
  const pauseChange = dealPause(bot) - pauseBefore;
  if (before.product_min_volume !== state.options.product_min_volume) judgeVolumes(bot, at);
  for (const pair of state.pairs) {
    if (pair.quarantineUntil > 0) pair.quarantineUntil = quarantineEnd(pair, before, state.options);
    if (pair.nextDealFrom > 0) pair.nextDealFrom = Math.max(0, pair.nextDealFrom + pauseChange);
    // A trailing take-profit that is switched on again must not use the best price from before.
    if (bot.planRules?.kind === 'dca' && bot.planRules.dca.trailing === 0 && pair.orderPlan?.kind === 'dca') {
      disarmDca(pair.orderPlan);
    }
    // A DCA deal follows a changed take-profit, and a plan of another strategy ends. An active grid keeps its levels.
    if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
    if (pair.flag === 'removed') stopWatching(turnOf(botTurn, pair));
  }
}

/** Moves the end of a bot that has started to the present `run_for`. One that is ending keeps its end, also before it works. */
function moveEnd({ state, rules }: Bot, at: number): void {
  const isOver = state.status === 'stopping' || (state.status !== 'working' && isEnding(state, at));
  if (state.startedAt > 0 && !isOver) state.endsAt = rules.runMs > 0 ? state.startedAt + rules.runMs : 0;
}

/** Returns the number of closed candles between two DCA deals; 0 without them. */
function dealPause({ planRules }: Bot): number {
  return planRules?.kind === 'dca' ? planRules.dca.pause : 0;
}

/** A quarantine that is shortened or switched off is over sooner. @see docs/entries.md#quarantine */
function quarantineEnd({ quarantineUntil }: PairState, before: BotOptions, after: BotOptions): number {
  return Math.max(0, quarantineUntil + (after.quarentine_time - before.quarentine_time) * 60_000);
}

/**
 * Restarts the strategy with the next history; positions, orders and exit tables continue.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
function reload(pair: PairState, fresh: unknown): void {
  pair.strategyState = fresh;
  forgetCandles(pair);
  pair.candleTime = 0;
  pair.reloading = true;
  if (pair.flag === null) pair.flag = 'loading';
}

/**
 * Cancels the entries of a pair that is no longer watched.
 *
 * @see docs/bot-lifecycle.md#watched-pairs
 */
function stopWatching(turn: Turn): void {
  const { pair } = turn;
  pair.exitSignal = dropReversal(pair.exitSignal);
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'cancelled');
  cancelPlanOrders(turn, 'cancelled', true);
}
