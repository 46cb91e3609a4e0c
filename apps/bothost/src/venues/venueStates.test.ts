import { openDatabase } from '@heron/database/connect.ts';
import { expect, test, vi } from 'vitest';
import { HOSTED, type HostedVenue } from '../store/hosted.ts';
import { shownVenue } from './shownVenue.ts';
import { checkVenue, openVenueStates, stateOf, type VenueState } from './venueStates.ts';

const [VENUE] = HOSTED as [HostedVenue];
const UP: VenueState = { reachable: true, trading: true, problem: null, pause: null };
const DOWN: VenueState = { reachable: false, trading: false, problem: { zh: '断', en: 'down' }, pause: null };

test('a venue is checked on request and again when stale; its last state is shown', async () => {
  let time = 0;
  const answers = [UP, DOWN];
  let checks = 0;
  const states = openVenueStates(
    async () => answers[checks++] ?? UP,
    () => time,
  );
  expect(checks).toBe(0);
  expect(await states.of(VENUE)).toEqual(UP);
  expect(await states.of(VENUE)).toEqual(UP);
  expect(checks).toBe(1);
  time = 20_001;
  expect(await states.of(VENUE)).toEqual(UP);
  await vi.waitFor(async () => expect(await states.of(VENUE)).toEqual(DOWN), { timeout: 30_000 });
  expect(checks).toBe(2);
});

test('the first caller does not wait for a slow check, and sees its result next time', async () => {
  const { promise, resolve } = Promise.withResolvers<VenueState>();
  const states = openVenueStates(
    () => promise,
    () => 0,
  );
  expect(await states.of(VENUE)).toEqual({ reachable: null, trading: null, problem: null, pause: null });
  resolve(DOWN);
  await promise;
  expect(await states.of(VENUE)).toEqual(DOWN);
});

test('a pause is known at once and over at once, however new the last check is', async () => {
  const pause = { until: Date.UTC(2100, 0), banned: true };
  let current: typeof pause | null = null;
  let checks = 0;
  const check = async () => {
    checks++;
    return UP;
  };
  const states = openVenueStates(
    check,
    () => 0,
    async () => current,
  );
  expect(await states.of(VENUE)).toEqual(UP);
  current = pause;
  expect(await states.of(VENUE)).toMatchObject({ reachable: false, pause });
  expect(checks).toBe(1);
  current = null;
  expect(await states.of(VENUE)).toEqual(UP);
  expect(checks).toBe(2);
});

test('a pause that a check found is not shown after its end, also without requests', async () => {
  const paused: VenueState = { ...DOWN, pause: { until: 60_000, banned: false } };
  const answers = [paused, UP];
  let time = 0;
  const states = openVenueStates(
    async () => answers.shift() ?? UP,
    () => time,
  );
  expect(await states.of(VENUE)).toEqual(paused);
  time = 60_001;
  expect(await states.of(VENUE)).toEqual(UP);
});

test('a demo market that does not respond is unreachable, with an explanation', async () => {
  const demo = { binance: { rest: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' } };
  // The check of the demo market does not read the database.
  const database = openDatabase('postgres://127.0.0.1:1/none');
  const state = await checkVenue({ demo, secret: '' }, database)(VENUE);
  await database.close();
  expect(state.reachable).toBe(false);
  expect(state.problem?.en).toContain('demo market');
});

test('a venue with market data that accepts no orders is shown so, with the reason', () => {
  const fault = { kind: 'restricted_location', host: 'api.binance.com', status: 451 } as const;
  const state = stateOf({ reachable: true, trading: false, fault });
  expect(state).toMatchObject({ reachable: true, trading: false });
  expect(state.problem?.en).toContain('does not serve this location (451)');
  // Prices that a worker receives do not show whether orders can be sent.
  expect(shownVenue(state, [{ reachable: true, unreachable: null }])).toEqual(state);
});

test('clock differences are shown although everything can be reached', () => {
  const state = stateOf({ reachable: true, trading: true, fault: { kind: 'clock', offsetMs: 5_000 } });
  expect(state).toMatchObject({ reachable: true, trading: true, problem: { en: expect.stringContaining('by 5.0 s') } });
});

test('received prices outweigh a failed check, and missing prices confirm it', () => {
  const why = { zh: '断', en: 'the worker knows why' };
  expect(shownVenue(DOWN, [{ reachable: true, unreachable: null }])).toEqual({
    ...{ reachable: true, trading: null, problem: null, pause: null },
  });
  expect(shownVenue(UP, [{ reachable: false, unreachable: why }])).toEqual({
    ...{ reachable: false, trading: false, problem: why, pause: null },
  });
  expect(shownVenue(UP, [])).toEqual(UP);
});
