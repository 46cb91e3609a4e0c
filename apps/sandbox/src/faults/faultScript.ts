import type { Clock } from '../clock.ts';
import { Random } from '../market/random.ts';
import type { Fault, FaultKind, ScriptedFault } from './fault.ts';

type Of<K extends FaultKind> = Extract<Fault, { kind: K }>;

type ActiveFault = {
  id: number;
  script: ScriptedFault;
  pattern: RegExp;
  random: Random;
  /** End of the fault, by the exchange's clock. */
  until: number;
  /** Number of matches, and of injections. */
  seen: number;
  struck: number;
};

/** A fault with its number and its counts. Limits that were not set are left out. */
export type FaultReport = { id: number; seen: number; struck: number; active: boolean } & { [name: string]: unknown };

/** The scripted faults of an exchange. Protocols query it for requests, sockets and events. */
export class FaultScript {
  readonly #clock: Clock;
  readonly #running = new Map<number, ActiveFault>();
  readonly #listeners: ((fault: ScriptedFault) => void)[] = [];
  #nextId = 1;

  /** @param clock ends faults that have a duration */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the number by which it can be cleared */
  add(script: ScriptedFault): number {
    const id = this.#nextId++;
    this.#running.set(id, {
      id,
      script,
      pattern: patternOf(script.match),
      random: Random.seeded(script.seed, 'fault'),
      until: this.#clock.now() + script.forMs,
      seen: 0,
      struck: 0,
    });
    for (const listener of this.#listeners) listener(script);
    return id;
  }

  /** Calls `listener` for every fault that is added later. */
  onAdd(listener: (fault: ScriptedFault) => void): void {
    this.#listeners.push(listener);
  }

  /** @returns whether there was one */
  clear(id: number): boolean {
    return this.#running.delete(id);
  }

  clearAll(): void {
    this.#running.clear();
  }

  list(): FaultReport[] {
    return [...this.#running.values()].map((running) => ({
      id: running.id,
      seen: running.seen,
      struck: running.struck,
      active: this.#isActive(running),
      ...Object.fromEntries(Object.entries(running.script).filter(([, value]) => value !== Infinity)),
    }));
  }

  /**
   * Returns the faults of the given kinds that are injected into `subject` now, oldest first, and counts them.
   *
   * @param applies a further condition, checked before anything is counted
   */
  inject<K extends FaultKind>(
    kinds: readonly K[],
    subject: string,
    applies: (fault: Of<K>) => boolean = () => true,
  ): Of<K>[] {
    const struck: Of<K>[] = [];
    for (const running of this.#running.values()) {
      if (!this.#concerns(running, kinds, subject)) continue;
      // `#concerns` has checked the kind.
      const fault = running.script as unknown as Of<K>;
      if (!applies(fault)) continue;
      running.seen++;
      if (running.seen <= running.script.skip) continue;
      if (running.script.probability < 1 && running.random.next() >= running.script.probability) continue;
      running.struck++;
      struck.push(fault);
    }
    return struck;
  }

  /** Returns the active faults of the given kinds for `subject`, without counting them. */
  activeFaults<K extends FaultKind>(kinds: readonly K[], subject: string): Of<K>[] {
    const found: Of<K>[] = [];
    for (const running of this.#running.values()) {
      // `#concerns` checks the kind.
      if (this.#concerns(running, kinds, subject)) found.push(running.script as unknown as Of<K>);
    }
    return found;
  }

  /** Returns the offset of the exchange's clock in milliseconds. */
  skewMs(): number {
    return this.activeFaults(['skew'], '').reduce((sum, { skewMs }) => sum + skewMs, 0);
  }

  #concerns(running: ActiveFault, kinds: readonly FaultKind[], subject: string): boolean {
    return kinds.includes(running.script.kind) && this.#isActive(running) && running.pattern.test(subject);
  }

  #isActive(running: ActiveFault): boolean {
    return running.struck < running.script.count && this.#clock.now() < running.until;
  }
}

function patternOf(match: string): RegExp {
  const parts = match.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
