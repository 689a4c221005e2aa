import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement, type ComponentProps, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { ActionButton } from './ActionButton';
import type { ButtonProps } from './Button';
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

it('stays the same element when a reason appears, so that a press that causes it keeps the focus', () => {
  /** The elements around and of the button: one that moves or changes its kind is replaced. */
  const place = (markup: string) => markup.slice(0, markup.indexOf('Check host')).match(/<[a-z]+/g);
  const available = shown({ reason: undefined });
  expect(place(available)).toEqual(['<span', '<button']);
  expect(place(shown({ reason: 'Already stopping.' }))).toEqual(place(available));
  expect(available).not.toContain('aria-describedby');
  expect(available).not.toContain('role="tooltip"');
  const kinds = (reason: string | undefined) => {
    const outer = ActionButton({ reason, children: 'Stop' });
    return [outer.type, (outer.props as { children: ReactElement }).children.type];
  };
  expect(kinds('Already stopping.')).toEqual(kinds(undefined));
});

it('is used wherever a button can have a reason, because a choice of two buttons replaces one by the other', () => {
  // A link with a reason has no choice: it is another element than a button.
  const choice =
    /<(?:Button|PendingButton)\b(?:(?!<LinkButton)[^]){0,400}?\) : \(\s*<ActionButton\b|<ActionButton\b(?:(?!<LinkButton)[^]){0,300}?\) : \(\s*<(?:Button|PendingButton)\b/;
  expect(filesWith(['admin', 'console'], choice)).toEqual([]);
});

it('keeps a pending button focusable that is unavailable, too', () => {
  const unavailable = renderToStaticMarkup(
    createElement(PendingButton, { pending: false, disabled: true }, 'Save changes'),
  );
  expect(unavailable).toContain('aria-disabled="true"');
  expect(unavailable).not.toContain('disabled=""');
});

/** Clicks a button as rendered; `detail` is the number of clicks in a row, 0 for the keyboard. */
function clicked(props: Partial<ComponentProps<typeof PendingButton>>, details: readonly number[]): number {
  let prevented = 0;
  const Probe = () => {
    const { onClick } = PendingButton({ pending: false, ...props }).props as ButtonProps;
    for (const detail of details)
      onClick?.({ detail, preventDefault: () => void (prevented += 1) } as unknown as Parameters<
        NonNullable<typeof onClick>
      >[0]);
    return null;
  };
  renderToStaticMarkup(createElement(Probe));
  return prevented;
}

it('takes a double click for one click, also after its action has ended', () => {
  for (const details of [[1], [0]]) {
    const onClick = vi.fn();
    expect(clicked({ onClick }, details)).toBe(0);
    expect(onClick).toHaveBeenCalledOnce();
  }
  const onClick = vi.fn();
  expect(clicked({ onClick }, [2, 3])).toBe(2);
  expect(onClick).not.toHaveBeenCalled();
  // Otherwise a second click would submit the form again.
  expect(clicked({ type: 'submit' }, [1, 2])).toBe(1);
});

it('takes the second click after a refusal, because it is a new attempt', () => {
  const onClick = vi.fn();
  expect(clicked({ onClick, isRefused: true }, [2])).toBe(0);
  expect(onClick).toHaveBeenCalledOnce();
  expect(clicked({ type: 'submit', isRefused: true }, [2])).toBe(0);
});

it('acts once on two taps that aren’t a double click, before its action shows as pending', () => {
  const onClick = vi.fn();
  clicked({ onClick }, [1, 1]);
  expect(onClick).toHaveBeenCalledOnce();
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
