import { describe, expect, it } from 'vitest';
import type { AppRevisionDetail } from '../../../../generated/api/types.gen';
import { factsOf, filesOf, imagesOf, namesChanged } from './differences';
import { comparedWith } from './pair';
import { missingText, rollBackEffects } from './missing';
import { revisionsPath, revisionsSearch } from './search';

const revision = (change: Partial<AppRevisionDetail>): AppRevisionDetail => ({
  revision_id: 'rev_1',
  revision_number: 1,
  app_id: '50'.repeat(20),
  vm_uuid: '550e8400-e29b-41d4-a716-446655440000',
  compose_hash: 'aa'.repeat(32),
  created_at: '2026-11-21T08:00:00Z',
  operation_type: 'deploy',
  trace_id: null,
  state: 'live',
  allowed_envs: [],
  os_image: 'dstack-0.5.7',
  reason: null,
  live_at: null,
  cvm_count: 1,
  restores: null,
  secret_changes: [],
  triggered_by: null,
  cvm: null,
  workspace: null,
  compose_file: null,
  app_compose: '{}',
  docker_compose_file: '',
  pre_launch_script: null,
  os_image_hash: null,
  kms: null,
  images: [],
  encrypted_env: '',
  user_config: '',
  ...change,
});

it('compares a revision with the one before it, and the first with the live one', () => {
  const all = [
    { revision_id: 'rev_3', state: 'draft' as const },
    { revision_id: 'rev_2', state: 'live' as const },
    { revision_id: 'rev_1', state: 'superseded' as const },
  ];
  expect(['rev_3', 'rev_2', 'rev_1', 'rev_0'].map((to) => comparedWith(all, to))).toEqual([
    'rev_2',
    'rev_1',
    'rev_2',
    'rev_2',
  ]);
  // Alone, as it is the live one.
  expect(comparedWith([{ revision_id: 'rev_1', state: 'live' }], 'rev_1')).toBe('rev_1');
});

describe('differences between two revisions', () => {
  it('always shows both compose hashes and marks changes', () => {
    const facts = factsOf(
      revision({}),
      revision({ compose_hash: 'bb'.repeat(32), os_image: 'dstack-0.6.0' }),
    );
    expect(facts.filter(({ changed }) => changed).map(({ label }) => label)).toEqual([
      'Compose hash',
      'OS image',
    ]);
    expect(factsOf(revision({}), revision({}))[0]).toMatchObject({
      label: 'Compose hash',
      before: { id: 'aa'.repeat(32) },
      changed: false,
    });
    const image = revision({ os_image: 'dstack-0.6.0', os_image_hash: 'cc'.repeat(32) });
    expect(factsOf(revision({}), image)[1]).toEqual({
      label: 'OS image',
      before: { text: 'dstack-0.5.7' },
      after: { text: 'dstack-0.6.0', id: 'cc'.repeat(32) },
      changed: true,
    });
  });

  const composed = (file: object) => revision({ app_compose: JSON.stringify({ name: 'web', ...file }) });

  it('shows changed settings of the guest', () => {
    const facts = factsOf(
      composed({ secure_time: false, storage_fs: 'zfs' }),
      composed({ secure_time: true, storage_fs: 'ext4' }),
    );
    expect(facts.filter(({ changed }) => changed)).toMatchObject([
      { label: 'Secure time source', before: { text: 'no' }, after: { text: 'yes' } },
      { label: 'Disk file system', before: { text: 'zfs' }, after: { text: 'ext4' } },
    ]);
  });

  it('names every other field that changed, also one that only the hashed text holds', () => {
    const facts = factsOf(
      composed({
        runner: 'docker-compose',
        swap_size: '2G',
        salt: null,
        port_policy: { ports: [{ port: 80 }] },
      }),
      composed({ runner: 'bash', salt: null, port_policy: { ports: [] }, later: 'x'.repeat(300) }),
    );
    expect(facts.filter(({ changed }) => changed)).toMatchObject([
      { label: 'later', before: { text: '—' }, after: { text: `${'x'.repeat(200)}…` } },
      { label: 'port_policy', before: { text: '{"ports":[{"port":80}]}' }, after: { text: '{"ports":[]}' } },
      { label: 'runner', before: { text: 'docker-compose' }, after: { text: 'bash' } },
      { label: 'swap_size', before: { text: '2G' }, after: { text: '—' } },
    ]);
    expect(factsOf(revision({ app_compose: 'no JSON' }), revision({ app_compose: '[1]' }))).toBeTruthy();
  });

  it('compares the scripts that either revision has', () => {
    const files = filesOf(
      composed({ init_script: ['a', 'b'] }),
      composed({ init_script: 'c', bash_script: 'd' }),
    );
    expect(files).toEqual([
      { label: 'docker-compose.yml', before: '', after: '' },
      { label: 'Init script', before: 'a\nb', after: 'c' },
      { label: 'Bash script', before: '', after: 'd' },
    ]);
  });

  it('lists added and removed variables', () => {
    expect(namesChanged(['A', 'B'], ['B', 'C'])).toEqual([
      { name: 'A', kind: 'removed' },
      { name: 'C', kind: 'added' },
    ]);
  });

  it('detects an image that changed under the same tag', () => {
    const image = (resolved: string | null) => [
      { service: 'web', image: 'nginx:alpine', pinned: null, resolved, resolved_at: null },
    ];
    const [web] = imagesOf(revision({ images: image('sha256:1') }), revision({ images: image('sha256:2') }));
    expect(web).toMatchObject({
      service: 'web',
      changed: true,
      after: { digest: 'sha256:2', pinned: false },
    });
    expect(imagesOf(revision({ images: image(null) }), revision({}))[0]).toMatchObject({
      after: null,
      changed: true,
    });
  });
});

describe('the address', () => {
  it('keeps valid parameters and drops the rest', () => {
    expect(revisionsSearch({ from: 'rev_1aB', to: 'x', page: '3', other: 1 })).toEqual({
      from: 'rev_1aB',
      page: 3,
    });
    expect(revisionsSearch({ page: '-1' })).toEqual({});
    // The router keeps the raw value of a missing key: "1" + 1 would be page 11.
    expect(revisionsSearch({ from: '1', to: 'x', page: '1' })).toStrictEqual({
      from: undefined,
      to: undefined,
      page: undefined,
    });
    expect(revisionsPath('acme', 'ab', { from: 'rev_1', to: 'rev_2' })).toBe(
      '/acme/apps/ab/revisions?from=rev_1&to=rev_2',
    );
  });
});

it('names the secrets that a rollback lacks', () => {
  expect(missingText([])).toBeNull();
  expect(missingText(['API_KEY'])).toContain('It uses API_KEY, which');
  expect(missingText(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toContain('A, B, C, D, E and 2 more');
});

it('says that a rollback leaves stopped CVMs stopped', () => {
  const [running, stopped] = [{ desired_status: 'running' }, { desired_status: 'stopped' }] as const;
  expect(rollBackEffects([running])[0]).toContain('restarts');
  expect(rollBackEffects([stopped])).toEqual(['The CVM stays stopped. The next start runs this revision.']);
  expect(rollBackEffects([stopped, stopped])).toHaveLength(1);
  expect(rollBackEffects([running, stopped]).join()).toMatch(/one at a time.*Stopped CVMs stay stopped/s);
});
