import type { JournalEntry, PairView } from '@heron/contract/bots/entities.ts';
import type { Alarm } from '@heron/contract/bots/notifications.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import type { AuditCheck } from '@heron/engine/paper/paperAudit.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Strategy } from '@heron/engine/strategies/strategy.ts';
import type { Reader } from '../../lib/reader.ts';
import type { Key, KeyUnder } from '../../locales/texts.ts';

type Refusal = NonNullable<PairView['lastRefusal']>['gate'];
type Inputs = Readonly<Record<string, string | number | boolean | null>>;
/** What wording needs of the reader. */
export type Words = Pick<Reader, 't' | 'format' | 'language'>;

const GROUP_HEADINGS = {
  trend: 'trend',
  momentum: 'momentum',
  reversion: 'reversion',
  volatility: 'volatility',
  volume: 'volume',
  ladder: 'ladder',
  pattern: 'advanced',
  meta: 'advanced',
  none: 'advanced',
} as const satisfies Record<Strategy['group'], string>;

/** Heading under which a strategy is listed. @see docs/strategies.md#what-a-strategy-is */
export function strategyGroupLabel(group: Strategy['group'], { t }: Words): string {
  return t(`strategyGroup.${GROUP_HEADINGS[group]}`);
}

/** The text under `prefix.value`; the bare value when a newer host says something that this client has no words for. */
function known<Prefix extends string>(
  prefix: Prefix,
  names: Readonly<Record<KeyUnder<Prefix>, true>>,
  value: unknown,
  { t }: Words,
) {
  return typeof value === 'string' && Object.hasOwn(names, value)
    ? (t as (key: Key) => string)(`${prefix}.${value}` as Key)
    : String(value ?? '');
}

const REASONS = {
  signal: true,
  reverse: true,
  manual: true,
  ladder: true,
  stop_sell: true,
  exchange_stop: true,
  profit_win: true,
  profit_callback: true,
  liquidation_guard: true,
  liquidation: true,
  run_end: true,
  external: true,
} as const;
const EXPIRIES = {
  unfilled_ioc: true,
  unfilled_fok: true,
  no_liquidity: true,
  price_range: true,
  would_take: true,
  self_trade: true,
  reduce_only: true,
  liquidation: true,
  delisted: true,
  by_exchange: true,
  other: true,
} as const;
const SIDES = { buy: true, sell: true } as const;
const LIQUIDITY = { maker: true, taker: true } as const;
const STATUSES = {
  created: true,
  preparing: true,
  ready: true,
  working: true,
  stopping: true,
  finished: true,
  error: true,
  venue_disabled: true,
} as const;
const PHASES = { idle: true, buying: true, bought: true, partSell: true, selling: true, sold: true } as const;
const COMMANDS = {
  start: true,
  stop: true,
  drain: true,
  cancel: true,
  buy: true,
  sell: true,
  short: true,
  resume: true,
  halt: true,
  change: true,
  reset: true,
} as const;
const ACTS = { now: true, next_entry: true, reload: true, flat_reload: true, paper_reset: true } as const;
const ALARMS = {
  exit_not_filled: true,
  order_rejected: true,
  stop_refused: true,
  state_unreadable: true,
  venue_differs: true,
  venue_disabled: true,
  state_too_new: true,
  size_limited: true,
  fault: true,
  feed_away: true,
  feed_back: true,
  account_away: true,
  account_back: true,
  audit_failed: true,
} as const satisfies Readonly<Record<Alarm, true>>;
const PAUSES = {
  liquidation: true,
  liquidation_guard: true,
  stop_sell: true,
  exchange_stop: true,
  manual: true,
} as const;
const DIRECTIONS = { long: true, short: true } as const;
const WORKING = { entry: true, exit: true, grid: true, dca: true } as const;
const FLAGS = {
  loading: true,
  unknown: true,
  currency: true,
  watch_limit: true,
  volume: true,
  cancel_only: true,
  halted: true,
  stale: true,
  paused: true,
  removed: true,
} as const;
const ORDER_STATES = {
  placing: true,
  open: true,
  cancelling: true,
  filled: true,
  canceled: true,
  expired: true,
  post_only_rejected: true,
  rejected: true,
} as const;
const ORDER_TYPES = {
  limit_maker: true,
  limit_ioc: true,
  market: true,
  stop_market: true,
  stop_limit: true,
} as const;
const STOP_GAPS = {
  venue: true,
  no_row: true,
  row_fired: true,
  below_minimum: true,
  ladder_sells: true,
  exit_at_work: true,
  entry_at_work: true,
  price_beyond: true,
  suspended: true,
  exchange_paused: true,
  refused: true,
  cancelled: true,
  not_running: true,
} as const;
const CELLS = { cash: true, buying: true, asset: true, selling: true, waiting: true } as const;
const AVERAGING = { base: true, averaging: true, closing: true } as const;
const ENDS = {
  filled: true,
  below_minimum: true,
  slippage: true,
  timeout: true,
  unfilled: true,
  cancelled: true,
  rejected: true,
  opposite_signal: true,
  stopped: true,
  liquidated: true,
} as const;

