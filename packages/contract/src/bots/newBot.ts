import { parseUnits } from '@heron/engine/money/units.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { z } from 'zod';
import { faultText } from '../locales/optionFaultText.ts';
import { decimal } from './entities.ts';
import { visibleName } from './visibleName.ts';

/**
 * What a bot is made of. Which options and parameters there are, and which values they take, is for the engine's option
 * table and strategies to say: what they refuse, this refuses, and what was left out comes out completed.
 *
 * @see docs/options.md#english, docs/options.md#refused-together
 */
export const newBot = z
  .object({
    name: visibleName,
    /** Bot options by name; missing ones take their defaults. */
    options: z.record(z.string(), z.unknown()),
    /** Parameters of the strategy by name; missing ones take their defaults. */
    params: z.record(z.string(), z.unknown()),
    /** Live bots: the key of the account that it trades on. */
    key: z.uuid().optional(),
    /** Live bots: their share of the account in the product currency; all of it when absent. What cannot be counted is refused. */
    allotment: decimal.refine((text) => (parseUnits(text) ?? 0) > 0).optional(),
  })
  .transform((given, { issues }) => {
    const checked = checkSetup(given);
    if (checked.ok) {
      const { name, key = null, allotment = null } = given;
      return { name, key, allotment, options: checked.options, params: checked.params };
    }
    for (const fault of checked.faults) {
      const path = [Object.hasOwn(given.params, fault.option) ? 'params' : 'options', fault.option];
      issues.push({ code: 'custom', input: given, path, message: faultText(fault).en, params: { fault } });
    }
    return z.NEVER;
  });

/** The faults of options and parameters that made a {@link newBot} fail; none when something else did. */
export function setupFaults(error: z.ZodError): OptionFault[] {
  return error.issues.flatMap((issue) => {
    const fault = issue.code === 'custom' ? issue.params?.fault : undefined;
    // Only `newBot` puts one there, and it puts a fault of the engine there.
    return fault === undefined ? [] : [fault as OptionFault];
  });
}
