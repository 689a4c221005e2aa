import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { foldEvents } from './foldEvents';

let id = 100;
const event = (kind: string, second: number, change: Partial<ActivityEvent> = {}): ActivityEvent => ({
  id: String(id++),
  kind,
  severity: 'info',
  message: kind,
  created_at: new Date(Date.UTC(2026, 10, 23, 10, 0, second)).toISOString(),
  correlation_id: 'op-1',
  app_id: null,
  cvm: null,
  actor: null,
  data: {},
  ...change,
});

const ada = { object_type: 'user' as const, id: 'usr_1', username: 'ada', avatar_url: null };
const request = event('update.requested', 0, { actor: ada, data: { reason: 'New key' } });
const boots = [event('host.boot.progress', 20), event('boot.progress', 10)];
const end = event('update.succeeded', 42);
const other = event('cvm.renamed', 30, { correlation_id: null });

describe('foldEvents', () => {
  it('shows an operation once, with who, why, how long and its steps', () => {
    const [first, second, ...rest] = foldEvents([end, other, ...boots, request]);
    expect(rest).toEqual([]);
    expect(first).toEqual({
      event: end,
      steps: boots,
      actor: 'ada',
      reason: 'New key',
      took_ms: 42_000,
    });
    expect(second).toMatchObject({ event: other, steps: [], took_ms: null });
  });

  it('knows how long it took without the request', () => {
    const [row] = foldEvents([{ ...end, data: { took_ms: 811 } }]);
    expect(row).toMatchObject({ took_ms: 811, actor: null });
  });

  it('shows a deletion once, with until when it can be undone', () => {
    const [asked, recycled, deleted] = [
      event('delete.requested', 0),
      event('cvm.recycled', 3),
      event('delete.succeeded', 3),
    ];
    const [row, ...rest] = foldEvents([recycled, deleted, asked]);
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ event: deleted, steps: [recycled] });
  });

  it('shows a restoration once, with who and how long its start took', () => {
    const [asked, restored, booted, started, failed] = [
      event('start.requested', 0, { actor: ada }),
      event('cvm.restored', 0, { actor: ada, message: 'Restored from the recycle bin' }),
      event('boot.progress', 10),
      event('start.succeeded', 12, { message: 'Started' }),
      event('start.failed', 12, { severity: 'error', message: 'Start failed: no capacity' }),
    ];
    const row = { event: { message: 'Restored from the recycle bin' }, actor: 'ada', steps: [booted] };
    expect(foldEvents([booted, restored, asked])).toMatchObject([{ ...row, took_ms: null }]);
    expect(foldEvents([started, booted, restored, asked])).toMatchObject([{ ...row, took_ms: 12_000 }]);
    expect(foldEvents([failed, booted, restored, asked])).toMatchObject([
      { ...row, event: failed, took_ms: 12_000 },
    ]);
    // Of a CVM that was stopped when it was deleted, nothing starts.
    const alone = { ...restored!, correlation_id: null };
    expect(foldEvents([alone])).toMatchObject([{ event: alone, actor: 'ada', steps: [], took_ms: null }]);
  });

  it('folds into the request while the operation is in progress', () => {
    const [first, ...rest] = foldEvents([...boots, request]);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      event: request,
      steps: boots,
      actor: 'ada',
      reason: 'New key',
      took_ms: null,
    });
  });

  it('keeps the steps of an operation that isn’t in the list', () => {
    expect(foldEvents(boots).map(({ event: row }) => row)).toEqual(boots);
  });

  it('keeps the open event a row', () => {
    const rows = foldEvents([end, ...boots, request], boots[1]?.id);
    expect(rows.map(({ event: row }) => row.kind)).toEqual(['update.succeeded', 'boot.progress']);
    expect(rows[0]?.steps).toEqual([boots[0]]);
    expect(foldEvents([end, request], request.id).map(({ event: row }) => row)).toEqual([end, request]);
  });

  it('says the cause of a failure once', () => {
    const cause = event('boot.error', 30, { message: 'Boot error: manifest unknown' });
    const failed = event('update.failed', 42, { message: 'Update failed: manifest unknown' });
    expect(foldEvents([failed, cause, ...boots, request])).toMatchObject([{ event: failed, steps: boots }]);
  });
});
