import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file, its import, and the violated rule (none: allowed). */
const CASES: [string, string, string?][] = [
  ['console/features/cvms/List.tsx', 'server/domain/state.ts', 'console'],
  ['console/features/cvms/Keys.ts', 'generated/admin/schemas.gen.ts', 'console'],
  ['console/features/cvms/Other.ts', 'console/features/teams/Team.ts', 'console-features'],
  ['console/features/cvms/Good.ts', 'console/ui/theme.ts'],
  ['console/features/cvms/Tab.ts', 'console/features/kms/Page.ts', 'console-features'],
  ['console/features/kms/Page.ts', 'console/features/attestation/verified.ts'],
  ['console/features/kms/Other.ts', 'console/features/teams/Team.ts', 'console-cvm-tabs'],
  ['console/features/attestation/verified.ts', 'console/features/cvms/address.ts'],
  ['console/features/network/Page.ts', 'console/features/kms/service.ts', 'console-attestation'],
  ['console/features/teams/Framed.ts', 'console/shell/crumbs.ts', 'console-features'],
  ['console/features/cvms/Shared.tsx', 'console/shared/Dialog.tsx'],
  ['console/shared/Dialog.tsx', 'console/api/client.ts'],
  ['console/shared/Screen.tsx', 'console/features/teams/Team.ts', 'console-shared'],
  ['console/shell/Shell.tsx', 'console/features/teams/Team.ts', 'console-frame'],
  ['console/ui/Table.tsx', 'generated/api/sdk.gen.ts', 'console-ui'],
  ['console/ui/Link.tsx', '@tanstack/react-router', 'console-ui'],
  ['console/ui/Card.tsx', '@mui/material', 'mui-in-one-folder'],
  ['console/ui/mui/Good.tsx', '@mui/material'],
  ['console/lib/hash.ts', 'react', 'console-lib'],
  ['console/lib/calls.ts', 'generated/api/operations.gen.ts', 'console-lib'],
  ['console/lib/texts.ts', 'generated/api/types.gen.ts'],
  ['console/lib/secrets/seal.ts', '@noble/curves/ed25519.js'],
  ['console/api/client.ts', 'console/features/teams/Team.ts', 'console-api'],
  ['console/routes/index.tsx', 'console/features/teams/Team.ts'],
  ['console/routes/other.tsx', 'console/routes/index.tsx', 'console-routes'],
  ['admin/App.tsx', 'console/features/teams/Team.ts', 'admin'],
  ['admin/Good.tsx', 'console/ui/theme.ts'],
  ['server/domain/state.ts', 'server/db/table.ts', 'server-domain'],
  ['server/db/table.ts', 'server/jobs/deploy.ts', 'server-db'],
  ['server/jobs/deploy.ts', 'server/drivers/vmm/real.ts', 'drivers-by-interface'],
  ['server/jobs/good.ts', 'server/drivers/vmm/index.ts'],
  ['server/operations/cvms/deploy/createCvm.ts', 'express', 'express-in-http'],
  ['server/operations/cvms/upward.ts', 'server/http/mount.ts', 'server-operations'],
  ['server/operations/cvms/page.ts', 'console/ui/theme.ts', 'server'],
  [
    'server/operations/cvms/options.ts',
    'generated/api/@tanstack/react-query.gen.ts',
    'server-without-react-query',
  ],
  ['server/teepod/main.ts', 'server/domain/free.ts', 'server-teepod'],
  ['server/teepod/good.ts', 'console/lib/secrets/seal.ts'],
  ['server/http/mount.ts', 'express'],
  ['server/http/up.ts', 'server/app.ts', 'wiring-on-top'],
  ['server/http/tooled.ts', 'server/tools/docker.ts', 'no-test-code'],
  ['server/domain/one.ts', 'server/domain/two.ts', 'no-cycles'],
  ['server/domain/two.ts', 'server/domain/one.ts', 'no-cycles'],
  ['server/domain/lost.ts', 'server/domain/nowhere.ts', 'resolvable'],
  ['server/domain/good.test.ts', 'server/db/table.ts'],
  ['integrations/github-action/run.ts', 'server/domain/state.ts', 'integrations'],
  ['integrations/github-action/page.ts', 'console/ui/theme.ts', 'integrations'],
  ['integrations/github-action/hash.ts', '@noble/curves/ed25519.js', 'integrations-without-packages'],
  ['integrations/github-action/good.ts', 'console/lib/secrets/seal.ts'],
  ['integrations/github-action/calls.ts', 'integrations/client/index.ts'],
  ['integrations/client/index.ts', 'generated/api/sdk.gen.ts'],
  ['console/lib/deployed.ts', 'integrations/client/index.ts', 'console'],
];

it('every import rule rejects forbidden imports and nothing else', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'teehouse-imports-'));
  try {
    await copyFile(path.join(root, '.dependency-cruiser.cjs'), path.join(dir, '.dependency-cruiser.cjs'));
    await copyFile(path.join(root, 'tsconfig.json'), path.join(dir, 'tsconfig.json'));
    await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'));
    const texts = new Map<string, string>();
    for (const [file, imported] of CASES) {
      const local = /^(server|console|admin|integrations|generated)\//.test(imported);
      if (local && !imported.includes('nowhere') && !texts.has(imported))
        texts.set(imported, 'export const x = 1;\n');
      const to = path.posix.relative(path.posix.dirname(file), imported).replace(/\.tsx?$/, '');
      const from = local ? (to.startsWith('.') ? to : `./${to}`) : imported;
      texts.set(file, `export const x = 2;\nexport { x as y } from '${from}';\n`);
    }
    for (const [file, text] of texts) {
      await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
      await writeFile(path.join(dir, file), text);
    }
    const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = [
      cruiser,
      '--config',
      '.dependency-cruiser.cjs',
      '-T',
      'json',
      'server',
      'console',
      'admin',
      'integrations',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: dir,
      maxBuffer: 50_000_000,
    }).catch((error: { stdout: string }) => error);
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { from: string; to: string; rule: { name: string } }[] };
    };
    const broken = (file: string) =>
      summary.violations
        // A cycle is reported once, at one of its members.
        .filter((v) => v.from === file || (v.rule.name === 'no-cycles' && v.to === file))
        .map((v) => v.rule.name);
    for (const [file, imported, name] of CASES)
      if (name) expect(broken(file), `${file} imports ${imported}`).toContain(name);
      else expect(broken(file), `${file} imports ${imported}`).toEqual([]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
