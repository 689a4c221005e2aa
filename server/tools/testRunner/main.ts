import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { build } from '../build';
import { freePort, startPostgres, type ThrowAwayPostgres } from '../postgres';
import { branchPoint, changedSpecs } from './changedSpecs';
import { bin, ROOT, runNode, seconds } from '../run';
import { copyEmptyDatabase, prepareEmptyDatabase } from '../../testing/emptyDatabase';
import { scratchDir, sweepScratch } from './scratch';
import { ensureSystemPackages } from '../system';
import { readBrowserReport, readVitestReport, type FileResult } from './testReports';
import { summarize, type SuiteResult } from './testSummary';

/**
 * `npm test [changed] [suite…] [filter…]`: prepares what the suites need, runs them, and prints a summary whose last line
 * is the count. Suites are unit, embedded, postgres (together: server), docker and e2e; without any, all of them. When
 * both databases are tested, the second runs only tests that can differ there; `npm test postgres` alone runs
 * everything on it. `changed` runs what the changes since main can affect. In a run without a filter, each failed
 * file is rerun alone at the end, because machines are shared. One that then passes is listed as flaky, which is
 * a bug to fix.
 */

const SUITES = ['unit', 'embedded', 'postgres', 'docker', 'e2e'] as const;
type Suite = (typeof SUITES)[number];

/** A suite that ran, and how to rerun some of its files. */
interface Suited extends SuiteResult {
  again: (files: string[]) => Promise<Ran>;
}

/** With more failed files than this, the change is at fault and a rerun only takes time. */
const MAX_REPEATED = 8;
/** File for the summary. */
const SUMMARY_FILE = path.join(ROOT, '.cache/test-summary.txt');
/** Folder with the suites' output, readable while they run. */
const LOGS = path.join(ROOT, '.cache/tests');

const words = process.argv
  .slice(2)
  .flatMap((word) => (word === 'server' ? ['embedded', 'postgres'] : [word]));
const isChanged = words[0] === 'changed';
if (isChanged) words.shift();
const isSuite = (word: string): word is Suite => (SUITES as readonly string[]).includes(word);
const named = words.filter(isSuite);
const filters = words.filter((word) => !isSuite(word));
const chosen = new Set<Suite>(named.length > 0 ? named : SUITES);
/** Output of concurrent suites is shown when they end. */
const alone = chosen.size === 1;

const started = Date.now();
await sweepScratch();
/** Also holds the browser tests' databases. */
const work = await scratchDir('npm-test');
chmodSync(work, 0o755);
/** Failures outside the suites, such as in the build. */
const preparation: SuiteResult = { name: 'preparation', seconds: 0, files: [], flaky: [], errors: [] };
const suites: Suited[] = [];
const endings: (() => Promise<void>)[] = [];
/** Socket of the Docker engine, once it responds. */
let engine: string | undefined;
/** Migrated once: every suite with a supervised database copies it. */
const emptyDatabase = path.join(work, 'empty');
const needsEmptyDatabase = ['embedded', 'docker', 'e2e'].some((suite) => chosen.has(suite as Suite));
const needsDocker = ['embedded', 'postgres', 'docker', 'e2e'].some((suite) => chosen.has(suite as Suite));

/** The commit that `changed` compares with. */
let since: string | undefined;

