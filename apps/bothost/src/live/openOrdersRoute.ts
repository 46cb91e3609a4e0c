import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { ExchangeError } from '@heron/exchanges/errors.ts';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { BotRow } from '../store/botRow.ts';
import { idParams, type openOrdersAnswer, openOrdersBody, WORKER_PATHS } from '../worker/workerApi.ts';
import type { Sweep, Swept } from './sweepOrders.ts';

/**
 * Adds the route that counts the open orders of a bot at the exchange, including stops. It works in any state of the bot.
 *
 * @param sweep cancels the orders at the exchange, or only counts them
 */
export function addOpenOrdersRoute(
  server: FastifyInstance,
  { orm }: Database,
  sweep: (bot: BotRow, what: Sweep) => Promise<Swept>,
): void {
  server.post(WORKER_PATHS.resting(':id'), async (request): Promise<z.infer<typeof openOrdersAnswer>> => {
    const { id } = idParams.parse(request.params);
    const { cancel } = openOrdersBody.parse(request.body);
    const [row] = await orm.select().from(table.bot).where(eq(table.bot.id, id));
    if (row === undefined) throw new CallError('not_found');
    try {
      const { resting } = await sweep(row, cancel ? 'all' : 'nothing');
      return { count: resting };
    } catch (error) {
      // With a key that is revoked or cannot be opened, the orders are unknown.
      if (error instanceof ExchangeError || error instanceof CallError) throw new CallError('orders_may_rest');
      throw error;
    }
  });
}
