import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { getGpuWaitOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { GpuWait, Preflight, PreflightRefusal } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { PreflightPanel } from '../deploy/PreflightPanel';

const REFUSED = { code: 'ERR-02-007', reason: 'No host has a free GPU.', next_smaller: null } as const;
const SINCE = '2026-11-21T08:00:00Z';

/** @returns the panel for a refused size with this many GPUs, as text */
function shown(limit: PreflightRefusal['limit'], gpus: number, wait: GpuWait | null = null): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(getGpuWaitOptions({ ...inTeam('acme') }).queryKey, { wait });
  const preflight = {
    refusal: { limit, ...REFUSED },
    warnings: [],
    guest_fields: [],
  } as unknown as Preflight;
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <PreflightPanel
        teamSlug="acme"
        preflight={preflight}
        error={null}
        gpus={gpus}
        fallback={null}
        onSize={() => undefined}
        onAnywhere={undefined}
      />
    </QueryClientProvider>,
  )
    .replace(/<style.*?<\/style>/g, '')
    .replace(/<[^>]*>/g, '');
}

it('offers an email when no host has the GPUs of the chosen size', () => {
  expect(shown('capacity', 1)).toContain('Tell me when 1 GPU is free');
  expect(shown('capacity', 8)).toContain('Tell me when 8 GPUs are free');
  // After the email, the user is off the waitlist.
  const told = { gpus: 8, since: SINCE, notified_at: SINCE };
  expect(shown('capacity', 8, told)).toContain('Tell me when 8 GPUs are free');
});

it('shows that the user already waits, and for how many GPUs', () => {
  const wait = { gpus: 2, since: SINCE, notified_at: null };
  expect(shown('capacity', 2, wait)).toContain('You’ll get an email when 2 GPUs are free.');
  expect(shown('capacity', 2, wait)).not.toContain('Tell me');
  expect(shown('capacity', 4, wait)).toContain(
    'You’re on the waitlist for 2 GPUs. Waiting for 4 GPUs replaces that.',
  );
});

it('offers no wait where free GPUs wouldn’t help', () => {
  expect(shown('capacity', 0)).not.toContain('Tell me');
  expect(shown('quota', 1)).not.toContain('Tell me');
});
