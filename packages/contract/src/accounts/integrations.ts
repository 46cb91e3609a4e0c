import { z } from 'zod';

/**
 * A webhook, Telegram chat, paired bot host or API token that was disabled. Integrations outlive the session that added them, so ending all
 * other sessions and a new password disable those that another session or device has added.
 */
export const disabledIntegration = z.object({
  kind: z.enum(['webhook', 'telegram', 'host', 'token']),
  /** The id for `System.Notify.enable`, `System.Host.enable` or `System.ApiToken.enable`. */
  id: z.string(),
  /** Host name of a webhook, name of a chat or of a bot host, label of a token. */
  name: z.string(),
  /** Unix seconds. */
  added: z.number().int(),
  /** IP address, browser and operating system of the session that added it; empty where unknown. */
  address: z.string(),
  browser: z.string(),
  system: z.string(),
});

export type DisabledIntegration = z.infer<typeof disabledIntegration>;
