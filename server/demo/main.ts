import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig, type Config } from '../config';
import { createDb, createPool } from '../db/core/client';
import { openDatabase } from '../db/core/embedded';
import { createLogger } from '../log';
import { startServer } from '../main';
import { build } from '../tools/build';
import { ROOT, seconds } from '../tools/run';
import { fillDemo } from './fill';
import { deleteDemo, DemoFolderError, markDemoFolder, openDemoFolder } from './folder';
import { APPROVAL_LIMIT_DOLLARS, DEMO_PASSWORD, USERS } from './scenario';
import { startCvms } from './startCvms';

/**
 * `npm run demo [-- [reset] [--dir=folder]]`: runs a server with a filled installation in its own folder. The
 * first run fills it, later ones continue with it; `reset` deletes and refills it.
 */

const USAGE = 'Usage: npm run demo [-- [reset] [--dir=folder]]';

/**
 * Passes only the environment's runtime settings: a real installation's settings don't apply here. HOST isn't
 * passed, because the password is public.
 */
const PASSED = ['PORT', 'LOG_LEVEL', 'POSTGRES_BIN_DIR'] as const;

const SETTINGS: Readonly<Record<string, string>> = {
  LOCAL_TEEPOD: 'on',
  LOCAL_TEEPOD_ENGINE: 'simulate',
  LOCAL_TEEPOD_TEAMS: 'all',
  LOCAL_TEEPOD_MAX_CVMS: '200',
  LOCAL_TEEPOD_VCPU: '1000',
  LOCAL_TEEPOD_MEMORY_MB: '2000000',
  LOCAL_TEEPOD_DISK_GB: '20000',
  BILLING_ENFORCEMENT: 'on',
  INVOICE_SELLER: 'Teehouse Demo\\nNo real company',
  INVOICE_TAX_PERCENT: '19',
  BILLING_APPROVAL_LIMIT: String(APPROVAL_LIMIT_DOLLARS),
  BANK_ACCOUNT_HOLDER: 'Teehouse Demo',
  BANK_ACCOUNT: 'No real account',
};

const say = (line: string) => process.stdout.write(`  ${line}\n`);

function configOf(folder: string): Config {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return loadConfig({ LOG_LEVEL: 'warn', ...Object.fromEntries(passed), ...SETTINGS, DATA_DIR: folder });
}

async function fill(config: Config, folder: string): Promise<void> {
  const began = Date.now();
  await markDemoFolder(folder, 'filling');
  say('Filling the demo:');
  say('- a database and the local teepod');
  await registerTeepod(config);
  const log = createLogger(config.logLevel);
  const database = await openDatabase(config);
  // An interrupted demo is refilled from the start, so commits needn't wait for the disk.
  const pool = createPool(
    { ...database.connection, options: '-c synchronous_commit=off' },
    { applicationName: 'teehouse demo', size: 8 },
  );
  try {
    const { invoicing, debtDays } = config;
    const db = createDb(pool);
    await fillDemo({ db, log, now: new Date(), invoicing, debtDays, say: (line) => say(`- ${line}`) });
  } finally {
    await pool.end();
    await database.stop();
  }
  await markDemoFolder(folder, 'filled');
  say(`Filled in ${seconds(began)}.`);
}

/** The teepod's keys and images are known once it has run. This server uses a random port and isn't used. */
async function registerTeepod(config: Config): Promise<void> {
  const server = await startServer({ ...config, port: 0, host: '127.0.0.1' }, createLogger('error'));
  try {
    for (const until = Date.now() + 120_000; ; await wait(100)) {
      const image = await server.services.db
        .selectFrom('teepod_os_images')
        .select('os_image_id')
        .limit(1)
        .executeTakeFirst();
      if (image) return;
      if (Date.now() > until) throw new Error('The local teepod did not start within two minutes.');
    }
  } finally {
    await server.stop();
  }
}

async function run(): Promise<void> {
  const given = process.argv.slice(2);
  const dir = given.find((word) => word.startsWith('--dir='))?.slice('--dir='.length);
  const words = given.filter((word) => !word.startsWith('--dir='));
  const reset = words.length === 1 && words[0] === 'reset';
  if (dir === '' || (words.length > 0 && !reset)) throw new DemoFolderError(USAGE);
  const folder = path.resolve(dir ?? path.join(ROOT, '.demo'));
  if (reset) await deleteDemo(folder);
  let stage = await openDemoFolder(folder);
  if (stage === 'filling') {
    say('The demo was interrupted while it was filled, so it begins again.');
    await deleteDemo(folder);
    stage = await openDemoFolder(folder);
  }
  await build();
  const config = configOf(folder);
  if (stage === 'new') {
    await fill(config, folder);
    stage = 'filled';
  }
  const server = await startServer(config);
  stopOnSignal(() => server.stop());
  if (stage === 'filled') {
    say('Starting the CVMs on the simulated teepod');
    try {
      const { running, all } = await startCvms(server.services);
      say(`CVMs running: ${running} of ${all}`);
    } catch (error) {
      // The next run tries again.
      await server.stop();
      throw error;
    }
    await markDemoFolder(folder, 'started');
  }
  say('');
  say(`The demo is ready at ${server.url}`);
  say(`Everybody’s password is: ${DEMO_PASSWORD}`);
  for (const { email, what } of USERS) say(`${email.padEnd(22)} ${what}`);
  say('');
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
}

try {
  await run();
} catch (error) {
  console.error(error instanceof DemoFolderError ? error.message : error);
  process.exit(1);
}
