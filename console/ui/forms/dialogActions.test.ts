import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FormShell } from './FormShell';
import { InDialog } from './DialogActions';

const root = path.resolve(import.meta.dirname, '../../..');

const components = ['console', 'admin'].flatMap((app) =>
  readdirSync(path.join(root, app), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => `${app}/${file}`),
);

const filesWith = (pattern: RegExp): string[] =>
  components.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8'))).sort();

it('builds every dialog from the two components that share their buttons', () => {
  expect(filesWith(/from '[./]+mui\/Dialog'/)).toEqual([
    'console/ui/feedback/ConfirmDialog.tsx',
    'console/ui/forms/FormDialog.tsx',
    // It has no buttons.
    'console/ui/layout/CommandPalette.tsx',
  ]);
});

it('leaves Cancel in dialogs to DialogActions', () => {
  // These are pages, whose first button is their action.
  expect(filesWith(/>\s*Cancel\s*<\/(Link|Pending)?Button>/)).toEqual([
    'admin/pages/RecordForm.tsx',
    'console/features/teams/sso/LinkSsoPage.tsx',
    'console/features/teams/sso/ProviderForm.tsx',
    'console/ui/forms/FormShell.tsx',
  ]);
});

it('leaves secrets to be copied to ShownOnce', () => {
  expect(filesWith(/I’ve copied it/)).toEqual(['console/ui/forms/ShownOnce.tsx']);
});

it('puts Cancel before a form’s action in a dialog, and after it on a page', () => {
  const props = {
    error: null,
    pending: false,
    onSubmit: () => undefined,
    onCancel: () => undefined,
    submitLabel: 'Create team',
    children: null,
  };
  const form = createElement(FormShell, props);
  const buttons = (html: string) => [...html.matchAll(/Cancel|Create team/g)].map(([text]) => text);
  expect(buttons(renderToStaticMarkup(createElement(InDialog, { value: () => undefined }, form)))).toEqual([
    'Cancel',
    'Create team',
  ]);
  expect(buttons(renderToStaticMarkup(form))).toEqual(['Create team', 'Cancel']);
});

it('tells every form which of its fields show their part of an error', () => {
  const missing = filesWith(/<FormShell\b/).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const declared = /\n\s*fields=\{([\s\S]*?)\}\n/.exec(text)?.[1] ?? '';
    return [...text.matchAll(/fieldProblem\(\s*problem,\s*'([^']+)'/g)]
      .filter(([, field = '']) => !declared.includes(`'${field}'`))
      .map(([, field]) => `${file}: ${field}`);
  });
  // Its form shows no error box.
  expect(missing).toEqual(['console/features/teams/members/AddressPanel.tsx: slug']);
});

it('keeps the focus on a submit button without changes to save, and gives the reason', () => {
  const props = {
    error: null,
    pending: false,
    onSubmit: () => undefined,
    submitLabel: 'Save changes',
    blockedReason: 'No changes yet.',
    children: null,
  };
  const form = renderToStaticMarkup(createElement(FormShell, props));
  expect(form).not.toContain('disabled=""');
  const [, reason = ''] = /<button[^>]*aria-describedby="([^"]+)"[^>]*aria-disabled="true"/.exec(form) ?? [];
  expect(form).toContain(`id="${reason}"`);
});

it('leaves a dialog’s closing while its form is pending to FormDialog', () => {
  // Their content is no FormShell.
  expect(filesWith(/onClose=\{[^{}]+ \? undefined : (onClose|close)\}/)).toEqual([
    'admin/lists/BulkDialog.tsx',
    'admin/lists/ViewDialog.tsx',
    'admin/pages/ActionDialog.tsx',
    'admin/pages/ReplyDialog.tsx',
    'admin/resources/chat/ChatSettings.tsx',
    'console/ui/forms/FormDialog.tsx',
  ]);
});
