import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Fleet } from './Fleet';

const shown = (addsTeepods: boolean) =>
  renderToStaticMarkup(
    <Fleet nodes={[]} teepods={[]} seesCvms={false} addsTeepods={addsTeepods} every={1000} />,
  );

it('offers to add a teepod only to users who may', () => {
  expect(shown(true)).toContain('href="/admin/infra/teepods/create"');
  expect(shown(false)).not.toContain('Add teepod');
});
