import { setTimeout as delay } from 'node:timers/promises';
import { VENUES, type Venue } from '../chaos/chaosVenues.ts';
import { type Rig, startRig } from '../chaos/rig.ts';
import { loadLine, percentiles } from './figures.ts';

// Measures the time from a live bot's decisive event until its order leaves the host, on loopback, including the journal
// commit. Run it by `node e2e/load/orderOnWire.ts [orders, default 100]`.
const ORDERS = Number(process.argv[2] ?? 100);

const [venue] = VENUES as readonly [Venue];
const rig: Rig = await startRig(venue, 1);
/** Maps each client order ID to the time when the order reached the proxy, in ms. */
const arrivals = new Map<string, number>();
rig.trap = ({ params }) => {
  arrivals.set(venue.clientOrderId(params), Date.now());
  return 'pass';
};
rig.trade();
while (arrivals.size < ORDERS) await delay(100);
const load = loadLine();
const wrong = await rig.settle();
// The journal contains the time of the event. An order's own time comes from the exchange, which has another clock.
const decided = await rig.decidedAt();
const took = [...arrivals].flatMap(([name, at]) => {
  const decidedAt = decided.get(name);
  return decidedAt === undefined ? [] : [at - decidedAt];
});
process.stdout.write(`${load}\nevent to order at the proxy: ${percentiles(took)} ms of ${took.length} orders\n`);
if (wrong.length > 0) throw new Error(wrong.join('\n'));
await rig.close();
process.exit();
