import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { certificatesOf, parseTcbInfo } from './attestationResponse';

const tcb = {
  mrtd: 'aa'.repeat(48),
  rtmr0: '00',
  rtmr1: '01',
  rtmr2: '02',
  rtmr3: '03',
  event_log: [{ imr: 3, event_type: 134217729, digest: 'bb', event: 'app-id', event_payload: 'cc' }],
  app_compose: '{}',
};

describe("a guest's attestation response", () => {
  it('is parsed', () => {
    expect(parseTcbInfo(JSON.stringify(tcb))).toEqual({ ...tcb, rootfs_hash: null });
  });

  it('is empty if missing or malformed', () => {
    for (const text of ['', 'null', '[]', '{', '{"mrtd":""}', '{"mrtd":5}', '"text"'])
      expect([text, parseTcbInfo(text)]).toEqual([text, null]);
    const broken = parseTcbInfo(
      JSON.stringify({ ...tcb, event_log: [null, 5, {}, ...tcb.event_log], app_compose: 1 }),
    );
    expect(broken).toMatchObject({ event_log: tcb.event_log, app_compose: '' });
  });
});

describe('certificates', () => {
  it('are read from PEM, with version and algorithm', () => {
    const pem = execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /dev/null -days 2'.split(
          ' ',
        ),
        '-subj',
        '/C=DE/ST=Bavaria/L=Munich/O=Example, Inc./CN=app.example.test',
        '-addext',
        'subjectAltName=DNS:app.example.test,DNS:www.example.test',
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    ).toString();
    const [leaf, ...more] = certificatesOf(
      `${pem}\nnoise\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    )!;
    expect(more).toEqual([]);
    expect(leaf).toMatchObject({
      subject: {
        common_name: 'app.example.test',
        organization: 'Example, Inc.',
        country: 'DE',
        state: 'Bavaria',
        locality: 'Munich',
      },
      issuer: { common_name: 'app.example.test' },
      version: 'v3',
      signature_algorithm: 'ecdsa-with-SHA256',
      sans: ['app.example.test', 'www.example.test'],
      is_ca: true,
      position_in_chain: 0,
    });
    expect(Date.parse(leaf!.not_after) - Date.parse(leaf!.not_before)).toBe(2 * 86_400_000);
    expect(certificatesOf('')).toBeNull();
  });
});
