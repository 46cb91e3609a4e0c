import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ExchangeError } from '../errors.ts';
import { type DialStep, dial } from './dial.ts';
import { ConnectionFailed, type ConnectionFault } from './fault.ts';
import { type ExternalVenue, VENUE_HOSTS, type VenueHosts } from './hosts.ts';
import type { Pause } from './pause.ts';
import { egressOf, type ProxySettings, proxyLabel } from './proxy.ts';
import { openVenueNet, type VenueNet } from './venueNet.ts';

/** Result of one small request to a venue. */
export interface VenueProbe {
  /** Market data can be read. */
  readonly reachable: boolean;
  /** Hosts that accept orders answer too. */
  readonly trading: boolean;
  /** Fault of the connection or the clock; null when there is none. */
  readonly fault: ConnectionFault | null;
  /** `direct`, the name of the proxy without credentials, or null for one that cannot be read. */
  readonly via: string | null;
  /** Round trip, ms. */
  readonly roundTripMs: number | null;
  /** Lead of the exchange's clock, ms, with an uncertainty of half the round trip. */
  readonly clockOffsetMs: number | null;
  /** Request weight that this IP address has used in the current minute; null where the exchange does not report it. */
  readonly usedWeight: number | null;
}

/** One step of an examination. @property ms duration */
export interface ExaminedStep {
  readonly step: DialStep | 'rest' | 'websocket';
  readonly ok: boolean;
  readonly ms: number;
}

/** A venue examined step by step. */
export interface VenueExamination extends VenueProbe {
  readonly steps: readonly ExaminedStep[];
  /** Fault of the market streams; null when they can be opened. */
  readonly streamFault: ConnectionFault | null;
  /** Hosts that accept a connection, and the faults of those that do not. */
  readonly hosts: readonly { readonly host: string; readonly fault: ConnectionFault | null }[];
}

/** Options of a probe. */
export interface ProbeOptions {
  readonly proxies: ProxySettings;
  /** Pause that the exchange has requested, during which nothing is sent. Default: none. */
  readonly pause?: Pause | null;
  /** ms since 1970. */
  now(): number;
}

/** Path of the cheapest request, and the address of a market stream. */
const SPOT = { time: '/api/v3/time', stream: (address: string) => `${address}/0` };
const USDM = { time: '/fapi/v1/time', stream: (address: string) => `${address.replace(/ws$/, 'public/ws')}/0` };
const PATHS: Readonly<Record<ExternalVenue, typeof SPOT>> = {
  binance: SPOT,
  'binance-testnet': SPOT,
  binanceusdm: USDM,
  'binanceusdm-testnet': USDM,
  mexc: { ...SPOT, stream: (address) => address },
};
/** A venue without a response after this counts as unreachable. */
const PROBE_MS = 6_000;
/** Clocks that differ by more than this make signed requests fail. */
const CLOCK_TOLERANCE_MS = 1_000;

/** Checks whether a venue responds, within six seconds. */
export async function probeVenue(venue: ExternalVenue, options: ProbeOptions): Promise<VenueProbe> {
  const net = openProbeNet(venue, VENUE_HOSTS[venue], options);
  try {
    return await probe(venue, net, options);
  } finally {
    await net.close();
  }
}

/** Result of one request. */
type Answer = Pick<VenueProbe, 'roundTripMs' | 'clockOffsetMs' | 'usedWeight'> & {
  readonly fault: ConnectionFault | null;
};

/** Examines every step of a connection to a venue, within some ten seconds. */
export async function examineVenue(venue: ExternalVenue, options: ProbeOptions): Promise<VenueExamination> {
  const { rest, publicRest, streams } = VENUE_HOSTS[venue];
  const net = openProbeNet(venue, VENUE_HOSTS[venue], options);
  const isPaused = net.pause() !== null;
  try {
    const [first, ...others] = await Promise.all(
      [...rest, ...publicRest].map((origin) =>
        isPaused ? { host: new URL(origin).hostname, fault: null, steps: [] } : dialSteps(origin, options.proxies),
      ),
    );
    if (first === undefined) throw new TypeError(`${venue} has no hosts`);
    const [answer, stream] = await Promise.all([
      probe(venue, net, options),
      openStream(net, PATHS[venue].stream(streams[0])),
    ]);
    const rests = { step: 'rest', ok: answer.reachable, ms: answer.roundTripMs ?? 0 } as const;
    const sockets = { step: 'websocket', ok: stream.fault === null, ms: stream.ms } as const;
    return {
      ...answer,
      steps: [...first.steps, rests, sockets],
      streamFault: stream.fault,
      hosts: [first, ...others].map(({ host, fault }) => ({ host, fault })),
    };
  } finally {
    await net.close();
  }
}

function openProbeNet(name: string, hosts: VenueHosts, { proxies, pause = null, now }: ProbeOptions): VenueNet {
  const net = openVenueNet({ name, hosts, proxies, now });
  if (pause !== null) net.applyPause(pause);
  return net;
}

/** Returns `direct`, the proxy of a host without credentials, or null for a proxy address that cannot be read. */
export function egressLabel(host: string, port: number, proxies: ProxySettings): string | null {
  const egress = egressOf(host, port, proxies);
  if (egress.via === 'invalid') return null;
  return egress.via === 'proxy' ? proxyLabel(egress.proxy) : 'direct';
}

