// GPUs. Their measurements, mode and revocation status can't be verified offline, and most evidence lacks NVIDIA's
// reports. An app that uses one is therefore never plainly "verified", and the report says what was left out.

import { sha256 } from '@noble/hashes/sha2.js';
import { cutWhole } from '../../texts/cutWhole';
import { bytesToHex, hexToBytes, utf8 } from '../../bytes';
import type { Log } from '../events/eventChecks';
import { gpuRequest } from './gpuRequest';
import type { GpuBinding } from './gpuEvidence';
import { GPU_NEVER_CHECKED, GPU_UNCHECKED } from './gpuUnchecked';
import { readJson } from '../json';
import type { VmConfig } from '../os/osLite';
import type { Run } from '../run';

/** The measured value for "no policy", which every 0.6 guest logs: SHA-256 of `{}`. */
const NO_POLICY = bytesToHex(sha256(utf8('{}')));
const MAX_APP_COMPOSE = 2_097_152;

/** References to a GPU, one phrase each. */
function namedBy(app_compose: string | undefined, log: Log | null, config: VmConfig | null): string[] {
  const events = log?.events.filter(({ imr }) => imr === 3) ?? [];
  const policy = events.find(({ event }) => event === 'gpu-policy-hash');
  const request =
    app_compose !== undefined && app_compose.length <= MAX_APP_COMPOSE ? gpuRequest(app_compose) : null;
  return [
    ...(request === null ? [] : [request]),
    ...(config?.gpus ? [`the VM configuration says ${config.gpus}`] : []),
    ...(events.some(({ event }) => event === 'gpu-attestation')
      ? ['the event log has “gpu-attestation”']
      : []),
    ...(policy && policy.event_payload !== NO_POLICY ? ['the event log has a GPU policy'] : []),
  ];
}

const word = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? cutWhole(String(value), 80)
    : 'not stated';

/** What the guest measured about its GPUs before it received keys; as trustworthy as the OS image. */
function boundClaims(log: Log | null): string | null {
  const payload = log?.system?.values.get('gpu-attestation');
  if (payload === undefined) return null;
  const json = readJson(new TextDecoder().decode(hexToBytes(payload) ?? new Uint8Array(0)));
  if ('fault' in json || typeof json.value !== 'object' || json.value === null)
    return 'RTMR3 binds a “gpu-attestation” event that cannot be read.';
  const { provider, devices, cc_mode, devtools, evidence_sha256 } = json.value as Readonly<
    Record<string, unknown>
  >;
  const count = Array.isArray(devices) ? devices.length : word(devices);
  return `Stated by the guest’s OS and bound by RTMR3: provider ${word(provider)}, devices ${count}, CC mode ${word(cc_mode)}, devtools ${word(devtools)}, evidence SHA-256 ${word(evidence_sha256)}.`;
}

/** Returns what is left unchecked for this evidence. */
function unchecked({ checks, policy }: Run, binding: GpuBinding | null): string[] {
  if (!checks.passed('gpu.signature')) return [...GPU_UNCHECKED];
  return [
    ...GPU_NEVER_CHECKED,
    ...(checks.passed('gpu.firmware') ? [] : ['whether the GPU’s key belongs to its firmware']),
    ...(policy.gpu_nonce === undefined ? ['age of the GPU’s report'] : []),
    ...(binding === 'measured' ? [] : ['whether the GPU is attached to this CVM']),
  ];
}

/** @param binding between NVIDIA's evidence and the quote, once checked */
export function checkGpu(
  run: Run,
  log: Log | null,
  config: VmConfig | null,
  binding: GpuBinding | null,
): void {
  const { checks, evidence, facts } = run;
  // A file other than the measured one proves nothing about what runs.
  const app_compose = checks.state('compose.hash') === 'failed' ? undefined : evidence.app_compose;
  const named = [
    ...namedBy(app_compose, log, config),
    ...(evidence.nvidia_payload === undefined ? [] : ['the evidence has NVIDIA’s report']),
  ];
  if (named.length > 0) {
    facts.gpu_named_by = named;
    facts.gpu_unchecked = unchecked(run, binding);
    facts.gpu_claims = boundClaims(log) ?? undefined;
    checks.warn(
      'gpu',
      [
        `A GPU is involved: ${named.join('; ')}. Not checked: ${facts.gpu_unchecked.join('; ')}.`,
        ...(facts.gpu_claims === undefined ? [] : [facts.gpu_claims]),
      ].join(' '),
    );
    return;
  }
  const missing = [
    ...(app_compose === undefined ? ['measured Compose file'] : []),
    ...(evidence.vm_config === undefined ? ['VM configuration'] : []),
  ];
  if (missing.length > 0)
    checks.skip(
      'gpu',
      `The evidence lacks the ${missing.join(' and the ')}, so it is unknown whether a GPU is used.`,
    );
  else
    checks.pass('gpu', 'No GPU is named in the Compose file, VM configuration or event log.', {
      trusted: ['OS image'],
    });
}
