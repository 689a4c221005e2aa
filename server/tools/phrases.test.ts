import { expect, it } from 'vitest';
import { findPhrases, isScanned } from './phrases';

const phrasesIn = (text: string) => findPhrases(text).map(({ phrase }) => phrase);

it.each([
  ['The owner is told.', 'is told'],
  ['what is asked for', 'is asked for'],
  ['the page is gone to', 'is gone to'],
  ['The drain was begun.', 'was begun'],
  ['Somebody changed it', 'Somebody'],
  ['as somebody else', 'somebody else'],
  ['whoever registers first', 'whoever'],
  ['Whom mail comes from', 'Whom'],
  ['A person in the team', 'A person'],
  ['what people read', 'people'],
  ['Deploy it anew.', 'anew'],
  ['Resize once more.', 'once more'],
  ['It ends by itself.', 'by itself'],
  ['They restart by themselves.', 'by themselves'],
  ['as large as the host', 'as large as'],
  ['It stops at once.', 'at once'],
  ['Another change is going on.', 'going on'],
  ['Its CVMs go on running.', 'go on'],
  ['What needs a person', 'needs a person'],
  ['Things that differ', 'Things that differ'],
  ['If it stays so', 'If it stays so'],
  ['Spend now', 'Spend now'],
  ['It runs already.', 'It runs already'],
  ['The server made a mistake', 'made a mistake'],
  ['too many rows to find these among them in time', 'find these among them'],
  ['Decide about the change of the other first', 'Decide about the change'],
  ['a feed that is emptied exactly once', 'emptied exactly once'],
  ['Who has none is shown how', 'Who has none'],
  ['What differs is restarted', 'What differs'],
  ['the dearest first', 'the dearest'],
])('rejects %j', (text, phrase) => {
  expect(phrasesIn(text)).toEqual([phrase]);
  expect(phrasesIn(`const text = '${text}';`)).toEqual([phrase]);
});

it('finds a phrase broken over two lines of a comment', () => {
  expect(findPhrases('/**\n * The owner is\n * told.\n */')).toEqual([
    expect.objectContaining({ line: 2, phrase: 'is told' }),
  ]);
  expect(phrasesIn('// stops at\n  // once')).toEqual(['at once']);
});

it.each([
  'The team was notified immediately.',
  "import { person } from './people/person';",
  'server/operations/admin/people/listPeople.ts',
  'const peopleById = somebodyElse();',
  'an ongoing rollout',
  'once per hour',
  'a personal token',
  'the format of the address',
  'endearing',
])('accepts %j', (text) => expect(phrasesIn(text)).toEqual([]));

it('scans sources, documents and packaging, but no generated files, recordings or migrations', () => {
  expect(
    [
      'server/a.ts',
      'admin/b.tsx',
      'openapi/c.yaml',
      'docs/d.md',
      '.dependency-cruiser.cjs',
      'console/index.html',
      'integrations/e/action.yml',
      'server/packaging/Dockerfile',
      'server/packaging/grafana/f.json',
      'server/packaging/helm/templates/NOTES.txt',
    ].filter((file) => !isScanned(file)),
  ).toEqual([]);
  expect(
    [
      'generated/api/sdk.gen.ts',
      'console/routes.gen.ts',
      'server/db/migrations/0001_start.ts',
      'console/e2e/fixtures/a.ts',
      'server/drivers/vmm/recordings/vmm.json',
      'package-lock.json',
    ].some(isScanned),
  ).toBe(false);
});