async function probe(venue: ExternalVenue, net: VenueNet, options: ProbeOptions): Promise<VenueProbe> {
  const { rest, publicRest } = VENUE_HOSTS[venue];
  const path = PATHS[venue].time;
  const via = egressLabel(new URL(rest[0]).hostname, 443, options.proxies);
  const [trading, data] = await Promise.all([
    fetchTime(net, `${rest[0]}${path}`, options.now),
    publicRest[0] === undefined ? null : probeDataHost(venue, `${publicRest[0]}${path}`, options),
  ]);
  const { fault, ...answer } = trading.roundTripMs === null && data?.roundTripMs ? data : trading;
  const reachable = answer.roundTripMs !== null;
  return { ...answer, reachable, trading: trading.roundTripMs !== null, fault: trading.fault ?? fault, via };
}

/** Sends a request to a host that serves public data only. */
async function probeDataHost(venue: ExternalVenue, url: string, options: ProbeOptions): Promise<Answer> {
  const hosts = { ...VENUE_HOSTS[venue], rest: [new URL(url).origin], publicRest: [] };
  const net = openProbeNet(venue, hosts, options);
  try {
    return await fetchTime(net, url, options.now);
  } finally {
    await net.close();
  }
}

async function fetchTime(net: VenueNet, url: string, now: () => number): Promise<Answer> {
  const nothing = { roundTripMs: null, clockOffsetMs: null, usedWeight: null };
  const late = new AbortController();
  const sentAt = now();
  const began = performance.now();
  const pending = net.send('signed', url, { method: 'GET', headers: {}, signal: late.signal });
  try {
    const answer = await Promise.race([pending, delay(PROBE_MS, null, { signal: late.signal, ref: false })]);
    if (answer === null) return { ...nothing, fault: net.fault() ?? lateFault(url) };
    const body = await answer.text();
    const roundTripMs = Math.max(1, Math.round(performance.now() - began));
    if (answer.status !== 200) return { ...nothing, fault: net.fault() ?? statusFault(url, answer.status) };
    const serverTime = Number((JSON.parse(body) as { serverTime?: unknown }).serverTime);
    const clockOffsetMs = Math.round(serverTime - sentAt - roundTripMs / 2);
    const weight = answer.headers.get('x-mbx-used-weight-1m');
    // Heron measures the difference and adds it to the time of each request, so the venue can still be used.
    const wrongTime = Math.abs(clockOffsetMs) > CLOCK_TOLERANCE_MS + roundTripMs / 2;
    const fault: ConnectionFault | null = wrongTime ? { kind: 'clock', offsetMs: clockOffsetMs } : null;
    return { fault, roundTripMs, clockOffsetMs, usedWeight: weight === null ? null : Number(weight) };
  } catch (error) {
    const known = error instanceof ExchangeError ? error.fault : null;
    return { ...nothing, fault: known ?? net.fault() ?? statusFault(url, 200) };
  } finally {
    late.abort();
    pending.catch(() => {});
  }
}

function statusFault(url: string, status: number): ConnectionFault {
  return { kind: 'server_error', host: new URL(url).hostname, status };
}

function lateFault(origin: string): ConnectionFault {
  return { kind: 'timeout', host: new URL(origin).hostname, step: 'answer' };
}

async function dialSteps(origin: string, proxies: ProxySettings) {
  const { hostname: host, port } = new URL(origin);
  const number = Number(port) || 443;
  const steps: ExaminedStep[] = [];
  let began = performance.now();
  const lap = (): number => {
    const ms = Math.round(performance.now() - began);
    began = performance.now();
    return ms;
  };
  try {
    const egress = egressOf(host, number, proxies);
    const socket: Socket = await dial({ host, port: number, secure: true }, egress, (step) =>
      steps.push({ step, ok: true, ms: lap() }),
    );
    socket.destroy();
    return { host, fault: null, steps };
  } catch (error) {
    if (!(error instanceof ConnectionFailed)) throw error;
    return { host, fault: error.fault, steps: [...steps, { step: stepOf(error.fault), ok: false, ms: lap() }] };
  }
}

/** Returns the step at which a fault ended a connection. */
function stepOf(fault: ConnectionFault): DialStep {
  if (fault.kind === 'dns') return 'dns';
  if (fault.kind.startsWith('proxy_')) return 'proxy';
  if (fault.kind === 'tls') return 'tls';
  return fault.kind === 'timeout' && fault.step === 'tls' ? 'tls' : 'tcp';
}

/** Opens a market stream, on the first of the venue's addresses that accepts one. */
async function openStream(net: VenueNet, address: string): Promise<{ fault: ConnectionFault | null; ms: number }> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  const end = AbortSignal.timeout(PROBE_MS);
  let fault: ConnectionFault | null = null;
  for (let left = net.hosts.streams.length; left > 0 && !end.aborted; left--) {
    const socket = net.openSocket(address);
    try {
      await once(socket, 'open', { signal: end });
      socket.terminate();
      return { fault: null, ms: ms() };
    } catch {
      fault ??= net.fault();
      socket.on('error', () => {});
      socket.terminate();
    }
  }
  return { fault: fault ?? lateFault(address), ms: ms() };
}
