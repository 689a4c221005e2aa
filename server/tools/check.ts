import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bin, ROOT, run, runNode, seconds, type Ran } from './run';

/**
 * `npm run check`: runs every static check of the code. Prints problems and, as its last line, how many checks
 * passed.
 */

interface Check {
  name: string;
  run(): Promise<Ran>;
}

const DOCUMENT = 'generated/openapi.json';

const CHECKS: Check[] = [
  { name: 'codegen drift', run: drift },
  {
    name: 'generated documentation',
    run: () => runNode(['--import', 'tsx', 'server/tools/docs.ts', '--check']),
  },
  { name: 'API document, redocly', run: redocly },
  { name: 'API document, spectral', run: spectral },
  { name: 'types', run: () => runNode([bin('tsgo/bin/tsc'), '-p', 'tsconfig.json', '--noEmit']) },
  { name: 'lint', run: () => runNode([bin('oxlint/bin/oxlint'), '--deny-warnings']) },
  { name: 'own keys', run: () => runNode(['--import', 'tsx', 'server/tools/ownKeys.ts']) },
  { name: 'phrases', run: () => runNode(['--import', 'tsx', 'server/tools/phrases.ts']) },
  { name: 'format', run: () => runNode([bin('oxfmt/bin/oxfmt'), '--check']) },
  {
    name: 'imports',
    run: () =>
      runNode(
        [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs'].concat([
          'server',
          'console',
          'admin',
          'integrations',
        ]),
      ),
  },
  {
    name: 'unused exports and dependencies',
    run: () => runNode([bin('knip/bin/knip.js'), '--config', '.knip.jsonc', '--no-progress']),
  },
];

/** Keeps both linters from checking for updates or sending usage data. */
function redocly(): Promise<Ran> {
  return runNode([bin('@redocly/cli/bin/cli.js'), 'lint', DOCUMENT, '--config=openapi/redocly.yaml'], {
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
}

function spectral(): Promise<Ran> {
  return runNode([
    bin('@stoplight/spectral-cli/dist/index.js'),
    'lint',
    DOCUMENT,
    '--ruleset=openapi/spectral.yaml',
    '--fail-severity=warn',
    '--quiet',
  ]);
}

/** Runs the generators into a temporary folder and compares the result with the committed files. */
async function drift(): Promise<Ran> {
  const fresh = await mkdtemp(path.join(tmpdir(), 'teehouse-drift-'));
  try {
    const generated = path.join(fresh, 'generated');
    /** Generated files next to hand-written ones. */
    const handlers = path.join(fresh, 'handlers.gen.ts');
    const bridge = path.join(fresh, 'bridge.gen.ts');
    const beside: Record<string, string> = {
      'console/lib/mcp/own/bridge.gen.ts': bridge,
      'server/operations/handlers.gen.ts': handlers,
      'admin/resources/pages.gen.ts': path.join(fresh, 'pages.gen.ts'),
      'admin/resources/actionPanels.gen.ts': path.join(fresh, 'actionPanels.gen.ts'),
    };
    const templates = path.join(fresh, 'templates');
    const script = `import { generate, generateAdminPages, generateHandlers } from './server/tools/codegen';
      import { generateMcpBridge } from './server/mcp/emitBridge';
      import { generateMcpTemplates } from './server/mcp/emitTemplates';
      generateHandlers(${JSON.stringify(handlers)});
      generateAdminPages(${JSON.stringify(fresh)});
      await generate(${JSON.stringify(generated)});
      await generateMcpTemplates(${JSON.stringify(templates)});
      await generateMcpBridge(${JSON.stringify(bridge)});`;
    const ran = await runNode(['--import', 'tsx', '--input-type=module', '-e', script]);
    if (ran.code !== 0) return ran;
    const [wanted, found] = await Promise.all([contents(generated), contents(path.join(ROOT, 'generated'))]);
    const names = [...new Set([...wanted.keys(), ...found.keys()])].sort();
    const differing = names.filter((name) => wanted.get(name) !== found.get(name));
    const list = differing.map((name) => `  generated/${name}`);
    for (const name of (await contents(templates)).keys())
      beside[`server/templates/${name}`] = path.join(templates, name);
    for (const [committed, emitted] of Object.entries(beside)) {
      const kept = await readFile(path.join(ROOT, committed), 'utf8').catch(() => '');
      if ((await readFile(emitted, 'utf8')) !== kept) list.push(`  ${committed}`);
    }
    if (list.length === 0) return { code: 0, output: '' };
    return { code: 1, output: `Out of date with openapi/; run \`npm run codegen\`:\n${list.join('\n')}\n` };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function contents(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(dir, file), await readFile(file, 'utf8')] as const),
    ),
  );
}

const wanted = process.argv.slice(2);
const chosen = CHECKS.filter(
  (check) => wanted.length === 0 || wanted.some((word) => check.name.includes(word)),
);
const started = Date.now();
let failed = 0;
await Promise.all(
  chosen.map(async (check) => {
    const since = Date.now();
    const { code, output } = await check.run();
    if (code === 0)
      console.log(
        `ok      ${check.name} (${seconds(since)})\n${output.replace(/^(?=.)/gm, '        ')}`.trimEnd(),
      );
    else {
      failed++;
      console.log(
        `FAILED  ${check.name} (${seconds(since)})\n${output.trimEnd().replace(/^/gm, '        ')}`,
      );
    }
  }),
);
const diff = await run('git', ['status', '--porcelain', '--', 'console/routes.gen.ts']);
if (process.env.CI && diff.output.trim()) console.log(`note: ${diff.output.trim()}`);
console.log(`checked in ${seconds(started)}`);
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0;
