import { describe, expect, it } from 'vitest';
import { evidenceBundle, EvidenceError, parseEvidence } from './evidenceBundle';
import type { Evidence } from './types';

const COLLATERAL = {
  pck_crl_issuer_chain: 'a',
  root_ca_crl: 'b',
  pck_crl: 'c',
  tcb_info_issuer_chain: 'd',
  tcb_info: '{"exact":  "bytes" }',
  tcb_info_signature: 'e',
  qe_identity_issuer_chain: 'f',
  qe_identity: '{}',
  qe_identity_signature: 'g',
};
const EVIDENCE: Evidence = {
  quote: 'abcd',
  event_log: '[ ]',
  app_compose: '{"ünïcode":"\\u0000","é":"\r\n\t"}',
  vm_config: '{}',
  collateral: COLLATERAL,
  claims: { mrtd: '00' },
};

describe('the evidence file', () => {
  it('round-trips the evidence byte for byte', () => {
    const file = evidenceBundle(EVIDENCE, { name: 'web', collected_at: '2027-01-01T00:00:00Z' });
    expect(JSON.parse(file)).toMatchObject({
      format: 'teehouse.evidence',
      version: 1,
      about: { name: 'web' },
    });
    expect(parseEvidence(file)).toEqual({ ...EVIDENCE, mr_config: undefined });
  });
  it('keeps a host marked as simulated in any spelling', () => {
    for (const simulated of [true, 'true', 1, 'no', {}])
      expect(parseEvidence(JSON.stringify({ quote: 'ab', simulated })).simulated).toBe(true);
    expect(parseEvidence(JSON.stringify({ quote: 'ab', simulated: false })).simulated).toBeUndefined();
  });
  it("may be a guest's raw response, with lists as JSON instead of text", () => {
    const answer = { quote: 'ab', event_log: [{ imr: 0 }], vm_config: { memory_size: 1 }, report_data: '00' };
    expect(parseEvidence(JSON.stringify(answer))).toMatchObject({
      event_log: '[{"imr":0}]',
      vm_config: '{"memory_size":1}',
    });
  });
  it.each([
    ['', /not JSON/],
    ['[]', /not a JSON object/],
    ['{}', /no evidence/],
    ['{"format":"other"}', /not of format/],
    ['{"format":"teehouse.evidence","version":2,"evidence":{}}', /version 2/],
    ['{"format":"teehouse.evidence","version":1}', /evidence is not/],
    ['{"quote":5}', /quote is not a string/],
    ['{"quote":"ab","collateral":{}}', /collateral\.pck_crl_issuer_chain is missing/],
    ['{"quote":"ab","collateral":[]}', /collateral is not/],
    ['{"quote":"ab","claims":{"mrtd":{}}}', /claims\.mrtd/],
    [`"${'x'.repeat(9_000_000)}"`, /too long/],
  ])('rejects %.60s with a reason', (text, reason) => {
    expect(() => parseEvidence(text)).toThrow(EvidenceError);
    expect(() => parseEvidence(text)).toThrow(reason);
  });
});

it('reads the API’s answer, which visitors without scripts save', () => {
  const answer = {
    vm_uuid: 'x',
    trust: 'simulated',
    evidence: { event_log: '[]' },
    certificate_chain: 'PEM',
  };
  expect(parseEvidence(JSON.stringify(answer))).toMatchObject({ event_log: '[]', certificate_chain: 'PEM' });
});

it('keeps that the API’s answer lacks the certificates its quote came from', () => {
  const read = (answer: object) => parseEvidence(JSON.stringify(answer)).certificate_chain;
  expect(read({ evidence: { quote: 'ab' }, certificate_chain: null })).toBe('');
  expect(read({ evidence: { quote: 'ab' } })).toBeUndefined();
  expect(read({ evidence: { event_log: '[]' }, certificate_chain: null })).toBeUndefined();
  expect(read({ quote: 'ab', certificate_chain: null })).toBeUndefined();
});
