import type { IncomingMessage } from 'node:http';
import { Agent } from 'undici';
import { WebSocket } from 'ws';
import { ExchangeMisused, ExchangeUnreachable, RateLimited } from '../errors.ts';
import { dial } from './dial.ts';
import { ConnectionFailed, type ConnectionFault } from './fault.ts';
import { faultText } from './faultText.ts';
import { openHostHealth } from './hostHealth.ts';
import type { VenueHosts } from './hosts.ts';
import { type Pause, pauseOf } from './pause.ts';
import { type Egress, egressOf, type ProxySettings } from './proxy.ts';
import { isRestrictedLocation } from './restrictedLocation.ts';
import { type RestAnswer, type RestRequest, sendRequest } from './sendRequest.ts';

/** Idle connections stay open this long, so that an order need not wait for a handshake. Venues close them then. */
const IDLE_MS = 60_000;

/** Status of a proxy that requires a sign-in. */
const PROXY_AUTHENTICATION = 407;

/** Hosts that pause together: those of the venue, or those of another venue that report what a key may do. */
export type PausedHosts = 'own' | 'permissions';

/** Options of {@link openVenueNet}. */
export interface VenueNetConfig {
  /** Named in errors. */
  readonly name: string;
  readonly hosts: VenueHosts;
  readonly proxies: ProxySettings;
  /** ms since 1970. */
  now(): number;
  /**
   * Is called when the exchange requests a pause, so that other processes with the same IP address learn of it.
   *
   * @param hosts which hosts it holds for
   */
  readonly onPause?: (pause: Pause, hosts: PausedHosts) => void;
}

/**
 * Network access of one process to one venue: REST and WebSocket, through the configured proxy, to the first reachable host.
 * It sends nothing during a pause that the exchange has requested.
 */
export interface VenueNet {
  readonly hosts: VenueHosts;
  /**
   * Sends a request. A read is sent to the next host when one fails. A write is sent to the next host only when no
   * connection to the one before could be made.
   *
   * @param scope `public`: hosts for public data may respond as well
   * @param url its origin is one of the venue's; it is replaced by that of the host that is used
   * @throws RateLimited nothing was sent @throws ExchangeUnreachable nothing was done
   * @throws anything else when a request that may have changed something got no answer
   */
  send(scope: 'public' | 'signed', url: string, init: RestRequest): Promise<RestAnswer>;
  /**
   * Opens a WebSocket.
   *
   * @param url begins with one of the venue's addresses, which is replaced by the one that is used
   * @param onRefused is called when the venue refuses what the address names, such as a listen key
   */
  openSocket(url: string, onRefused?: () => void): WebSocket;
  /** Why the last attempt failed; null after one that did not. */
  fault(): ConnectionFault | null;
  pause(): Pause | null;
  /** Begins a pause that a message on a WebSocket requests, and reports it to other processes. */
  beginPause(pause: Pause): void;
  /** Begins a pause that another process has learned of, or prolongs it. */
  applyPause(pause: Pause, hosts?: PausedHosts): void;
  /** Replaces the proxies and closes every connection; callers open new connections. */
  changeProxies(proxies: ProxySettings): void;
  close(): Promise<void>;
}

/** Options of `ws` that lead a WebSocket through {@link dial}. */
interface SocketOptions {
  readonly createConnection: (
    options: unknown,
    created: (error: Error | null, socket?: import('node:net').Socket) => void,
  ) => undefined;
}

