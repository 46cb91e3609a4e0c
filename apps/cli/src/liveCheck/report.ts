/** Names of the steps of a check, in their order. */
export const STEPS = [
  'key',
  'account',
  'stream',
  'place',
  'amend',
  'cancel',
  'buy',
  'stop',
  'sell',
  'reconcile',
] as const;

export type StepName = (typeof STEPS)[number];

export interface StepReport {
  readonly name: StepName;
  readonly status: 'passed' | 'failed' | 'skipped' | 'not_applicable';
  readonly ms: number;
  /** Observations, one sentence each. */
  readonly notes: readonly string[];
}

/** An order of the check; amounts are plain decimals. */
export interface OrderLine {
  readonly clientOrderId: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly price: string;
  readonly quantity: string;
  readonly filled: string | null;
  readonly status: string;
  /** From the request to the response, and to the first message of the account stream; null where none arrived. */
  readonly answerMs: number | null;
  readonly streamMs: number | null;
}

/** A fill of the check. */
export interface FillLine {
  readonly clientOrderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly liquidity: 'maker' | 'taker';
}

/** Expected and actual change of the balance of one asset. */
export interface BalanceLine {
  readonly asset: string;
  /** By the fills and fees. */
  readonly expected: string;
  readonly actual: string;
  readonly difference: string;
  /** `rounded`: the difference is what the exchange rounds fills and fees by. */
  readonly verdict: 'exact' | 'rounded' | 'differs';
}

/** Something of the check that is still at the exchange. */
export interface LeftOver {
  readonly what: string;
  /** Returns the next step of the user. */
  readonly howTo: string;
}

/** Result of a check. It holds no key, no account number and no balance, so that it can be shared. */
export interface LiveCheckReport {
  readonly heron: string;
  readonly venue: string;
  readonly pair: string;
  /** Maximum value of one order, in the quote currency. */
  readonly limit: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly passed: boolean;
  readonly interrupted: boolean;
  /** The exchange's clock less that of this machine. */
  readonly clockOffsetMs: number;
  readonly steps: readonly StepReport[];
  readonly orders: readonly OrderLine[];
  readonly fills: readonly FillLine[];
  readonly balances: readonly BalanceLine[];
  readonly left: readonly LeftOver[];
}

const MARKS = { passed: 'ok', failed: 'FAILED', skipped: 'skipped', not_applicable: 'n/a' } as const;

/** Formats a report as text. */
export function reportText(report: LiveCheckReport): string {
  const { venue, pair, limit, startedAt, heron, clockOffsetMs } = report;
  const lines = [
    `Live check of ${venue}, ${pair}, at most ${limit} per order, ${startedAt}, Heron ${heron}`,
    `Clock difference to the exchange: ${clockOffsetMs >= 0 ? '+' : ''}${clockOffsetMs} ms`,
    '',
    ...report.steps.flatMap(({ name, status, ms, notes }) => [
      `${MARKS[status].padEnd(9)} ${name.padEnd(10)} ${status === 'passed' || status === 'failed' ? `${ms} ms` : ''}`.trimEnd(),
      ...notes.map((note) => `            ${note}`),
    ]),
    ...section('Orders', report.orders.map(orderText)),
    ...section(
      'Fills',
      report.fills.map(
        ({ side, quantity, price, fee, feeAsset, liquidity }) =>
          `${side} ${quantity} at ${price}, fee ${fee} ${feeAsset}, ${liquidity}`,
      ),
    ),
    ...section(
      'Balances compared with fills and fees',
      report.balances.map(
        ({ asset, expected, actual, difference, verdict }) =>
          `${asset}: expected ${expected}, actual ${actual}, difference ${difference} (${verdict})`,
      ),
    ),
    '',
    ...(report.left.length === 0
      ? ['No order and no position of the check is left at the exchange.']
      : ['LEFT AT THE EXCHANGE:', ...report.left.flatMap(({ what, howTo }) => [`  ${what}`, `    ${howTo}`])]),
    report.passed ? 'The check passed.' : report.interrupted ? 'The check was interrupted.' : 'THE CHECK FAILED.',
  ];
  return lines.join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function orderText({
  clientOrderId,
  side,
  type,
  price,
  quantity,
  filled,
  status,
  answerMs,
  streamMs,
}: OrderLine): string {
  const times = `response ${answerMs ?? '–'} ms, stream ${streamMs ?? '–'} ms`;
  return `${clientOrderId} ${side} ${type} ${quantity} at ${price}: ${status}, filled ${filled ?? '?'}; ${times}`;
}
