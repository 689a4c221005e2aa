import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OperationsButton } from './Menus';

const operations = ['1', '2'].map((id) => ({ id, title: 'Starting', subject: 'web', href: '/acme' }));
const shown = (hasMore: boolean) =>
  renderToStaticMarkup(<OperationsButton operations={operations} hasMore={hasMore} />);

it('says if there are more operations than the menu lists', () => {
  expect(shown(true)).toMatch(/aria-label="More than 2 operations in progress".*2\+<\/button>/s);
  expect(shown(false)).toMatch(/aria-label="2 operations in progress".*2<\/button>/s);
});
