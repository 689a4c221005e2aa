import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeGguf } from './gguf';
import { TINY_CONTEXT, tinyModel } from './weights';

/** Reads a file by the format's specification, independently of the writer. */
class Reader {
  at = 0;
  constructor(readonly bytes: Buffer) {}
  u32 = () => this.bytes.readUInt32LE((this.at += 4) - 4);
  u64 = () => Number(this.bytes.readBigUInt64LE((this.at += 8) - 8));
  text = () => {
    const length = this.u64();
    return this.bytes.toString('utf8', this.at, (this.at += length));
  };
  value = (type = this.u32()): unknown => {
    if (type === 4) return this.u32();
    if (type === 5) return this.bytes.readInt32LE((this.at += 4) - 4);
    if (type === 6) return this.bytes.readFloatLE((this.at += 4) - 4);
    if (type === 7) return this.bytes[(this.at += 1) - 1] === 1;
    if (type === 8) return this.text();
    if (type !== 9) throw new Error(`type ${type}`);
    const [of, length] = [this.u32(), this.u64()];
    return Array.from({ length }, () => this.value(of));
  };
}

function read(bytes: Buffer) {
  const reader = new Reader(bytes);
  expect(reader.bytes.toString('latin1', 0, 4)).toBe('GGUF');
  reader.at = 4;
  expect(reader.u32()).toBe(3);
  const [tensorCount, entryCount] = [reader.u64(), reader.u64()];
  const metadata = Object.fromEntries(
    Array.from({ length: entryCount }, () => [reader.text(), reader.value()]),
  );
  const tensors = Array.from({ length: tensorCount }, () => {
    const name = reader.text();
    const shape = Array.from({ length: reader.u32() }, () => reader.u64());
    return { name, shape, type: reader.u32(), offset: reader.u64() };
  });
  return { metadata, tensors, start: Math.ceil(reader.at / 32) * 32 };
}

it('writes metadata and aligned tensors', () => {
  const bytes = writeGguf({
    metadata: {
      'general.name': { type: 'string', value: 'Größe' },
      'a.flag': { type: 'boolean', value: true },
      'a.ids': { type: 'array', of: 'int32', value: [-1, 2] },
    },
    tensors: [
      { name: 'one', shape: [3], values: Float32Array.of(1, -2, 0.5) },
      { name: 'two', shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) },
    ],
  });
  const { metadata, tensors, start } = read(bytes);
  expect(metadata).toEqual({ 'general.name': 'Größe', 'a.flag': true, 'a.ids': [-1, 2] });
  expect(tensors).toEqual([
    { name: 'one', shape: [3], type: 0, offset: 0 },
    { name: 'two', shape: [2, 2], type: 0, offset: 32 },
  ]);
  expect(bytes.length).toBe(start + 64);
  expect([0, 4, 8].map((at) => bytes.readFloatLE(start + at))).toEqual([1, -2, 0.5]);
  expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(start + 32 + at))).toEqual([1, 2, 3, 4]);
});

it('refuses a tensor with too few values', () => {
  const tensors = [{ name: 'one', shape: [2, 2], values: new Float32Array(3) }];
  expect(() => writeGguf({ metadata: {}, tensors })).toThrow('one has 3 values instead of 4');
});

it('writes the same small model every time, labeled as having random weights', () => {
  const bytes = tinyModel();
  expect(bytes.length).toBeLessThan(500_000);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '607dcc12d0891157e803518666cf833169dcb84058999f38781af8380235c39d',
  );
  const { metadata, tensors, start } = read(bytes);
  expect(metadata).toMatchObject({
    'general.architecture': 'llama',
    'general.name': 'Tiny model with random weights',
    'llama.context_length': TINY_CONTEXT,
  });
  const tokens = metadata['tokenizer.ggml.tokens'] as string[];
  expect(tokens.slice(0, 4)).toEqual(['<unk>', '<s>', '</s>', '<0x00>']);
  expect(new Set(tokens).size).toBe(tokens.length);
  // Every tensor ends where the next one starts, and the last one with the file.
  const ends = tensors.map(
    ({ shape, offset }) => offset + Math.ceil((4 * shape.reduce((a, b) => a * b)) / 32) * 32,
  );
  expect(ends.slice(0, -1)).toEqual(tensors.slice(1).map(({ offset }) => offset));
  expect(start + (ends.at(-1) ?? 0)).toBe(bytes.length);
});
