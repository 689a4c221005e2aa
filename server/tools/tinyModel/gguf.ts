/**
 * Writes files in GGUF version 3, the format that llama.cpp loads. Only what the tiny model needs: a few kinds of
 * metadata, and tensors of 32-bit floats.
 *
 * Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */

const VERSION = 3;
/** Bytes; each tensor starts at a multiple. */
const ALIGNMENT = 32;
const FLOAT_TENSOR = 0;
const TYPES = { uint32: 4, int32: 5, float32: 6, boolean: 7, string: 8, array: 9 } as const;

type Scalar = 'uint32' | 'int32' | 'float32' | 'boolean' | 'string';
export type GgufValue =
  | { type: 'uint32' | 'int32' | 'float32'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'string'; value: string }
  | { type: 'array'; of: Scalar; value: readonly (number | boolean | string)[] };

export interface GgufTensor {
  name: string;
  /** The innermost dimension first. */
  shape: readonly number[];
  values: Float32Array;
}

export interface GgufFile {
  metadata: Readonly<Record<string, GgufValue>>;
  tensors: readonly GgufTensor[];
}

export function writeGguf({ metadata, tensors }: GgufFile): Buffer {
  const entries = Object.entries(metadata);
  const head: Buffer[] = [Buffer.from('GGUF'), u32(VERSION), u64(tensors.length), u64(entries.length)];
  for (const [key, value] of entries) head.push(text(key), u32(TYPES[value.type]), valueOf(value));

  let offset = 0;
  const data: Buffer[] = [];
  for (const { name, shape, values } of tensors) {
    const count = shape.reduce((product, one) => product * one, 1);
    if (count !== values.length) throw new Error(`${name} has ${values.length} values instead of ${count}`);
    head.push(text(name), u32(shape.length), ...shape.map(u64), u32(FLOAT_TENSOR), u64(offset));
    const bytes = Buffer.alloc(aligned(values.length * 4));
    values.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
    data.push(bytes);
    offset += bytes.length;
  }
  const header = Buffer.concat(head);
  return Buffer.concat([header, Buffer.alloc(aligned(header.length) - header.length), ...data]);
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function valueOf(value: GgufValue): Buffer {
  if (value.type !== 'array') return scalar(value.type, value.value);
  const items = value.value.map((item) => scalar(value.of, item));
  return Buffer.concat([u32(TYPES[value.of]), u64(items.length), ...items]);
}

function scalar(type: Scalar, value: number | boolean | string): Buffer {
  if (type === 'string') return text(String(value));
  if (type === 'boolean') return Buffer.from([value === true ? 1 : 0]);
  const bytes = Buffer.alloc(4);
  if (type === 'float32') bytes.writeFloatLE(Number(value));
  else if (type === 'int32') bytes.writeInt32LE(Number(value));
  else bytes.writeUInt32LE(Number(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
