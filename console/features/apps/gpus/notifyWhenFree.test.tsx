import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { getGpuWaitOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { GpuWait, Preflight, PreflightRefusal } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { gpusOnly, type Room } from '../../../lib/texts/roomText';
import { PreflightPanel } from '../deploy/PreflightPanel';
import { SizeWaitPanel } from './SizeWaitPanel';

const REFUSED = { code: 'ERR-02-007', reason: 'No host has a free GPU.', next_smaller: null } as const;
const SINCE = '2026-11-21T08:00:00Z';

const textOf = (node: ReactNode): string =>
  renderToStaticMarkup(node)
    .replace(/<style.*?<\/style>/g, '')
    .replace(/<[^>]*>/g, '');

const SIZE = { gpus: 0, vcpu: 4, memory_mb: 8192, disk_gb: 40 };

const waiting = (room: Room, notified_at: string | null = null): GpuWait => ({
  ...room,
  since: SINCE,
  notified_at,
  held_until: null,
  blocked_by: null,
});

/** @returns the panel for a refused size that needs this, as text */
function shown(limit: PreflightRefusal['limit'], room: Room | null, wait: GpuWait | null = null): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(getGpuWaitOptions({ ...inTeam('acme') }).queryKey, { wait });
  const preflight = {
    refusal: { limit, ...REFUSED },
    warnings: [],
    guest_fields: [],
  } as unknown as Preflight;
  return textOf(
    <QueryClientProvider client={queryClient}>
      <PreflightPanel
        teamSlug="acme"
        preflight={preflight}
        error={null}
        room={room}
        fallback={null}
        onSize={() => undefined}
        onAnywhere={undefined}
      />
    </QueryClientProvider>,
  );
}

it('offers an email when no host has the GPUs of the chosen size', () => {
  expect(shown('capacity', gpusOnly(1))).toContain('Notify me when 1 GPU is free');
  expect(shown('capacity', gpusOnly(8))).toContain('Notify me when 8 GPUs are free');
  // After the email, the user is off the waitlist.
  const told = waiting(gpusOnly(8), SINCE);
  expect(shown('capacity', gpusOnly(8), told)).toContain('Notify me when 8 GPUs are free');
});

it('shows that the user already waits, and for how many GPUs', () => {
  const wait = waiting(gpusOnly(2));
  expect(shown('capacity', gpusOnly(2), wait)).toContain('You’ll get an email when 2 GPUs are free.');
  expect(shown('capacity', gpusOnly(2), wait)).not.toContain('Tell me');
  expect(shown('capacity', gpusOnly(4), wait)).toContain(
    'You’re on the waitlist for 2 GPUs. Joining for 4 GPUs replaces that entry.',
  );
});

it('offers an email when no host has capacity for a size without GPUs', () => {
  expect(shown('capacity', SIZE)).toContain('Notify me when there’s capacity');
  expect(shown('capacity', SIZE, waiting(SIZE, SINCE))).toContain('Notify me when there’s capacity');
});

it('shows that the user already waits for this size, with a way out', () => {
  const text = shown('capacity', SIZE, waiting(SIZE));
  expect(text).toContain(
    'You’ll get an email when a host has capacity for 4 vCPU, 8 GB memory and 40 GB disk.',
  );
  expect(text).toContain('Leave the waitlist');
  expect(text).not.toContain('Tell me');
  expect(shown('capacity', { ...SIZE, disk_gb: 60 }, waiting(SIZE))).toContain(
    'You’re on the waitlist for 4 vCPU, 8 GB memory and 40 GB disk. Joining for 4 vCPU, 8 GB memory and 60 GB disk replaces that entry.',
  );
  expect(shown('capacity', gpusOnly(1), waiting(SIZE))).toContain('Joining for 1 GPU replaces that entry.');
});

it('offers no wait where free capacity wouldn’t help', () => {
  expect(shown('capacity', null)).not.toContain('Tell me');
  expect(shown('quota', gpusOnly(1))).not.toContain('Tell me');
});

/** @returns the GPU page's panel, as text */
function panel(wait: GpuWait | null): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(getGpuWaitOptions({ ...inTeam('acme') }).queryKey, { wait });
  return textOf(
    <QueryClientProvider client={queryClient}>
      <SizeWaitPanel teamSlug="acme" counts={[1, 8]} />
    </QueryClientProvider>,
  );
}

it('shows a wait for GPUs or a size on the GPU page', () => {
  expect(panel(waiting(gpusOnly(8)))).toContain('You joined the waitlist for 8 GPUs');
  expect(panel(waiting(SIZE))).toContain('You joined the waitlist for 4 vCPU, 8 GB memory and 40 GB disk');
  expect(panel(waiting(SIZE))).toContain('Leave the waitlist');
  expect(panel(waiting(gpusOnly(1), SINCE))).toContain('when 1 GPU became available');
  expect(panel(null)).toContain('Join the waitlist');
  expect(panel(null)).toContain('make a reservation');
});

it('says whose turn it is, and why the team is passed over', () => {
  expect(panel(waiting(gpusOnly(8)))).toContain('Teams take turns');
  expect(panel(waiting(gpusOnly(8)))).not.toContain('passed over');
  expect(panel({ ...waiting(gpusOnly(8)), blocked_by: 'quota' })).toContain(
    'its quota doesn’t allow this size',
  );
  const unfunded = { ...waiting(SIZE), blocked_by: 'funds' } as const;
  expect(panel(unfunded)).toContain('can’t pay for the first hour');
  expect(shown('capacity', SIZE, unfunded)).toContain('can’t pay for the first hour');
});

it('says that offered capacity is held, until it isn’t', () => {
  const told = waiting(gpusOnly(1), SINCE);
  expect(panel({ ...told, held_until: SINCE })).toContain('held for your team');
  expect(panel(told)).not.toContain('held for your team');
});

it('says that joining again gives up room that is held', () => {
  const offered = { ...waiting(SIZE, SINCE), held_until: SINCE };
  const text = 'An offer of 4 vCPU, 8 GB memory and 40 GB disk is held for your team.';
  expect(shown('capacity', gpusOnly(8), offered)).toContain(text);
  expect(shown('capacity', gpusOnly(8), waiting(SIZE, SINCE))).not.toContain('held');
});
