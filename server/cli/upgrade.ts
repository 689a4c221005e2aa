import { ConfigError, loadConfig, type Config } from '../config';
import { readRecord } from '../db/core/postgres/place';
import { VERSION } from '../root';
import { fail, findingLines, ok, warn, type Finding } from './checks/finding';
import { checkNode } from './checks/machine';
import {
  checkBackup,
  checkPostgres,
  checkProcesses,
  checkSchema,
  checkSpace,
  freeBytes,
  readDatabaseState,
  type DatabaseState,
  type PendingMigration,
  type RunningProcess,
} from './checks/upgrade';
import { withDatabase } from './database';
import { EXIT, UsageError, type Cli } from './io';
import { parseOptions } from './options';

/** Output of `upgrade --check --json`. */
interface UpgradeReport {
  /** Version of this program. */
  version: string;
  can_upgrade: boolean;
  /** Next step. */
  next: string;
  /** Null if it couldn't be read, or doesn't exist yet. */
  database: {
    postgres: string;
    size_bytes: number;
    migrations_applied: number;
    /** Applied migrations that this program doesn't have. */
    newer_migrations: string[];
    last_backup_at: string | null;
  } | null;
  pending: PendingMigration[];
  processes: RunningProcess[];
  findings: Finding[];
}

/** Reports whether this version can take over the installation, without changing anything. */
export async function upgradeCommand(cli: Cli, args: string[]): Promise<number> {
  const { check, json } = parseOptions(args, { check: 'flag', json: 'flag' });
  if (!check)
    throw new UsageError('Add --check. To upgrade, just start the new version: it migrates the database.');
  const report = await reportOf(cli);
  if (json) cli.out(JSON.stringify(report, null, 2));
  else print(cli, report);
  return report.can_upgrade ? EXIT.ok : EXIT.failed;
}

async function reportOf(cli: Cli): Promise<UpgradeReport> {
  const { config, findings } = readConfig(cli);
  findings.push(checkNode(process.versions.node));
  const found = config ? await databaseFindings(cli, config) : { state: null, findings: [] };
  findings.push(...found.findings);
  const { state } = found;
  const can_upgrade = findings.every(({ level }) => level !== 'fail');
  return {
    version: VERSION,
    can_upgrade,
    next: nextStep(can_upgrade, findings, state),
    database: state && {
      postgres: state.postgres,
      size_bytes: state.size_bytes,
      migrations_applied: state.applied.length,
      newer_migrations: state.newer,
      last_backup_at: state.last_backup_at?.toISOString() ?? null,
    },
    pending: state?.pending ?? [],
    processes: state?.processes ?? [],
    findings,
  };
}

function readConfig(cli: Cli): { config: Config | null; findings: Finding[] } {
  try {
    const config = loadConfig(cli.env);
    const warnings = config.warnings.map((text) =>
      warn('configuration', text, 'See docs/configuration.md for the settings of this version.'),
    );
    return {
      config,
      findings: warnings.length > 0 ? warnings : [ok('configuration', 'this version knows every setting')],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      config: null,
      findings: error.problems.map(({ variable, value, expected }) =>
        fail('configuration', `${variable}=${value}`, `Set it to ${expected}.`),
      ),
    };
  }
}

async function databaseFindings(
  cli: Cli,
  config: Config,
): Promise<{ state: DatabaseState | null; findings: Finding[] }> {
  if (!config.databaseUrl && !(await readRecord(config.dataDir)))
    return {
      state: null,
      findings: [ok('schema', `no database in ${config.dataDir} yet; the first start creates it`)],
    };
  try {
    const state = await withDatabase(
      // A managed PostgreSQL started for this logs its own messages.
      { ...cli, err: () => undefined },
      'upgrade --check',
      ({ database }) => readDatabaseState(database.pool),
      { upToDate: false },
    );
    return {
      state,
      findings: [
        checkPostgres(state),
        checkSchema(state, VERSION),
        ...checkProcesses(state),
        checkBackup(state, new Date()),
        checkSpace(state, await freeBytes(config)),
      ],
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { state: null, findings: [fail('database', text, 'teehouse doctor')] };
  }
}

function nextStep(can_upgrade: boolean, findings: readonly Finding[], state: DatabaseState | null): string {
  const [first] = findings.filter(({ level }) => level === 'fail');
  if (!can_upgrade) return first?.advice ?? 'Resolve the problems above.';
  if (!state || state.pending.length === 0)
    return state && state.processes.length > 0
      ? 'Restart the processes with this version, one after the other.'
      : 'teehouse start';
  const hasOldBackup = findings.some(({ level, what }) => level === 'warn' && what === 'backup');
  if (hasOldBackup) return 'teehouse backup --to FILE, then teehouse migrate';
  return state.processes.length > 0
    ? 'teehouse migrate, then restart the processes with this version, one after the other.'
    : 'teehouse start';
}

function print(cli: Cli, { findings, pending, can_upgrade, next }: UpgradeReport): void {
  for (const line of findings.flatMap(findingLines)) cli.out(line);
  if (pending.length > 0) cli.out('\nMigrations to run:');
  for (const { name, about, older_processes } of pending) {
    cli.out(`  ${name}${about === null ? '' : `  ${about}`}`);
    if (older_processes) cli.out(`      earlier versions: ${older_processes.why}`);
  }
  cli.out(`\n${can_upgrade ? 'The upgrade can proceed.' : "The upgrade can't proceed."} Next: ${next}`);
}
