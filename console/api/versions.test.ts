import { expect, it, vi } from 'vitest';
import { ApiError } from './apiError';
import { sendIfUnchanged } from './versions';

const stale = (field: string, etag: string) =>
  new ApiError({ status: 412, message: 'Changed', etag, fields: [{ field, message: '', value: 1 }] });

it('resends from the current version if other fields changed', async () => {
  const request = vi
    .fn<(headers: Record<'If-Match', string>) => Promise<string>>()
    .mockRejectedValueOnce(stale('name', '"2"'))
    .mockResolvedValueOnce('done');
  expect(await sendIfUnchanged('"1"', ['size'], request)).toBe('done');
  expect(request.mock.calls).toEqual([[{ 'If-Match': '"1"' }], [{ 'If-Match': '"2"' }]]);
});

it('rejects if one of its own fields changed', async () => {
  const request = vi.fn(() => Promise.reject(stale('size', '"2"')));
  await expect(sendIfUnchanged('"1"', ['size'], request)).rejects.toMatchObject({ etag: '"2"' });
  expect(request).toHaveBeenCalledTimes(1);
});

it('gives up after a few versions, and on any other failure', async () => {
  const busy = vi.fn(() => Promise.reject(stale('name', '"2"')));
  await expect(sendIfUnchanged('"1"', ['size'], busy)).rejects.toMatchObject({ status: 412 });
  expect(busy).toHaveBeenCalledTimes(4);
  const broken = vi.fn(() => Promise.reject(new ApiError({ status: 409, message: 'Busy' })));
  await expect(sendIfUnchanged('"1"', ['size'], broken)).rejects.toMatchObject({ status: 409 });
  expect(broken).toHaveBeenCalledTimes(1);
});
