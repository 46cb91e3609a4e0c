import { z } from 'zod';

/** What the platform is started with. */
export const platformConfig = z.object({
  /** See `openDatabase`; migrated already. */
  databaseUrl: z.string(),
  host: z.string(),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535),
  /** Address of the bot host's API, such as `http://127.0.0.1:17997`. */
  bothostUrl: z.url({ protocol: /^http$/ }),
  /** By which the bot host knows that a request comes from the platform. */
  secret: z.string().min(16),
  /** Folder of the built client. */
  clientDir: z.string(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  /** Address that people type when it is not the one listened on, such as `https://heron.example` before a proxy. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Addresses of proxies whose `X-Forwarded-*` headers are believed. */
  trustedProxies: z.array(z.string()).default([]),
});

export type PlatformConfig = z.input<typeof platformConfig>;
