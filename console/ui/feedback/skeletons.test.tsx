import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PageSkeleton, RowsSkeleton } from './Skeletons';

const statuses = (html: string) => html.match(/role="status"/g)?.length ?? 0;

it('says to screen readers once that a page or a part of one is loading', () => {
  const page = renderToStaticMarkup(<PageSkeleton label="Loading the host" />);
  expect(page).toMatch(/role="status".*>Loading the host<.*aria-hidden="true"/);
  expect(statuses(page)).toBe(1);
  const rows = renderToStaticMarkup(<RowsSkeleton />);
  expect(rows).toMatch(/role="status".*>Loading<.*aria-hidden="true"/);
  expect(statuses(rows)).toBe(1);
  expect(renderToStaticMarkup(<RowsSkeleton label="Loading the audit log" />)).toContain(
    '>Loading the audit log<',
  );
});
