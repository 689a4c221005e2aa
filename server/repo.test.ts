import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root';

/** What holds for the repository as a whole, and no compiler sees. */

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const isCode = (file: string) => /\.(ts|tsx|cjs|css|html)$/.test(file);
const isGenerated = (file: string) => file.startsWith('generated/') || file.endsWith('.gen.ts');

describe('the top level', () => {
  it('has the entries of the design and what tools demand there, nothing else', () => {
    const allowed = `openapi generated console admin server
      codegen.config.ts package.json tsconfig.json vite.config.ts README.md
      package-lock.json LICENSE vitest.config.ts playwright.config.ts`.split(/\s+/);
    const entries = new Set(files.map((file) => file.split('/')[0] ?? ''));
    expect([...entries].filter((name) => !name.startsWith('.') && !allowed.includes(name))).toEqual([]);
  });
});

describe('source files', () => {
  /** Longer than a person reads at once, and why that is right here. */
  const LONG: Record<string, string> = {
    'server/db/schema.ts': 'one list of all tables, in the order of the first migration',
    'server/db/migrations/0001_foundation.ts': 'a migration that has been applied is never split',
    'server/operations/cvms/reading.test.ts': 'one world, read in every way',
    'server/clients/sdk.docker.test.ts': 'one CVM through all its life, action by action',
  };

  it('have fewer than 400 lines', () => {
    const long = files.filter(
      (file) => isCode(file) && !isGenerated(file) && read(file).split('\n').length > 400,
    );
    expect(long.filter((file) => !(file in LONG))).toEqual([]);
  });

  it('do not excuse files that are short or gone', () => {
    const needless = Object.keys(LONG).filter(
      (file) => !files.includes(file) || read(file).split('\n').length <= 400,
    );
    expect(needless).toEqual([]);
  });

  it('put nothing off', () => {
    const postponed = /\b(TODO|FIXME|XXX)\b|coming soon|not (yet )?implemented/i;
    const found = files
      .filter((file) => isCode(file) && !isGenerated(file) && file !== 'server/repo.test.ts')
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, i) => (postponed.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });
});

describe.each(['README.md', 'openapi/README.md'])('%s', (name) => {
  const text = read(name);

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z0-9:]+)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names paths that exist', () => {
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
    const linked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const paths = [...quoted, ...linked].filter((word) =>
      /^(openapi|generated|console|admin|server)\/[\w./<>$-]*$|^[\w.-]+\.(yaml|ts|json|cjs|md)$/.test(word),
    );
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter((file) => {
      // `server/operations/<tag>/<operationId>.ts` is a form, of which the beginning must exist.
      const exact = file.split('<')[0] ?? file;
      return ![ROOT, path.join(ROOT, path.dirname(name))].some((base) => existsSync(path.join(base, exact)));
    });
    expect(missing).toEqual([]);
  });
});

describe('README.md', () => {
  const text = read('README.md');

  it('gives the two commands before anything else', () => {
    const firstScreen = text.split('\n## ')[0] ?? '';
    expect(firstScreen).toMatch(/^npm ci && npm start\b/m);
    expect(firstScreen).toMatch(/^npm ci && npm test\b/m);
  });

  it('names commands of teehouse that its help knows', () => {
    const help = read('server/cli/help.ts');
    const named = [...text.matchAll(/teehouse -- ([a-z]+(?: [a-z-]+)?)/g)].map((match) => match[1] ?? '');
    const rows = [
      ...(text.split('\n## The `teehouse` command')[1]?.split('\n## ')[0] ?? '').matchAll(
        /`([a-z]+(?: [a-z-]+)?)/g,
      ),
    ]
      .map((match) => match[1] ?? '')
      .filter((command) => command !== 'npm run' && command !== 'npm');
    expect(rows.length).toBeGreaterThan(5);
    const unknown = [...named, ...rows].filter(
      (command) => command !== 'help' && !help.includes(`teehouse ${command.trim()}`),
    );
    expect(unknown).toEqual([]);
  });

  it('shows a picture that is there and not heavy', () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(text)?.[1] ?? '';
    const bytes = readFileSync(path.join(ROOT, picture));
    expect(bytes.length).toBeLessThan(300_000);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });
});
