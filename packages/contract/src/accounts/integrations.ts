import { z } from 'zod';

/**
 * A webhook, Telegram chat or paired bot host that was disabled. Integrations outlive the session that added them, so ending all
 * other sessions and a new password disable those that another session or device has added.
 */
export const disabledIntegration = z.object({
  kind: z.enum(['webhook', 'telegram', 'host']),
  /** The id for `System.Notify.enable` or, for a bot host, `System.Host.enable`. */
  id: z.string(),
  /** Host name of a webhook, name of a chat or of a bot host. */
  name: z.string(),
  /** Unix seconds. */
  added: z.number().int(),
  /** IP address, browser and operating system of the session that added it; empty where unknown. */
  address: z.string(),
  browser: z.string(),
  system: z.string(),
});

export type DisabledIntegration = z.infer<typeof disabledIntegration>;
