import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { z } from 'zod';
import { HOSTED, HOSTED_NAMES } from './store/hosted.ts';

const venue = z.enum(HOSTED.map(({ id }) => id));
const port = z.number().int().min(0).max(65_535);

/** Addresses of the demo market of a venue, on this machine or on that of another bot host. */
const endpoints = z.object({ rest: z.url(), ws: z.url(), wsApi: z.url().optional() });

const shared = {
  databaseUrl: z.string().min(1),
  /** Shared by the control process, the workers and the platform. A request with this secret may act for any user. */
  secret: z.string().min(16),
  dataDir: z.string().min(1),
  logLevel: z.string().default('info'),
  /** Records every market event of every bot. */
  tape: z.boolean().default(false),
  /** Address of the queue of runs: `redis://…`, or null for the database. */
  queueUrl: z
    .url({ protocol: /^rediss?$/ })
    .nullable()
    .default(null),
  /** Address on which workers listen, and under which bot hosts on other machines reach them. */
  workerHost: z.string().min(1).default('127.0.0.1'),
  /** Largest number of bots that one worker runs. */
  maxBots: z.number().int().min(1).default(10_000),
};

/** The configuration that the parent process passes to the bot host. Port 0 means any free port. */
export const hostConfig = z.object({
  ...shared,
  controlHost: z.string().default('127.0.0.1'),
  controlPort: port,
  /** Venues that this host serves. */
  venues: z.array(venue),
  /** The demo market, by exchange. A demo venue without addresses is not served. */
  demo: z.partialRecord(
    z.enum(HOSTED_NAMES),
    endpoints.extend({
      /** The demo key. Absent for the demo market of another machine. */
      apiKey: z.object({ key: z.string(), secret: z.string() }).optional(),
    }),
  ),
  /** Whether the paper worker of a venue listens on the port in the table of venues (`standard`) or on any free port. */
  workerPorts: z.enum(['standard', 'free']).default('standard'),
  /** The vault keys; null for a file in the data folder. Passed on to workers of live bots only. */
  vaultKey: z.string().nullable().default(null),
  /** Address at which a Heron on another machine may pair with this host, in place of `controlPort`; null without pairing. */
  pairing: z
    .object({ host: z.string().min(1), port })
    .nullable()
    .default(null),
});

/** The configuration that the control process passes to a worker. */
export const workerConfig = z.object({
  ...shared,
  venue,
  /** Addresses of the demo market; null for the exchange's own hosts. */
  addresses: endpoints.nullable(),
  /** Paper and live bots run in different processes, so that only the latter load code that signs requests. */
  mode: z.enum(['paper', 'live']).default('paper'),
  /** The vault keys; null for a file in the data folder. Never passed to a worker of paper bots. */
  vaultKey: z.string().nullable().default(null),
  /** Identifies the bot host of this worker. */
  host: z.string().min(1),
  port,
});

export type HostConfig = z.output<typeof hostConfig>;
export type WorkerConfig = z.output<typeof workerConfig>;
/** Sent to the parent process once all servers listen. */
export type HostInfo = {
  readonly controlUrl: string;
  /** The pairing state; only of a bot host that can be paired. */
  readonly pairing?: HostPairing;
};
export type WorkerInfo = { readonly port: number };