/** Opens the network access of one venue. Nothing is sent before the first call. */
export function openVenueNet(config: VenueNetConfig): VenueNet {
  const { name, hosts, now } = config;
  let { proxies } = config;
  let agent = openAgent();
  let fault: ConnectionFault | null = null;
  const pauses: Record<PausedHosts, Pause | null> = { own: null, permissions: null };
  const sockets = new Set<WebSocket>();
  const health = openHostHealth(now, (address) => void check(address));
  const restGroups = {
    public: [...hosts.rest, ...hosts.publicRest],
    signed: hosts.rest,
    permissions: hosts.permissions,
  };

  function openAgent(): Agent {
    return new Agent({
      keepAliveTimeout: IDLE_MS,
      connect: ({ hostname, port, protocol }, created) => {
        const host = hostname.replace(/^\[|\]$/g, '');
        const secure = protocol === 'https:';
        dial({ host, port: Number(port) || (secure ? 443 : 80), secure }, egressTo(host, Number(port))).then(
          (socket) => created(null, socket),
          (error: Error) => created(error, null),
        );
      },
    });
  }

  function egressTo(host: string, port: number): Egress {
    return egressOf(host, port || 443, proxies);
  }

  /** Connects to a host that failed, and sends nothing. */
  async function check(address: string): Promise<void> {
    if (activePause() !== null || activePause('permissions') !== null) return;
    try {
      (await dialAddress(address)).destroy();
      health.onSuccess(address);
    } catch (error) {
      if (error instanceof ConnectionFailed) health.onFailure(address, error.fault);
    }
  }

  function dialAddress(address: string) {
    const { hostname, port, protocol } = new URL(address);
    const secure = protocol === 'https:' || protocol === 'wss:';
    const host = hostname.replace(/^\[|\]$/g, '');
    const number = Number(port) || (secure ? 443 : 80);
    return dial({ host, port: number, secure }, egressTo(host, number));
  }

  function activePause(of: PausedHosts = 'own'): Pause | null {
    const pause = pauses[of];
    return pause !== null && now() < pause.until ? pause : null;
  }

  function onFault(address: string, found: ConnectionFault): void {
    fault = found;
    // A fault of the proxy does not concern the host.
    if (!isProxyFault(found)) health.onFailure(address, found);
  }

  function onWorking(address: string): void {
    fault = null;
    health.onSuccess(address);
  }

  function applyPause(pause: Pause, of: PausedHosts = 'own'): void {
    if (pause.until <= (activePause(of)?.until ?? 0)) return;
    pauses[of] = pause;
  }

  function beginPause(pause: Pause, of: PausedHosts = 'own'): void {
    applyPause(pause, of);
    // The host did respond; while the pause lasts it is reported as the fault.
    if (of === 'own') fault = null;
    config.onPause?.(pause, of);
  }

  function refuseWhilePaused(of: PausedHosts): void {
    const active = activePause(of);
    if (active !== null) throw new RateLimited(name, active.until, undefined, active.banned);
  }

  /** @throws ExchangeUnreachable when another host may be tried */
  async function sendTo(origin: string, url: URL, init: RestRequest, of: PausedHosts): Promise<RestAnswer> {
    const host = new URL(origin).hostname;
    let answer: RestAnswer;
    try {
      answer = await sendRequest(agent, `${origin}${url.pathname}${url.search}`, init);
    } catch (error) {
      const sent = !(error instanceof ConnectionFailed);
      const found: ConnectionFault = sent ? brokenFault(init, host) : error.fault;
      onFault(origin, found);
      // The write may have been executed: the caller reports an unknown outcome.
      if (sent && init.method !== 'GET') throw error;
      throw new ExchangeUnreachable(name, `no answer: ${faultText(found).en}`, error, found);
    }
    const { status } = answer;
    if (status !== 403 && status !== 418 && status !== 429 && status !== 451) {
      onWorking(origin);
      return answer;
    }
    const body = await answer.text().catch(() => '');
    const requestedPause = pauseOf(status, answer.headers.get('retry-after'), body, now());
    if (requestedPause !== null) beginPause(requestedPause, of);
    else if (isRestrictedLocation(status, body)) {
      const found: ConnectionFault = { kind: 'restricted_location', host, status };
      onFault(origin, found);
      throw new ExchangeUnreachable(name, faultText(found).en, undefined, found);
    }
    return { ...answer, text: async () => body };
  }

  async function send(scope: 'public' | 'signed', address: string, init: RestRequest): Promise<RestAnswer> {
    const url = new URL(address);
    const group = scope === 'signed' && !hosts.rest.includes(url.origin) ? 'permissions' : scope;
    if (!restGroups[group].includes(url.origin)) throw new ExchangeMisused(name, `${url.host} is not one of its hosts`);
    // The fault of the preferred host is reported: the others are its substitutes.
    let failure: ExchangeUnreachable | null = null;
    const of = group === 'permissions' && hosts.permissionsVenue !== undefined ? 'permissions' : 'own';
    for (const origin of health.order(restGroups[group])) {
      refuseWhilePaused(of);
      try {
        return await sendTo(origin, url, init, of);
      } catch (error) {
        if (!mayTryNext(error, init)) throw error;
        failure ??= error;
      }
    }
    fault = failure?.fault ?? fault;
    throw failure ?? new ExchangeUnreachable(name, 'it has no host for this');
  }

  function createConnection(address: string): SocketOptions['createConnection'] {
    return (_options, created) => {
      const active = activePause();
      if (active !== null) {
        created(new RateLimited(name, active.until, undefined, active.banned));
        return;
      }
      dialAddress(address).then(
        (socket) => created(null, socket),
        (error: Error) => {
          if (error instanceof ConnectionFailed) onFault(address, error.fault);
          created(error);
        },
      );
    };
  }

  function openSocket(url: string, onRefused: () => void = () => {}): WebSocket {
    const { base, group } = socketGroup(hosts, url);
    const [address = base] = health.order(group);
    const options: SocketOptions = { createConnection: createConnection(address) };
    // The types of `ws` lack the option, which `http` passes on.
    const socket = new WebSocket(withAddress(url, base, address), options as object);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('open', () => onWorking(address));
    socket.once('unexpected-response', (_request, response) => {
      void refusedUpgrade(address, response)
        .then((isRefusal) => isRefusal && onRefused())
        .finally(() => socket.terminate());
    });
    return socket;
  }

  /**
   * Reads why a WebSocket was not opened. `ws` leaves the socket as it is when somebody listens to this event: its listener ends it.
   *
   * @returns whether the venue refuses what the address names, rather than this machine, its proxy or the number of its requests
   */
  async function refusedUpgrade(address: string, response: IncomingMessage): Promise<boolean> {
    const status = response.statusCode ?? 0;
    const host = new URL(address).hostname;
    const chunks: Buffer[] = [];
    await response.forEach((chunk: Buffer) => void chunks.push(chunk)).catch(() => {});
    const body = Buffer.concat(chunks).toString();
    const requestedPause = pauseOf(status, String(response.headers['retry-after'] ?? ''), body, now());
    if (requestedPause !== null) {
      beginPause(requestedPause);
      return false;
    }
    if (isRestrictedLocation(status, body)) {
      onFault(address, { kind: 'restricted_location', host, status });
      return false;
    }
    onFault(address, { kind: 'server_error', host, status });
    return status >= 400 && status < 500 && status !== PROXY_AUTHENTICATION;
  }

  return {
    hosts,
    send,
    openSocket,
    fault: () => {
      const active = activePause();
      return active === null ? fault : { kind: 'paused', ...active };
    },
    pause: () => activePause(),
    beginPause: (pause) => beginPause(pause),
    applyPause,
    changeProxies(next) {
      proxies = next;
      health.reset();
      // Pauses hold for the IP address of the proxy before.
      pauses.own = null;
      pauses.permissions = null;
      fault = null;
      const old = agent;
      agent = openAgent();
      // Requests that are under way still get their responses.
      void old.close();
      for (const socket of sockets) socket.terminate();
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await agent.destroy();
    },
  };
}

