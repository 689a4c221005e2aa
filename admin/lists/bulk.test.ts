import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { describeForm } from '../schema/forms';
import { bulkChanges, bulkOperations, isTyped } from './bulk';

const labels = (resource: string) => bulkOperations(getResource(resource)).map(({ label }) => label);

it('labels bulk actions like a single record’s buttons, without the kind', () => {
  expect(labels('cvms')).toContain('Shut down');
  expect(labels('queue-jobs')).toContain('Cancel');
});

it('accepts the number of rows as shown, with or without commas', () => {
  for (const typed of ['1,234', '1234', ' 1 234 ']) expect(isTyped(typed, 1_234)).toBe(true);
  for (const typed of ['', '123', '12345']) expect(isTyped(typed, 1_234)).toBe(false);
});

it('sets every chosen field to what its input shows, also if it was not touched', () => {
  const shows = (form: string, values: Record<string, unknown>, ...names: string[]) =>
    bulkChanges(
      describeForm(form).filter(({ name }) => names.includes(name)),
      values,
    );
  expect(shows('AdminUserPatch', {}, 'platform_role')).toEqual({ platform_role: null });
  expect(shows('AdminUserPatch', { platform_role: 'infra' }, 'platform_role')).toEqual({
    platform_role: 'infra',
  });
  const announcement = ['dismissible', 'workspaces', 'teepod_id', 'link'];
  expect(shows('AdminAnnouncementPatch', { audience: 'workspaces' }, ...announcement)).toEqual({
    dismissible: false,
    workspaces: [],
    link: null,
  });
});

it('offers no secrets, which are set one record at a time', () => {
  const fields = ['audit-destinations', 'teepods', 'ai-upstreams'].flatMap(
    (name) => bulkOperations(getResource(name)).find((one) => one.name === 'edit')?.fields ?? [],
  );
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(({ type }) => type === 'secret')).toEqual([]);
});
