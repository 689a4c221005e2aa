import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root';
import { SUBJECTS } from './tools/apiDocument';

/** Repository-wide rules that no compiler checks. */

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
  it('has only the designed entries and those that tools require there', () => {
    const allowed = `openapi generated console admin server integrations docs
      codegen.config.ts package.json tsconfig.json vite.config.ts README.md
      package-lock.json LICENSE vitest.config.ts playwright.config.ts`.split(/\s+/);
    const entries = new Set(files.map((file) => file.split('/')[0] ?? ''));
    expect([...entries].filter((name) => !name.startsWith('.') && !allowed.includes(name))).toEqual([]);
  });
});

describe('folders', () => {
  it('hold at most 40 files', () => {
    const sizes = new Map<string, number>();
    for (const file of files)
      if (!isGenerated(file)) sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
    const large = [...sizes].filter(([, count]) => count > 40);
    expect(large).toEqual([]);
  });
});

describe('subjects', () => {
  /** Layers by subject, each with the folders that belong to none. */
  const LAYERS: Record<string, readonly string[]> = {
    'server/operations': ['core'],
    'server/domain': ['core'],
    'server/db': ['core', 'migrations'],
    'server/jobs': ['core'],
    'console/features': [],
  };

  it.each(Object.entries(LAYERS))('are the only folders in %s, besides %j', (layer, others) => {
    const folders = new Set(
      files
        .filter((file) => file.startsWith(`${layer}/`))
        .map((file) => file.slice(layer.length + 1).split('/'))
        .flatMap(([folder = '', ...below]) => (below.length === 0 ? [] : [folder])),
    );
    expect(folders.size).toBeGreaterThan(10);
    expect([...folders].filter((name) => ![...SUBJECTS, ...others].includes(name))).toEqual([]);
  });

  it('have no code beside their folders, except what codegen writes and the types of all handlers', () => {
    const beside = Object.keys(LAYERS).flatMap((layer) =>
      files.filter((file) => path.dirname(file) === layer && !isGenerated(file)),
    );
    expect(beside).toEqual(['server/operations/types.ts']);
  });
});

describe('source files', () => {
  /** Files over the line limit, each with the reason. */
  const LONG: Record<string, string> = {
    'server/db/migrations/0001-0029/0001_foundation.ts': 'an applied migration is never split',
  };

  it('have fewer than 400 lines', () => {
    const long = files.filter(
      (file) => isCode(file) && !isGenerated(file) && read(file).split('\n').length > 400,
    );
    expect(long.filter((file) => !(file in LONG))).toEqual([]);
  });

  it('list no exceptions for short or removed files', () => {
    const needless = Object.keys(LONG).filter(
      (file) => !files.includes(file) || read(file).split('\n').length <= 400,
    );
    expect(needless).toEqual([]);
  });

  it('contain no TODO comments', () => {
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

describe('the admin area', () => {
  it('uses only public APIs of its libraries', () => {
    const found = files.filter(
      (file) =>
        /^(admin|console)\/.*\.tsx?$/.test(file) &&
        /\b(UNSAFE_|__SECRET_INTERNALS|unstable_)\w/.test(read(file)),
    );
    expect(found).toEqual([]);
  });
});

describe('comments', () => {
  it('name files that exist', () => {
    const missing = files
      .filter((file) => isCode(file) && !isGenerated(file))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, i) => {
            const comment = /(?:\/\/|\/\*\*?|^\s*\*) (.*)$/.exec(line)?.[1] ?? '';
            return [...comment.matchAll(/(?<![\w/@:.-])(?:[\w.-]+\/)+[\w.-]+\.tsx?\b/g)]
              .map(([named]) => named.replace(/^(\.{1,2}\/)+/, ''))
              .filter((named) => !files.some((one) => one === named || one.endsWith(`/${named}`)))
              .map((named) => `${file}:${i + 1}: ${named}`);
          }),
      );
    expect(missing).toEqual([]);
  });
});

describe('download buttons', () => {
  /** Components with their own icon, each with the reason. */
  const OWN: Record<string, string> = {
    'console/ui/controls/DownloadButton.tsx': 'the shared one, for files that are created when asked',
    'console/ui/logs/LogToolbar.tsx': 'an icon without text',
    'console/ui/controls/ExportLinks.tsx': 'links to files',
    'admin/resources/billing/InvoiceLines.tsx': 'links to a file',
    'console/features/accounts/settings/RecoveryCodesDialog.tsx': 'saves what is on the screen',
    'console/ui/wallets/SafeFileButton.tsx': 'saves what is on the screen',
  };

  it('use the shared component where a file is created', () => {
    const found = files.filter(
      (file) => isCode(file) && /from 'lucide-react\/icons\/download'/.test(read(file)),
    );
    expect(found.toSorted()).toEqual(Object.keys(OWN).toSorted());
  });
});

/** Files that readers write themselves, or get from the product. */
const READERS_FILES = ['imprint.md', 'privacy.md', 'report.md', 'site.yaml', 'template.yaml', 'terms.md'];

/** All but the changelogs, which name what existed then. */
const guides = files.filter(
  (file) => file.endsWith('.md') && !/^docs\/(api-changelog|CHANGELOG)\.md$/.test(file),
);

describe.each(guides)('%s', (name) => {
  const text = read(name);

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z0-9:]+)/g)].map((match) => match[1] ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names paths that exist', () => {
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
    const linked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const paths = [...quoted.filter((word) => !READERS_FILES.includes(word)), ...linked].filter((word) =>
      /^(openapi|generated|console|admin|server|integrations|docs)\/[\w./<>$-]*$|^[\w.-]+\.(yaml|ts|json|cjs|md)$/.test(
        word,
      ),
    );
    const missing = paths.filter((file) => {
      // `server/operations/<tag>/<operationId>.ts` is a pattern; only its fixed prefix must exist.
      const exact = file.split('<')[0] ?? file;
      return ![ROOT, path.join(ROOT, path.dirname(name))].some((base) => existsSync(path.join(base, exact)));
    });
    expect(missing).toEqual([]);
  });
});

