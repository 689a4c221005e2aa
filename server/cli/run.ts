import { ConfigError } from '../config';
import { attestCommand } from './attest';
import { backupCommand } from './backup';
import { breakGlassCommand } from './breakGlass';
import { withDatabase } from './database';
import { doctorCommand } from './doctor';
import { drillCommand } from './drill/drill';
import { helpText } from './help';
import { CommandError, EXIT, UsageError, type Cli } from './io';
import { logLevelCommand } from './logLevel';
import { parseOptions } from './options';
import { outboxCommand } from './outbox';
import { resealCommand } from './reseal';
import { restoreCommand } from './restore';
import { tokenCommand } from './token';
import { upgradeCommand } from './upgrade';
import { userCommand } from './user';
import { verifyCommand } from './verify';
import { migrate } from '../db/core/migrate';
import { ownValue } from '../../console/lib/ownValue';

type Command = (cli: Cli, args: string[]) => Promise<number | void>;

const commands: Readonly<Record<string, Command>> = {
  start: async (cli, args) => {
    const { role } = parseOptions(args, { role: 'value' });
    await cli.start(role === undefined ? {} : { role });
  },
  migrate: async (cli, args) => {
    parseOptions(args, {});
    await withDatabase(
      cli,
      'migrate',
      async ({ database }) => {
        const applied = await migrate(database.connection);
        cli.out(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
      },
      { upToDate: false },
    );
  },
  upgrade: upgradeCommand,
  user: userCommand,
  'break-glass': breakGlassCommand,
  token: tokenCommand,
  outbox: outboxCommand,
  'log-level': logLevelCommand,
  verify: verifyCommand,
  attest: attestCommand,
  backup: backupCommand,
  restore: restoreCommand,
  drill: drillCommand,
  reseal: resealCommand,
  doctor: doctorCommand,
};

/** Runs one command and returns its exit code. Results go to `out`, messages to `err`. */
export async function runCli(argv: string[], cli: Cli): Promise<number> {
  const [name = 'help', ...args] = argv;
  if (['help', '--help', '-h'].includes(name) || args.includes('--help')) {
    cli.out(helpText());
    return EXIT.ok;
  }
  try {
    const command = Object.hasOwn(commands, name) ? ownValue(commands, name) : undefined;
    if (!command) throw new UsageError(`Unknown command “${name}”.`);
    return (await command(cli, args)) ?? EXIT.ok;
  } catch (error) {
    cli.err(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) {
      cli.err('Run `teehouse help` for a list of commands.');
      return EXIT.usage;
    }
    if (error instanceof ConfigError) return EXIT.config;
    if (!(error instanceof CommandError) && cli.env.LOG_LEVEL === 'debug' && error instanceof Error)
      cli.err(error.stack ?? '');
    return EXIT.failed;
  }
}
