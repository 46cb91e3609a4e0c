import { expect, test } from 'vitest';
import { z } from 'zod';
import { botCalls } from './calls.ts';

const BODIES = Object.entries(botCalls).flatMap(([name, call]) =>
  'body' in call ? [[name, call.body as z.ZodType] as const] : [],
);

test.each(BODIES)('%s rejects unknown fields, so that no wish is ignored', (_name, body) => {
  const { anyOf, additionalProperties } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const alternatives = anyOf ?? [{ additionalProperties }];
  for (const each of alternatives) expect(each).toMatchObject({ additionalProperties: false });
});
