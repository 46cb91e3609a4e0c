import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These long files start first; started last, they would run alone at the end. */
const LONG = ['e2e/real-hosts/realHosts.test.ts', 'e2e/app/everyPage.test.ts'];

/** Runs long files first, also in a fresh clone, where Vitest knows no durations yet. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
