import { describe, expect, it } from 'vitest';
import { createMockPki } from '../../../console/lib/attestation/testing/mockPki';
import { raTlsGuest } from '../../testing/raTlsGuest';
import { guestEvidence, type GuestWords } from './guestEvidence';

const words = (tcb_info: string) => ({ app_id: '', instance_id: '', app_cert: '', tcb_info, device_id: '' });
const options = { app_compose: '{}', local: false, public_tcbinfo: true };
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('evidence of a hostile guest', () => {
  it.each([4_000, 100_000])('omits measurements nested %i deep', (depth) => {
    for (const tcb_info of [
      nested(depth),
      `{"event_log":[{"imr":1,"x":${nested(depth)}}]}`,
      JSON.stringify({ event_log: `[{"imr":1,"x":${nested(depth)}}]` }),
    ]) {
      const { evidence } = guestEvidence(words(tcb_info), options);
      expect(evidence.event_log).toBeUndefined();
      expect(evidence.app_compose).toBe('{}');
    }
  });

  it('keeps an event log of ordinary depth', () => {
    const event = { imr: 1, event_type: 1, digest: '00', event: '', event_payload: '' };
    const { evidence } = guestEvidence(words(JSON.stringify({ event_log: [event] })), options);
    expect(JSON.parse(evidence.event_log ?? '')).toEqual([event]);
  });
});

it('names the TEE of an AMD host instead of missing a TDX quote', async () => {
  const pki = await createMockPki(1_795_000_000);
  const read = async (form: 'sev-snp' | 'msgpack') =>
    guestEvidence((await raTlsGuest(pki, { form })).info as unknown as GuestWords, options);
  const amd = await read('sev-snp');
  expect(amd.evidence.quote).toBeUndefined();
  expect(amd.gaps).toEqual([expect.stringContaining('AMD SEV-SNP instead of a TDX quote')]);
  const intel = await read('msgpack');
  expect([intel.evidence.quote === undefined, intel.gaps]).toEqual([false, []]);
});
