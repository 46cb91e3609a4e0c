/** Questions that may be under way at once: while one is answered, the next gathers. */
const AT_ONCE = 2;

type Waiting<Answer> = Map<string, PromiseWithResolvers<Answer | undefined>>;

/**
 * Asks for many keys in one question when many calls come at once, so that a busy server asks a database a few hundred times
 * a second instead of thousands of times. Nothing is kept: every call is answered by a question that began after it, so
 * that whatever was true when it was made is seen.
 *
 * @param ask answers for all keys that have an answer
 */
export function together<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let waiting: Waiting<Answer> = new Map();
  let underWay = 0;

  async function askAll(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    underWay++;
    try {
      const answers = await ask([...batch.keys()]);
      for (const [key, { resolve }] of batch) resolve(answers.get(key));
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    } finally {
      underWay--;
    }
    if (waiting.size > 0 && underWay < AT_ONCE) void askAll();
  }

  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known.promise;
    const call = Promise.withResolvers<Answer | undefined>();
    waiting.set(key, call);
    if (waiting.size === 1 && underWay < AT_ONCE) {
      // What else comes in this turn of the loop goes along.
      setImmediate(() => {
        if (waiting.size > 0 && underWay < AT_ONCE) void askAll();
      });
    }
    return call.promise;
  };
}