export const reasonLabel = (reason: unknown, words: Words) => known('reason', REASONS, reason, words);
export const sideLabel = (side: unknown, words: Words) => known('side', SIDES, side, words);
export const liquidityLabel = (liquidity: unknown, words: Words) => known('liquidity', LIQUIDITY, liquidity, words);
export const phaseLabel = (phase: unknown, words: Words) => known('phase', PHASES, phase, words);
export const flagLabel = (flag: unknown, words: Words) => known('flag', FLAGS, flag, words);
export const directionLabel = (direction: unknown, words: Words) => known('direction', DIRECTIONS, direction, words);
export const orderStateLabel = (state: unknown, words: Words) => known('orderState', ORDER_STATES, state, words);
export const cellStateLabel = (state: unknown, words: Words) => known('cell', CELLS, state, words);
export const dcaPhaseLabel = (phase: unknown, words: Words) => known('averaging', AVERAGING, phase, words);
/** Why no stop order protects a position, as a part of a sentence. */
export const stopGapLabel = (gap: unknown, words: Words) => known('stopGap', STOP_GAPS, gap, words);
export const orderTypeLabel = (type: unknown, words: Words) => known('orderType', ORDER_TYPES, type, words);

/** Whether a strategy lays orders of its own, which end when somebody trades by hand. */
export function isLadder(id: string): boolean {
  return STRATEGIES.get(id)?.group === 'ladder';
}

/** What paused a pair, in one sentence. @param ladder its strategy is a grid or averages */
export function pausedSentence(by: PairView['pausedBy'], ladder: boolean, words: Words): string {
  if (by === 'manual' && !ladder) return words.t('paused.byKillSwitch');
  return by !== null && Object.hasOwn(PAUSES, by)
    ? known('pausedBy', PAUSES, by, words)
    : words.t('paused.byOther', { reason: reasonLabel(by, words) });
}

/** Why nothing was bought or sold, in one sentence. */
export function refusalSentence(gate: Refusal, words: Words): string {
  return words.t(`refusal.${gate}`);
}

const INPUT_FORMATS = {
  status: (value, words) => known('status', STATUSES, value, words),
  flag: flagLabel,
  held: count,
  needed: count,
  open: count,
  limit: (value, words) => (typeof value === 'number' ? count(value, words) : price(value, words)),
  until: (value, words) => words.format.dateTime(Number(value)),
  age: (value, words) =>
    Number(value) < 0 ? words.t('input.never') : words.t('input.seconds', { n: Math.round(Number(value) / 1000) }),
  bid: price,
  ask: price,
  price,
  lastExit: price,
  entry: price,
  least: price,
  close: price,
  candlesLeft: count,
  available: price,
  value: price,
  percent: (value, words) => words.format.percent(Number(value)),
  gain: (value, words) => words.format.percent(Number(value)),
  distance: (value, words) => words.format.percent(Number(value)),
  low: price,
  high: price,
  order: count,
  liquidation: price,
  last: price,
  buy_pct: (value, words) => words.format.percent(Number(value)),
  sell_pct: (value, words) => words.format.percent(Number(value)),
  intent: count,
  kind: (value, words) => known('working', WORKING, value, words),
  // As the engine counts it: +1 long, −1 short.
  direction: (value, words) => directionLabel(Number(value) < 0 ? 'short' : 'long', words),
  late: (value, words) => words.t('input.seconds', { n: Math.round(Number(value) / 1000) }),
  quantity: (value, words) => words.format.quantity(value),
  volume24h: count,
} as const satisfies Record<string, (value: string | number, words: Words) => string>;

