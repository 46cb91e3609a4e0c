import type { FaultDetail, OptionFault } from '../options/fault.ts';
import { completeParams } from './completeParams.ts';
import { ENTER_LONG, ENTER_SHORT } from './flags.ts';
import {
  type CompletedStructure,
  emptySignal,
  type Params,
  type Plain,
  type Strategy,
  signalBoth,
} from './strategy.ts';

/** A strategy with a vote. */
interface Member {
  readonly id: string;
  readonly params: Params;
}

interface State {
  /** States of the members, in order. */
  members: unknown[];
  /** Newest vote of each member: +1 buy, −1 sell, 0 none yet. `ages` is the number of candles since. */
  votes: number[];
  ages: number[];
  /** Whether the result at the previous candle was to buy; `sold` is the same for selling. */
  bought: boolean;
  sold: boolean;
}

/** Maximum number of members of a vote; `MIN_MEMBERS` is the minimum. */
export const MAX_MEMBERS = 7;
export const MIN_MEMBERS = 2;

/**
 * Signals when several strategies agree and none votes against them. `known` holds the possible members by id.
 *
 * @see docs/strategies.md#vote
 */
export function voteOf(known: ReadonlyMap<string, Strategy>) {
  const membersOf = (params: Params) =>
    // The parameter of this strategy has completed the members.
    (params.members as unknown as readonly Member[]).map((member) => ({
      ...member,
      strategy: known.get(member.id) as Strategy,
    }));
  return {
    id: 'vote',
    group: 'meta',
    params: [
      {
        name: 'members',
        type: 'structure',
        value: [
          { id: 'macd', params: {} },
          { id: 'fisher', params: {} },
          { id: 'momentum', params: {} },
        ],
        entries: 'members',
        known: [...known.keys()],
        complete: (value) => completeMembers(value, known),
      },
      { name: 'quorum', type: 'number', value: 2, step: [1, MAX_MEMBERS, 1] },
      {
        name: 'window',
        type: 'number',
        value: 1,
        step: [1, 20, 1],
      },
    ],
    check: (params) =>
      (params.quorum as number) <= (params.members as readonly unknown[]).length
        ? null
        : { code: 'quorum_above_members' },
    warmup: (params) => Math.max(...membersOf(params).map((member) => member.strategy.warmup(member.params))),
    series: (params) => [
      { name: 'buy_votes', pane: 'bottom', kind: 'histogram' },
      { name: 'sell_votes', pane: 'bottom', kind: 'histogram' },
      ...membersOf(params).flatMap(({ strategy, params: own }, index) =>
        strategy.series(own).map((series) => ({ ...series, name: `${index + 1}.${series.name}` })),
      ),
    ],
    init(params) {
      const members = membersOf(params);
      return {
        members: members.map((member) => member.strategy.init(member.params)),
        votes: members.map(() => 0),
        ages: members.map(() => 0),
        bought: false,
        sold: false,
      };
    },
    run(params, state) {
      const quorum = params.quorum as number;
      const window = params.window as number;
      const members = membersOf(params);
      const runs = members.map((member, i) => member.strategy.run(member.params, state.members[i]));
      const signal = emptySignal(2 + members.flatMap((member) => member.strategy.series(member.params)).length);
      return {
        state,
        onCandle(open, high, low, close, volume) {
          let buys = 0;
          let sells = 0;
          let place = 2;
          for (let i = 0; i < runs.length; i++) {
            const member = runs[i] as (typeof runs)[number];
            const { flags, values } = member.onCandle(open, high, low, close, volume);
            signal.values.set(values, place);
            place += values.length;
            const vote = countedVote(state, i, flags, window);
            if (vote === 1) buys += 1;
            else if (vote === -1) sells += 1;
          }
          const buy = buys >= quorum && sells === 0;
          const sell = sells >= quorum && buys === 0;
          signalBoth(signal, buy && !state.bought, sell && !state.sold);
          state.bought = buy;
          state.sold = sell;
          signal.values[0] = buys;
          // Sell votes are drawn below zero, to distinguish them from buy votes.
          signal.values[1] = sells === 0 ? 0 : -sells;
          return signal;
        },
      };
    },
  } as const satisfies Strategy<State>;
}

/**
 * Records the enter flags of a member at a candle.
 *
 * @param window number of candles for which a vote counts
 * @returns its vote that counts now: +1 buy, −1 sell, 0 none
 */
function countedVote(state: State, i: number, flags: number, window: number): number {
  const enters = flags & (ENTER_LONG | ENTER_SHORT);
  if (enters === ENTER_LONG || enters === ENTER_SHORT) {
    state.votes[i] = enters === ENTER_LONG ? 1 : -1;
    state.ages[i] = 0;
  } else {
    state.ages[i] = (state.ages[i] as number) + 1;
  }
  return (state.ages[i] as number) < window ? (state.votes[i] as number) : 0;
}

function completeMembers(value: unknown, known: ReadonlyMap<string, Strategy>): CompletedStructure {
  if (!Array.isArray(value) || value.length < MIN_MEMBERS || value.length > MAX_MEMBERS) {
    return { ok: false, fault: { code: 'member_count', min: MIN_MEMBERS, max: MAX_MEMBERS } };
  }
  const members: Plain[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    const completed = completeMember(entry, index + 1, known);
    if (!completed.ok) return { ...completed, entry: index };
    members.push(completed.member);
  }
  return { ok: true, value: members };
}

/** @param member position of the member, from 1 */
function completeMember(
  entry: unknown,
  member: number,
  known: ReadonlyMap<string, Strategy>,
): { ok: true; member: Plain } | { ok: false; fault: FaultDetail } {
  // Only plain data is checked here, so any object may be read by its keys.
  const given = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
  const { id, params = {}, ...rest } = given;
  const strategy = typeof id === 'string' ? known.get(id) : undefined;
  if (strategy === undefined) return { ok: false, fault: { code: 'member_id', member, list: [...known.keys()] } };
  if (typeof params !== 'object' || Array.isArray(params) || Object.keys(rest).length > 0) {
    return { ok: false, fault: { code: 'member_fields', member } };
  }
  const completed = completeParams(strategy, (params ?? {}) as Readonly<Record<string, unknown>>);
  if (completed.ok) return { ok: true, member: { id: strategy.id, params: completed.params } };
  const [fault] = completed.faults as [OptionFault, ...OptionFault[]];
  return { ok: false, fault: { code: 'member_params', member, id: strategy.id, fault } };
}
