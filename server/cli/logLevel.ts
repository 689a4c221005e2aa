import type { Config } from '../config';
import {
  auditedLogLevel,
  changeLogLevel,
  storedLogLevel,
  type StoredLogLevel,
} from '../db/platform/logLevel';
import { LOG_LEVEL_MINUTES, RUNTIME_LOG_LEVELS } from '../domain/platform/logLevel';
import { audit, withDatabase, write } from './database';
import { UsageError, type Cli } from './io';
import { parseOptions, wholeNumber } from './options';
import { shortTime } from './table';

/** Changes the log level of the running processes, like the admin area does. */
export async function logLevelCommand(cli: Cli, [action, ...args]: string[]): Promise<void> {
  if (action === 'show') return show(cli, args);
  if (action === 'set') return set(cli, args);
  if (action === 'reset') return reset(cli, args);
  throw new UsageError(action ? `There is no “log-level ${action}”.` : 'Use log-level show, set or reset.');
}

const sentence = (config: Config, stored: StoredLogLevel | null) =>
  stored
    ? `${stored.level} until ${shortTime(stored.until)} UTC`
    : `as configured (LOG_LEVEL is ${config.logLevel} here)`;

const target = { target_kind: 'platform_settings', target_id: 'log_level' };

async function show(cli: Cli, args: string[]): Promise<void> {
  parseOptions(args, {});
  await withDatabase(cli, 'log-level show', async ({ config, db }) =>
    cli.out(sentence(config, await storedLogLevel(db))),
  );
}

async function set(cli: Cli, [name, ...args]: string[]): Promise<void> {
  const level = RUNTIME_LOG_LEVELS.find((one) => one === name);
  if (!level) throw new UsageError(`Specify a level: ${RUNTIME_LOG_LEVELS.join(', ')}.`);
  const { minutes: given } = parseOptions(args, { minutes: 'value' });
  const minutes = wholeNumber(given, 'minutes', 1, LOG_LEVEL_MINUTES.max) ?? LOG_LEVEL_MINUTES.default;
  await withDatabase(cli, 'log-level set', async ({ config, db }) => {
    const { after } = await write(db, async (trx) => {
      const changed = await changeLogLevel(trx, { level, minutes });
      const { before, after } = changed;
      await audit(trx, {
        ...target,
        action: 'log_level.set',
        before: auditedLogLevel(before),
        after: auditedLogLevel(after),
      });
      return changed;
    });
    cli.out(sentence(config, after));
  });
}

async function reset(cli: Cli, args: string[]): Promise<void> {
  parseOptions(args, {});
  await withDatabase(cli, 'log-level reset', async ({ config, db }) => {
    await write(db, async (trx) => {
      const { before } = await changeLogLevel(trx, null);
      if (before) await audit(trx, { ...target, action: 'log_level.reset', before: auditedLogLevel(before) });
    });
    cli.out(sentence(config, null));
  });
}
