import { accounts } from './accounts.ts';
import { backtest } from './backtest.ts';
import { bot } from './bot.ts';
import { chart } from './chart.ts';
import { exchanges } from './exchanges.ts';
import { journal } from './journal.ts';
import { manage } from './manage.ts';
import { manyBots } from './manyBots.ts';
import { notifications } from './notifications.ts';
import { portfolio } from './portfolio.ts';
import { positions } from './positions.ts';
import { results } from './results.ts';
import { rules } from './rules.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';

/** Holds the texts of all other screens, which are loaded with the first of those screens. */
export const rest = {
  ...accounts,
  ...manage,
  ...settings,
  ...exchanges,
  ...setup,
  ...rules,
  ...backtest,
  ...bot,
  ...manyBots,
  ...journal,
  ...notifications,
  ...chart,
  ...positions,
  ...results,
  ...portfolio,
};
