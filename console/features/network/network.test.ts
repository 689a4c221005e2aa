import { describe, expect, test } from 'vitest';
import type { CvmNetwork, NetworkCheck } from '../../../generated/api/types.gen';
import { analyzeCompose } from '../../lib/compose/composeFile';
import { DNS_PROVIDERS, ingressCompose, ingressSecrets, type DnsProvider } from './ingress';
import { networkStates } from './storyData';
import { verdictOf, type VerdictOf } from './verdict';

const running = networkStates.find(({ id }) => id === 'running')!;
const network = running.network as CvmNetwork;
const base: VerdictOf = { status: 'running', host_reachable: true, network, check: null };
const check = (change: Partial<NetworkCheck>): NetworkCheck => ({
  url: 'https://x',
  reachable: true,
  summary: 'It answers with status 200.',
  what_to_do: null,
  steps: [],
  checked_at: '2026-11-21T09:00:00Z',
  ...change,
});
const gateway = (change: Partial<CvmNetwork['gateway']>) => ({
  ...network,
  gateway: { ...network.gateway, ...change },
});

describe('reachability verdict', () => {
  test.each<[string, Partial<VerdictOf>, string, RegExp, boolean]>([
    ['it runs', {}, 'neutral', /should be/, true],
    ['it was reached', { check: check({}) }, 'ok', /^Yes/, true],
    [
      'it was reached with a bad certificate',
      { check: check({ what_to_do: 'Give it one.' }) },
      'attention',
      /^Yes/,
      true,
    ],
    [
      'it was not reached',
      { check: check({ reachable: false, summary: 'Refused.' }) },
      'error',
      /test failed/,
      true,
    ],
    [
      'stopped, whatever was found before',
      { status: 'stopped', check: check({}) },
      'neutral',
      /stopped/,
      false,
    ],
    ['it boots', { status: 'starting' }, 'progress', /starting/, false],
    [
      'containers are simulated',
      { simulated: true, check: check({}) },
      'simulated',
      /^No: containers/,
      false,
    ],
    ['stopped without Docker', { simulated: true, status: 'stopped' }, 'neutral', /stopped/, false],
    ['it failed', { status: 'error' }, 'error', /isn’t running/, true],
    ['host unreachable', { host_reachable: false }, 'attention', /host isn’t responding/, true],
    ['gateway off', { network: gateway({ enabled: false }) }, 'neutral', /gateway is disabled/, false],
    ['no gateway', { network: gateway({ base_domain: null }) }, 'attention', /no gateway/, false],
    ['no ports', { network: { ...network, ports: [] } }, 'attention', /no public port/, false],
    [
      'stale tunnel',
      { network: { ...network, handshake: { state: 'stale', age_seconds: 4000 } } },
      'error',
      /tunnel/,
      true,
    ],
    [
      'no tunnel ever',
      { network: { ...network, handshake: { state: 'never', age_seconds: null } } },
      'error',
      /tunnel/,
      true,
    ],
    [
      'no tunnel needed',
      { network: { ...network, handshake: { state: 'unused', age_seconds: null } } },
      'neutral',
      /should be/,
      true,
    ],
  ])('%s', (_what, change, tone, title, worth_trying) => {
    const verdict = verdictOf({ ...base, ...change });
    expect(verdict.title).toMatch(title);
    expect([verdict.tone, verdict.worth_trying]).toEqual([tone, worth_trying]);
    expect(verdict.text).toMatch(/\.$/);
  });
});

describe('the ingress to add', () => {
  test.each(Object.keys(DNS_PROVIDERS) as DnsProvider[])('is a valid compose file for %s', (provider) => {
    const text = ingressCompose({
      domain: '*.shop.example.com',
      port: 8443,
      cname: '_.gw.example.com',
      target: 'web:80',
      provider,
    });
    const { ok, findings, services, variables } = analyzeCompose(text, {
      secretNames: ingressSecrets(provider),
    });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(ok).toBe(true);
    expect(services.map(({ name, ports }) => [name, ports[0]?.published?.first])).toEqual([
      ['ingress', 8443],
    ]);
    expect(variables.map(({ name }) => name).sort()).toEqual([...ingressSecrets(provider)].sort());
  });
});
