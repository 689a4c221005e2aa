import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Nav } from './Nav';

it('truncates a long label instead of growing wider than the sidebar', () => {
  const label = `Back to ${'W'.repeat(95)}`;
  const html = renderToStaticMarkup(<Nav sections={[{ items: [{ label, href: '/acme' }] }]} />);
  // The sidebar, and its list; a track is otherwise as wide as its longest label.
  expect(html.match(/display:grid;grid-template-columns:minmax\(0, 1fr\)/g)).toHaveLength(2);
  expect(html).toContain('text-overflow:ellipsis');
  expect(html).toContain(label);
});
