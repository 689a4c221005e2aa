import { describe, expect, it } from 'vitest';
import { affectedSpecs } from './changedSpecs';

const LOGS = 'console/e2e/logs.spec.ts';
const MEMBERS = 'console/e2e/team/members.spec.ts';
const FLEET = 'console/e2e/admin/fleet.spec.ts';
const specs = new Map([
  [LOGS, "import { signIn } from './support';\nawait page.goto(`${cvm}/logs`);"],
  [MEMBERS, 'await page.goto(`/${slug}/members`);'],
  [FLEET, "await page.goto('/admin');"],
]);
const importers = new Map([
  ['console/lib/time.ts', ['console/features/logs/LogView.tsx']],
  ['console/features/logs/LogView.tsx', ['console/routes/-tabs/LogTab.tsx']],
  ['console/routes/-tabs/LogTab.tsx', ['console/routes/$teamSlug.cvms.$vmUuid/logs.tsx']],
  ['console/features/teams/Members.tsx', ['console/routes/$teamSlug.members.tsx']],
  ['console/ui/theme.ts', ['console/main.tsx', 'console/features/logs/LogView.tsx']],
  ['console/shell/Frame.tsx', ['console/routes/$teamSlug.tsx']],
  ['console/e2e/support.ts', [LOGS]],
  ['admin/App.tsx', []],
]);
const affected = (...changed: string[]) => affectedSpecs({ changed, importers, specs });

describe('browser specs that a change can affect', () => {
  it('selects specs that visit a route whose page imports the file', () => {
    expect(affected('console/lib/time.ts')).toEqual([LOGS]);
    expect(affected('console/features/teams/Members.tsx')).toEqual([MEMBERS]);
  });

  it('selects changed specs, and those that import a changed helper', () => {
    expect(affected(MEMBERS)).toEqual([MEMBERS]);
    expect(affected('console/e2e/support.ts')).toEqual([LOGS]);
  });

  it('follows a subject from server and document to its screens', () => {
    expect(affected('server/operations/teams/removeMember.ts')).toEqual([MEMBERS]);
    expect(affected('openapi/paths/logs.yaml')).toEqual([LOGS]);
  });

  it('selects admin specs for the admin area', () => {
    expect(affected('admin/App.tsx')).toEqual([FLEET]);
  });

  it('selects every spec for code shared by all pages', () => {
    const all = [FLEET, LOGS, MEMBERS];
    expect(affected('console/ui/theme.ts')).toEqual(all);
    expect(affected('console/shell/Frame.tsx')).toEqual(all);
    expect(affected('server/http/mount.ts')).toEqual(all);
    expect(affected('package-lock.json')).toEqual(all);
  });

  it('selects none for unit tests, documentation and generated files', () => {
    expect(affected('console/lib/time.test.ts', 'README.md', 'generated/api/types.gen.ts')).toEqual([]);
    // Programs that run elsewhere have no pages.
    expect(affected('integrations/github-action/run.ts')).toEqual([]);
  });
});
