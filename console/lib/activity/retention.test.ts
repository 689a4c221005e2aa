import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { count } from '../texts/count';
import { exportHref, keptDays, keptFor, RETENTION, type RetainedKind, type Retention } from './retention';

describe('retention', () => {
  it('is worded with its age and number', () => {
    expect(keptFor('webhook_deliveries')).toBe('30 days, and the newest 10,000 of each webhook');
    expect(keptFor('rollouts')).toBe('1 year');
  });

  it('of everything that is announced has an export', () => {
    for (const [kind, one] of Object.entries(RETENTION) as [RetainedKind, Retention][]) {
      if (one.announced !== null) expect(one.export, kind).not.toBeNull();
      // What isn't has a reason.
      else expect(one.unannounced, kind).toMatch(/\.$/);
    }
  });

  it('links to an export, with the names in its address escaped', () => {
    expect(exportHref('a b', 'webhook_deliveries', 'csv', { webhook_id: 'whk_1&x' })).toBe(
      '/api/v1/workspaces/a%20b/webhook-deliveries/export?format=csv&webhook_id=whk_1%26x',
    );
  });

  const api = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; description?: string }>>;
  };
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

  it.each<[string, RetainedKind]>([
    ['listEvents', 'events'],
    ['exportEvents', 'events'],
    ['exportWebhookDeliveries', 'webhook_deliveries'],
    ['exportRollouts', 'rollouts'],
    ['listAiRequests', 'ai_requests'],
    ['exportAiRequests', 'ai_requests'],
  ])('is the same in the description of %s', (id, kind) => {
    const { description = '' } = operations.find(({ operationId }) => operationId === id) ?? {};
    const { days, newest }: Retention = RETENTION[kind];
    expect(description).toContain(keptDays(days));
    if (newest) expect(description).toContain(count(newest.count));
  });

  it('names exports that exist', () => {
    const known = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
    for (const { export: from } of Object.values(RETENTION))
      if (from !== null) expect(known, from).toContain(from.replace(/\?.*$/, ''));
  });
});