type InputName = keyof typeof INPUT_FORMATS;

function count(value: string | number, { format }: Words): string {
  return format.number(Number(value));
}

function price(value: string | number, { format }: Words): string {
  return Number.isFinite(Number(value)) ? format.price(value) : String(value);
}

/** What a gate had before it, each with a name in words. Inputs that this client has no name for keep their own. */
export function refusalInputs(inputs: Inputs, words: Words): { name: string; value: string }[] {
  return Object.entries(inputs)
    .filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number')
    .map(([name, value]) =>
      Object.hasOwn(INPUT_FORMATS, name)
        ? { name: words.t(`input.${name as InputName}`), value: INPUT_FORMATS[name as InputName](value, words) }
        : { name, value: String(value) },
    );
}

const SUSPENSION_WORDS = {
  cancel_only: 'journal.cancelOnly',
  halted: 'journal.suspended',
  trading: 'journal.tradingAgain',
} as const;

/** One line of the journal as a sentence in the reader's language. Unknown extra data is left out, never in the way. */
export function journalSentence({ kind, data, pair }: JournalEntry, words: Words): string {
  const { t, format } = words;
  const amount = (name: string) => (isFigure(data[name]) ? format.quantity(data[name]) : '');
  const rate = (name: string) => (isFigure(data[name]) ? format.price(data[name]) : t('journal.marketPrice'));
  switch (kind) {
    case 'command':
      if (data.command === 'change') {
        return t('journal.change', {
          option: optionTitle(data.option, words),
          from: String(data.from ?? ''),
          to: String(data.to ?? ''),
          acts: known('acts', ACTS, data.acts, words),
        });
      }
      return t('journal.command', { command: known('command', COMMANDS, data.command, words) });
    case 'status':
      return t('journal.status', {
        from: known('status', STATUSES, data.from, words),
        to: known('status', STATUSES, data.to, words),
      });
    case 'signal':
      return t(data.side === 'sell' ? 'journal.signalSell' : 'journal.signalBuy', { close: rate('close') });
    case 'refusal': {
      const { gate, ...inputs } = data;
      const facts = refusalInputs(inputs, words).map(({ name, value }) => t('journal.fact', { name, value }));
      const sentence = known('refusal', REFUSALS, gate, words);
      return facts.length > 0 ? t('journal.refusal', { sentence, facts: facts.join(t('journal.and')) }) : sentence;
    }
    case 'intent':
      return t(data.side === 'sell' ? 'journal.intentSell' : 'journal.intentBuy', {
        quantity: amount('quantity'),
        reason: reasonLabel(data.reason, words),
      });
    case 'order':
      if (isFigure(data.trigger)) {
        return t(data.side === 'sell' ? 'journal.stopSell' : 'journal.stopBuy', {
          status: orderStateLabel(data.status, words),
          type: orderTypeLabel(data.type, words),
          quantity: amount('quantity'),
          trigger: rate('trigger'),
        });
      }
      return t(data.side === 'sell' ? 'journal.orderSell' : 'journal.orderBuy', {
        status: orderStateLabel(data.status, words),
        type: orderTypeLabel(data.type, words),
        quantity: amount('quantity'),
        price: rate('price'),
      });
    case 'fill':
      return t(data.side === 'sell' ? 'journal.fillSell' : 'journal.fillBuy', {
        quantity: amount('quantity'),
        price: rate('price'),
        fee: amount('fee'),
        asset: String(data.feeAsset ?? ''),
        liquidity: liquidityLabel(data.liquidity, words),
      });
    case 'intent_end':
      return t('journal.intentEnd', { how: known('end', ENDS, data.how, words), filled: amount('filled') });
    case 'position_closed':
      return t('journal.positionClosed', {
        net: netOf(data.net, pair, words),
        percent: isFigure(data.returnPercent) ? format.signedPercent(Number(data.returnPercent)) : '',
      });
    case 'funding': {
      const paid = Number(data.amount) < 0;
      // Rates and amounts are small: every digit counts.
      const value = amount('amount').replace('-', '');
      // An account at an exchange is told the amount only.
      if (!isFigure(data.ratePercent))
        return t(paid ? 'journal.fundingTaken' : 'journal.fundingGiven', { amount: value });
      return t(paid ? 'journal.fundingPaid' : 'journal.fundingReceived', {
        amount: value,
        rate: `${format.quantity(data.ratePercent)}%`,
        mark: rate('mark'),
      });
    }
    case 'liquidation':
      return t(data.direction === 'short' ? 'journal.liquidationShort' : 'journal.liquidationLong', {
        price: rate('price'),
        net: netOf(data.realised, pair, words),
      });
    case 'ladder':
      return ladderSentence(data, pair, words);
    case 'leverage':
      return t('journal.leverageLowered', { asked: amount('asked'), leverage: amount('leverage') });
    case 'suspension':
      return t(SUSPENSION_WORDS[data.status as keyof typeof SUSPENSION_WORDS] ?? 'journal.suspended');
    case 'volume':
      return t(data.low === true ? 'journal.volumeLow' : 'journal.volumeEnough', {
        value: amount('volume24h'),
        limit: amount('limit'),
      });
    case 'phase':
      return t('journal.phase', { from: phaseLabel(data.from, words), to: phaseLabel(data.to, words) });
    case 'alarm':
      if (data.what === 'audit_failed') return auditSentence(data, words);
      return repeated(t('journal.alarm', { what: known('alarm', ALARMS, data.what, words) }), data, words);
    case 'external':
      return repeated(outsideSentence(data, pair, words), data, words);
  }
}

