import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { z } from 'zod';
import { HOSTED, HOSTED_NAMES } from './store/hosted.ts';

const venue = z.enum(HOSTED.map(({ id }) => id));
const port = z.number().int().min(0).max(65_535);

/** Addresses of the demo market of a venue, on this machine or that of another bot host. */
const endpoints = z.object({ rest: z.url(), ws: z.url(), wsApi: z.url().optional() });

const shared = {
  databaseUrl: z.string().min(1),
  /** Known by control, workers and platform; whoever sends it may act for any user. */
  secret: z.string().min(16),
  dataDir: z.string().min(1),
  logLevel: z.string().default('info'),
  /** Records every market event of every bot. */
  tape: z.boolean().default(false),
  /** Where runs of bots are queued: `redis://…`, or null for the database. */
  queueUrl: z
    .url({ protocol: /^rediss?$/ })
    .nullable()
    .default(null),
  /** Address on which workers listen, and under which bot hosts on other machines reach them. */
  workerHost: z.string().min(1).default('127.0.0.1'),
  /** Largest number of bots that one worker runs. */
  mostBots: z.number().int().min(1).default(10_000),
};

/** What the bot host is told by whoever starts it. Port 0 means any free port. */
export const hostConfig = z.object({
  ...shared,
  controlHost: z.string().default('127.0.0.1'),
  controlPort: port,
  /** Venues that this host serves. */
  venues: z.array(venue),
  /** Addresses of the demo market, by exchange. A demo venue without one is not served. */
  demo: z.partialRecord(z.enum(HOSTED_NAMES), endpoints),
  /** Whether the paper worker of a venue listens on the port in the table of venues (`standard`) or on any free port. */
  workerPorts: z.enum(['standard', 'free']).default('standard'),
  /** What opens the vault; null: a file in the data folder. Only for workers of live bots. */
  vaultKey: z.string().nullable().default(null),
  /** Where a Heron on another machine may pair it and reach it, in place of `controlPort`; null: nowhere. */
  pairing: z
    .object({ host: z.string().min(1), port })
    .nullable()
    .default(null),
});

/** What control tells a worker. */
export const workerConfig = z.object({
  ...shared,
  venue,
  /** Addresses of the demo market; null for the exchange's own hosts. */
  addresses: endpoints.nullable(),
  /** Paper and live bots run in processes of their own: what signs is loaded by one of them only. */
  mode: z.enum(['paper', 'live']).default('paper'),
  /** What opens the vault; null: a file in the data folder. Never told to a worker of paper bots. */
  vaultKey: z.string().nullable().default(null),
  /** Of the bot host that this worker belongs to. */
  host: z.string().min(1),
  port,
});

export type HostConfig = z.output<typeof hostConfig>;
export type WorkerConfig = z.output<typeof workerConfig>;
/** Told to the parent when everything listens. */
export type HostInfo = {
  readonly controlUrl: string;
  /** Of a bot host that can be paired. */
  readonly pairing?: HostPairing;
};
export type WorkerInfo = { readonly port: number };
