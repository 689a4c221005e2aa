import { describe, expect, it } from 'vitest';
import { MsgpackError, readMsgpack } from './msgpack';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('readMsgpack', () => {
  it.each([
    ['a positive integer', '7f', 127],
    ['a negative integer', 'ff', -1],
    ['32 bits', 'ce ff ff ff ff', 2 ** 32 - 1],
    ['64 bits', 'cf 00 1f ff ff ff ff ff ff', Number.MAX_SAFE_INTEGER],
    ['true', 'c3', true],
    ['null', 'c0', null],
    ['text', 'a5 c3 a4 e2 82 ac', 'ä€'],
    ['bytes', 'c4 02 00 ff', new Uint8Array([0, 255])],
    ['a list', '93 01 a1 61 90', [1, 'a', []]],
    [
      'a map',
      '82 a1 61 01 a1 62 c0',
      new Map<string, unknown>([
        ['a', 1],
        ['b', null],
      ]),
    ],
  ])('reads %s', (_name, bytes, value) => {
    const read = readMsgpack(hex(bytes));
    expect(read instanceof Uint8Array ? new Uint8Array(read) : read).toEqual(value);
  });

  it.each([
    ['nothing', '', /cut off/],
    ['a list that claims 2^32-1 items', 'dd ff ff ff ff', /cut off/],
    ['a map that claims 2^32-1 pairs', 'df ff ff ff ff', /cut off/],
    ['a text that claims 2^32-1 bytes', 'db ff ff ff ff', /cut off/],
    ['an integer above 2^53', 'cf 00 20 00 00 00 00 00 00', /too large/],
    ['trailing bytes', '81 a1 61 01 ff', /follows/],
    ['a key that is a number', '81 01 01', /not text/],
    ['a key that occurs twice', '82 a1 61 01 a1 61 02', /twice/],
    ['text that is not UTF-8', '81 a1 61 a2 ff fe', /UTF-8/],
    ['an extension', 'd4 01 00', /kind 0xd4/],
    ['a floating-point number', 'cb 3f f0 00 00 00 00 00 00', /kind 0xcb/],
  ])('rejects %s', (_name, bytes, reason) => {
    const read = () => readMsgpack(hex(bytes));
    expect(read).toThrow(MsgpackError);
    expect(read).toThrow(reason);
  });

  it('rejects a million nested lists without exhausting the stack', () => {
    expect(() => readMsgpack(Buffer.concat([Buffer.alloc(1_000_000, 0x91), hex('c0')]))).toThrow(
      /nested too deeply/,
    );
  });

  it('reads __proto__ as an ordinary key', () => {
    const map = readMsgpack(Buffer.concat([hex('81 a9'), Buffer.from('__proto__'), hex('80')]));
    expect(map).toEqual(new Map([['__proto__', new Map()]]));
  });
});