describe('README.md', () => {
  const text = read('README.md');

  it('starts with the two commands', () => {
    const firstScreen = text.split('\n## ')[0] ?? '';
    expect(firstScreen).toMatch(/^npm ci && npm start\b/m);
    expect(firstScreen).toMatch(/^npm ci && npm test\b/m);
  });

  it('stays under 120 lines', () => {
    expect(text.split('\n').length).toBeLessThan(120);
  });

  it('names every document', () => {
    const documents = files.filter((file) => /^docs\/([^/]+\.md|adr\/README\.md)$/.test(file));
    expect(documents.filter((file) => !text.includes(file))).toEqual([]);
  });

  it('names only teehouse commands that the help lists', () => {
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

  it('shows an existing image of moderate size', () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(text)?.[1] ?? '';
    const bytes = readFileSync(path.join(ROOT, picture));
    expect(bytes.length).toBeLessThan(300_000);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('docs/', () => {
  const names = files.filter((file) => /^docs\/[^/]+\.md$/.test(file));
  /** Heading anchors as on GitHub: lower case, spaces as hyphens, other punctuation dropped. */
  const anchorsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it.each(['README.md', ...names])('%s links to headings that exist', (name) => {
    const text = read(name);
    const links = [...text.matchAll(/\]\(([\w./-]*\.md)?#([^)\s]+)\)/g)];
    const broken = links
      .filter(([, file, anchor = '']) => {
        const target = file === undefined ? text : read(path.join(path.dirname(name), file));
        return !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => link);
    expect(broken).toEqual([]);
  });

  it('lists every architecture decision, each with context, consequences and what would change it', () => {
    const records = files.filter((file) => /^docs\/adr\/\d{4}-[\w-]+\.md$/.test(file));
    expect(records.length).toBeGreaterThanOrEqual(10);
    const index = read('docs/adr/README.md');
    expect(records.filter((file) => !index.includes(`](${path.basename(file)})`))).toEqual([]);
    const parts = ['Context', 'Decision', 'Consequences', 'What would change our mind'];
    const incomplete = records.filter((file) => parts.some((part) => !read(file).includes(`\n## ${part}\n`)));
    expect(incomplete).toEqual([]);
  });

  it('explains what to do about every kind of alert', () => {
    const { components } = JSON.parse(read('generated/openapi.json')) as {
      components: { schemas: { AdminAlertKind: { enum: string[] } } };
    };
    const text = read('docs/operations.md');
    const missing = components.schemas.AdminAlertKind.enum.filter(
      (kind) => !text.includes(`\n| \`${kind}\` |`),
    );
    expect(missing).toEqual([]);
  });
});
