import { setTimeout as delay } from 'node:timers/promises';
import { type Rig, startRig } from '../chaos/rig.ts';
import { VENUES, type Venue } from '../chaos/venues.ts';
import { loadLine, percentiles } from './figures.ts';

// From the event that a live bot decides on to its order at the exchange's door, on loopback, the commit of the journal in
// between: node e2e/load/orderOnWire.ts [orders, default 100]
const ORDERS = Number(process.argv[2] ?? 100);

const [venue] = VENUES as readonly [Venue];
const rig: Rig = await startRig(venue, 1);
const took: number[] = [];
rig.trap = ({ params }) => {
  // An order carries the time of the event that it was decided on; its clock is this machine's.
  took.push(Date.now() - Number(params.get('timestamp')));
  return 'pass';
};
rig.trade();
while (took.length < ORDERS) await delay(100);
const wrong = await rig.settle();
process.stdout.write(`${loadLine()}\nevent to order at the door: ${percentiles(took)} ms of ${took.length} orders\n`);
if (wrong.length > 0) throw new Error(wrong.join('\n'));
await rig.close();
process.exit();
