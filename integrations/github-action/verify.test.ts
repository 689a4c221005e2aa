import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../console/lib/compose/composeHash';
import { mockPolicy } from '../../console/lib/attestation/testing/mockEvidence';
import { createMockPki, type MockPki } from '../../console/lib/attestation/testing/mockPki';
import type { Evidence, Policy } from '../../console/lib/attestation/types';
import { raTlsGuest, type RaTlsGuest } from '../../server/testing/raTlsGuest';
import type { Cvm } from '../../generated/api/types.gen';
import { createTeehouse } from '../client';
import { DeployError } from './exit';
import { createLog } from './log';
import { isEnough, readPolicy, verifyCvm, type Wanted } from './verify';

/** Unix seconds. */
const NOW = Math.floor(Date.now() / 1000);
let pki: MockPki;
let guest: RaTlsGuest;
let evidence: Evidence;
let policy: Policy;
let wanted: Wanted;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  guest = await raTlsGuest(pki);
  ({ evidence } = guest);
  policy = policyOf(guest);
  const { docker_compose_file, allowed_envs } = JSON.parse(evidence.app_compose ?? '') as {
    docker_compose_file: string;
    allowed_envs: string[];
  };
  wanted = {
    compose_hash: sha256Hex(evidence.app_compose ?? ''),
    docker_compose_file,
    env_names: allowed_envs,
  };
});

/** The values a team would pin; the report data is the certificate's. */
function policyOf({ evidence: of, ca_pubkey }: RaTlsGuest): Policy {
  const { report_data: _, ...policy } = mockPolicy(of);
  return { ...policy, key_provider_ids: [ca_pubkey], kms_roots: [ca_pubkey] };
}

/** A server's statements about a CVM. */
const answerOf = (given: Evidence, expected: object = {}) => ({
  vm_uuid: 'v',
  name: 'my-app',
  trust: 'unknown',
  source: 'guest',
  collected_at: new Date(NOW * 1000).toISOString(),
  evidence: { simulated: false, ...given },
  certificate_chain: guest.info.app_cert,
  expected: {
    app_id: policy.app_id,
    compose_hash: wanted.compose_hash,
    instance_id: policy.instance_id ?? null,
    device_ids: policy.device_ids ?? [],
    os_images: (policy.os_image_hashes ?? []).map((os_image_hash) => ({ os_image_hash, is_dev: false })),
    key_provider_ids: policy.key_provider_ids ?? [],
    ...expected,
  },
});

/** Verifies a server's answers on a runner that expects its own file. */
const verify = (answer: object, { want = wanted, pinned = {} as Partial<Policy> } = {}) =>
  verifyCvm(
    {
      client: createTeehouse({
        server: 'https://cloud.example.test',
        token: 'thk_api_test',
        fetch: async () => Response.json(answer),
      }),
      log: createLog(() => undefined, { workflow: false }),
      deadline: Date.now(),
      poll_ms: 1,
    },
    { id: 'cvm_1', vm_uuid: 'v', name: 'my-app' } as Cvm,
    want,
    pinned,
    { roots: [pki.rootPem] },
  );
const failedIn = ({ checks }: Awaited<ReturnType<typeof verify>>) =>
  checks.filter(({ state }) => state === 'failed').map(({ title }) => title);

