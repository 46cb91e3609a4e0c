import { Command } from 'commander';

/** `heron doctor`: looks at what Heron needs and says what is wrong. Changes nothing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check that this machine has what Heron needs.')
    .option('--data <folder>', 'data folder to look at (also HERON_DATA)')
    .action(async ({ data }: { data?: string }) => {
      const { examine } = await import('./examine.ts');
      const { defaultDataFolder } = await import('../start/command.ts');
      const findings = await examine({
        dataFolder: data ?? process.env.HERON_DATA ?? defaultDataFolder(),
        databaseUrl: process.env.HERON_DATABASE_URL || null,
      });
      for (const { ok, what, detail } of findings) console.log(`${ok ? '✓' : '✗'} ${what.padEnd(12)} ${detail}`);
      if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
    });
}
