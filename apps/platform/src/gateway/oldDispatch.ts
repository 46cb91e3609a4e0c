import { CallError } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import { fromOldFieldNames, toOldFieldNames, withOldFieldNames } from '@heron/contract/http/oldFieldNames.ts';
import type { Dispatch } from './dispatch.ts';

/** Returns a dispatch for older clients: it receives and returns fields under the names that they know. */
export function createOldDispatch({ find, handle }: Dispatch): Dispatch {
  return {
    find,
    async handle(answering, call) {
      const { payload, data } = answering.method;
      try {
        const sent = fromOldFieldNames(payload, call.sent);
        return toOldFieldNames(data, await handle(answering, { ...call, sent }));
      } catch (error) {
        throw error instanceof CallError ? withSentNames(error, payload, call.sent) : error;
      }
    },
  };
}

/** Returns an error about the payload with the names of fields that the caller has sent. */
function withSentNames(error: CallError, payload: Method['payload'], sent: unknown): CallError {
  const { reason } = error.details;
  if (error.code !== 'invalid_request' || typeof reason !== 'string') return error;
  return new CallError(error.code, { ...error.details, reason: withOldFieldNames(payload, reason, sent) });
}
