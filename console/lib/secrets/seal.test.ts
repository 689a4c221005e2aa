import { createRequire } from 'node:module';
import { x25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes';
import { type EnvPair, SealError, openEnv, parsePublicKey, sealEnv, validateEnv } from './seal';

const hex = (text: string) => {
  const bytes = hexToBytes(text);
  if (!bytes) throw new Error('bad hex in test');
  return bytes;
};

const VECTORS = [
  {
    name: 'V1 one variable',
    priv: '5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb',
    pub: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
    eph: '77076d0a7318a57d3c16c17251b266454cc16cd97b2b7e8a3f1d4d0f2e7a3c11',
    iv: '000102030405060708090a0b',
    env: [{ key: 'FOO', value: 'bar' }],
    out: 'cec04422a32743fe2b1eb333f03687f70603dcf892d9cb41f2870b22a405b938000102030405060708090a0b18781092fb1849585466927b54858835c3a47d892a2457cb6f59dd838ca6bc20c2fe82dfef7c2c601060a097a805608633178db52e',
  },
  {
    name: 'V2 UTF-8, quotes, newline, non-BMP',
    priv: '7c282bf94b35dc47801dc953bfa0896fc2bd313381d3e8eca4e42f6536d2a96f',
    pub: 'b5ee2e67280ef8c9540850e90e6b7ee1b5e7ef011301bde95a2e6f953d04d201',
    eph: '0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20',
    iv: 'a0a1a2a3a4a5a6a7a8a9aaab',
    env: [
      { key: 'DATABASE_URL', value: 'postgres://u:p@db:5432/app?sslmode=require' },
      { key: 'GREETING', value: 'héllo "wörld"\nline2 $HOME 🔐' },
    ],
    out: '07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7ca0a1a2a3a4a5a6a7a8a9aaabcd56cd910d1b50a6b1f8cfba0721363972d6bbcb21341deebb6bcd4c578bc05604442a64530bfa4c6fc565ef278db53460b0ac36e548d4d9611c5df4c7cadd5f83fce73374ee865444514b057c150e9dc92a5618f3ff9c6abf2b7fc2ed4654eb4b3b3417d1227262ad74dfdc0d0784370ce721c60b37b736796335093a752dea94695323e3b4fee6878d3bc9c76bbb39abd1e03d068c2911cef67849ad8789ec44075b955450',
  },
  {
    name: 'V3 empty list',
    priv: '00a99c17f504326af8271233ea4ccddc129a463e6d9dc6f3aea1d19a2aeb619e',
    pub: '46c2c0054cb7f1b69e5a7a515977e7006b0e99dd94637fe3e3c8d834c0ea291c',
    eph: '78d86f14aac14b739242f8a6a6d1c2274b3eec5808219fce811dc9729a1f986c',
    iv: 'ffffffffffffffffffffffff',
    env: [] as EnvPair[],
    out: '70ec62d78b224798b3aa38c49837dc565d5524c5348a57392e7c0366daacc73bffffffffffffffffffffffffd4b2f44e3b01c1c74b9beffbd9889b74cf8cf21ff51d988f9788',
  },
];
const V1 = VECTORS[0]!;

describe('published vectors', () => {
  it.each(VECTORS)('$name produces the given bytes and decrypts', (v) => {
    const fixed = { ephemeralPrivateKey: hex(v.eph), iv: hex(v.iv) };
    expect(sealEnv(v.env, v.pub, fixed)).toBe(v.out);
    expect(sealEnv(v.env, `0x${v.pub.toUpperCase()}`, fixed)).toBe(v.out);
    expect(openEnv(v.out, v.priv)).toEqual(v.env);
  });
});

describe('sealing', () => {
  it('never produces the same blob twice and always decrypts', () => {
    const blobs = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { secretKey, publicKey } = x25519.keygen();
      const env = [
        { key: `K${i}`, value: `$\${x}"'\\\n\t🔐${'é'.repeat(i * 50)}` },
        { key: `K${i}`, value: '' },
      ];
      const blob = sealEnv(env, bytesToHex(publicKey));
      expect(blob).toMatch(/^[0-9a-f]+$/);
      expect(openEnv(blob, bytesToHex(secretKey))).toEqual(env);
      blobs.add(sealEnv(env, V1.pub)).add(sealEnv(env, V1.pub));
    }
    expect(blobs.size).toBe(40);
  });

  it('is decrypted by WebCrypto and Node too', async () => {
    const blob = hex(sealEnv([{ key: 'A', value: '1 🔐' }], V1.pub));
    const shared = x25519.getSharedSecret(hex(V1.priv), blob.slice(0, 32));
    const key = await crypto.subtle.importKey('raw', new Uint8Array(shared), 'AES-GCM', false, ['decrypt']);
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: new Uint8Array(blob.slice(32, 44)) },
      key,
      new Uint8Array(blob.slice(44)),
    );
    expect(new TextDecoder().decode(plain)).toBe('{"env":[{"key":"A","value":"1 🔐"}]}');
  });

  it('decrypts what the published SDK encrypts', async () => {
    const require = createRequire(import.meta.url);
    const { encryptEnvVars } = require('@phala/cloud') as {
      encryptEnvVars(env: EnvPair[], key: string): Promise<string>;
    };
    const env = VECTORS[1]!.env;
    expect(openEnv(await encryptEnvVars(env, V1.pub), V1.priv)).toEqual(env);
  });

  it('rejects altered, truncated and foreign blobs', () => {
    const bytes = hex(V1.out);
    for (let i = 0; i < bytes.length; i++) {
      if (i === 31) continue; // its top bit is masked by X25519 itself
      const changed = bytes.slice();
      changed[i]! ^= 1;
      expect(() => openEnv(bytesToHex(changed), V1.priv), `byte ${i}`).toThrow(SealError);
    }
    expect(() => openEnv(V1.out.slice(0, -2), V1.priv)).toThrow(SealError);
    expect(() => openEnv(V1.out, VECTORS[1]!.priv)).toThrow(SealError);
    expect(() => openEnv('ab', V1.priv)).toThrow('the minimum is');
    expect(() => openEnv('zz', V1.priv)).toThrow('not valid hex');
    expect(() => openEnv(`${'00'.repeat(80)}`, V1.priv)).toThrow('low-order');
  });
});

