import { expect, test } from 'vitest';
import { redact } from './errors.ts';

test('a redacted text holds no address, signature or key', () => {
  const message =
    'binance POST https://api.binance.com/api/v3/order?symbol=X&signature=abc123 {"apiKey":"k3y"} signature=abc123 failed';
  expect(redact(message)).not.toMatch(/abc123|k3y|api\.binance/);
});