async function main(): Promise<void> {
  await rm(LOGS, { recursive: true, force: true });
  await mkdir(LOGS, { recursive: true });
  if (isChanged) since = await branchPoint();
  if (needsDocker) {
    const missing = await ensureSystemPackages();
    if (missing.length > 0) console.log(`continuing without ${missing.join(', ')}`);
  }
  let postgres: ThrowAwayPostgres | undefined;
  const [, , docker] = await Promise.all([
    // The unit suite also measures page weight.
    (needsDocker || chosen.has('unit')) && attempt('build', () => build()),
    chosen.has('postgres') &&
      attempt('postgres', async () => {
        postgres = await startPostgres({ dir: await scratchDir('postgres') });
        endings.push(() => postgres!.stop());
      }),
    needsDocker ? attempt('docker engine', startDocker) : true,
    needsEmptyDatabase && attempt('empty database', () => prepareEmptyDatabase(emptyDatabase)),
  ]);
  // Done once: otherwise a dozen tests would start by compiling the same contracts.
  if (needsDocker || chosen.has('unit'))
    await attempt('contracts', async () => void (await import('../chain/compile')).compileContracts());

  /**
   * If true, the second database runs only tests that can differ there, and fewer kills, because it outlives
   * them.
   */
  const repeats = chosen.has('embedded') && filters.length === 0;
  const supervised = {
    TEST_DB: 'embedded',
    DATABASE_URL: undefined,
    TEST_EMPTY_DATABASE: emptyDatabase,
  };
  const ran = (name: Suite, run: () => Promise<void>) => (chosen.has(name) ? [run] : []);
  const long = [
    [
      ...ran('e2e', playwright),
      // After the browser: starting a container changes network interfaces, which aborts loading in Chromium.
      ...ran('docker', async () => {
        if (docker) await vitest('docker', 'docker', supervised);
      }),
    ],
    ran('embedded', () => vitest('embedded', 'server', supervised)),
  ];
  const short = [
    ...ran('postgres', async () => {
      if (postgres)
        await vitest('postgres', 'server', {
          TEST_DB: 'postgres',
          DATABASE_URL: postgres.url,
          // Everything else runs on the first database; vitest.config.ts lists the repeated tests.
          ...(repeats ? { TEST_SECOND_DATABASE: '1', CHAOS_KILLS: '6' } : {}),
        });
    }),
    ...ran('unit', () => vitest('unit', 'unit', {})),
  ];
  // Two suites at a time, long ones first, with short ones filling in. Three would take as long and slow each
  // test down: on two cores, sub-second responses would then exceed the timeouts.
  await Promise.all(
    long.map(async (lane) => {
      for (const run of lane) await run();
      for (let run = short.shift(); run !== undefined; run = short.shift()) await run();
    }),
  );
  if (filters.length === 0 && !isChanged) await secondChance();
}

/** Prepares something the suites need. A failure counts on its own, and the other preparations still run. */
async function attempt(name: string, action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    fail(name, error);
    return false;
  }
}

function fail(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.log(`FAILED  ${name}: ${reason}`);
  preparation.errors.push(`${name}: ${reason}`);
}

async function startDocker(): Promise<void> {
  const { ensureDocker, ensureTestImages } = await import('../docker');
  const docker = await ensureDocker();
  if ('reason' in docker) throw new Error(docker.reason);
  endings.push(() => docker.stop());
  await ensureTestImages(docker.socket);
  engine = docker.socket;
}

const JSON_REPORT = ['--reporter=default', '--reporter=json'];

async function vitest(name: string, project: string, env: Record<string, string | undefined>): Promise<void> {
  await suite(name, filters, async (files) => {
    const report = path.join(work, `${name}.json`);
    const args = ['run', '--project', project, '--passWithNoTests', ...JSON_REPORT];
    if (since !== undefined) args.push('--changed', since);
    return runSuite(
      name,
      [bin('vitest/vitest.mjs'), ...args, `--outputFile.json=${report}`, ...files],
      { TEST_BUILT: '1', ...env },
      async () => readVitestReport(await readFile(report, 'utf8')),
    );
  });
}

async function playwright(): Promise<void> {
  let runs = 0;
  const specs = since === undefined ? filters : await changedSpecs(since);
  if (since !== undefined && specs.length === 0) return console.log('no browser test can be affected');
  await suite('e2e', specs, async (files) => {
    const report = path.join(work, 'e2e.json');
    const dataDir = path.join(work, `e2e-${(runs += 1)}`);
    await copyEmptyDatabase(emptyDatabase, dataDir);
    const env = {
      E2E_REPORT: report,
      E2E_PORT: String(await freePort()),
      E2E_DATA_DIR: dataDir,
      E2E_EMPTY_DATABASE: emptyDatabase,
      DATABASE_URL: undefined,
    };
    const ran = await runSuite(
      'e2e',
      // Keeps the first failure's pages and screenshots across the rerun.
      [
        bin('@playwright/test/cli.js'),
        'test',
        '--pass-with-no-tests',
        `--output=test-results/run-${runs}`,
        ...files,
      ],
      env,
      async () => readBrowserReport(await readFile(report, 'utf8')),
    );
    // Containers outlive their server by design; the suite's must not outlive it.
    const id = await readFile(path.join(env.E2E_DATA_DIR, 'teepod/id'), 'utf8').catch(() => undefined);
    if (id && engine) await (await import('../docker')).removeTeepodContainers(engine, id.trim());
    return ran;
  });
}

