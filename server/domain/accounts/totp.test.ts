import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { codeOfStep, newTotpSecret, otpauthUrl, stepOfCode } from './totp';

const AT = 1_111_111_109_000;
const STEP = Math.floor(AT / 30_000);

describe('codes of an authenticator app', () => {
  it('match RFC 6238, appendix B (last six digits)', () => {
    const secret = Secret.fromUTF8('12345678901234567890').base32;
    const codes = [59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((seconds) =>
      codeOfStep(secret, Math.floor(seconds / 30)),
    );
    expect(codes).toEqual(['287082', '081804', '005924', '353130']);
  });

  it('are accepted one step before and after the current one, and no further', () => {
    const secret = newTotpSecret();
    const found = [-2, -1, 0, 1, 2].map((offset) =>
      stepOfCode(secret, codeOfStep(secret, STEP + offset), AT),
    );
    expect(found).toEqual([null, STEP - 1, STEP, STEP + 1, null]);
  });

  it('have six digits and may include a space or hyphen', () => {
    const secret = newTotpSecret();
    const code = codeOfStep(secret, STEP);
    expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, AT)).toBe(STEP);
    for (const wrong of ['', code.slice(1), `${code}0`, 'abcdef', '١٢٣٤٥٦'])
      expect(stepOfCode(secret, wrong, AT)).toBeNull();
  });

  it('are set up with a standard otpauth URL', () => {
    const url = otpauthUrl('JBSWY3DPEHPK3PXP', 'Teehouse (cloud.example.test)', 'a@b.test');
    expect(decodeURIComponent(url)).toBe(
      'otpauth://totp/Teehouse (cloud.example.test):a@b.test?issuer=Teehouse (cloud.example.test)&secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    );
  });
});
