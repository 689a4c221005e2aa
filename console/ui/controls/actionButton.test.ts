import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ActionButton } from './ActionButton';
import { PendingButton } from './PendingButton';

const root = path.resolve(import.meta.dirname, '../../..');

const filesWith = (folders: readonly string[], pattern: RegExp): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.tsx'))
        .map((file) => `${folder}/${file}`),
    )
    .filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    .sort();

const shown = (props: { reason: string | undefined; pending?: boolean }) =>
  renderToStaticMarkup(createElement(ActionButton, props, 'Check host')).replaceAll(
    /<style.*?<\/style>/gs,
    '',
  );

it('keeps a button focusable if its action is unavailable or in progress', () => {
  const refused = shown({ reason: 'Your platform role doesn’t include admin.infra.write.' });
  expect(refused).toContain('aria-disabled="true"');
  expect(refused).toMatch(/role="tooltip"[^>]*>Your platform role doesn’t include admin\.infra\.write\./);
  const pending = shown({ reason: undefined, pending: true });
  expect(pending).toContain('aria-disabled="true"');
  expect(refused + pending).not.toContain('disabled=""');
  expect(shown({ reason: undefined })).not.toContain('disabled');
});

it('keeps a pending button focusable that is unavailable, too', () => {
  const unavailable = renderToStaticMarkup(
    createElement(PendingButton, { pending: false, disabled: true }, 'Save changes'),
  );
  expect(unavailable).toContain('aria-disabled="true"');
  expect(unavailable).not.toContain('disabled=""');
});

it('never gives the reason as the title of a disabled button, which can’t be read', () => {
  expect(
    filesWith(
      ['admin', 'console/features', 'console/shell'],
      /<Button\b(?:[^>]|=>)*\s(?:title=|\{\s*title:)/,
    ),
  ).toEqual([]);
});

it('doesn’t disable a button for its own request, which would drop the focus', () => {
  const pending =
    /<(?:Button|button|SwitchInput|CheckboxInput)\b(?:[^>]|=>)*\sdisabled=\{[^}]*(?:pending|isSuccess|isFetching|saving|busy)/i;
  expect(filesWith(['admin', 'console'], pending)).toEqual([]);
});
