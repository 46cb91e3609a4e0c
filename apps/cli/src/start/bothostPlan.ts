import type { HostPairing } from '@heron/contract/bots/pairing.ts';
import { LOOPBACK, type StartSettings } from './settings.ts';
import type { ChildPlan } from './superviseChild.ts';

/** Where the exchanges in a box are reached, as far as bots trade there. */
export type MarketAddresses = {
  readonly binance: { readonly rest: string; readonly ws: string; readonly wsApi: string };
  readonly binanceusdm: { readonly rest: string; readonly ws: string };
  readonly mexc: { readonly rest: string; readonly ws: string };
};

export type BothostInfo = {
  readonly controlUrl: string;
  readonly pairing?: HostPairing;
};

/**
 * The bot host as a process, whoever starts it.
 *
 * @param ground.entry its module
 * @param ground.databaseUrl, ground.market asked for at every start; may wait for them. No market: no demo venues
 */
export function bothostPlan(
  settings: StartSettings,
  ground: {
    readonly entry: string;
    readonly secret: () => string;
    /** What opens the vault; null: a file in the data folder. */
    readonly vaultKey: string | null;
    readonly databaseUrl: () => Promise<string>;
    readonly market: () => Promise<MarketAddresses | null>;
    /** Address on which it may be paired and reached from other machines; none unless given. */
    readonly pairingHost?: string;
    /** Hears what it reports each time that it runs again. */
    readonly restarted?: (info: BothostInfo) => void;
  },
): ChildPlan<BothostInfo> {
  return {
    name: 'the bot host',
    entry: ground.entry,
    async configuration(previous) {
      const controlPort = portOf(previous?.controlUrl) ?? settings.controlPort;
      const [databaseUrl, market] = await Promise.all([ground.databaseUrl(), ground.market()]);
      return {
        databaseUrl,
        controlHost: LOOPBACK,
        controlPort,
        venues: [...settings.venues],
        workerPorts: settings.workerPorts,
        secret: ground.secret(),
        vaultKey: ground.vaultKey,
        dataDir: settings.dataFolder,
        demo: market === null ? {} : demoOf(market),
        logLevel: settings.logLevel,
        ...(ground.pairingHost !== undefined && { pairing: { host: ground.pairingHost, port: controlPort } }),
      };
    },
    ...(ground.restarted && { restarted: ground.restarted }),
  };
}

/** The addresses alone: a process reports more of itself. */
function demoOf({ binance, binanceusdm, mexc }: MarketAddresses): MarketAddresses {
  return { binance, binanceusdm, mexc };
}

/** A process that took any free port keeps it when it is started again, because the others know it by now. */
export function portOf(url: string | undefined): number | null {
  return url === undefined ? null : Number(new URL(url).port);
}
