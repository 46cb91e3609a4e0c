import { Presets, SingleBar } from 'cli-progress';

/** Interval between lines of a log. */
const EVERY_MS = 5_000;

/** Progress output on stderr. */
export interface ProgressLine {
  update(done: number, all: number): void;
  /** Prints a line without breaking the bar. */
  print(text: string): void;
  end(): void;
}

/** Shows a bar on a terminal, and elsewhere prints a line every five seconds, for logs. */
export function progressLine(title: string): ProgressLine {
  if (!process.stderr.isTTY) {
    let printedAt = performance.now();
    return {
      update(done, all) {
        if (performance.now() - printedAt < EVERY_MS) return;
        printedAt = performance.now();
        console.error(`${title}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} candles`);
      },
      print: (text) => console.error(`${title}: ${text}`),
      end() {},
    };
  }
  const bar = new SingleBar(
    { clearOnComplete: true, format: `${title} {bar} {percentage} % | {value} of {total} candles | {eta_formatted}` },
    Presets.shades_classic,
  );
  return {
    update(done, all) {
      if (bar.isActive) bar.update(done);
      else if (all > 0) bar.start(all, done);
    },
    print(text) {
      // Ends the line of the bar, which is drawn again below.
      console.error(`\n${title}: ${text}`);
    },
    end() {
      bar.stop();
    },
  };
}
