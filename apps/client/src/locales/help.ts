import type { Language } from './texts.ts';

interface HelpList {
  readonly title: string;
  readonly items: readonly { readonly question: string; readonly reply: string }[];
}

/**
 * Holds the help lists of the app by the id in their URL. They are separate from the other texts, because they are long and
 * rarely read.
 */
export const help: Readonly<Record<string, Readonly<Record<Language, HelpList>>>> = {
  /** The options of the exchange link to this list. */
  '17900': {
    en: {
      title: 'Paper, live, spot and futures',
      items: [
        {
          question: 'What is paper trading?',
          reply:
            'The bot follows the prices of its market, real ones if you choose real prices, and decides exactly as a live bot does. Its orders are filled by a calculation, with fees, slippage and order sizes of the exchange. No key is needed, and no money can be lost. Start every bot like this.',
        },
        {
          question: 'What is live trading?',
          reply:
            'The same bot, by the same rules, sends its orders to the exchange. On the real market they use real money; on the demo market and on a testnet they do not. It needs a key of that market, and you type its name to start it. A bot cannot change its market, or switch between paper and live: create a new one instead.',
        },
        {
          question: 'Why do live results differ from paper?',
          reply:
            'Real orders wait in a queue, may be filled partially, move thin markets, and exchanges may respond late. Paper trading can only estimate that. Paper and past results do not guarantee future results.',
        },
        {
          question: 'What is the demo market?',
          reply:
            'A market of its own inside Heron, with invented prices that move quickly. It has the same protocols as the real exchanges, so that everything can be tried without money and without internet, live trading too. Results there say nothing about real markets: for that choose real prices, which paper bots can use without a key. Every screen marks the demo market as demo.',
        },
        {
          question: 'Spot or futures?',
          reply:
            'On spot the bot buys coins and owns them; it earns when they rise, and without leverage there is no liquidation. Futures are contracts: the bot can also earn when prices fall (short), and with leverage a position is larger than its margin. A small move against it can then consume the whole margin, and the exchange closes the position: this is called liquidation. Funding is paid or received every few hours.',
        },
        {
          question: 'Isolated or cross margin?',
          reply:
            'With isolated margin a position can lose no more than the margin that was assigned to it. With cross margin the whole balance of the account backs it: it is liquidated later, and the loss is larger. Isolated is the default.',
        },
        {
          question: 'Which permissions should a key have?',
          reply:
            'Reading and trading, on spot or on futures. Never allow withdrawals or transfers; Heron rejects keys that may withdraw. Set an IP allow-list, so that nobody else can use the key. Keys are stored encrypted on the machine that runs your bots, and are never shown again.',
        },
        {
          question: 'What happens when Heron is down?',
          reply:
            'Where the exchange supports stop orders, each live position has an open stop order there; the page of the bot shows it. MEXC has none: while Heron is down, nothing protects a position there.',
        },
      ],
    },
    'zh-CN': {
      title: '模拟盘、实盘、现货与合约',
      items: [
        {
          question: '什么是模拟盘？',
          reply:
            '机器人按所选市场的行情运行，选择真实行情时即为交易所的实际价格。决策方式与实盘完全相同，只是订单由系统模拟成交，并计入手续费、滑点和交易所的下单限制。模拟盘不需要密钥，也不会亏损真实资金。新机器人请先用模拟盘运行。',
        },
        {
          question: '什么是实盘？',
          reply:
            '同一个机器人按同样的规则向交易所下单。在真实市场使用真实资金，在演示市场和测试网则不使用。实盘需要该市场的密钥，启动前还须输入机器人的名称确认。机器人创建后不能更换市场，也不能在模拟盘和实盘之间切换，如需更换请新建一个。',
        },
        {
          question: '为什么实盘与模拟盘的结果不同？',
          reply:
            '真实订单需要排队，可能只成交一部分，会推动深度不足的盘口，交易所的响应也可能延迟。模拟盘只能粗略估算这些影响。模拟结果和历史表现不代表未来收益。',
        },
        {
          question: '什么是演示市场？',
          reply:
            '演示市场是苍鹭自带的，价格为虚构，波动较快，接口与真实交易所一致。无需资金和网络即可试用全部功能，包括实盘流程。演示市场的结果不能反映真实市场，如需参考请选择真实行情，模拟盘无需密钥即可使用。凡是演示市场都会明确标注。',
        },
        {
          question: '选现货还是合约？',
          reply:
            '现货是买入并持有币，价格上涨才有收益，不用杠杆，也不会被强平。合约可以做空，价格下跌时也能获利，并可使用杠杆，以较少的保证金持有更大的仓位。杠杆越高，较小的反向波动就可能亏光保证金，由交易所强制平仓（强平）。合约还会每隔几小时收付一次资金费用。',
        },
        {
          question: '逐仓和全仓有什么区别？',
          reply:
            '逐仓时，一个仓位最多亏损为它划出的保证金。全仓时，账户的全部余额都用来支撑仓位，强平更晚，但一旦强平亏损更大。默认为逐仓。',
        },
        {
          question: '密钥应开启哪些权限？',
          reply:
            '只开启读取和交易（现货或合约）。切勿开启提现和划转，可以提现或划转的密钥会被拒绝。请设置 IP 白名单，这样密钥即使泄露也无法被他人使用。密钥加密保存在运行机器人的机器上，保存后不再显示。',
        },
        {
          question: '苍鹭停止运行时会怎样？',
          reply:
            '在支持止损单的交易所，实盘仓位都有一张止损单挂在交易所，机器人页面会逐个说明。MEXC 没有止损单，苍鹭停止运行期间，那里的仓位无人看管。',
        },
      ],
    },
  },
};
