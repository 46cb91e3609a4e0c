import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };

/** Each command has a module of its own, loaded only when the command is used, so that every command starts fast. */
const commands: Record<string, () => Promise<Command>> = {
  start: async () => {
    await import('@heron/database/quickDrizzle.ts');
    return (await import('./start/command.ts')).startCommand();
  },
  backtest: async () => (await import('./backtest/command.ts')).backtestCommand(),
  optimise: async () => (await import('./optimise/command.ts')).optimiseCommand(),
  signals: async () => (await import('./signals/command.ts')).signalsCommand(),
  candles: async () => (await import('./candles/command.ts')).candlesCommand(),
  bots: async () => (await import('./bots/command.ts')).botsCommand(),
  venues: async () => (await import('./venues/command.ts')).venuesCommand(),
  keys: async () => (await import('./keys/command.ts')).keysCommand(),
  pairing: async () => (await import('./pairing/command.ts')).pairingCommand(),
  user: async () => {
    await import('@heron/database/quickDrizzle.ts');
    return (await import('./user/command.ts')).userCommand();
  },
  sandbox: async () => (await import('./sandbox/command.ts')).sandboxCommand(),
  'live-check': async () => (await import('./liveCheck/command.ts')).liveCheckCommand(),
  doctor: async () => (await import('./doctor/command.ts')).doctorCommand(),
};

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('heron')
    .description('Self-hosted trading bots, on paper or for real.')
    .version(manifest.version)
    .showHelpAfterError();
  const asked = argv[2] === undefined ? undefined : Object.hasOwn(commands, argv[2]) ? commands[argv[2]] : undefined;
  for (const command of asked === undefined ? Object.values(commands) : [asked]) program.addCommand(await command());
  await program.parseAsync(argv);
}

try {
  await main(process.argv);
} catch (error) {
  // Prints one line with the next step. HERON_DEBUG adds the stack for developers.
  if (process.env.HERON_DEBUG === '1') console.error(error);
  else console.error(`heron: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
