import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bin, ROOT, run, runNode, seconds, type Ran } from './run';

/**
 * `npm run check`: everything that can be said about the code without running it. Prints what is wrong and, as its last
 * line, how many of the checks passed.
 */

interface Check {
  name: string;
  run(): Promise<Ran>;
}

const CHECKS: Check[] = [
  { name: 'codegen drift', run: drift },
  { name: 'types', run: () => runNode([bin('tsgo/bin/tsc'), '-p', 'tsconfig.json', '--noEmit']) },
  { name: 'lint', run: () => runNode([bin('oxlint/bin/oxlint'), '--deny-warnings']) },
  { name: 'format', run: () => runNode([bin('oxfmt/bin/oxfmt'), '--check']) },
  {
    name: 'imports',
    run: () =>
      runNode(
        [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs'].concat([
          'server',
          'console',
          'admin',
        ]),
      ),
  },
];

/** Runs the generator aside and compares: what is committed must be what the document gives. */
async function drift(): Promise<Ran> {
  const fresh = await mkdtemp(path.join(tmpdir(), 'teehouse-drift-'));
  try {
    const script = `import { generate } from './server/tools/codegen'; await generate(${JSON.stringify(fresh)});`;
    const ran = await runNode(['--import', 'tsx', '--input-type=module', '-e', script]);
    if (ran.code !== 0) return ran;
    const [wanted, found] = await Promise.all([contents(fresh), contents(path.join(ROOT, 'generated'))]);
    const names = [...new Set([...wanted.keys(), ...found.keys()])].sort();
    const differing = names.filter((name) => wanted.get(name) !== found.get(name));
    if (differing.length === 0) return { code: 0, output: '' };
    const list = differing.map((name) => `  generated/${name}`).join('\n');
    return { code: 1, output: `Not what openapi/product.yaml gives; run \`npm run codegen\`:\n${list}\n` };
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
    if (code === 0) console.log(`ok      ${check.name} (${seconds(since)})`);
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
