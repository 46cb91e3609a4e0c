/** The person closed the question who is there: what wanted the proof was not done, and there is nothing to tell them. */
export class ProofCancelled extends Error {}
