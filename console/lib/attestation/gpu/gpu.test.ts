import { describe, expect, it } from 'vitest';
import { bytesToHex, utf8 } from '../../bytes';
import { GPU_UNCHECKED } from './gpuUnchecked';
import { gpuRequest } from './gpuRequest';
import { summary } from '../summary';
import { mockEvidence, mockPolicy, runtimeEvent } from '../testing/mockEvidence';
import { honest, NOW, pki } from '../testing/tampering';
import type { Evidence, Report } from '../types';
import { verifyEvidence } from '../verify';

const app = (compose: string, more: object = {}): string =>
  JSON.stringify({ docker_compose_file: compose, ...more });
const service = (lines: string): string => `services:\n  web:\n    image: nginx\n${lines}`;

const report = async (evidence: Evidence): Promise<Report> =>
  verifyEvidence(evidence, { now: NOW, policy: mockPolicy(evidence), roots: [pki.rootPem] });
const gpu = ({ checks }: Report) => checks.find(({ id }) => id === 'gpu');

/** Expects that a GPU makes the result an exception that lists everything left unchecked. */
function expectException(result: Report): void {
  expect(result.state).toBe('verified with exceptions');
  expect(gpu(result)?.state).toBe('warning');
  for (const item of GPU_UNCHECKED) expect(gpu(result)?.detail).toContain(item);
  expect(summary(result).line).toContain('Not checked');
}

describe('a compose file', () => {
  it.each<[string, string]>([
    ['gpus', '    gpus: all\n'],
    ['gpus as a list', '    gpus:\n      - driver: x\n'],
    ['a device reservation', '    deploy: {resources: {reservations: {devices: [{capabilities: [gpu]}]}}}\n'],
    ['a driver', '    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 1}]}}}\n'],
    ['a runtime', '    runtime: nvidia\n'],
    ['an escaped runtime', '    runtime: "\\x6evidia"\n'],
    ['a binary runtime', '    runtime: !!binary bnZpZGlh\n'],
    ['a binary runtime with an escaped tag', '    runtime: !!bin%61ry bnZpZGlh\n'],
    ['a device node', '    devices: ["/dev/nvidia0:/dev/nvidia0"]\n'],
    ['a render node', '    devices: [/dev/dri]\n'],
    ['a CDI device', '    devices: ["nvidia.com/gpu=all"]\n'],
    ['an environment variable', '    environment: [NVIDIA_VISIBLE_DEVICES=all]\n'],
    [
      'an aliased capability',
      '    x: &c [gpu]\n    deploy: {resources: {reservations: {devices: [{capabilities: *c}]}}}\n',
    ],
    ['a word split over lines', '    runtime: "nvi\\\n      dia"\n'],
    ['an escaped slash', '    devices: ["\\/dev\\/dri"]\n'],
    ['a merged key', '    <<: &x {"\\u0067pus": all}\n'],
  ])('requests a GPU through %s', (_, lines) => {
    expect(gpuRequest(app(service(lines)))).not.toBeNull();
  });

  it.each<[string, string]>([
    ['a plain service', ''],
    [
      'other devices and limits',
      '    devices: [/dev/net/tun]\n    deploy: {resources: {limits: {cpus: "1"}}}\n',
    ],
    ['words that contain gpu', '    labels: {a: mygpus, b: gpu-free, c: x.gpu}\n'],
    ['a comment', '    # needs no gpu\n'],
  ])('requests no GPU with %s', (_, lines) => {
    expect(gpuRequest(app(service(lines)))).toBeNull();
  });

  it('requests a GPU through scripts and policies too', () => {
    const plain = service('');
    expect(gpuRequest(app(plain, { pre_launch_script: 'nvidia-smi' }))).toContain('pre_launch_script');
    expect(gpuRequest(app(plain, { requirements: { gpu_policy: { attest_gpu: true } } }))).toContain(
      'policy',
    );
    expect(gpuRequest('[')).not.toBeNull();
  });

  // Each of these keeps a YAML parser busy for seconds or minutes, or crashes its process.
  it.each(['&a ', '!!str ', '[', '- ', '\\', '\\x6', ' ', '#', '/dev/', 'gpu-', '!', '!x ', '\t#\n'])(
    'is parsed in linear time: 200 KB of “%s”',
    (piece) => {
      expect(gpuRequest(app(piece.repeat(Math.floor(200_000 / piece.length))))).toBeNull();
    },
  );

  it('is not parsed beyond the maximum length', () => {
    expect(gpuRequest(app('x'.repeat(300_000)))).toContain('too long');
  });
});

describe('evidence that names a GPU', () => {
  it('is verified without a GPU', () => {
    expect(gpuRequest(honest.app_compose ?? '')).toBeNull();
  });

  it.each(['{"num_gpus":1}', '{"num_gpus":"1"}', '{"num_nvswitches":4}', '{"gpus":{"gpus":[{"slot":"1"}]}}'])(
    'is an exception for VM configuration %s',
    async (more) => {
      const vm_config = JSON.stringify({ ...JSON.parse(honest.vm_config ?? '{}'), ...JSON.parse(more) });
      expectException(await report({ ...honest, vm_config }));
    },
  );

  it('is verified for a VM configuration with no GPU', async () => {
    const vm_config = JSON.stringify({
      ...JSON.parse(honest.vm_config ?? '{}'),
      num_gpus: 0,
      gpus: { gpus: [] },
    });
    const result = await report({ ...honest, vm_config });
    expect([result.state, gpu(result)?.state]).toEqual(['verified', 'passed']);
  });

  const withEvent = (name: string, payload: string): Promise<Evidence> =>
    mockEvidence(pki, {
      events: (events) => {
        const at = events.findIndex(({ event }) => event === 'instance-id');
        return [...events.slice(0, at), runtimeEvent(name, payload), ...events.slice(at)];
      },
    });

  it('shows the claims that RTMR3 binds', async () => {
    const claims = {
      version: 2,
      provider: 'nvidia',
      devices: [{}, {}],
      cc_mode: 'on',
      devtools: false,
      evidence_sha256: 'ab'.repeat(32),
    };
    const result = await report(await withEvent('gpu-attestation', bytesToHex(utf8(JSON.stringify(claims)))));
    expectException(result);
    expect(gpu(result)?.detail).toContain('bound by RTMR3');
    expect(result.facts.gpu_claims).toContain(
      `devices 2, CC mode on, devtools false, evidence SHA-256 ${'ab'.repeat(32)}`,
    );
  });

  it('tolerates unreadable claims', async () => {
    const result = await report(await withEvent('gpu-attestation', bytesToHex(utf8('['.repeat(9000)))));
    expectException(result);
    expect(gpu(result)?.detail).toContain('cannot be read');
  });

  it('distinguishes a GPU policy from the empty one that every 0.6 guest logs', async () => {
    const empty = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    expect((await report(await withEvent('gpu-policy-hash', empty))).state).toBe('verified');
    expectException(await report(await withEvent('gpu-policy-hash', 'cd'.repeat(32))));
  });
});
