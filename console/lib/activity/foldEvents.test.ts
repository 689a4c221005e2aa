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
  it('shows an operation once, with actor, reason, duration and steps', () => {
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

  it('knows the duration without the request', () => {
    const [row] = foldEvents([{ ...end, data: { took_ms: 811 } }]);
    expect(row).toMatchObject({ took_ms: 811, actor: null });
  });

  it('shows a deletion once, with the time until which it can be undone', () => {
    const [asked, recycled, deleted] = [
      event('delete.requested', 0),
      event('cvm.recycled', 3),
      event('delete.succeeded', 3),
    ];
    const [row, ...rest] = foldEvents([recycled, deleted, asked]);
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ event: deleted, steps: [recycled] });
  });

  it('shows a restoration once, with the CVM’s new name', () => {
    const [asked, restored, started] = [
      event('start.requested', 0),
      event('cvm.restored', 0),
      event('start.succeeded', 3),
    ];
    const [row, ...rest] = foldEvents([started, restored, asked]);
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ event: started, steps: [restored] });
    const [stopped] = foldEvents([{ ...restored, correlation_id: null }]);
    expect(stopped, 'without an operation it is a row').toMatchObject({ steps: [] });
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

  it('keeps the open event as a row', () => {
    const rows = foldEvents([end, ...boots, request], boots[1]?.id);
    expect(rows.map(({ event: row }) => row.kind)).toEqual(['update.succeeded', 'boot.progress']);
    expect(rows[0]?.steps).toEqual([boots[0]]);
    expect(foldEvents([end, request], request.id).map(({ event: row }) => row)).toEqual([end, request]);
  });

  it('shows the cause of a failure once', () => {
    const cause = event('boot.error', 30, { message: 'Boot error: manifest unknown' });
    const failed = event('update.failed', 42, { message: 'Update failed: manifest unknown' });
    expect(foldEvents([failed, cause, ...boots, request])).toMatchObject([{ event: failed, steps: boots }]);
  });
});