describe('verification on the runner', () => {
  it('accepts genuine evidence of the repository’s file, and lists what the server stated itself', async () => {
    const verified = await verify(answerOf(evidence));
    expect([verified.state, failedIn(verified)]).toEqual(['verified', []]);
    expect(verified.from_server).toEqual([
      'settings besides the Compose file and the variable names',
      'app ID',
      'instance ID',
      'machine',
      'OS images',
      'KMS root key',
    ]);
    const pinned = await verify(answerOf(evidence), { pinned: policy });
    expect(pinned.state).toBe('verified');
    expect(pinned.from_server).not.toContain('OS images');
  });

  it('rejects genuine evidence of another Compose file, whatever the server expects', async () => {
    const other = { ...wanted, docker_compose_file: `${wanted.docker_compose_file}# changed\n` };
    const verified = await verify(answerOf(evidence), { want: other });
    expect(verified.state).toBe('not verified');
    expect(failedIn(verified)).toEqual(['Compose file of this repository']);
    expect(verified.line).toContain('a different Compose file');
    const names = await verify(answerOf(evidence), { want: { ...wanted, env_names: ['MORE'] } });
    expect(names.state).toBe('not verified');
    const hash = await verify(answerOf(evidence), { want: { ...wanted, compose_hash: 'ab'.repeat(32) } });
    expect(hash.state).toBe('not verified');
  });

  it('rejects a changed byte, and a displayed file that was not measured', async () => {
    const quote = evidence.quote ?? '';
    const flipped = `${quote.slice(0, 1200)}${quote.slice(1200, 1202) === '00' ? '01' : '00'}${quote.slice(1202)}`;
    expect((await verify(answerOf({ ...evidence, quote: flipped }))).state).toBe('not verified');
    const shown = (evidence.app_compose ?? '').replace('nginx', 'nginy');
    const want = { ...wanted, docker_compose_file: wanted.docker_compose_file.replace('nginx', 'nginy') };
    expect((await verify(answerOf({ ...evidence, app_compose: shown }), { want })).state).toBe(
      'not verified',
    );
  });

  it('uses the policy file instead of the server’s values', async () => {
    const pinned = readPolicy(JSON.stringify({ os_image_hashes: ['ff'.repeat(32)] }));
    expect((await verify(answerOf(evidence), { pinned })).state).toBe('not verified');
    expect(() => readPolicy('{"os_images":[]}')).toThrow(DeployError);
  });

  it('rejects a quote without readable certificates', async () => {
    for (const certificate_chain of [null, 'junk', String(guest.info.app_cert).repeat(2)]) {
      const verified = await verify({ ...answerOf(evidence), certificate_chain });
      expect([verified.state, failedIn(verified)]).toEqual([
        'not verified',
        ['Guest’s certificates are valid'],
      ]);
    }
  });

  it('verifies nothing by evidence on record, however good it was', async () => {
    const kept = { ...answerOf(evidence), source: 'kept' };
    const verified = await verify(kept);
    expect([verified.state, failedIn(verified)]).toEqual(['unknown', []]);
    expect(verified.line).toContain('The guest didn’t respond');
    expect(isEnough(verified.state, 'required')).toBe(false);
    // It can still show that another file runs.
    const want = { ...wanted, docker_compose_file: 'services: {}\n' };
    expect((await verify(kept, { want })).state).toBe('not verified');
  });

  it('judges last year’s evidence by today’s clock, whatever the server calls it', async () => {
    const then = NOW - 365 * 86_400;
    const [now_guest, now_pki] = [guest, pki];
    try {
      pki = await createMockPki(then);
      guest = await raTlsGuest(pki);
      const collected_at = new Date(then * 1000).toISOString();
      const expected = { key_provider_ids: [guest.ca_pubkey] };
      const old = { ...answerOf(guest.evidence, expected), collected_at };
      expect((await verify(old)).state).toBe('not verified');
      expect((await verify({ ...old, source: 'kept' })).state).toBe('unknown');
    } finally {
      [guest, pki] = [now_guest, now_pki];
    }
  });

  it('believes a host that says it has no TEE', async () => {
    const { quote: _, ...without } = evidence;
    expect((await verify(answerOf({ ...without, simulated: true }))).state).toBe('simulated');
  });
});

it.each([
  ['verified', true, true],
  ['verified with exceptions', true, true],
  ['unknown', false, true],
  ['simulated', false, true],
  ['not verified', false, false],
] as const)('%s is enough: required %s, report %s', (state, required, report) => {
  expect([isEnough(state, 'required'), isEnough(state, 'report'), isEnough(state, 'off')]).toEqual([
    required,
    report,
    true,
  ]);
});
