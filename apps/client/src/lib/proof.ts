import { ApiError } from './api.ts';

/** The person closed the question who is there: what wanted the proof was not done, and there is nothing to tell them. */
export class ProofCancelled extends Error {
  override readonly name = 'ProofCancelled';
}

/** Asks who is there, and says whether that was proven. */
type Question = () => Promise<boolean>;

let ask: Question | undefined;
/** The question that is open: acts that want a proof at the same moment share it. */
let open: Promise<boolean> | undefined;

/** The app provides what asks. */
export function provideProof(question: Question): void {
  ask = question;
}

/**
 * Does what may want a fresh proof of who is there: asks for it when the server does, then does it again.
 *
 * @throws ProofCancelled when the person would not prove it; what `act` throws
 */
export async function proven<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (ask === undefined || !(error instanceof ApiError) || error.code !== 'proof_needed') throw error;
    open ??= ask().finally(() => {
      open = undefined;
    });
    if (!(await open)) throw new ProofCancelled('cancelled', { cause: error });
    return act();
  }
}
