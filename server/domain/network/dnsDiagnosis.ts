import { judgeAddress } from './dnsAddress';
import { judgeApp } from './dnsApp';
import type { DomainCheck, DomainFacts, Expected } from './dnsFacts';
import { judgeIssuer } from './dnsIssuer';
import { wantedRecords, type WantedRecord } from './domains';

export interface DomainDiagnosis {
  state: 'right' | 'wrong' | 'unknown';
  /** The TXT record names this app only. Null when DNS gave no answer. */
  proved: boolean | null;
  apex: boolean;
  checks: DomainCheck[];
  records: WantedRecord[];
  at: Date;
}

/** Judges the facts. Pure: sends no queries. */
export function diagnose(facts: DomainFacts, expected: Expected): DomainDiagnosis {
  const apex = facts.soa?.records.some(({ name }) => name === facts.name.base) ?? false;
  const app = judgeApp(facts, expected);
  const checks = [
    judgeGateway(expected),
    app.check,
    expected.unserved === null ? judgeAddress(facts, apex) : skippedAddress(),
    judgeIssuer(facts),
  ];
  const base_domain = expected.unserved === null ? (facts.gateways[0]?.base_domain ?? null) : null;
  return {
    state: checks.some(({ state }) => state === 'failed')
      ? 'wrong'
      : checks.some(({ id, state }) => state === 'unknown' && id !== 'issuer')
        ? 'unknown'
        : 'right',
    proved: app.proved,
    apex,
    checks,
    records: wantedRecords({
      name: facts.name,
      port: expected.port,
      target: expected.target,
      base_domain,
      gateway_addresses: facts.gateways[0]?.addresses ?? [],
      apex,
    }),
    at: facts.at,
  };
}

const judgeGateway = ({ unserved }: Expected): DomainCheck => ({
  id: 'gateway',
  state: unserved === null ? 'passed' : 'failed',
  message: unserved ?? 'The host’s gateway routes domains to the app that their TXT record names.',
  what_to_do: unserved === null ? null : 'Run the app on a host with a dstack gateway.',
  wanted: [],
  found: [],
  remembered_until: null,
});

const skippedAddress = (): DomainCheck => ({
  id: 'address',
  state: 'skipped',
  message: 'There is no gateway to route the domain to.',
  what_to_do: null,
  wanted: [],
  found: [],
  remembered_until: null,
});
