import type { TemplateTextTable } from '../textTables.ts';

/** English texts of the templates. */
export const templates: TemplateTextTable = {
  cautious: {
    title: 'Cautious',
    help: 'Small entries in up to three pairs, a near stop-loss, one day cooldown after a loss.',
    risk: 'Many small losses in ranging markets. A price gap can lose more than the stop-loss.',
  },
  balanced: {
    title: 'Balanced',
    help: 'Follows the MACD with a fifth of the balance per entry, in up to five pairs.',
    risk: 'In ranging markets fees and small losses add up. Pairs often fall together.',
  },
  trend: {
    title: 'Trend',
    help: 'Follows the SuperTrend and lets profits run: exits by trailing take-profit and stop-loss only.',
    risk: 'Most trades lose a little, few win much. Losing streaks can be long; the stop-loss is wide.',
  },
  grid: {
    title: 'Grid',
    help: 'Ten grids within 10% around the start price, each buys low and sells high. For ranging markets.',
    risk: 'Below the range it holds a losing position until the 30% stop-loss; above, it stops earning.',
  },
  dca: {
    title: 'DCA',
    help: 'Buys more at each price step down, and sells all slightly above the average price.',
    risk: 'One long fall can erase many small wins: at the 30% stop-loss the whole position loses.',
  },
  manual: {
    title: 'Manual',
    help: 'You buy and sell; the bot handles only stop-loss and take-profit.',
    risk: 'You decide what and when to buy. The stop-loss can still sell at the low.',
  },
};
