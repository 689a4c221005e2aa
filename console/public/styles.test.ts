import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;

test('every style sheet is included in the one that public pages load', () => {
  const styles = readFileSync(`${folder}/styles.ts`, 'utf8');
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(5);
  for (const sheet of sheets) expect(styles).toContain(`'./${sheet}'`);
});
