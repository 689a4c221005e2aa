import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Session } from '../../generated/api/types.gen';
import { SessionContext } from '../session';
import { getResource } from '../schema/resources';
import { UnlistedReferenceFilter } from './UnlistedReferenceFilter';

/** The filter as the finance role sees it. */
function shown(resource: string, value?: string): string {
  const client = new QueryClient();
  client.setQueryData(['open-records', 'instance-types'], [{ id: 'tdx.small', name: 'Small' }]);
  const session = { platform_permissions: ['admin.billing.read'] } as unknown as Session;
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <UnlistedReferenceFilter
          label="Instance type"
          target={getResource(resource)}
          value={value}
          set={() => undefined}
        />
      </SessionContext>
    </QueryClientProvider>,
  );
}

it('suggests public records, and accepts a retired one', () => {
  const html = shown('instance-types', 'tdx.retired');
  expect(html).toContain('<option value="tdx.small">');
  const list = /<datalist id="([^"]+)"/.exec(html)?.[1];
  const input = /<input[^>]*>/.exec(html)?.[0];
  expect(input).toContain(`list="${list}"`);
  expect(input).toContain('value="tdx.retired"');
});

it('is plain text if there are no public records', () => {
  expect(shown('teepods')).not.toContain('datalist');
});