interface Ran {
  /** Empty without a report, in which case `code` is nonzero. */
  files: FileResult[];
  code: number;
}

async function runSuite(
  name: string,
  args: string[],
  env: Record<string, string | undefined>,
  read: () => Promise<FileResult[]>,
): Promise<Ran> {
  const { code, output } = await runNode(args, { env, show: alone, log: path.join(LOGS, `${name}.log`) });
  if (!alone && code !== 0) console.log(output.trimEnd());
  // Shows a suite's measurements even if everything passed.
  else if (!alone)
    for (const line of output.split('\n')) if (/chaos: \d/.test(line)) console.log(line.trim());
  const files = await read().catch((error: unknown) => {
    console.log(`no report: ${String(error)}`);
    return null;
  });
  return { files: files ?? [], code: files ? code : code || 1 };
}

/** Runs one suite and stores its report. A nonzero exit counts as failed whatever the report says. */
async function suite(name: string, args: string[], start: (files: string[]) => Promise<Ran>): Promise<void> {
  const begun = Date.now();
  console.log(`running ${name}`);
  const { files, code } = await start(args);
  const result: Suited = {
    name,
    seconds: (Date.now() - begun) / 1000,
    files,
    flaky: [],
    errors: [],
    again: start,
  };
  if (code !== 0 && failedFiles(result).length === 0)
    result.errors.push(`ended with exit code ${code} although no test failed; its output is above`);
  suites.push(result);
  console.log(`${result.errors.length + failedFiles(result).length > 0 ? 'FAILED ' : 'ok     '} ${name}`);
}

const failedFiles = ({ files }: SuiteResult) => files.filter(({ failed }) => failed > 0);

/** Reruns each failed file alone on an otherwise idle machine. */
async function secondChance(): Promise<void> {
  const failed = suites.flatMap((suited) =>
    failedFiles(suited)
      // Errors outside a test have no file to rerun.
      .filter(({ file }) => /\.tsx?$/.test(file))
      .map((file) => ({ suited, file })),
  );
  if (failed.length > MAX_REPEATED) {
    console.log(`${failed.length} files failed, so none runs again`);
    return;
  }
  for (const { suited, file } of failed) {
    console.log(`running again, alone: ${suited.name} ${file.file}`);
    const { files, code } = await suited.again([file.file]);
    const second = files.find((one) => one.file === file.file);
    if (code !== 0 || second === undefined || second.passed === 0) continue;
    suited.files = suited.files.map((one) => (one === file ? second : one));
    suited.flaky.push({ file: file.file, failures: file.failures });
  }
}

async function report(): Promise<never> {
  const { lines, passed, failed } = summarize(
    preparation.errors.length > 0 ? [preparation, ...suites] : suites,
  );
  const isEmpty = passed + failed === 0;
  if (isEmpty) lines.push(isChanged ? 'no test can be affected' : 'no test matched');
  lines.push('', `tested in ${seconds(started)}; this summary is in ${SUMMARY_FILE}`);
  lines.push(`${passed} passed, ${failed} failed`);
  console.log(lines.join('\n'));
  await mkdir(path.dirname(SUMMARY_FILE), { recursive: true });
  await writeFile(SUMMARY_FILE, `${lines.join('\n').trimStart()}\n`);
  // Handles left open by a suite must not delay the exit.
  process.exit(failed > 0 || (isEmpty && !isChanged) ? 1 : 0);
}

try {
  await main();
} catch (error) {
  fail('test command', error);
} finally {
  for (const end of endings.reverse()) await end().catch((error: unknown) => console.error(error));
  await rm(work, { recursive: true, force: true });
}
await report();
