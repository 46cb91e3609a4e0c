import { exact, mulDivUp, type Quote, SCALE } from '../money/units.ts';

/** The claim of one bot on the cash of an account that several bots share. */
export interface CashClaim {
  readonly id: string;
  readonly cash: Quote;
  /** What it has borne of money that left the account. It gets that back when money returns. */
  readonly missing: Quote;
  /** False: it has all of the account that no other bot has. */
  readonly allotted: boolean;
  readonly running: boolean;
}

/** A difference up to this is left alone: 0.01 of the currency. @see docs/accounting.md#cash-differences */
const TOLERANCE: Quote = SCALE / 100;

/**
 * Returns what a bot books of the difference between its account and the books of all bots on it: negative for its part
 * of money that has left, positive for money that it gets back or that is its own.
 *
 * Money that no bot owns leaves first, then that of bots without an allotment, then that of the others. Bots of one kind
 * bear it so that the same part of each is missing, and none goes below 0. Money that returns goes the other way round.
 * All bots compute their parts from the same figures, and what one has booked changes no part of another.
 *
 * @param total of the currency on the account
 * @see docs/live.md#several-bots-on-one-account
 */
export function ownDifference(total: Quote, own: CashClaim, others: readonly CashClaim[]): Quote {
  const bots = [own, ...others];
  const difference = exact(total - sumOf(bots, ({ cash }) => cash));
  if (Math.abs(difference) <= TOLERANCE) return 0;
  return difference < 0 ? -borneBy(own, bots, -difference) : returnedTo(own, bots, difference);
}

/** Returns what all bots with an allotment have borne: money that returns is theirs before a new bot may have it. */
export function owedToAllotted(bots: readonly CashClaim[]): Quote {
  return sumOf(
    bots.filter(({ allotted }) => allotted),
    ({ missing }) => missing,
  );
}

function borneBy(own: CashClaim, bots: readonly CashClaim[], lost: Quote): Quote {
  const kind = bots.filter(({ allotted }) => allotted === own.allotted);
  const ofResidual = Math.min(
    lost,
    sumOf(
      bots.filter(({ allotted }) => !allotted),
      spendable,
    ),
  );
  const ofKind = Math.min(own.allotted ? lost - ofResidual : ofResidual, sumOf(kind, spendable));
  const level = levelAfter(kind, ofKind);
  return between(0, mulDivUp(level.missing, claimOf(own), level.claims) - own.missing, spendable(own));
}

function returnedTo(own: CashClaim, bots: readonly CashClaim[], gained: Quote): Quote {
  const toAllotted = Math.min(gained, owedToAllotted(bots));
  if (own.allotted) return givenBack(own, bots, toAllotted);
  const residual = bots.filter(({ allotted }) => !allotted);
  const rest = gained - toAllotted;
  const owed = Math.min(
    rest,
    sumOf(residual, ({ missing }) => missing),
  );
  // One of them takes what nobody has borne, so that it is not counted twice.
  const [first] = residual.filter(({ running }) => running).sort((a, b) => (a.id < b.id ? -1 : 1));
  return givenBack(own, residual, owed) + (first === own ? rest - owed : 0);
}

function givenBack(own: CashClaim, bots: readonly CashClaim[], amount: Quote): Quote {
  const level = levelAfter(
    bots.filter(({ allotted }) => allotted === own.allotted),
    -amount,
  );
  return between(0, own.missing - mulDivUp(level.missing, claimOf(own), level.claims), own.missing);
}

/**
 * Returns the part of each claim that is missing after one more `amount` has left (negative: has returned), as a fraction:
 * it rises from where the least is missing, and falls from where the most is.
 */
function levelAfter(bots: readonly CashClaim[], amount: Quote): { missing: Quote; claims: Quote } {
  const sign = amount < 0 ? -1 : 1;
  const partOf = (bot: CashClaim) => bot.missing / claimOf(bot);
  const inOrder = bots.filter((bot) => claimOf(bot) > 0).sort((a, b) => sign * (partOf(a) - partOf(b)));
  let [missing, claims] = [amount, 0];
  for (const bot of inOrder) {
    if (claims > 0 && sign * (missing / claims - partOf(bot)) <= 0) break;
    missing = exact(missing + bot.missing);
    claims = exact(claims + claimOf(bot));
  }
  return { missing: Math.max(0, missing), claims: Math.max(1, claims) };
}

/** Cash that a bot would have if nothing were missing. */
function claimOf(bot: CashClaim): Quote {
  return exact(spendable(bot) + bot.missing);
}

/** A loss beyond the allotment on futures leaves a bot below 0: it can bear nothing. */
function spendable({ cash }: CashClaim): Quote {
  return Math.max(0, cash);
}

function sumOf(bots: readonly CashClaim[], figure: (bot: CashClaim) => Quote): Quote {
  return bots.reduce((sum, bot) => exact(sum + figure(bot)), 0);
}

function between(min: Quote, value: Quote, max: Quote): Quote {
  return Math.min(max, Math.max(min, value));
}
