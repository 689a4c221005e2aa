import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Notification } from '../../../generated/api/types.gen';
import { NotificationRow } from './NotificationRow';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

function shown(resolved_at: string | null): string {
  const notification: Notification = {
    id: 'ntf_1',
    kind: 'operation_failed',
    severity: 'error',
    title: 'Deploy failed: web',
    message: 'The VM did not boot.',
    team: { object_type: 'workspace', id: 'team_1', slug: 'acme', name: 'Acme', avatar_url: null },
    cvm: null,
    count: 1,
    created_at: '2026-03-01T07:00:00Z',
    updated_at: '2026-03-01T09:00:00Z',
    resolved_at,
    read_at: null,
    finance_action_id: null,
  };
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <NotificationRow
        notification={notification}
        unread={false}
        onFollow={() => undefined}
        onRead={() => undefined}
      />
    </RouterContextProvider>,
  );
}
const textOf = (html: string) => html.replaceAll(/<style.*?<\/style>|<[^>]*>/gs, '');

it('shows a resolved failure as resolved, without a check, and with both ages', () => {
  const html = shown('2026-03-01T11:30:00Z');
  expect(textOf(html)).toContain('Resolved: Deploy failed: web');
  expect(textOf(html)).toContain('3 h ago · resolved 30 min ago');
  expect(html).toContain('lucide-circle-minus');
  expect(html).not.toContain('lucide-circle-check');
});

it('shows an open failure as an error', () => {
  const html = shown(null);
  expect(textOf(html)).toContain('Error: Deploy failed: web');
  expect(html).toContain('lucide-circle-x');
});