/** Adds how often it has happened since its last notification. */
function repeated(sentence: string, { times }: JournalEntry['data'], { t, format }: Words): string {
  return Number(times) > 1 ? sentence + t('journal.times', { times: format.number(Number(times)) }) : sentence;
}

const AUDITED = {
  inexact: true,
  equity: true,
  wallet: true,
  holding: true,
  position: true,
  orders: true,
  price: true,
} as const satisfies Readonly<Record<AuditCheck, true>>;

/** Describes a discrepancy in the audit of a paper account, with its exact figures. @see docs/paper.md#audit */
function auditSentence({ check, expected, found }: JournalEntry['data'], words: Words): string {
  const nothing = words.t('journal.nothing');
  return words.t('journal.auditFailed', {
    check: known('auditCheck', AUDITED, check, words),
    expected: String(expected || nothing),
    found: String(found || nothing),
  });
}

/** What happened on the account without the bot, or otherwise than it expected. @see docs/accounting.md#reconciliation */
function outsideSentence(data: JournalEntry['data'], pair: JournalEntry['pair'], words: Words): string {
  const { t, format } = words;
  const asset = pair?.split('-')[0] ?? '';
  const amount = (name: string) => (isFigure(data[name]) ? format.quantity(data[name]) : '');
  const order = String(data.clientOrderId ?? '');
  switch (data.what) {
    case 'capital':
      return t('journal.capital', { amount: amount('amount') });
    case 'adjust':
      return t('journal.outsideAdjust', {
        quantity: amount('quantity'),
        asset,
        price: isFigure(data.price) ? format.price(data.price) : '',
      });
    case 'transfer':
      return transferSentence(data, words);
    case 'foreign':
      return Number(data.surplus) === 0
        ? t('journal.foreignGone')
        : t('journal.foreign', { surplus: amount('surplus'), asset });
    case 'late_fill':
      return t('journal.lateFill', { order });
    case 'order_absent':
      return t('journal.orderAbsent', { order });
    case 'order_refused':
      return t('journal.orderRefused', { order, why: String(data.why ?? '') });
    case 'order_expired':
      return t('journal.orderExpired', { order, why: known('expiry', EXPIRIES, data.why, words) });
    case 'stop_gone':
      return t('journal.stopGone', { order });
    case 'stop_in_part':
      return t('journal.stopInPart', { quantity: amount('quantity'), of: amount('of') });
    case 'no_stop':
      return t('journal.noStop', { why: stopGapLabel(data.why, words) });
    case 'unknown_order':
      return t('journal.unknownOrder', { order });
    case 'adopted':
      return t('journal.adopted', { order });
    case 'liquidated':
    case 'deleveraged':
      return t(data.what === 'liquidated' ? 'journal.outsideLiquidated' : 'journal.outsideDeleveraged', {
        quantity: amount('quantity'),
        price: isFigure(data.price) ? format.price(data.price) : '',
      });
    case 'leverage':
      return t('journal.outsideLeverage', { leverage: amount('leverage') });
    case 'settings':
      return t('journal.outsideSettings');
    case 'key_may_withdraw':
      return t('journal.keyMayWithdraw');
    case 'key_may_not_withdraw':
      return t('journal.keyMayNotWithdraw');
    case 'key_refused':
      return t('journal.keyRefused');
    case 'key_accepted':
      return t('journal.keyAccepted');
    case 'address_banned':
      return t('journal.addressBanned', { until: isFigure(data.until) ? format.dateTime(Number(data.until)) : '' });
    case 'ban_over':
      return t('journal.banOver');
    default:
      return t('journal.outside');
  }
}