describe('rejects invalid public keys with a clear error', () => {
  const p = (last: number) => `${last.toString(16)}${'ff'.repeat(30)}7f`;
  it.each([
    ['empty', '', 'public_key_empty'],
    ['only 0x', '0x', 'public_key_empty'],
    ['0X prefix', `0X${V1.pub}`, 'public_key_not_hex'],
    ['odd length', V1.pub.slice(1), 'public_key_odd_length'],
    ['non-hex', `zz${V1.pub.slice(2)}`, 'public_key_not_hex'],
    ['leading space', ` ${V1.pub}`, 'public_key_not_hex'],
    ['trailing newline', `${V1.pub}\n`, 'public_key_not_hex'],
    ['31 bytes', V1.pub.slice(2), 'public_key_length'],
    ['33 bytes', `${V1.pub}00`, 'public_key_length'],
    ['all zero', '00'.repeat(32), 'public_key_low_order'],
    ['one', `01${'00'.repeat(31)}`, 'public_key_low_order'],
    ['order 8', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800', 'public_key_low_order'],
    [
      'order 8, other',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      'public_key_low_order',
    ],
    ['p-1', p(0xec), 'public_key_low_order'],
    ['p', p(0xed), 'public_key_low_order'],
    ['p+1', p(0xee), 'public_key_low_order'],
    ['zero with the high bit', `${'00'.repeat(31)}80`, 'public_key_low_order'],
  ])('%s', (_name, key, code) => {
    for (const act of [() => parsePublicKey(key), () => sealEnv([], key)]) {
      expect(act).toThrow(SealError);
      expect(act).toThrow(expect.objectContaining({ code }));
    }
  });

  it('masks the high bit as RFC 7748 requires', () => {
    const masked = hex(V1.pub);
    masked[31]! |= 0x80;
    const blob = sealEnv(V1.env, bytesToHex(masked));
    expect(openEnv(blob, V1.priv)).toEqual(V1.env);
  });
});

describe('guest rules', () => {
  const codes = (env: EnvPair[]) => validateEnv(env).map((p) => `${p.severity}:${p.code}`);
  it.each<[string, EnvPair[], string[]]>([
    ['a good one', [{ key: 'A_1', value: 'x'.repeat(131072) }], []],
    ['nothing', [], []],
    ['255-byte name', [{ key: 'K'.repeat(255), value: '' }], []],
    ['256-byte name', [{ key: 'K'.repeat(256), value: '' }], ['error:env_key_too_long']],
    ['empty name', [{ key: '', value: '1' }], ['error:env_key_empty']],
    ['digit first', [{ key: '1A', value: '1' }], ['error:env_key_invalid']],
    ['dash', [{ key: 'A-B', value: '1' }], ['error:env_key_invalid']],
    ['name with newline', [{ key: 'A\n', value: '1' }], ['error:env_key_invalid']],
    ['long value', [{ key: 'A', value: 'é'.repeat(65537) }], ['error:env_value_too_long']],
    ['NUL', [{ key: 'A', value: 'a\0b' }], ['error:env_value_nul']],
    ['lone surrogate', [{ key: 'A', value: '\ud83d' }], ['error:env_value_not_unicode']],
    ['backslash', [{ key: 'A', value: 'a\\b' }], ['warning:env_value_backslash']],
    [
      'duplicate',
      [
        { key: 'A', value: '1' },
        { key: 'A', value: '2' },
      ],
      ['warning:env_key_duplicate'],
    ],
    [
      '1025 items',
      Array.from({ length: 1025 }, (_, i) => ({ key: `K${i}`, value: '' })),
      ['error:env_too_many_items'],
    ],
    [
      'blob over 256 KiB',
      Array.from({ length: 3 }, (_, i) => ({ key: `K${i}`, value: 'x'.repeat(100_000) })),
      ['error:env_blob_too_long'],
    ],
  ])('%s', (_name, env, expected) => expect(codes(env)).toEqual(expected));

  it('encrypts nothing the guest would reject and repeats no value in errors', () => {
    const act = () => sealEnv([{ key: 'A', value: 'hunter2\0' }], V1.pub);
    expect(act).toThrow(expect.objectContaining({ code: 'env_value_nul' }));
    expect(act).not.toThrow(/hunter2/);
  });

  it('enforces the blob limit exactly', () => {
    const around = (size: number) => {
      const env = [
        { key: 'A', value: 'x'.repeat(131072) },
        { key: 'B', value: '' },
      ];
      const base = JSON.stringify({ env }).length + 60;
      env[1]!.value = 'y'.repeat(size - base);
      return codes(env);
    };
    expect(around(262144)).toEqual([]);
    expect(around(262145)).toEqual(['error:env_blob_too_long']);
  });
});
