import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRateBudget, type RequestKind } from './rateBudget.ts';
import type { LeaseRequest, SharedCount, WeightLease } from './weightLeases.ts';

const LIMIT = 500;
const WINDOW_MS = 10_000;
/** Sums that requests of a kind, with all that must wait longer, may reach. Orders may reach the limit itself. */
const MOST = { bulk: 0.5, read: 0.75, account: 0.9, order: 1 } as const;
const KINDS = ['bulk', 'read', 'account', 'order'] as const;

/** A clock that moves on when everything that happens at a time has happened. */
function virtualTime() {
  let now = 0;
  const timers: { at: number; wake(): void }[] = [];
  return {
    now: () => now,
    wait: (ms: number) => new Promise<void>((wake) => timers.push({ at: now + ms, wake })),
    async run(done: Promise<unknown>): Promise<void> {
      let over = false;
      const end = () => {
        over = true;
      };
      done.then(end, end);
      for (;;) {
        // Everything that follows from what has happened runs before this.
        await new Promise((resolve) => setImmediate(resolve));
        if (over) return;
        const next = timers.reduce((first, timer) => (timer.at < first.at ? timer : first));
        timers.splice(timers.indexOf(next), 1);
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

type Time = ReturnType<typeof virtualTime>;

/** The count of a database whose answers take a while, and that is away for a while. */
function database(time: Time, delayMs: () => number, isAway: () => boolean = () => false) {
  const rows = new Map<string, { window: number; used: number }>();
  return (address: () => string): SharedCount => ({
    address,
    async lease({ windowMs, owed, size, minSize: least, maxTotal: upTo }: LeaseRequest): Promise<WeightLease> {
      const key = address();
      await time.wait(delayMs() / 2);
      // A response that never comes is given up much later.
      if (isAway()) {
        await time.wait(20_000);
        throw new Error('the database is away');
      }
      const window = Math.floor(time.now() / windowMs);
      const held = rows.get(key);
      const before = (held?.window === window ? held.used : 0) + owed;
      const granted = before + size <= upTo ? size : before + least <= upTo ? least : 0;
      rows.set(key, { window, used: before + granted });
      const endsInMs = (window + 1) * windowMs - time.now();
      await time.wait(delayMs() / 2);
      return { granted, used: before + granted, endsInMs };
    },
  });
}

interface Sent {
  readonly at: number;
  readonly weight: number;
  readonly kind: RequestKind;
}

const limits = { weight: LIMIT, header: null, windowMs: WINDOW_MS };

function sumsByWindow(sent: readonly Sent[]): Map<number, Record<RequestKind, number>> {
  const sums = new Map<number, Record<RequestKind, number>>();
  for (const { at, weight, kind } of sent) {
    const window = Math.floor(at / WINDOW_MS);
    const sum = sums.get(window) ?? { bulk: 0, read: 0, account: 0, order: 0 };
    sum[kind] += weight;
    sums.set(window, sum);
  }
  return sums;
}

const request = fc.record({
  process: fc.nat(2),
  // Many at the end of a window, and at the beginning of the next.
  at: fc.oneof(fc.nat(25_000), fc.integer({ min: WINDOW_MS - 100, max: WINDOW_MS + 100 })),
  weight: fc.integer({ min: 1, max: 20 }),
  kind: fc.constantFrom(...KINDS),
});

test('processes on one address stay within the limit, and each kind in its share', async () => {
  let fullest = 0;
  const scenario = fc.record({
    requests: fc.array(request, { minLength: 150, maxLength: 400 }),
    delays: fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ requests, delays }) => {
      const time = virtualTime();
      let asked = 0;
      const open = database(time, () => delays[asked++ % delays.length] ?? 0);
      const processes = [0, 1, 2].map(() =>
        openRateBudget(
          'mexc',
          limits,
          time,
          open(() => 'direct'),
        ),
      );
      const sent: Sent[] = [];
      const all = requests.map(async ({ process, at, weight, kind }) => {
        await time.wait(at);
        try {
          await processes[process]?.acquire(weight, kind);
          sent.push({ at: time.now(), weight, kind });
        } catch (error) {
          // An order that would have to wait is not sent.
          expect(kind).toBe('order');
          expect(error).toMatchObject({ kind: 'rate_limited' });
        }
      });
      await time.run(Promise.all(all));
      await Promise.all(all);
      for (const sums of sumsByWindow(sent).values()) {
        let sum = 0;
        for (const kind of KINDS) {
          sum += sums[kind];
          expect(sum, kind).toBeLessThanOrEqual(LIMIT * MOST[kind]);
        }
        fullest = Math.max(fullest, sum);
      }
    }),
    // To find a smaller counterexample would take minutes.
    { numRuns: 60, endOnFailure: true },
  );
  // Blocks that are not used up cost little.
  expect(fullest).toBeGreaterThan(LIMIT * 0.9);
});

test('an order never waits for the count, not even the first one of a window', async () => {
  const time = virtualTime();
  const open = database(time, () => 40);
  const budget = openRateBudget(
    'mexc',
    limits,
    time,
    open(() => 'direct'),
  );
  const waited: number[] = [];
  async function trade(): Promise<void> {
    for (let i = 0; i < 300; i++) {
      await time.wait(100);
      const before = time.now();
      await budget.acquire(1, 'order');
      waited.push(time.now() - before);
    }
  }
  await time.run(trade());
  expect(waited).toEqual(Array.from({ length: 300 }, () => 0));
});

test('without the count orders go at once, the rest soon, and its return stops excess', async () => {
  const time = virtualTime();
  let away = false;
  const open = database(
    time,
    () => 2,
    () => away,
  );
  const [live, other] = [0, 1].map(() =>
    openRateBudget(
      'mexc',
      limits,
      time,
      open(() => 'direct'),
    ),
  );
  const waited: number[] = [];
  async function use(): Promise<void> {
    await time.wait(100);
    away = true;
    for (let i = 0; i < 200; i++) {
      const before = time.now();
      await live?.acquire(1, 'order');
      waited.push(time.now() - before);
      await time.wait(10);
    }
    const before = time.now();
    await other?.acquire(10, 'account');
    expect(time.now() - before).toBeLessThanOrEqual(250);
    away = false;
    await time.wait(5_000);
    // Both say what they have sent meanwhile: 200 and 10.
    await live?.acquire(1, 'order');
    await other?.acquire(1, 'account');
    await time.wait(100);
    expect(time.now()).toBeLessThan(WINDOW_MS);
    await other?.acquire(40, 'bulk');
    expect(time.now()).toBeGreaterThanOrEqual(WINDOW_MS);
  }
  const run = use();
  await time.run(run);
  await run;
  // Once it is found out that nobody answers, no order waits.
  expect(waited.filter((ms) => ms > 0)).toHaveLength(1);
  expect(Math.max(...waited)).toBe(250);
});

test('without the count a process still keeps to the limit by itself', async () => {
  const time = virtualTime();
  const open = database(
    time,
    () => 2,
    () => true,
  );
  const budget = openRateBudget(
    'mexc',
    limits,
    time,
    open(() => 'direct'),
  );
  async function use(): Promise<number> {
    for (let i = 0; i < 500; i++) {
      try {
        await budget.acquire(1, 'order');
      } catch {
        return i;
      }
    }
    return 500;
  }
  const run = use();
  await time.run(run);
  expect(await run).toBe(LIMIT * 0.97);
});

test('another address has its own limit, and a ban of the old one does not apply there', async () => {
  const time = virtualTime();
  let address = 'direct';
  const budget = openRateBudget(
    'mexc',
    limits,
    time,
    database(time, () => 2)(() => address),
  );
  async function use(): Promise<void> {
    await budget.acquire(400, 'account');
    await expect(budget.acquire(200, 'order')).rejects.toMatchObject({ kind: 'rate_limited' });
    budget.onResponse(418, new Headers({ 'retry-after': '3600' }));
    await expect(budget.acquire(1, 'order')).rejects.toMatchObject({ kind: 'rate_limited' });
    address = 'http://proxy.example:3128';
    expect(budget.retryAt()).toBeNull();
    await budget.acquire(400, 'account');
    expect(time.now()).toBeLessThan(WINDOW_MS);
  }
  const run = use();
  await time.run(run);
  await run;
});
