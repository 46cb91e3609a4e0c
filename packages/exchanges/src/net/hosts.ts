/** Addresses under which a venue is reached; of each list the first is preferred and the others are alternatives. */
export interface VenueHosts {
  /** REST origins that serve every request, signed ones included. */
  readonly rest: readonly string[];
  /** REST origins that serve public market data only. They are tried after those of `rest`. */
  readonly publicRest: readonly string[];
  /** REST origins that report the permissions of a key; empty where there are none. */
  readonly permissions: readonly string[];
  /** Venue that the hosts of `permissions` belong to, when it is another one: its limits and bans are its own. */
  readonly permissionsVenue?: string;
  /** Market streams, with the path. */
  readonly streams: readonly string[];
  /** WebSocket API or user data stream, which carries the events of an account; with the path. */
  readonly account: readonly string[];
}

/** Hosts that Binance documents as equal for spot and for `sapi`. */
const BINANCE_REST = [
  'https://api.binance.com',
  'https://api-gcp.binance.com',
  'https://api1.binance.com',
  'https://api2.binance.com',
  'https://api3.binance.com',
  'https://api4.binance.com',
] as const;

/**
 * Hosts of every venue outside this machine, by id of the venue: the only place in Heron that names them. A demo venue
 * gets its addresses when it starts.
 */
export const VENUE_HOSTS = {
  // binance/binance-spot-api-docs: rest-api.md and web-socket-streams.md "General Information", web-socket-api.md
  // "General API Information", faqs/market_data_only.md
  binance: {
    rest: BINANCE_REST,
    publicRest: ['https://data-api.binance.vision'],
    permissions: BINANCE_REST,
    streams: [
      'wss://stream.binance.com:9443/ws',
      'wss://stream.binance.com:443/ws',
      'wss://data-stream.binance.vision:443/ws',
    ],
    account: ['wss://ws-api.binance.com:443/ws-api/v3', 'wss://ws-api.binance.com:9443/ws-api/v3'],
  },
  // binance/binance-spot-api-docs: testnet/rest-api.md, testnet/web-socket-streams.md, testnet/web-socket-api.md
  'binance-testnet': {
    rest: ['https://testnet.binance.vision'],
    publicRest: [],
    permissions: [],
    streams: ['wss://stream.testnet.binance.vision/ws'],
    account: ['wss://ws-api.testnet.binance.vision/ws-api/v3'],
  },
  // developers.binance.com/docs/derivatives/usds-margined-futures: "General Info", "Websocket Market Streams",
  // "User Data Streams"
  binanceusdm: {
    rest: ['https://fapi.binance.com'],
    publicRest: [],
    permissions: BINANCE_REST,
    permissionsVenue: 'binance',
    streams: ['wss://fstream.binance.com/ws'],
    account: ['wss://fstream.binance.com/ws'],
  },
  // The same document, "General Info", testnet
  'binanceusdm-testnet': {
    rest: ['https://demo-fapi.binance.com'],
    publicRest: [],
    permissions: [],
    streams: ['wss://fstream.binancefuture.com/ws'],
    account: ['wss://fstream.binancefuture.com/ws'],
  },
  // www.mexc.com/api-docs/spot-v3: "Introduction", "Websocket Market Streams", "Websocket User Data Streams"
  mexc: {
    rest: ['https://api.mexc.com'],
    publicRest: [],
    permissions: [],
    streams: ['wss://wbs-api.mexc.com/ws'],
    account: ['wss://wbs-api.mexc.com/ws'],
  },
} as const satisfies Readonly<Record<string, VenueHosts>>;

/** Id of a venue outside this machine. */
export type ExternalVenue = keyof typeof VENUE_HOSTS;

/** Whether a venue is outside this machine, so that its hosts are known. */
export function isExternalVenue(id: string): id is ExternalVenue {
  return Object.hasOwn(VENUE_HOSTS, id);
}

/** Returns every address of a venue, each once. */
export function addressesOf({ rest, publicRest, permissions, streams, account }: VenueHosts): URL[] {
  const texts = new Set([...rest, ...publicRest, ...permissions, ...streams, ...account]);
  return [...texts].map((text) => new URL(text));
}

/** Addresses of a venue on this machine, such as the demo market, as its process reports them. */
export interface GivenAddresses {
  readonly rest: string;
  readonly ws: string;
  /** Address of the WebSocket API, if the venue has one. */
  readonly wsApi?: string;
}

/** Returns the hosts of a venue that is reached under the given addresses only. */
export function hostsAt({ rest, ws, wsApi }: GivenAddresses): VenueHosts {
  const { origin } = new URL(rest);
  const stream = ws.replace(/\/$/, '');
  return { rest: [origin], publicRest: [], permissions: [origin], streams: [stream], account: [wsApi ?? stream] };
}
