import { formatUnits, type Quote } from '@heron/engine/money/units.ts';
import { redact } from '@heron/exchanges/errors.ts';
import { cleanUp } from './cleanUp.ts';
import { type LeftOver, type LiveCheckReport, type OrderLine, STEPS, type StepReport } from './report.ts';
import { type CheckDeps, CheckSession, Interrupted, type SentOrder } from './session.ts';
import { CHECK_STEPS, type CheckRun } from './steps.ts';

/** Arguments of {@link runLiveCheck}. */
export interface LiveCheckConfig extends CheckDeps {
  readonly heron: string;
  readonly venue: string;
  /** Maximum value of one order. */
  readonly limit: Quote;
  /** Longest time for cleaning up, ms. */
  readonly cleanUpMs: number;
  /** Is called with every step that is done. */
  readonly onStep?: (step: StepReport) => void;
}

/**
 * Runs an order through all its states at a venue, with the smallest orders that the venue accepts. Whatever fails,
 * and also on Ctrl-C, it cancels every order and sells what it bought.
 */
export async function runLiveCheck(config: LiveCheckConfig): Promise<LiveCheckReport> {
  const startedAt = new Date();
  const session = new CheckSession(config);
  const run: CheckRun = { session, limit: config.limit, before: [], fills: [], balances: [], waiting: null };
  const stream = config.trading.stream((event) => session.onEvent(event));
  const steps: StepReport[] = [];
  let left: LeftOver[] = [];
  try {
    for (const name of STEPS) {
      const failed = steps.some(({ status }) => status === 'failed');
      const step = failed || config.signal.aborted ? skipped(name) : await doStep(run, name);
      steps.push(step);
      config.onStep?.(step);
    }
  } finally {
    left = await cleanUp(session, Date.now() + config.cleanUpMs);
    await stream.close();
  }
  const passed = left.length === 0 && steps.every(({ status }) => status === 'passed' || status === 'not_applicable');
  const { market, trading } = config;
  return {
    ...{ heron: config.heron, venue: config.venue, pair: market.pair },
    limit: `${formatUnits(config.limit)} ${market.quote}`,
    ...{ startedAt: startedAt.toISOString(), endedAt: new Date().toISOString(), passed },
    interrupted: config.signal.aborted,
    clockOffsetMs: Math.round(trading.time() - Date.now()),
    steps,
    orders: session.sent.map((order) => orderLine(session, order)),
    fills: (await session.fills().catch(() => run.fills)).map(
      ({ clientOrderId, side, feeAsset, liquidity, ...fill }) => ({
        ...{ clientOrderId, side, feeAsset, liquidity, price: formatUnits(fill.price) },
        quantity: formatUnits(fill.quantity, market.assetDecimals),
        fee: formatUnits(fill.fee, feeAsset === market.base ? market.assetDecimals : undefined),
      }),
    ),
    balances: run.balances,
    left,
  };
}

async function doStep(run: CheckRun, name: (typeof STEPS)[number]): Promise<StepReport> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    run.session.goOn();
    const notes = await CHECK_STEPS[name](run);
    return { name, status: notes === null ? 'not_applicable' : 'passed', ms: ms(), notes: notes ?? [] };
  } catch (error) {
    const text =
      error instanceof Interrupted ? 'interrupted' : redact(error instanceof Error ? error.message : String(error));
    return { name, status: 'failed', ms: ms(), notes: [text] };
  }
}

function skipped(name: (typeof STEPS)[number]): StepReport {
  return { name, status: 'skipped', ms: 0, notes: [] };
}

function orderLine(session: CheckSession, { ticket, report, sentAt, answeredAt, over }: SentOrder): OrderLine {
  const { clientOrderId, side, type, price, quantity } = ticket;
  const { assetDecimals } = session.deps.market;
  const eventAt = session.eventAt.get(clientOrderId);
  return {
    ...{ clientOrderId, side, type, price: formatUnits(price), quantity: formatUnits(quantity, assetDecimals) },
    filled: report === null ? null : formatUnits(report.filled, assetDecimals),
    status: report?.status ?? (over ? 'not found' : 'unknown'),
    answerMs: answeredAt === null ? null : answeredAt - sentAt,
    streamMs: eventAt === undefined ? null : eventAt - sentAt,
  };
}
