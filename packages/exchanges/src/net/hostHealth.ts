import type { ConnectionFault } from './fault.ts';

/** A host that failed is tried again before others after this long. */
const RETRY_MS = 60_000;
/** A refused location does not change from one minute to the next. */
const RESTRICTED_MS = 600_000;

/** Recent failures of a venue's hosts, which decide the order in which they are tried. */
export interface HostHealth {
  /**
   * Returns the hosts to try, the preferred one first. When all have failed it is one host, a different one each time, so that
   * a request to an unreachable venue costs one attempt.
   *
   * @param hosts all of them, in order of preference
   */
  order(hosts: readonly string[]): readonly string[];
  onFailure(host: string, fault: ConnectionFault): void;
  onSuccess(host: string): void;
  /** Discards all failures, for example after a change of the proxy. */
  reset(): void;
}

/** @param check tries to connect to a host that failed and reports the outcome, while requests still use another one */
export function openHostHealth(now: () => number, check: (host: string) => void): HostHealth {
  /** Failed hosts, the newest failure last. */
  const failures = new Map<string, { at: number; kind: ConnectionFault['kind'] }>();

  function isFailed(host: string): boolean {
    const failure = failures.get(host);
    if (failure === undefined) return false;
    if (failure.kind !== 'restricted_location') return true;
    return now() - failure.at < RESTRICTED_MS;
  }

  function checkPreferred(hosts: readonly string[], used: string): void {
    for (const host of hosts.slice(0, hosts.indexOf(used))) {
      const failure = failures.get(host);
      if (failure === undefined || !isFailed(host) || failure.kind === 'restricted_location') continue;
      if (now() - failure.at < RETRY_MS) continue;
      // The next check is due after the same pause, whatever the result of this one.
      failures.set(host, { ...failure, at: now() });
      check(host);
    }
  }

  return {
    order(hosts) {
      const healthy = hosts.filter((host) => !isFailed(host));
      const [first] = healthy;
      if (first === undefined) {
        const oldest = [...failures.keys()].find((host) => hosts.includes(host));
        return oldest === undefined ? [] : [oldest];
      }
      checkPreferred(hosts, first);
      return healthy;
    },
    onFailure(host, { kind }) {
      failures.delete(host);
      failures.set(host, { at: now(), kind });
    },
    onSuccess(host) {
      failures.delete(host);
    },
    reset() {
      failures.clear();
    },
  };
}
