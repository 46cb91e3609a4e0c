import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { Locale } from '../../lib/preferences.ts';
import { changeTexts } from './changeTexts.ts';
import {
  label,
  liquidityLabel,
  orderStateLabel,
  orderTypeLabel,
  phaseLabel,
  reasonLabel,
  stopGapLabel,
} from './labels.ts';
import { refusalInputs } from './refusalInputs.ts';

const SUSPENSION_KEYS = {
  cancel_only: 'journal.cancelOnly',
  halted: 'journal.suspended',
  trading: 'journal.tradingAgain',
} as const;

/** Returns a journal entry as a sentence. Unknown extra data is left out. */
export function journalSentence({ kind, data, pair }: JournalEntry, locale: Locale): string {
  const { t, format } = locale;
  const { amount, rate } = figureTexts(data, locale);
  switch (kind) {
    case 'command':
      return commandSentence(data, locale);
    case 'status':
      return t('journal.status', {
        from: label('status', data.from, locale),
        to: label('status', data.to, locale),
      });
    case 'signal':
      return t(data.side === 'sell' ? 'journal.signalSell' : 'journal.signalBuy', { close: rate('close') });
    case 'refusal':
      return refusalSentence(data, locale);
    case 'intent':
      return t(data.side === 'sell' ? 'journal.intentSell' : 'journal.intentBuy', {
        quantity: amount('quantity'),
        reason: reasonLabel(data.reason, locale),
      });
    case 'order':
      return orderSentence(data, locale);
    case 'fill':
      return t(data.side === 'sell' ? 'journal.fillSell' : 'journal.fillBuy', {
        quantity: amount('quantity'),
        price: rate('price'),
        fee: amount('fee'),
        asset: String(data.feeAsset ?? ''),
        liquidity: liquidityLabel(data.liquidity, locale),
      });
    case 'intent_end':
      return t('journal.intentEnd', { how: label('end', data.how, locale), filled: amount('filled') });
    case 'position_closed':
      return t('journal.positionClosed', {
        net: netOf(data.net, pair, locale),
        percent: isFigure(data.returnPercent) ? format.signedPercent(Number(data.returnPercent)) : '',
      });
    case 'funding':
      return fundingSentence(data, locale);
    case 'liquidation':
      return t(data.direction === 'short' ? 'journal.liquidationShort' : 'journal.liquidationLong', {
        price: rate('price'),
        net: netOf(data.realised, pair, locale),
      });
    case 'ladder':
      return orderPlanSentence(data, pair, locale);
    case 'leverage':
      return t('journal.leverageLowered', { asked: amount('asked'), leverage: amount('leverage') });
    case 'suspension':
      return t(SUSPENSION_KEYS[data.status as keyof typeof SUSPENSION_KEYS] ?? 'journal.suspended');
    case 'volume':
      return t(data.low === true ? 'journal.volumeLow' : 'journal.volumeEnough', {
        value: amount('volume24h'),
        limit: amount('limit'),
      });
    case 'phase':
      return t('journal.phase', { from: phaseLabel(data.from, locale), to: phaseLabel(data.to, locale) });
    case 'alarm':
      if (data.what === 'audit_failed') return auditSentence(data, locale);
      return repeated(t('journal.alarm', { what: label('alarm', data.what, locale) }), data, locale);
    case 'external':
      return repeated(externalChangeSentence(data, pair, locale), data, locale);
  }
}

/** Returns functions that write figures of a journal entry by their names. */
function figureTexts(data: JournalEntry['data'], { t, format }: Locale) {
  return {
    amount: (name: string) => (isFigure(data[name]) ? format.quantity(data[name]) : ''),
    rate: (name: string) => (isFigure(data[name]) ? format.price(data[name]) : t('journal.marketPrice')),
  };
}

function commandSentence(data: JournalEntry['data'], locale: Locale): string {
  const { t } = locale;
  if (data.command === 'change') {
    return t('journal.change', { ...changeTexts(data, locale), acts: label('acts', data.acts, locale) });
  }
  if (data.source === 'signal') return t(data.command === 'sell' ? 'journal.outsideSell' : 'journal.outsideBuy');
  return t('journal.command', { command: label('command', data.command, locale) });
}

function refusalSentence({ gate, ...inputs }: JournalEntry['data'], locale: Locale): string {
  const { t } = locale;
  const facts = refusalInputs(inputs, locale).map(({ name, value }) => t('journal.fact', { name, value }));
  const sentence = label('refusal', gate, locale);
  return facts.length > 0 ? t('journal.refusal', { sentence, facts: facts.join(t('journal.and')) }) : sentence;
}

