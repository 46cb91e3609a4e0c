import { z } from 'zod';

/** A mail server. */
const mail = z.object({
  /** Such as `smtps://name:password@mail.example:465`. */
  url: z.url({ protocol: /^smtps?$/ }),
  /** Sender, such as `Heron <heron@mail.example>`. One line. */
  from: z.string().regex(/^[^\r\n\0]+$/),
});

const apiUrl = z.url({ protocol: /^https?$/ }).optional();

/** What sends short messages. */
const sms = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('aliyun'),
    accessKeyId: z.string().min(1),
    accessKeySecret: z.string().min(1),
    signName: z.string().min(1),
    templateCode: z.string().min(1),
    /** Of the API, when it is not the provider's own. */
    url: apiUrl,
  }),
  z.object({
    provider: z.literal('twilio'),
    accountSid: z.string().regex(/^\w+$/),
    authToken: z.string().min(1),
    /** Number in international form, or the `MG…` of a messaging service. */
    from: z.string().min(1),
    url: apiUrl,
  }),
]);

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
  /** Mails go to the outbox without it. */
  mail: mail.optional(),
  /** Short messages go to the outbox without it. */
  sms: sms.optional(),
});

export type PlatformConfig = z.input<typeof platformConfig>;
