import { z } from 'zod';

/**
 * What leads out of an account and outlives the session that has added it: webhooks, Telegram chats, paired bot hosts. Ending
 * all other sessions and a new password disable those that another session or device has added.
 */
export const disabledIntegration = z.object({
  kind: z.enum(['webhook', 'telegram', 'host']),
  /** As `System.Notify.enable` or, for a bot host, `System.Host.enable` takes it. */
  id: z.string(),
  /** Host name of a webhook, name of a chat or of a bot host. */
  name: z.string(),
  /** Unix seconds. */
  added: z.number().int(),
  /** From where and with what it was added; empty where that is not known. */
  address: z.string(),
  browser: z.string(),
  system: z.string(),
});

export type DisabledIntegration = z.infer<typeof disabledIntegration>;
