import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FormEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { Conversation } from './chat/Conversation';
import { ConfirmDialog } from './feedback/ConfirmDialog';
import { FormShell } from './forms/FormShell';
import { useSingleFlight } from './useSingleFlight';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns what a component returned, as rendered. */
function rendered<Result>(component: () => Result): Result {
  const results: Result[] = [];
  const Probe = () => {
    results.push(component());
    return null;
  };
  renderToStaticMarkup(<Probe />);
  return results[0]!;
}

/** Returns the first form in an element. */
function formIn(node: unknown): { onSubmit: (event: FormEvent) => void } | undefined {
  if (Array.isArray(node)) return node.map(formIn).find((form) => form !== undefined);
  const props = (node as ReactElement<Record<string, unknown>> | null)?.props;
  if (!props) return undefined;
  return typeof props.onSubmit === 'function' ? (props as never) : formIn(props.children);
}

const event = { preventDefault: () => undefined, stopPropagation: () => undefined } as FormEvent;
const base = { error: null, pending: false, children: null };

const forms: Record<string, (send: () => unknown) => unknown> = {
  FormShell: (onSubmit) => rendered(() => FormShell({ ...base, submitLabel: 'Create team', onSubmit })),
  ConfirmDialog: (onConfirm) => {
    const props = { open: true, title: 'Stop?', confirmLabel: 'Stop', pending: false, problem: null };
    const dialog = rendered(() => ConfirmDialog({ ...props, onConfirm, onClose: () => undefined }));
    const content = (dialog.props as { children: ReactElement }).children;
    return rendered(() => (content.type as (given: unknown) => ReactElement)(content.props));
  },
  Conversation: (onSend) =>
    rendered(() =>
      Conversation({
        turns: null,
        isBusy: false,
        problem: null,
        label: 'Message',
        text: 'Hello',
        maxLength: 10,
        onText: () => undefined,
        onSend: () => void onSend(),
        actions: null,
        settings: null,
      }),
    ),
};

it.each(Object.entries(forms))('sends one request for two submits in one tick of %s', async (_, form) => {
  const send = vi.fn();
  const { onSubmit } = formIn(form(send))!;
  onSubmit(event);
  onSubmit(event);
  await Promise.resolve();
  onSubmit(event);
  expect(send).toHaveBeenCalledTimes(1);
});

it.each(Object.entries(forms))('sends again after a refused submit of %s', async (_, form) => {
  const send = vi.fn();
  const { onSubmit } = formIn(form(send))!;
  onSubmit(event);
  // Nothing shows as pending: the values were refused, or the request has failed.
  await vi.waitFor(() => {
    onSubmit(event);
    expect(send.mock.calls.length).toBeGreaterThan(1);
  });
});

it('waits for a promise, and ends with it whether it succeeds or fails', async () => {
  const ends: ((failed: boolean) => void)[] = [];
  const act = vi.fn(
    () =>
      new Promise<string>((resolve, reject) =>
        ends.push((failed) => (failed ? reject(new Error('refused')) : resolve('sent'))),
      ),
  );
  const send = rendered(() => useSingleFlight(() => act().catch(() => 'refused')));
  for (const failed of [true, false, true]) {
    const first = send();
    await new Promise((resolve) => setTimeout(resolve, 5));
    // Joins the first.
    expect(send()).toBe(first);
    ends.pop()!(failed);
    expect(await first).toBe(failed ? 'refused' : 'sent');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(act).toHaveBeenCalledTimes(3);
});

it('leaves a rejection to the caller, or else to the page’s error reports', async () => {
  const error = new Error('offline');
  const send = rendered(() => useSingleFlight(() => Promise.reject(error)));
  await expect(send()).rejects.toBe(error);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const others = process.listeners('unhandledRejection');
  const reported = vi.fn<(reason: unknown) => void>();
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', reported);
  try {
    void send();
    await vi.waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  }
  expect(reported.mock.lastCall?.[0]).toBe(error);
});

it('isn’t blocked by an action that throws', () => {
  const act = vi.fn(() => {
    throw new Error('invalid');
  });
  const send = rendered(() => useSingleFlight(act));
  expect(send).toThrow('invalid');
  expect(send).toThrow('invalid');
});

it('guards every form that sends something', () => {
  const files = ['console', 'admin'].flatMap((app) =>
    readdirSync(path.join(root, app), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
      .map((file) => `${app}/${file}`),
  );
  const unguarded = files.filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const isForm = /<form\b|styled\('form'\)|\bForm,?[^;]*from 'react-admin'/.test(text);
    return isForm && text.includes('onSubmit=') && !text.includes('useSingleFlight(');
  });
  expect(unguarded.sort()).toEqual([
    'console/public/islands/CheckDomain.tsx',
    // Prevents its submission.
    'console/public/islands/PriceCalculator.tsx',
    // Their state changes with the event, before the next.
    'console/public/islands/ReportApp.tsx',
    'console/public/islands/WatchApp.tsx',
    'console/public/islands/WatchByWebhook.tsx',
  ]);
});
