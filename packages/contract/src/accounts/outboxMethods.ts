import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';

const outboxMessage = z.object({
  id: z.number().int(),
  kind: z.enum(['email', 'sms']),
  recipient: z.string(),
  /** Empty for an SMS. */
  subject: z.string(),
  body: z.string(),
  /** Unix seconds. */
  createdAt: z.number().int().register(oldNames, { name: 'made_at' }),
});

export type OutboxMessage = z.infer<typeof outboxMessage>;

/** Methods of the outbox, which stores messages where the installation has no sender. */
export const outboxMethods = {
  outboxList: defineMethod({
    name: 'System.Outbox.list',
    summary:
      'Super administrators: lists e-mails and SMS of the last seven days that were stored instead of sent, newest first. Each access is recorded in the audit log. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({
      /** Page, from 1. */
      page: z.number().int().min(1).max(10_000).default(1).register(oldNames, { name: 'start' }),
      pageSize: z.number().int().min(1).max(100).default(24).register(oldNames, { name: 'limit' }),
    }),
    data: z.object({ list: z.array(outboxMessage), total: z.number().int(), pageCount: z.number().int() }),
  }),
} as const;
