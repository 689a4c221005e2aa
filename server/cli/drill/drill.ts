import path from 'node:path';
import { existingSecret, loadConfig, type Config } from '../../config';
import { createDb } from '../../db/core/client';
import { migrate } from '../../db/core/migrate';
import { migrations } from '../../db/migrations';
import { VERSION } from '../../root';
import { counted } from '../../../console/lib/texts/count';
import { fail, findingLines, ok, type Finding } from '../checks/finding';
import { CommandError, EXIT, type Cli } from '../io';
import { parseOptions, required } from '../options';
import { surveyBackup, type BackupSurvey } from '../readBackup';
import { analyze, loadBackup } from '../restore';
import {
  countMost,
  describeCounts,
  newestEntry,
  proveAuditLog,
  proveEvidence,
  proveInvoices,
  proveLedger,
  proveRows,
  proveSealed,
  proveSecret,
  type Secrets,
} from './proofs';
import { requireSpace, sweepScratch, withScratchDatabase, type ScratchDatabase } from './scratchDatabase';

/** Output of `drill --json`. */
interface DrillReport {
  /** Version of this program. */
  version: string;
  file: string;
  passed: boolean;
  /** Null if the file can't be read. Everything acknowledged before `made_at` is in it. */
  backup: { made_at: string; release: string; newest_migration: string } | null;
  /** Null if it wasn't restored. */
  restored: {
    /** Time until the database was ready for a server, including PostgreSQL's start. */
    seconds: number;
    /** Migrations that ran because this program is newer than the backup. */
    migrated: number;
    newest_audit_entry_at: string | null;
    /** Row counts of some tables. */
    counts: Record<string, number>;
  } | null;
  findings: Finding[];
}

/**
 * Restores a backup into a temporary database and checks the result, without touching the installation. Exits with 1
 * unless everything holds.
 */
export async function drillCommand(cli: Cli, args: string[]): Promise<number> {
  const { from, json } = parseOptions(args, { from: 'value', json: 'flag' });
  const file = path.resolve(required(from, 'from'));
  const report = await reportOf(cli, file);
  if (json) cli.out(JSON.stringify(report, null, 2));
  else {
    for (const line of report.findings.flatMap(findingLines)) cli.out(line);
    cli.out(`\n${verdict(report)}`);
  }
  return report.passed ? EXIT.ok : EXIT.failed;
}

async function reportOf(cli: Cli, file: string): Promise<DrillReport> {
  const config = loadConfig(cli.env);
  const report: DrillReport = {
    version: VERSION,
    file,
    passed: false,
    backup: null,
    restored: null,
    findings: [],
  };
  const survey = await surveyed(file);
  if ('level' in survey) return { ...report, findings: [survey] };
  const { head } = survey;
  report.backup = {
    made_at: head.created_at,
    release: head.release,
    newest_migration: head.migrations.at(-1) ?? '',
  };
  const secrets: Secrets = {
    first: await existingSecret(config),
    second: config.secondSecret,
  };
  report.findings.push(
    ok('file', `complete; created on ${head.created_at} by Teehouse ${head.release}`),
    proveSecret(secrets, head.secret_check),
  );
  await sweepScratch(cli.err);
  await requireSpace(survey.bytes);
  await restoreAndProve(cli, config, file, survey, secrets, report);
  report.passed = report.findings.every(({ level }) => level !== 'fail');
  return report;
}

/** Reads the whole file first, since PostgreSQL's errors for a damaged one would be less clear. */
async function surveyed(file: string): Promise<BackupSurvey | Finding> {
  try {
    return await surveyBackup(file);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return fail('file', error.message, 'Try an older backup, and create a new one with `teehouse backup`.');
  }
}

async function restoreAndProve(
  cli: Cli,
  config: Config,
  file: string,
  survey: BackupSurvey,
  secrets: Secrets,
  report: DrillReport,
): Promise<void> {
  const began = Date.now();
  // The location of temporary files is irrelevant to users.
  const log = { info: () => undefined, warn: () => undefined, error: cli.err };
  await withScratchDatabase(config, log, async (scratch) => {
    const db = createDb(scratch.pool);
    const migrated = await restore(scratch, file, survey, report.findings);
    if (migrated === null) return;
    await analyze(scratch.pool);
    const seconds = (Date.now() - began) / 1000;
    for (const prove of [
      () => proveSealed(db, secrets),
      () => proveAuditLog(db),
      () => proveLedger(db),
      () => proveInvoices(db, new Date(survey.head.created_at)),
      () => proveEvidence(db),
    ])
      report.findings.push(await prove());
    const newest = await newestEntry(db);
    const counts = await countMost(db);
    report.findings.push(
      ok('content', describeCounts(counts)),
      ok('newest entry', newest === null ? 'none: the audit log is empty' : newest.toISOString()),
    );
    report.restored = {
      seconds,
      migrated,
      newest_audit_entry_at: newest?.toISOString() ?? null,
      counts,
    };
  });
}

/** Restores like `teehouse restore`. @returns the number of later migrations; null if it failed */
async function restore(
  scratch: ScratchDatabase,
  file: string,
  { head, counts }: BackupSurvey,
  findings: Finding[],
): Promise<number | null> {
  try {
    await loadBackup(scratch, file, head);
    findings.push(await proveRows(createDb(scratch.pool), counts));
    const later = await migrate(scratch.connection);
    const known = Object.keys(migrations).length;
    findings.push(
      ok(
        'schema',
        later.length === 0
          ? `${counted(known, MIGRATIONS)}, the same as this version`
          : `${counted(later.length, MIGRATIONS)} of this version ran on top of the backup's`,
      ),
    );
    return later.length;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    findings.push(fail('restore', text, 'A real restore would fail the same way.'));
    return null;
  }
}

const MIGRATIONS = ['migration', 'migrations'] as const;

function verdict({ passed, backup, restored, findings }: DrillReport): string {
  if (passed && backup && restored)
    return `Passed: everything acknowledged before ${backup.made_at} was restored, in ${restored.seconds.toFixed(1)} s.`;
  const failed = findings.filter(({ level }) => level === 'fail').map(({ what }) => what);
  return `FAILED: ${failed.join(', ')}. Don't rely on this backup until it passes.`;
}
