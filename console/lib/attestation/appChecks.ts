// The workload in the TD: Compose file, app, instance, key provider and device. All values come from system events
// whose replay matches the quote's RTMR3.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hasLoneSurrogate, utf8 } from '../bytes';
import type { Log } from './events/eventChecks';
import {
  type AppIdentity,
  type KeyProvider,
  legacyDeviceId,
  mrAggregated,
  configRegisters,
  documentFault,
  mrConfigV3,
  mrSystem,
  NO_DEVICE_ID,
  parseKeyProvider,
} from './identity';
import type { VmConfig } from './os/osLite';
import type { Quote } from './quote';
import { isZero, type Run } from './run';
import type { CheckId, Claims, Facts } from './types';

const hex = (value: string): string => value.toLowerCase().replace(/^(app_|instance_|0x)/, '');
const FROM_LOG = { trusted: ['RTMR3', 'OS image'] };

export function checkApp(run: Run, quote: Quote | null, log: Log | null, config: VmConfig | null): void {
  const { checks, facts } = run;
  const system = log?.system;
  if (system) {
    const value = (name: string): string => system.values.get(name) ?? '';
    facts.compose_hash = value('compose-hash');
    facts.app_id = value('app-id');
    facts.instance_id = value('instance-id');
    checkCompose(run, facts.compose_hash);
    checkAppId(run, facts.app_id, facts.compose_hash);
    checkInstance(run, facts.instance_id);
    const keyProvider = checkKeyProvider(run, value('key-provider'));
    if (quote && keyProvider)
      checkMrConfig(run, quote, config, {
        composeHash: facts.compose_hash,
        appId: facts.app_id,
        instanceId: facts.instance_id,
        keyProvider,
        gpuPolicyHash: system.values.get('gpu-policy-hash'),
        initScriptHashes: system.initScriptHashes,
      });
  }
  if (quote) {
    facts.mr_aggregated = mrAggregated(quote);
    facts.mr_system = mrSystem(quote, system?.values.get('key-provider'));
    facts.device_id_legacy = legacyDeviceId(quote);
    checkDevice(run);
  }
  // Values from a log that failed its checks prove nothing.
  if (checks.state('events.format') !== 'failed' && (system || !log)) checkClaims(run);
}

/** Characters; the Compose file inside has at most 200 KiB, and JSON encoding may double it. */
const MAX_COMPOSE = 2_097_152;
const MAX_DOCUMENT = 65_536;

function checkCompose({ checks, evidence, policy }: Run, measured: string): void {
  if (evidence.app_compose === undefined)
    checks.skip('compose.hash', 'The evidence has no app-compose.json.');
  else if (evidence.app_compose.length > MAX_COMPOSE)
    checks.fail('compose.hash', 'app-compose.json is too long.');
  else if (hasLoneSurrogate(evidence.app_compose))
    checks.fail(
      'compose.hash',
      'app-compose.json contains an unpaired surrogate, so it can’t be encoded as UTF-8 and hashed.',
    );
  else {
    const actual = bytesToHex(sha256(utf8(evidence.app_compose)));
    if (actual === measured)
      checks.pass('compose.hash', `The SHA-256 of app-compose.json is ${measured}, as measured.`, FROM_LOG);
    else
      checks.fail(
        'compose.hash',
        `The SHA-256 of app-compose.json is ${actual}, but the guest measured ${measured}.`,
      );
  }
  compare({ checks }, 'compose.expected', 'compose hash', measured, policy.compose_hash);
}

/** Compares a measured value with the one in the policy, if there is one. */
function compare(
  { checks }: Pick<Run, 'checks'>,
  id: CheckId,
  what: string,
  measured: string,
  expected: string | undefined,
): void {
  if (expected === undefined)
    checks.skip(id, `The measured ${what} is ${measured || 'empty'}; no expected value was provided.`);
  else if (hex(expected) === measured)
    checks.pass(id, `The measured ${what} is ${measured || 'empty'}, as expected.`, FROM_LOG);
  else checks.fail(id, `The measured ${what} is ${measured || 'empty'}, not the expected ${hex(expected)}.`);
}

function checkAppId({ checks, policy }: Run, appId: string, composeHash: string): void {
  if (policy.app_id === undefined && composeHash.startsWith(appId))
    checks.pass('app.id', `The app ID ${appId} is derived from this compose hash.`, FROM_LOG);
  else compare({ checks }, 'app.id', 'app ID', appId, policy.app_id);
}

function checkInstance({ checks, policy }: Run, instanceId: string): void {
  compare({ checks }, 'instance.id', 'instance ID', instanceId, policy.instance_id);
}

const DEFAULT_KINDS: readonly string[] = ['kms', 'local-sgx'];

