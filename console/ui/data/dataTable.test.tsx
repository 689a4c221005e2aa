import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DataTable } from './DataTable';

const root = path.resolve(import.meta.dirname, '../../..');

const counts = (rows: readonly string[], hasNextPage: boolean, items?: number) =>
  renderToStaticMarkup(
    <DataTable
      id="members"
      noun={['member', 'members']}
      columns={[{ id: 'name', header: 'Name', cell: (name: string) => name }]}
      rows={rows}
      items={items}
      more={{ list: { hasNextPage, isFetchingNextPage: false, fetchNextPage: () => Promise.resolve() } }}
      rowId={(name) => name}
      rowName={(name) => name}
      empty={null}
    />,
  ).match(/\d+\+? members?|Show older/g);

it('says if more rows can be loaded', () => {
  expect(counts(['ann', 'bob'], true)).toEqual(['2+ members', 'Show older']);
  expect(counts(['ann', 'bob'], false)).toEqual(['2 members']);
  // A row may stand for several items.
  expect(counts(['ann', 'bob'], true, 30)).toEqual(['30+ members', 'Show older']);
});

it('shows the button that loads more rows, so that the count agrees with it', () => {
  const files = readdirSync(path.join(root, 'console/features'), { recursive: true, encoding: 'utf8' });
  const both = files.filter((file) => {
    const code = file.endsWith('.tsx') ? readFileSync(path.join(root, 'console/features', file), 'utf8') : '';
    return code.includes('<DataTable') && code.includes('<MoreButton');
  });
  expect(both).toEqual([]);
});