function isProxyFault({ kind }: ConnectionFault): boolean {
  return kind === 'proxy_unreachable' || kind === 'proxy_auth' || kind === 'proxy_invalid';
}

/** Whether a request that failed may be sent to another host: a write only when the first host did not receive it. */
function mayTryNext(error: unknown, { method, signal }: RestRequest): error is ExchangeUnreachable {
  if (!(error instanceof ExchangeUnreachable) || error.fault === null || signal?.aborted) return false;
  if (isProxyFault(error.fault)) return false;
  return method === 'GET' || error.fault.kind !== 'restricted_location';
}

/** Returns the fault of a request that was sent on an open connection and got no response. */
function brokenFault({ signal }: RestRequest, host: string): ConnectionFault {
  return signal?.aborted ? { kind: 'timeout', host, step: 'answer' } : { kind: 'connection_lost', host };
}

/** Returns the list of hosts that a WebSocket address belongs to. USD-M futures put a part of the path before `/ws`. */
function socketGroup(hosts: VenueHosts, url: string): { base: string; group: readonly string[] } {
  for (const group of [hosts.streams, hosts.account]) {
    const base = group.find((address) => new URL(address).origin === new URL(url).origin);
    if (base !== undefined) return { base, group };
  }
  throw new ExchangeMisused('network', `${new URL(url).host} is not a host of this venue`);
}

function withAddress(url: string, base: string, address: string): string {
  const given = new URL(url);
  return base === address ? url : `${new URL(address).origin}${given.pathname}${given.search}`;
}
