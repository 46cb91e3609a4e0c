import { parseUnits } from '@heron/engine/money/units.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { z } from 'zod';
import { faultText } from '../locales/optionFaultText.ts';
import { decimal } from './entities.ts';
import { visibleName } from './visibleName.ts';

/**
 * The settings of a new bot. The engine's option table and strategies validate options and parameters. Parsing adds the
 * defaults of missing ones.
 *
 * @see docs/options.md#english, docs/options.md#refused-together
 */
export const newBot = z
  .strictObject({
    name: visibleName,
    /** Bot options by name; missing ones take their defaults. */
    options: z.record(z.string(), z.unknown()),
    /** Parameters of the strategy by name; missing ones take their defaults. */
    params: z.record(z.string(), z.unknown()),
    /** Live bots: id of the exchange key of the account. */
    key: z.uuid().optional(),
    /** Live bots: their share of the account in the product currency; all of it when absent. Must be above 0 and exact in units. */
    allotment: decimal.refine((text) => (parseUnits(text) ?? 0) > 0).optional(),
  })
  .transform((given, { issues }) => {
    const checked = checkSetup(given);
    if (checked.ok) {
      const { name, key = null, allotment = null } = given;
      return { name, key, allotment, options: checked.options, params: checked.params };
    }
    for (const fault of checked.faults) {
      const path = [fault.isParam ? 'params' : 'options', fault.option];
      issues.push({ code: 'custom', input: given, path, message: faultText(fault).en, params: { fault } });
    }
    return z.NEVER;
  });

/** Returns the faults of options and parameters for which {@link newBot} failed; none when it failed for other reasons. */
export function setupFaults(error: z.ZodError): OptionFault[] {
  return error.issues.flatMap((issue) => {
    const fault = issue.code === 'custom' ? issue.params?.fault : undefined;
    // Only `newBot` sets `fault`, always to a fault of the engine.
    return fault === undefined ? [] : [fault as OptionFault];
  });
}
