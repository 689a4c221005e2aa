import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Session } from '../../../generated/api/types.gen';
import { SlotsProvider } from '../../frame/slots';
import { SessionContext } from '../../session';
import { PlatformSettings } from './PlatformSettings';

/** The page's text, without tooltips and attributes. */
const textFor = (platform_permissions: string[]) => {
  const client = new QueryClient();
  client.setQueryData(['/admin/settings'], {
    placement: 'pack',
    recycle_bin_gives_way: true,
    recycle_bin_min_age_hours: 12,
    updated_at: '2026-11-21T08:00:00Z',
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <SlotsProvider>
        <SessionContext value={{ platform_role: 'support', platform_permissions } as unknown as Session}>
          <PlatformSettings />
        </SessionContext>
      </SlotsProvider>
    </QueryClientProvider>,
  ).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ');
};

it('show how hosts are chosen', () => {
  expect(textFor(['admin.infra.write'])).toContain('Fill the fullest host first');
});

it('says why the settings can’t be saved', () => {
  expect(textFor([])).toContain('Your platform role (support) doesn’t include admin.infra.write.');
  expect(textFor(['admin.infra.write'])).not.toContain('admin.infra.write');
});
