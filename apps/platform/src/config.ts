import { createPrivateKey } from 'node:crypto';
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
    /** A template without variables, for notices to people who have no e-mail address. */
    noticeTemplateCode: z.string().min(1).optional(),
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

/** The bot that people are told by in Telegram. */
const telegram = z.object({
  /** As BotFather gives it. */
  token: z.string().regex(/^\d+:[\w-]{20,100}$/),
  /** Of the Bot API, when it is not Telegram's own. */
  url: apiUrl,
});

const wechatApp = z.object({ appId: z.string().min(1), secret: z.string().min(1) });

/** Logins by WeChat: of browsers, which need a `publicUrl` to come back to, and of apps. */
const wechat = z.object({
  web: wechatApp.optional(),
  app: wechatApp.optional(),
  /** Where browsers go, and the API. */
  openUrl: z.url({ protocol: /^https?$/ }).default('https://open.weixin.qq.com'),
  apiUrl: z.url({ protocol: /^https?$/ }).default('https://api.weixin.qq.com'),
});

/** Sign in with Apple: of browsers by a Services ID, which need a `publicUrl` to come back to, and of apps by bundle ids. */
const apple = z.object({
  teamId: z.string().min(1),
  keyId: z.string().min(1),
  /** The `.p8` file that Apple gives: a key on P-256 in PEM. */
  privateKey: z.string().refine(isP256Key, 'must be a private key on P-256 in PEM'),
  servicesId: z.string().min(1).optional(),
  bundleIds: z.array(z.string().min(1)).default([]),
  url: z.url({ protocol: /^https?$/ }).default('https://appleid.apple.com'),
});

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
  /** Notices may be posted to addresses of private networks, and without encryption: for receivers at home. */
  notifyPrivate: z.boolean().default(false),
  /** Off without it. */
  telegram: telegram.optional(),
  /** Off without it. */
  wechat: wechat.optional(),
  /** Off without it. */
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
