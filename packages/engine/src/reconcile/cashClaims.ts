import { exact, mulDivUp, type Quote, SCALE } from '../money/units.ts';

/** The claim of one bot on the cash of an account that several bots share. */
export interface CashClaim {
  readonly id: string;
  readonly cash: Quote;
  /** Withdrawals that the bot was charged with; deposits repay them. */
  readonly missing: Quote;
  /** False: the bot has all of the account that no other bot has. */
  readonly allotted: boolean;
  readonly running: boolean;
}

/** Differences up to this are ignored: 0.01 of the currency. @see docs/accounting.md#cash-differences */
const TOLERANCE: Quote = SCALE / 100;

/**
 * Returns the part of a bot in the difference between its account and the books of all bots on it. The part is negative for a
 * withdrawal, positive for a deposit that is repaid to the bot or belongs to it.
 *
 * A withdrawal uses money that no bot owns first, then that of bots without an allotment, then that of the others. Bots of one
 * kind lose the same fraction, and none goes below 0. Deposits go the other way round. All bots compute their parts from the
 * same figures, and a booking of one changes no part of another.
 *
 * @param total total of the currency on the account
 * @see docs/live.md#several-bots-on-one-account
 */
export function ownDifference(total: Quote, own: CashClaim, others: readonly CashClaim[]): Quote {
  const bots = [own, ...others];
  const difference = exact(total - sumOf(bots, ({ cash }) => cash));
  if (Math.abs(difference) <= TOLERANCE) return 0;
  return difference < 0 ? -borneBy(own, bots, -difference) : returnedTo(own, bots, difference);
}

/** Returns the withdrawals charged to all bots with an allotment; deposits repay them before a new bot may use the money. */
function owedToAllotted(bots: readonly CashClaim[]): Quote {
  return sumOf(
    bots.filter(({ allotted }) => allotted),
    ({ missing }) => missing,
  );
}

/**
 * Returns the cash of an account that no bot claims, which a new bot may use. What is owed to bots with an allotment is theirs.
 *
 * @param total total of the currency on the account
 * @see docs/live.md#several-bots-on-one-account
 */
export function unclaimedCash(total: Quote, bots: readonly CashClaim[]): Quote {
  const claimed = sumOf(bots, ({ cash }) => cash);
  return Math.max(0, exact(total - claimed - owedToAllotted(bots)));
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
  // One bot books the remainder, so that it is not counted twice.
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
 * Returns the missing fraction of each claim after a further withdrawal of `amount` (negative: a deposit). Withdrawals first raise
 * the smallest fraction, deposits first lower the largest.
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

/** Returns the cash that a bot would have without charged withdrawals. */
function claimOf(bot: CashClaim): Quote {
  return exact(spendable(bot) + bot.missing);
}

/** Returns the cash of a bot, at least 0: a loss beyond the allotment on futures may leave it below 0. */
function spendable({ cash }: CashClaim): Quote {
  return Math.max(0, cash);
}

function sumOf(bots: readonly CashClaim[], figure: (bot: CashClaim) => Quote): Quote {
  return bots.reduce((sum, bot) => exact(sum + figure(bot)), 0);
}

function between(min: Quote, value: Quote, max: Quote): Quote {
  return Math.min(max, Math.max(min, value));
}
