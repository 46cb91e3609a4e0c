import { expect, test, vi } from 'vitest';
import { ApiError } from './api.ts';
import { ProofCancelled, proven, provideProof } from './proof.ts';

const needed = () => new ApiError('proof_needed', 403, 'Prove it', {});

/** The server carries out this action only after a fresh proof. */
function guarded() {
  const state = { proven: false };
  const act = vi.fn(async () => {
    if (!state.proven) throw needed();
    return 'done';
  });
  return { state, act };
}

test('an act that needs no proof runs once, and the user is not asked', async () => {
  const ask = vi.fn(async () => true);
  provideProof(ask);
  expect(await proven(async () => 'done')).toBe('done');
  const failing = vi.fn(async () => Promise.reject(new ApiError('not_found', 404, 'No', {})));
  await expect(proven(failing)).rejects.toMatchObject({ code: 'not_found' });
  expect(failing).toHaveBeenCalledTimes(1);
  expect(ask).not.toHaveBeenCalled();
});

test('an act that needs a proof runs again after it', async () => {
  const { state, act } = guarded();
  provideProof(async () => {
    state.proven = true;
    return true;
  });
  expect(await proven(act)).toBe('done');
  expect(act).toHaveBeenCalledTimes(2);
});

test('concurrent acts that need a proof ask for it once', async () => {
  const { state, act } = guarded();
  const ask = vi.fn(async () => {
    state.proven = true;
    return true;
  });
  provideProof(ask);
  expect(await Promise.all([proven(act), proven(act), proven(act)])).toEqual(['done', 'done', 'done']);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a user who closes the dialog cancels the act, and is asked again next time', async () => {
  const { act } = guarded();
  const ask = vi.fn(async () => false);
  provideProof(ask);
  await expect(proven(act)).rejects.toBeInstanceOf(ProofCancelled);
  await expect(proven(act)).rejects.toBeInstanceOf(ProofCancelled);
  expect(act).toHaveBeenCalledTimes(2);
  expect(ask).toHaveBeenCalledTimes(2);
});