function checkKeyProvider({ checks, facts, policy }: Run, payload: string): KeyProvider | null {
  const provider = parseKeyProvider(payload);
  if (!provider) return checks.fail('key_provider', 'The key-provider event does not name a key provider.');
  facts.key_provider = provider;
  checkKmsRoot({ checks, policy }, provider);
  const { name, id } = provider;
  const kinds = policy.key_provider_kinds ?? DEFAULT_KINDS;
  if (!kinds.includes(name))
    checks.fail(
      'key_provider',
      `The disk key came from key provider “${name}”; only ${kinds.join(', ')} are accepted.`,
    );
  else if (!policy.key_provider_ids)
    checks.warn(
      'key_provider',
      `The disk key came from key provider “${name}”, ${id || 'without an ID'}, and no expected provider was specified. Its operator can decrypt the disk.`,
      FROM_LOG,
    );
  else if (id !== '' && policy.key_provider_ids.some((one) => hex(one) === id))
    checks.pass('key_provider', `The disk key came from the trusted key provider “${name}”, ${id}.`, {
      trusted: [...FROM_LOG.trusted, 'list of key providers'],
    });
  else
    checks.fail(
      'key_provider',
      `The disk key came from key provider “${name}”, ${id || 'without an ID'}, which is not trusted.`,
    );
  return provider;
}

function checkKmsRoot({ checks, policy }: Pick<Run, 'checks' | 'policy'>, { name, id }: KeyProvider): void {
  if (!policy.kms_roots)
    checks.skip(
      'kms.root',
      `No KMS root key is pinned; the event log names “${name}” ${id || 'without an ID'}.`,
    );
  else if (name !== 'kms')
    checks.fail('kms.root', `The disk key came from key provider “${name}”, not from a KMS you pinned.`);
  else if (id !== '' && policy.kms_roots.some((one) => hex(one) === id))
    checks.pass('kms.root', `The disk key came from the KMS whose root key you pinned, ${id}.`, FROM_LOG);
  else
    checks.fail(
      'kms.root',
      `The disk key came from a KMS with root key ${id || '(none)'}, which is not one you pinned.`,
    );
}

function checkMrConfig(
  { checks, evidence }: Run,
  quote: Quote,
  config: VmConfig | null,
  app: AppIdentity,
): void {
  if (isZero(quote.mrConfigId)) {
    checks.skip('mr_config_id', 'The register is unused (all zeros).');
    return;
  }
  const register = bytesToHex(quote.mrConfigId);
  const [version = 0] = quote.mrConfigId;
  const document = evidence.mr_config ?? config?.mrConfig;
  // A document counts only if the register is its hash; without one, the register must match a known form.
  const hashed =
    version === 3 &&
    document !== undefined &&
    document.length <= MAX_DOCUMENT &&
    mrConfigV3(document) === register
      ? document
      : undefined;
  const fault = hashed === undefined ? null : documentFault(hashed, app);
  if (fault !== null)
    checks.fail('mr_config_id', `The MrConfig document, whose hash is in the register, ${fault}.`);
  else if (hashed !== undefined || configRegisters(version, app).includes(register))
    checks.pass(
      'mr_config_id',
      `The register, fixed at launch (form ${version}), matches the measured compose hash${version === 1 ? '' : ', app ID and key provider'}.`,
      { trusted: ['quote signature'] },
    );
  else
    checks.fail(
      'mr_config_id',
      `The register ${register} does not match the compose hash, app ID, instance ID and key provider in the event log.`,
    );
}

function checkDevice({ checks, facts, policy }: Run): void {
  const ids = [facts.device_id, facts.device_id_legacy].filter((id) => id !== undefined);
  const known = `The device ID is ${ids.join(' (from the chip’s certificate) or ')}${facts.device_id ? ' (from the quote)' : ''}`;
  if (!policy.device_ids) checks.skip('device.id', `${known}; no list of allowed devices was provided.`);
  else if (policy.device_ids.some((one) => ids.includes(hex(one))))
    checks.pass('device.id', `${known}; it is on the list.`, { trusted: ['PCK certificate chain'] });
  else checks.fail('device.id', `${known}; it is not on the list.`);
}

const CLAIMED: readonly (keyof Claims)[] = [
  'mrtd',
  'rtmr0',
  'rtmr1',
  'rtmr2',
  'rtmr3',
  'mr_aggregated',
  'app_id',
  'compose_hash',
  'instance_id',
];

function deviceClaimFault(claim: string, facts: Facts): string | null {
  if (claim === NO_DEVICE_ID || claim === facts.device_id || claim === facts.device_id_legacy) return null;
  return `device_id is reported as ${claim}`;
}

function checkClaims({ checks, evidence, facts }: Run): void {
  const { claims } = evidence;
  if (!claims) {
    checks.skip('claims', 'The host reported only the quote and event log.');
    return;
  }
  const compared = CLAIMED.filter((name) => claims[name] !== undefined && facts[name] !== undefined);
  const wrong = compared.find((name) => hex(claims[name] ?? '') !== facts[name]);
  const device =
    claims.device_id !== undefined && facts.device_id_legacy !== undefined
      ? deviceClaimFault(hex(claims.device_id), facts)
      : null;
  if (wrong)
    checks.fail(
      'claims',
      `${wrong} is reported as ${hex(claims[wrong] ?? '').slice(0, 128)}, but the measured value is ${facts[wrong] || 'empty'}.`,
    );
  else if (device)
    checks.fail(
      'claims',
      `${device.slice(0, 160)}, but the verified value is ${facts.device_id ?? facts.device_id_legacy}.`,
    );
  else if (compared.length === 0)
    checks.skip('claims', 'The evidence has no measured values to compare with the reported ones.');
  else checks.pass('claims', `Reported and measured values agree: ${compared.join(', ')}.`);
}
