import type { TemplateTextTable } from '../textTables.ts';

/** English texts of the templates. */
export const templates: TemplateTextTable = {
  cautious: {
    title: 'Cautious',
    help: 'Small entries in three pairs at most, a near stop, and a day of rest for a pair after a loss.',
    risk: 'A near stop loses a little again and again in a market that swings, and a price that jumps can lose more than the stop.',
  },
  balanced: {
    title: 'Balanced',
    help: 'Follows the MACD in and out, with a fifth of the cash at a time in five pairs at most.',
    risk: 'Without a trend its signals change often and fees and small losses add up; several pairs often fall together.',
  },
  trend: {
    title: 'Trend',
    help: 'Buys with the SuperTrend and lets profits run: no targets, it leaves by the callback and the stop.',
    risk: 'Most trades lose a little and few win much, so a row of losses can last long; its stop is wide.',
  },
  grid: {
    title: 'Grid',
    help: 'Ten cells within 10% around the starting price, each buying low and selling high: for a market that swings.',
    risk: 'Below its range it holds a losing position until the stop at 30%; above it, it earns nothing more.',
  },
  dca: {
    title: 'Averaging',
    help: 'Buys more at each step down and sells all a little above the average price.',
    risk: 'One long fall can take many small wins: it buys more the lower the price, and the stop at 30% then loses on all of it.',
  },
  manual: {
    title: 'Manual',
    help: 'You buy and sell; the bot only watches the stop and takes the profit.',
    risk: 'What and when to buy is your own judgement, no strategy objects; the stop can still sell at the worst moment.',
  },
};
