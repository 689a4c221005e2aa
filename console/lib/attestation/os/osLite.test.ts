import { sha384 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../bytes';
import { CborError, readCbor } from '../cbor';
import { bootDigests, type Measurement, OsError, tdHob } from './osLite';
import { writeCbor } from '../testing/cborWriter';

/** Layout of the released 0.6.0 image. */
const LAYOUT = Uint8Array.of(0x80, 0x10, 9, 4, 0, 6, 9, 2, 11, 2, 16, 16);
const GIB = 2 ** 30;

describe('measurement of a 0.6 image', () => {
  it('matches the log of a real 2 GiB guest', () => {
    const zero = new Uint8Array(48);
    const measurement: Measurement = {
      kernel: zero,
      initrd: zero,
      cmdline: zero,
      ovmf: 'pre202505',
      singlePass: zero,
      twoPass: zero,
      tdHob: LAYOUT,
    };
    const digests = bootDigests(measurement, 2 * GIB, [zero, zero, zero]).map((one) => one.map(bytesToHex));
    const starts = digests.map((register) => register.map((digest) => digest.slice(0, 8)));
    expect(digests[0]?.[0]).toBe(
      '0b8772e5b0b41b83e6044a68397e02f49fb47066b4fbe4917ea2c45c64f323fdacbb37948f821ebaf8bc9c938ba8a749',
    );
    expect(starts).toEqual([
      [
        '0b8772e5',
        '344bc51c',
        '9dc3a1f8',
        '6f2e3cbc',
        'd607c0ef',
        '08a74f89',
        '18cc6e01',
        '394341b7',
        '00000000',
        '00000000',
        '00000000',
        '1dd6f7b4',
        '23ada07f',
      ],
      ['00000000', '77a0dab2', '394341b7', '214b0bef', '0a2e01c8'],
      ['00000000', '00000000'],
    ]);
  });

  it('splits large memory around the hole below 4 GiB', () => {
    const view = new DataView(tdHob(LAYOUT, 4 * GIB).buffer);
    const count = (view.byteLength - 56) / 48;
    const region = (i: number): [bigint, bigint] => [
      view.getBigUint64(56 + 48 * i + 32, true),
      view.getBigUint64(56 + 48 * i + 40, true),
    ];
    const [lowStart, lowLength] = region(count - 2);
    expect(lowStart + lowLength).toBe(0x8000_0000n);
    expect(region(count - 1)).toEqual([0x1_0000_0000n, BigInt(2 * GIB)]);
  });

  it.each([
    [Uint8Array.of()],
    [Uint8Array.of(1, 2, 3)],
    [Uint8Array.of(0x80, 0x10, 9, 2, 0, 6, 3, 2)],
    [Uint8Array.from({ length: 20 }, () => 0xff)],
    [Uint8Array.of(0, 0, 1, 0, 0)],
  ])('rejects the layout %j', (layout) => {
    expect(() => tdHob(layout, 4 * GIB)).toThrow(OsError);
  });
  it('depends on the memory size', () => {
    const digests = [2, 3, 4, 8, 64].map((gib) => bytesToHex(sha384(tdHob(LAYOUT, gib * GIB))));
    expect(new Set(digests).size).toBe(5);
  });
});

describe('CBOR', () => {
  it('round-trips values', () => {
    const read = readCbor(writeCbor({ a: 1, b: { c: 'text', d: Uint8Array.of(1, 2), e: 300 } }));
    expect(read).toEqual(
      new Map<string, unknown>([
        ['a', 1],
        [
          'b',
          new Map<string, unknown>([
            ['c', 'text'],
            ['d', Uint8Array.of(1, 2)],
            ['e', 300],
          ]),
        ],
      ]),
    );
  });
  it.each([
    ['nothing', []],
    ['cut off', [0x58, 0x20, 1]],
    ['indefinite', [0x5f]],
    ['claims a list of a billion', [0x9a, 0x40, 0, 0, 0]],
    ['nested without end', Array.from({ length: 100 }, () => 0x81)],
    ['a negative number', [0x20]],
    ['a key twice', [0xa2, 0x61, 0x61, 1, 0x61, 0x61, 2]],
    ['a number as key', [0xa1, 1, 1]],
    ['two values', [1, 1]],
    ['bad UTF-8', [0x61, 0xff]],
  ])('rejects %s', (_, bytes) => {
    expect(() => readCbor(Uint8Array.from(bytes))).toThrow(CborError);
  });
});
