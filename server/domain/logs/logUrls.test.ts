import { describe, expect, it } from 'vitest';
import { containerLogBase, containerLogUrl, cvmLogUrl, openLogToken, signLogToken } from './logUrls';
import { createSeal } from '../core/seal';

const seal = createSeal(Buffer.alloc(32, 7));
const reader = { user_id: 3, session_id: 5, token_id: null, as_staff: false, staff_user_id: null };
const grant = { cvm_id: 42, team_id: 7, scope: 'cvm', reader } as const;
const now = Date.UTC(2026, 10, 21, 8, 5);
const HOUR = 3_600_000;

describe('log tokens', () => {
  it('open to what was granted, for about an hour', () => {
    const token = signLogToken(seal, grant, now);
    expect(openLogToken(seal, token, now)).toEqual(grant);
    expect(openLogToken(seal, token, now + HOUR - 1)).toEqual(grant);
    expect(openLogToken(seal, token, now + HOUR + 600_001)).toBeNull();
  });

  it('stay the same while a page polls', () => {
    expect(signLogToken(seal, grant, now)).toBe(signLogToken(seal, grant, now + 240_000));
  });

  it('are rejected when altered, from another server, or not ours', () => {
    const token = signLogToken(seal, grant, now);
    const [note = '', mac = ''] = token.split('.');
    const forged = Buffer.from(
      Buffer.from(note, 'base64url').toString().replace(',42,', ',43,'),
      'utf8',
    ).toString('base64url');
    for (const bad of [
      `${forged}.${mac}`,
      `${note}.${mac.slice(0, -1)}`,
      `${note}.`,
      note,
      `${token}.x`,
      '',
      '.',
      signLogToken(createSeal(Buffer.alloc(32, 8)), grant, now),
      `${note}.${seal.sign('another purpose', note)}`,
    ])
      expect([bad, openLogToken(seal, bad, now)]).toEqual([bad, null]);
  });

  it('make URLs the command line can append to', () => {
    const place = { publicUrl: 'https://cloud.example.test', seal, reader };
    const cvm = { id: 42, team_id: 7, vm_uuid: '550e8400-e29b-41d4-a716-446655440000' };
    expect(cvmLogUrl(place, cvm)).toMatch(
      /^https:\/\/cloud\.example\.test\/api\/v1\/logs\/cvms\/550e8400-e29b-41d4-a716-446655440000\?token=[\w-]+\.[\w-]+$/,
    );
    const url = new URL(containerLogUrl(place, cvm, 'web 1'));
    expect(url.pathname).toMatch(/\/containers\/web%201$/);
    expect(openLogToken(seal, url.searchParams.get('token')!)).toEqual({
      ...grant,
      scope: 'container:web 1',
    });
    expect(containerLogBase(place, cvm)).toContain('/containers/{container}?token=');
  });
});
