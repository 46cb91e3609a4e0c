import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { QueryClient } from '@tanstack/react-query';
import { botQuery } from './queries.ts';

/** Shows a bot whose paper account has begun anew, and asks anew for what is counted of it. */
export function keepReset(queries: QueryClient, bot: BotDetail): void {
  queries.setQueryData(botQuery(bot.id).queryKey, bot);
  for (const key of ['equity', 'figures']) void queries.invalidateQueries({ queryKey: [key, bot.id] });
  void queries.invalidateQueries({ queryKey: ['profits'] });
}
