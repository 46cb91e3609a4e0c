import type { Text } from '@heron/contract/locales/text.ts';

/** Returns the message to the owner of a bot that counts a pair in another unit than its venue. */
export function assetUnitProblem(pair: string, mode: 'live' | 'paper'): Text {
  const zh = `${pair} 的数量单位与此机器人保存的不同，无法交易`;
  const en = `The quantity unit of ${pair} differs from the saved one`;
  return mode === 'live'
    ? {
        zh: `${zh}。请在交易所卖出持仓，然后删除此机器人`,
        en: `${en}. Sell its position at the exchange, then delete the bot`,
      }
    : { zh: `${zh}。请删除此机器人，然后新建一个`, en: `${en}. Delete the bot, then create a new one` };
}
