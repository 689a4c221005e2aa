import { expect, it } from 'vitest';
import { mismatchText, removalText } from './pinTexts';

const [env, ca] = [{ kind: 'env' }, { kind: 'ca' }] as const;

it('says that secrets aren’t encrypted only if an environment root differs', () => {
  expect(mismatchText(['env'])).toMatch(/^Secrets for this KMS won’t be encrypted in this browser\. Ask/);
  expect(mismatchText(['env', 'ca'])).toMatch(
    /won’t be encrypted in this browser, and evidence .* won’t pass/,
  );
  expect(mismatchText(['ca'])).toMatch(
    /^Evidence .* won’t pass .*, but secrets are still encrypted for it\./,
  );
});

it('says that the last pin of a kind protects nothing once it is removed', () => {
  expect(removalText(env, [env, ca])).toContain('no longer accepts a KMS with this root key');
  expect(removalText(env, [ca])).toContain('secrets are encrypted for any KMS');
  expect(removalText(ca, [env])).toContain('evidence is compared with the root key the server has on record');
  expect(removalText(ca, [])).not.toContain('no longer accepts');
});
