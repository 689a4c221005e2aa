import { printReport, type Options, type Part } from './report';

/**
 * `npm run bench`: runs every part, or the named ones (`npm run bench -- api web`). `--quick` uses small numbers;
 * `--profile` writes CPU profiles of the server under load. Prints one table at the end and doesn't judge times: they
 * depend on the machine, so compare ratios first. Exits with 1 if a part found faults.
 */
const PARTS: Record<string, () => Promise<(options: Options) => Promise<Part>>> = {
  'admin-lists': async () => (await import('./adminLists')).adminLists,
  'admin-web': async () => (await import('./adminWeb')).adminWeb,
  api: async () => (await import('./api')).api,
  deploy: async () => (await import('./deploy')).deploy,
  'first-agent': async () => (await import('./firstAgent')).firstAgent,
  fleet: async () => (await import('./fleet/fleet')).fleet,
  'fleet-chaos': async () => (await import('./fleet/chaos')).fleetChaos,
  'fleet-deploys': async () => (await import('./fleet/deploys')).fleetDeploys,
  'fleet-large': async () => (await import('./fleet/fleet')).largeFleet,
  gateway: async () => (await import('./gateway')).gateway,
  lists: async () => (await import('./lists')).lists,
  events: async () => (await import('./events')).events,
  live: async () => (await import('./live')).live,
  logs: async () => (await import('./logs')).logs,
  metrics: async () => (await import('./metrics')).metrics,
  money: async () => (await import('./money')).money,
  public: async () => (await import('./public')).publicPages,
  readers: async () => (await import('./readers')).readers,
  'sign-in': async () => (await import('./signIn')).signIn,
  start: async () => (await import('./start')).start,
  verifier: async () => (await import('./verifier')).verifier,
  web: async () => (await import('./web')).web,
};

const quick = process.argv.includes('--quick');
const profile = process.argv.includes('--profile');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = named.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`unknown part: ${unknown.join(', ')}; choose from ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(2);
}

const done: Part[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const run = await part();
  done.push(await run({ quick, profile, say: (line) => process.stderr.write(`  ${line}\n`) }));
}
printReport(done);
const faults = done.flatMap((part) => part.faults ?? []);
for (const fault of faults) process.stderr.write(`FAULT: ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
