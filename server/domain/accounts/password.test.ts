import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { hashPassword, needsRehash, passwordProblem, verifyPassword } from './password';

const EMAIL = 'alice.liddell1865@wonderland-press.example';
const refused = (password: string) => passwordProblem(password, EMAIL);

describe('passwordProblem', () => {
  it.each([
    'violet kettle under the stairs',
    'no upper case and no digits',
    'Ünïcödé ist erlaubt',
    '東京特許許可局長今日急遽休暇',
    'wonderful alice',
    'p4ssw0rd of my aunt',
    'x'.repeat(100) + 'abc'.repeat(33) + 'y',
  ])('accepts %s', async (password) => {
    expect(await refused(password)).toBeNull();
  });

  it.each([
    ['nine char', 'at least 10'],
    // Ten UTF-16 units, five characters.
    ['😀😁😂😃😄', 'at least 10'],
    ['ab'.repeat(101), 'at most 200'],
    // One character as typed, 18 after normalization (NFKC).
    ['ﷺ'.repeat(12), 'at most 200'],
    ['aaaaaaaaaaaa', 'different'],
    ['abababababab', 'different'],
    ['abcdefghijkl', 'sequences'],
    ['zyxwvutsrqpo', 'sequences'],
    ['0123456789:;', 'sequences'],
    [EMAIL, 'address'],
    [EMAIL.toUpperCase(), 'address'],
    ['alice.liddell1865', 'address'],
    ['AliceLiddell', 'address'],
    ['aliceliddell1865!', 'address'],
    ['12345liddell12345', 'address'],
    ['wonderland-press', 'address'],
    ['Wonderland-Press.example', 'address'],
    ['1234567890', 'breaches'],
    ['qwertyuiop', 'breaches'],
    ['QwertyUiop', 'breaches'],
    ['Password2024!!', 'breaches'],
    ['!!!password!!!', 'breaches'],
    ['dragon12345', 'breaches'],
    ['ｐａｓｓｗｏｒｄ１２３', 'breaches'],
    ['passwordpassword', 'breaches'],
    ['correct horse battery staple', 'breaches'],
    ['Teehouse 2026', 'breaches'],
  ])('rejects %s with the reason', async (password, why) => {
    expect(await refused(password)).toContain(why);
  });
});

describe('hashing', () => {
  it('is salted Argon2id and accepts any Unicode spelling of the password', async () => {
    const typed = 'Zoë’s ﬁne ｐassword';
    const [one, two] = await Promise.all([hashPassword(typed), hashPassword(typed)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'Zoe\u0308’s fine password')).toBe(true);
    expect(await verifyPassword(one, 'Zoe’s fine password')).toBe(false);
    expect(await verifyPassword(null, 'a password no account has')).toBe(false);
  });

  it('requests a new hash when the parameters have changed', async () => {
    expect(needsRehash(await hashPassword('violet kettle'))).toBe(false);
    expect(needsRehash(await hash('violet kettle', { memoryCost: 8192, timeCost: 2, parallelism: 1 }))).toBe(
      true,
    );
    expect(needsRehash('$2b$10$abcdefghijklmnopqrstuv')).toBe(true);
  });
});
