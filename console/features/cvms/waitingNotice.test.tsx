import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WaitingChange } from './WaitingNotice';

const shown = (is_allowed: boolean | null, { overtaken = false, isFinal = false } = {}) =>
  renderToStaticMarkup(
    <WaitingChange
      approval={{
        is_allowed,
        overtaken,
        revision: { revision_id: 'rev_2', revision_number: 2 },
        base_revision: { revision_id: 'rev_1', revision_number: 1 },
      }}
      isFinal={isFinal}
      teamSlug="acme"
      app_id={'ab'.repeat(20)}
      href="/acme/cvms/1/kms"
    />,
  ).replace(/<style.*?<\/style>/gs, '');
const links = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)</g)].map(([, ...link]) => link);

it('links to the new file and to its approval', () => {
  const html = shown(false);
  expect(html).toContain('Revision 2 is waiting for the app’s contract.');
  const [changes, allow] = links(html);
  expect(changes).toEqual([
    expect.stringMatching(/revisions\?from=rev_1&amp;to=rev_2$/) as string,
    'View changes',
  ]);
  expect(allow).toEqual(['/acme/cvms/1/kms', 'Allow it']);
});

it('links to the commit once the change is allowed', () => {
  const html = shown(true);
  expect(html).toContain('Revision 2 is ready to commit.');
  expect(html).not.toContain('is waiting for');
  expect(links(html).at(-1)).toEqual(['/acme/cvms/1/kms', 'Commit it']);
});

it('links to the withdrawal of a change that was overtaken', () => {
  const html = shown(false, { overtaken: true });
  expect(html).toContain('Revision 2 was superseded by another change.');
  expect(html).not.toContain('ready to commit');
  expect(links(html).at(-1)).toEqual(['/acme/cvms/1/kms', 'Withdraw it']);
});

it('doesn’t ask for an approval that nobody can give', () => {
  const html = shown(false, { isFinal: true });
  expect(html).toContain('Nobody can allow revision 2.');
  expect(links(html).at(-1)).toEqual(['/acme/cvms/1/kms', 'Withdraw it']);
  // A change that is already allowed can be committed; one with unknown status may be allowed.
  expect(shown(true, { isFinal: true })).toContain('ready to commit');
  expect(shown(null, { isFinal: true })).not.toContain('Nobody');
});
