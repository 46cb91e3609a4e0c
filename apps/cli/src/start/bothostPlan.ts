import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { LOOPBACK, type StartSettings } from './settings.ts';
import type { ChildPlan } from './superviseChild.ts';

type DemoExchange = {
  readonly rest: string;
  readonly ws: string;
  /** The demo key. Absent for the demo market of another machine. */
  readonly apiKey?: { readonly key: string; readonly secret: string };
};

/** Addresses of the demo exchanges where bots trade. */
export type MarketAddresses = {
  readonly binance: DemoExchange & { readonly wsApi: string };
  readonly binanceusdm: DemoExchange;
  readonly mexc: DemoExchange;
};

export type BothostInfo = {
  readonly controlUrl: string;
  readonly pairing?: HostPairing;
};

/**
 * Returns the plan of the bot host process.
 *
 * @param deps.entry its module
 * @param deps.databaseUrl, deps.market called at every start; may return a promise. No market: no demo venues
 */
export function bothostPlan(
  settings: StartSettings,
  deps: {
    readonly entry: string;
    readonly secret: () => string;
    /** Key of the vault; null when the key lies in a file of the data folder. */
    readonly vaultKey: string | null;
    readonly databaseUrl: () => Promise<string>;
    readonly market: () => Promise<MarketAddresses | null>;
    /** Address on which it may be paired and reached from other machines; none unless given. */
    readonly pairingHost?: string;
    /** Called with the new addresses each time that the bot host runs again. */
    readonly restarted?: (info: BothostInfo) => void;
  },
): ChildPlan<BothostInfo> {
  return {
    name: 'the bot host',
    entry: deps.entry,
    async configuration(previous) {
      const controlPort = portOf(previous?.controlUrl) ?? settings.controlPort;
      const [databaseUrl, market] = await Promise.all([deps.databaseUrl(), deps.market()]);
      return {
        databaseUrl,
        controlHost: LOOPBACK,
        controlPort,
        venues: [...settings.venues],
        workerPorts: settings.workerPorts,
        secret: deps.secret(),
        vaultKey: deps.vaultKey,
        dataDir: settings.dataFolder,
        demo: market === null ? {} : demoOf(market),
        logLevel: settings.logLevel,
        ...(deps.pairingHost !== undefined && { pairing: { host: deps.pairingHost, port: controlPort } }),
      };
    },
    ...(deps.restarted && { restarted: deps.restarted }),
  };
}

/** The addresses alone: a process reports more of itself. */
function demoOf({ binance, binanceusdm, mexc }: MarketAddresses): MarketAddresses {
  return { binance, binanceusdm, mexc };
}

/**
 * Returns the port of an address. A process that was given any free port keeps it after a restart, because others know
 * it.
 */
export function portOf(url: string | undefined): number | null {
  return url === undefined ? null : Number(new URL(url).port);
}