/** Describes a transfer. The share that the bot lost is credited back when the money returns. */
function transferSentence(data: JournalEntry['data'], { t, format }: Words): string {
  const quantity = (value: unknown) => (isFigure(value) ? format.quantity(value) : '');
  const asset = String(data.asset ?? '');
  const sentence = t('journal.outsideTransfer', { amount: quantity(data.amount), asset });
  if (!(Number(data.missing) > 0)) return sentence;
  return sentence + t('journal.outsideMissing', { missing: quantity(data.missing), asset });
}

/** Title of an option; a parameter of a strategy is called by its name. */
function optionTitle(name: unknown, { language }: Words): string {
  const title = OPTIONS.get(String(name))?.title;
  return title === undefined ? String(name ?? '') : title[language];
}

/** What a grid or dca did that no order tells. @see docs/strategies.md#grid, docs/strategies.md#dca */
function ladderSentence(data: JournalEntry['data'], pair: JournalEntry['pair'], words: Words): string {
  const { t, format } = words;
  const price = (name: string) => (isFigure(data[name]) ? format.price(data[name]) : '');
  const count = (name: string) => (isFigure(data[name]) ? format.quantity(data[name]) : '');
  const budget = isFigure(data.budget) ? inQuote(format.money, data.budget, pair) : '';
  switch (data.what) {
    case 'grid_laid':
      return t('journal.gridLaid', {
        cells: count('cells'),
        lower: price('lower'),
        upper: price('upper'),
        budget,
      });
    case 'grid_moved':
      return t('journal.gridMoved', { lower: price('lower'), upper: price('upper') });
    case 'cell_closed':
      return t('journal.cellClosed', {
        cell: count('cell'),
        cycles: count('cycles'),
        realised: netOf(data.realised, pair, words),
      });
    case 'cycle_begun':
      return t('journal.cycleBegun', { orders: count('orders'), budget });
    case 'cycle_ended':
      return t('journal.cycleEnded', { entries: count('entries') });
    case 'not_entered':
      return t('journal.notEntered');
    case 'replaced':
      return t('journal.ladderReplaced');
    case 'removed':
      return t('journal.ladderRemoved');
    case 'ended':
      return t('journal.ladderEnded', { reason: reasonLabel(data.reason, words) });
    default:
      return t('journal.ladder');
  }
}

const REFUSALS = {
  not_ready: true,
  warming_up: true,
  disabled: true,
  pair_limit: true,
  quarantine: true,
  no_quote: true,
  buy_loss: true,
  below_minimum: true,
  insufficient_balance: true,
  slippage: true,
  sell_loss: true,
  late_signal: true,
  already_open: true,
  cell_gain: true,
  too_deep: true,
  liquidation_first: true,
  position_limit: true,
  key_may_withdraw: true,
  key_refused: true,
  exchange_paused: true,
} as const satisfies Record<Refusal, true>;

function isFigure(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' && Number.isFinite(Number(value));
}

/** A result with its sign, in what the pair is paid for with. */
function netOf(value: unknown, pair: JournalEntry['pair'], { format }: Words): string {
  return isFigure(value) ? inQuote(format.signedMoney, value, pair) : '';
}

const inQuote = (
  write: (value: string | number, currency: string) => string,
  value: string | number,
  pair: JournalEntry['pair'],
) => write(value, pair?.split('-')[1] ?? '').trim();
