import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

const mail = z.object({
  /** URL of the mail server, such as `smtps://name:password@mail.example:465`. */
  url: z.url({ protocol: /^smtps?$/ }),
  /** Sender in one line, such as `Heron <heron@mail.example>`. */
  from: z.string().regex(/^[^\r\n\0]+$/),
});

const apiUrl = z.url({ protocol: /^https?$/ }).optional();

/** Provider of text messages. */
const sms = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('aliyun'),
    accessKeyId: z.string().min(1),
    accessKeySecret: z.string().min(1),
    signName: z.string().min(1),
    templateCode: z.string().min(1),
    /** A template without variables, for security alerts to users without an e-mail address. */
    noticeTemplateCode: z.string().min(1).optional(),
    /** URL of the API, when it is not the provider's own. */
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

/** Telegram bot that sends notifications. */
const telegram = z.object({
  /** Token that BotFather has issued. */
  token: z.string().regex(/^\d+:[\w-]{20,100}$/),
  /** URL of the Bot API, when it is not Telegram's own. */
  url: apiUrl,
});

const wechatApp = z.object({ appId: z.string().min(1), secret: z.string().min(1) });

/** WeChat Login for browsers, which needs a `publicUrl`, and for apps. */
const wechat = z.object({
  web: wechatApp.optional(),
  app: wechatApp.optional(),
  /** Page for browsers, and URL of the API. */
  openUrl: z.url({ protocol: /^https?$/ }).default('https://open.weixin.qq.com'),
  apiUrl: z.url({ protocol: /^https?$/ }).default('https://api.weixin.qq.com'),
});

/** Sign in with Apple for browsers by a Services ID, which needs a `publicUrl`, and for apps by bundle ids. */
const apple = z.object({
  teamId: z.string().min(1),
  keyId: z.string().min(1),
  /** The `.p8` file from Apple: a key on P-256 in PEM. */
  privateKey: z.string().refine(isP256Key, 'must be a private key on P-256 in PEM'),
  servicesId: z.string().min(1).optional(),
  bundleIds: z.array(z.string().min(1)).default([]),
  url: z.url({ protocol: /^https?$/ }).default('https://appleid.apple.com'),
});

/** Configuration of the platform. */
export const platformConfig = z.object({
  /** URL of a migrated database, for `openDatabase`. */
  databaseUrl: z.string(),
  host: z.string(),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535),
  /** Address of the bot host's API, such as `http://127.0.0.1:17997`. */
  bothostUrl: z.url({ protocol: /^http$/ }),
  /** Proves to the bot host that a request comes from the platform. */
  secret: z.string().min(16),
  /** Folder of the built client. */
  clientDir: z.string(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  /**
   * Address that people type, when it differs from the address on which the platform listens, such as
   * `https://heron.example` behind a proxy.
   */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * Role of the first account that registers by name. It is a member where other machines can reach the platform, because
   * the first visitor may be a stranger.
   */
  firstAccount: z.enum(['administrator', 'member']).default('member'),
  /** Addresses of proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: z.array(z.string()).default([]),
  /** Without it, e-mails are stored in the outbox. */
  mail: mail.optional(),
  /** Without it, text messages are stored in the outbox. */
  sms: sms.optional(),
  /** Allows webhooks to private networks and without encryption, for receivers at home. */
  notifyPrivate: z.boolean().default(false),
  /** Disabled without it. */
  telegram: telegram.optional(),
  /** Disabled without it. */
  wechat: wechat.optional(),
  /** Disabled without it. */
  apple: apple.optional(),
});

export type WechatConfig = z.output<typeof wechat>;
export type AppleConfig = z.output<typeof apple>;
export type PlatformConfig = z.input<typeof platformConfig>;

function isP256Key(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