/** Describes an order, which is a stop order if it has a trigger price. */
function orderSentence(data: JournalEntry['data'], locale: Locale): string {
  const { t } = locale;
  const { amount, rate } = figureTexts(data, locale);
  const order = {
    status: orderStateLabel(data.status, locale),
    type: orderTypeLabel(data.type, locale),
    quantity: amount('quantity'),
  };
  if (isFigure(data.trigger)) {
    return t(data.side === 'sell' ? 'journal.stopSell' : 'journal.stopBuy', { ...order, trigger: rate('trigger') });
  }
  const sells = data.side === 'sell';
  // A taker is filled at another price than its limit; an order at market has none.
  if (isFigure(data.averagePrice) && isFigure(data.price) && data.averagePrice !== data.price) {
    const prices = { price: rate('price'), average: rate('averagePrice') };
    return t(sells ? 'journal.orderSellFilled' : 'journal.orderBuyFilled', { ...order, ...prices });
  }
  const price = rate(isFigure(data.price) ? 'price' : 'averagePrice');
  return t(sells ? 'journal.orderSell' : 'journal.orderBuy', { ...order, price });
}

/** Describes a funding payment. @see docs/accounting.md#funding */
function fundingSentence(data: JournalEntry['data'], locale: Locale): string {
  const { t, format } = locale;
  const { amount, rate } = figureTexts(data, locale);
  const paid = Number(data.amount) < 0;
  // Rates and amounts are small, so all digits are shown.
  const value = amount('amount').replace('-', '');
  // The exchange reports the amount of a live account, but not the rate.
  if (!isFigure(data.ratePercent)) return t(paid ? 'journal.fundingTaken' : 'journal.fundingGiven', { amount: value });
  return t(paid ? 'journal.fundingPaid' : 'journal.fundingReceived', {
    amount: value,
    rate: `${format.quantity(data.ratePercent)}%`,
    mark: rate('mark'),
  });
}

/** Adds the number of occurrences since the last notification. */
function repeated(sentence: string, { times }: JournalEntry['data'], { t, format }: Locale): string {
  return Number(times) > 1 ? sentence + t('journal.times', { times: format.number(Number(times)) }) : sentence;
}

/** Describes a discrepancy in the audit of a paper account, with its exact figures. @see docs/paper.md#audit */
function auditSentence({ check, expected, found }: JournalEntry['data'], locale: Locale): string {
  const nothing = locale.t('journal.nothing');
  return locale.t('journal.auditFailed', {
    check: label('auditCheck', check, locale),
    expected: String(expected || nothing),
    found: String(found || nothing),
  });
}

/** Describes an external change on the account. @see docs/accounting.md#reconciliation */
function externalChangeSentence(data: JournalEntry['data'], pair: JournalEntry['pair'], locale: Locale): string {
  const { t, format } = locale;
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
      return transferSentence(data, locale);
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
      return t('journal.orderExpired', { order, why: label('expiry', data.why, locale) });
    case 'stop_gone':
      return t('journal.stopGone', { order });
    case 'stop_in_part':
      return t('journal.stopInPart', { quantity: amount('quantity'), of: amount('of') });
    case 'no_stop':
      return t('journal.noStop', { why: stopGapLabel(data.why, locale) });
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
function transferSentence(data: JournalEntry['data'], { t, format }: Locale): string {
  const quantity = (value: unknown) => (isFigure(value) ? format.quantity(value) : '');
  const asset = String(data.asset ?? '');
  const sentence = t('journal.outsideTransfer', { amount: quantity(data.amount), asset });
  if (!(Number(data.missing) > 0)) return sentence;
  return sentence + t('journal.outsideMissing', { missing: quantity(data.missing), asset });
}

/** Describes a step of a grid or DCA plan that is not an order. @see docs/strategies.md#grid, docs/strategies.md#dca */
function orderPlanSentence(data: JournalEntry['data'], pair: JournalEntry['pair'], locale: Locale): string {
  const { t, format } = locale;
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
        realised: netOf(data.realised, pair, locale),
      });
    case 'cycle_begun':
      return t('journal.cycleBegun', { orders: count('orders'), budget });
    case 'cycle_ended':
      return t('journal.cycleEnded', { entries: count('entries') });
    case 'not_entered':
      return t('journal.notEntered');
    case 'replaced':
      return t('journal.orderPlanReplaced');
    case 'removed':
      return t('journal.orderPlanRemoved');
    case 'ended':
      if (data.reason === 'run_end') return t('journal.orderPlanClosed');
      return t('journal.orderPlanEnded', { reason: reasonLabel(data.reason, locale) });
    default:
      return t('journal.orderPlan');
  }
}

function isFigure(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' && Number.isFinite(Number(value));
}

/** Returns a signed result in the quote currency of the pair. */
function netOf(value: unknown, pair: JournalEntry['pair'], { format }: Locale): string {
  return isFigure(value) ? inQuote(format.signedMoney, value, pair) : '';
}

const inQuote = (
  write: (value: string | number, currency: string) => string,
  value: string | number,
  pair: JournalEntry['pair'],
) => write(value, pair?.split('-')[1] ?? '').trim();
