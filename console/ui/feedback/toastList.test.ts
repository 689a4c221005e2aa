import { describe, expect, it } from 'vitest';
import { withToast, type ShownToast, type Toast } from './toastList';

const link = { label: 'Recycle bin', href: '/t?show=bin' };
const deleting = (...operations: string[]): Toast => ({
  tone: 'progress',
  title: 'Deleting',
  operations,
  link,
});
const deleted = (id: string): Toast => ({
  tone: 'ok',
  title: `Deleted: ${id}`,
  operations: [id],
  group: { key: 'delete.succeeded', title: (count) => `Deleted: ${count} CVMs` },
});
const shown = (...toasts: Toast[]) =>
  toasts.reduce<ShownToast[]>((before, toast, key) => withToast(before, toast, key), []);

describe('the toasts of an operation', () => {
  it('are merged into one, which shows the result and keeps the link', () => {
    for (const toasts of [
      [deleting('web'), deleted('web')],
      [deleted('web'), deleting('web')],
    ])
      expect(shown(...toasts)).toMatchObject([{ tone: 'ok', title: 'Deleted: web', link }]);
  });

  it('show that several are in progress until the last one has ended', () => {
    const one = shown(deleting('web', 'db'), deleted('web'));
    expect(one).toMatchObject([{ title: 'Deleting', operations: ['db'] }, { title: 'Deleted: web' }]);
    expect(withToast(one, deleted('db'), 9)).toMatchObject([{ title: 'Deleted: 2 CVMs', link }]);
  });

  it('show a failure', () => {
    const failed: Toast = { tone: 'error', title: 'Delete failed: web', operations: ['web'] };
    expect(shown(deleting('web'), failed).map(({ title }) => title)).toEqual(['Delete failed: web']);
  });

  it('don’t affect other operations’ toasts', () => {
    expect(shown(deleting('web'), deleted('db')).map(({ title }) => title)).toEqual([
      'Deleting',
      'Deleted: db',
    ]);
  });
});

it('keeps the newest three', () => {
  const toasts = [1, 2, 3, 4].map((n): Toast => ({ tone: 'ok', title: `Saved ${n}` }));
  expect(shown(...toasts).map(({ title }) => title)).toEqual(['Saved 2', 'Saved 3', 'Saved 4']);
});

it('drops the link of merged toasts, unless all open the same page', () => {
  const to = (href: string): Toast => ({ ...deleted(href), link: { label: 'Show', href } });
  const [row] = shown(to('/a'), to('/b'));
  expect(row?.title).toBe('Deleted: 2 CVMs');
  expect(row?.link).toBeUndefined();
});
