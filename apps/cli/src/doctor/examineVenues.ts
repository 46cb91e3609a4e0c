import { isBudgeted, rateLimitsOf } from '@heron/exchanges/http/venueBudget.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import { type ExternalVenue, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import { examineVenue, type VenueExamination } from '@heron/exchanges/net/probe.ts';
import { routeText, type VenueAccess } from '../installation/venueAccess.ts';

/** A venue as the doctor reports it. */
export interface VenueFinding extends VenueExamination {
  readonly venue: ExternalVenue;
  /** The route to it, and where that is set. */
  readonly route: string;
  /** Max request weight of a minute. */
  readonly weightLimit: number | null;
  /** Problems with what can be done about each; empty when there are none. */
  readonly problems: readonly string[];
}

const STEP_NAMES = {
  dns: 'DNS',
  tcp: 'TCP',
  proxy: 'proxy',
  tls: 'TLS',
  rest: 'REST',
  websocket: 'WebSocket',
} as const;

/** Examines the network access of every venue outside this machine, all at the same time. Nothing is sent during a ban. */
export function examineVenues(accessOf: (venue: ExternalVenue) => Promise<VenueAccess>): Promise<VenueFinding[]> {
  const venues = Object.keys(VENUE_HOSTS) as ExternalVenue[];
  return Promise.all(
    venues.map(async (venue) => {
      const { proxies, pause, keepPause } = await accessOf(venue);
      const examination = await examineVenue(venue, { proxies, pause, now: Date.now });
      if (pause === null && examination.fault?.kind === 'paused') await keepPause(examination.fault);
      const exchange = venue.replace(/-testnet$/, '');
      const limits = isBudgeted(exchange) ? rateLimitsOf(exchange) : null;
      // Other exchanges do not report the used weight.
      const weightLimit = limits?.header ? limits.weight : null;
      const route = routeText(venue, proxies);
      return { venue, route, weightLimit, problems: problemsOf(examination), ...examination };
    }),
  );
}

function problemsOf({ reachable, trading, fault, streamFault, hosts }: VenueExamination): string[] {
  const problems: string[] = [];
  if (fault !== null) problems.push(faultText(fault).en);
  if (reachable && !trading) problems.push('Market data can be read: paper bots work, live bots do not.');
  if (trading) {
    const [first] = hosts;
    if (first?.fault) problems.push(`${faultText(first.fault).en} Another host of the exchange is used.`);
    if (streamFault !== null) problems.push(`Market streams: ${faultText(streamFault).en}`);
  }
  return [...new Set(problems)];
}

/** Whether bots can run there now. */
export function isUsable({ trading, streamFault }: VenueFinding): boolean {
  return trading && streamFault === null;
}

/** Describes a venue in one line, and each problem in one of its own. */
export function venueLines(finding: VenueFinding): string[] {
  const { venue, route, steps, clockOffsetMs, usedWeight, weightLimit, problems } = finding;
  const facts = steps.map(({ step, ok, ms }) => (ok ? `${STEP_NAMES[step]} ${ms} ms` : `${STEP_NAMES[step]} ✗`));
  if (clockOffsetMs !== null) facts.push(`clock ${clockOffsetMs > 0 ? '+' : ''}${clockOffsetMs} ms`);
  if (usedWeight !== null) facts.push(`weight ${usedWeight}${weightLimit === null ? '' : ` of ${weightLimit}`}`);
  return [
    `${isUsable(finding) ? '✓' : '✗'} ${venue.padEnd(20)} ${[route, ...facts].join(' · ')}`,
    ...problems.map((problem) => `  ${problem}`),
  ];
}
