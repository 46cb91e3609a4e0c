import { z } from 'zod';

/**
 * A webhook, Telegram chat, paired bot host, API token or signal address that was disabled. Integrations outlive the session that added them, so ending all
 * other sessions and a new password disable those that another session or device has added.
 */
export const disabledIntegration = z.object({
  kind: z.enum(['webhook', 'telegram', 'host', 'token', 'signal']),
  /** The id for `System.Notify.enable`, `System.Host.enable`, `System.ApiToken.enable` or `System.Signal.enable`. */
  id: z.string(),
  /** Host name of a webhook, name of a chat or of a bot host, label of a token, name of the bot of a signal address. */
  name: z.string(),
  /** Unix seconds. */
  added: z.number().int(),
  /** IP address, browser and operating system of the session that added it; empty where unknown. */
  address: z.string(),
  browser: z.string(),
  system: z.string(),
});

export type DisabledIntegration = z.infer<typeof disabledIntegration>;
