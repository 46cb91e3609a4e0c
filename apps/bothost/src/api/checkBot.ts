import type { Language } from '@heron/contract/http/errors.ts';
import { type DescribedFault, describeFault } from '@heron/contract/locales/optionFaultText.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { changedSetup } from '@heron/engine/bot/commands/changeOptions.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import type { BotState } from '@heron/engine/state/botState.ts';
import { optionsInvalid } from '../http/optionsInvalid.ts';
import { hostedVenue } from '../store/hosted.ts';

/**
 * Rejects options that the engine supports and this version of the host does not.
 *
 * @param options validated
 * @throws CallError `options_invalid` with every fault, in the user's language
 */
export function checkBot(options: BotOptions, language: Language): void {
  const faults = hostFaults(options);
  if (faults.length > 0) throw optionsInvalid(faults, language);
}

/**
 * Rejects a change that the engine would accept and this host does not. A bot cannot change its exchange, because it belongs to
 * a worker of its venue. It cannot change between paper and live, because they have separate ledgers.
 *
 * @param given not validated
 * @returns the changed options
 * @throws CallError `options_invalid` with every fault, in the user's language
 */
export function checkChange(
  bot: Pick<BotState, 'options' | 'params'>,
  given: { readonly options: Readonly<Record<string, unknown>>; readonly params: Readonly<Record<string, unknown>> },
  language: Language,
): BotOptions {
  const changed = changedSetup(bot, given);
  if (!changed.ok) throw optionsInvalid(changed.faults.map(describeFault), language);
  if (changed.options.exchange !== bot.options.exchange) {
    const zh = '机器人不能更换交易所，请新建一个机器人';
    throw optionsInvalid([fault('exchange', zh, 'a bot keeps its exchange: make another bot')], language);
  }
  if (changed.options.mode !== bot.options.mode) {
    const zh = '机器人不能在模拟盘与实盘之间切换，请新建一个机器人';
    throw optionsInvalid([fault('mode', zh, 'a bot stays on paper or live: make another bot')], language);
  }
  checkBot(changed.options, language);
  return changed.options;
}

function hostFaults(options: BotOptions): DescribedFault[] {
  const faults: DescribedFault[] = [];
  if (hostedVenue(options.exchange) === undefined) {
    const { zh, en } = venueTitle(options.exchange);
    faults.push(fault('exchange', `本版本不支持交易所 ${zh}`, `${en} is not supported yet`));
  }
  const { pairs, unreadable } = parsePairs(options.watch_pairs);
  if (pairs.length === 0) faults.push(fault('watch_pairs', '至少要有一个交易对', 'at least one pair is needed'));
  if (unreadable.length > 0) {
    const items = unreadable.slice(0, 5).join(' ');
    faults.push(fault('watch_pairs', `不是交易对：${items}`, `not a pair: ${items}`));
  }
  return faults;
}

function fault(option: string, zh: string, en: string): DescribedFault {
  return { option, message: { zh, en } };
}
