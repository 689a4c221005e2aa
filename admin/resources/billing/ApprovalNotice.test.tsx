import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ApprovalNotice } from './ApprovalNotice';

const shown = (waits: boolean) =>
  renderToStaticMarkup(<ApprovalNotice waits={waits} text="One administrator can move $100.00." />).replace(
    /<style.*?<\/style>/gs,
    '',
  );

it('is prominent only if the form needs approval', () => {
  expect(shown(true)).toMatch(/role="note".*Needs approval.*One administrator can move \$100\.00\./s);
  expect(shown(false)).not.toMatch(/role="note"|Needs approval/);
  expect(shown(false)).toContain('One administrator can move $100.00.');
});
