import { writeGguf, type GgufTensor, type GgufValue } from './gguf';

/**
 * A language model of half a megabyte for tests and demos: an ordinary Llama with random weights, so a real
 * engine loads it, counts its tokens and writes nonsense with it. Always the same bytes, so no download is
 * needed.
 */

/** A name in Hugging Face's style; there is no such repository. */
export const TINY_MODEL = 'teehouse/tiny-random-GGUF';
export const TINY_CONTEXT = 2048;

const SEED = 20_261_128;
const WIDTH = 64;
const LAYERS = 2;
const HEADS = 4;
const KEY_VALUE_HEADS = 2;
const FEED_FORWARD = 128;

/** Kinds of tokens in llama.cpp. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6] as const;
/** A space in the vocabularies of SentencePiece. */
const SPACE = '▁';
/** Words it writes. It reads letters as bytes. */
const WORDS =
  `tea house kettle cup leaf steam water window garden lamp table morning river stone bridge paper ink quiet green warm small
  old bright and under over beside with without the a one two three every some is was stays opens waits pours turns`.split(
    /\s+/,
  );

interface Token {
  text: string;
  type: number;
}
const VOCABULARY: readonly Token[] = [
  { text: '<unk>', type: UNKNOWN },
  { text: '<s>', type: CONTROL },
  { text: '</s>', type: CONTROL },
  ...Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    type: BYTE,
  })),
  { text: SPACE, type: NORMAL },
  ...WORDS.map((word) => ({ text: `${SPACE}${word}`, type: NORMAL })),
  ...['.', ','].map((mark) => ({ text: mark, type: NORMAL })),
];
const [UNKNOWN_ID, START_ID, END_ID] = [0, 1, 2];

const CHAT_TEMPLATE = `{{ bos_token }}{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n' }}{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}`;

/** Returns the model as a GGUF file. */
export function tinyModel(): Buffer {
  return writeGguf({ metadata: METADATA, tensors: tensors() });
}

const number = (value: number): GgufValue => ({ type: 'uint32', value });
const METADATA: Readonly<Record<string, GgufValue>> = {
  'general.architecture': { type: 'string', value: 'llama' },
  'general.name': { type: 'string', value: 'Tiny model with random weights' },
  'general.description': {
    type: 'string',
    value: 'Random weights, for testing. It was never trained, and its answers mean nothing.',
  },
  'general.license': { type: 'string', value: 'Apache-2.0' },
  'general.file_type': number(0),
  'llama.context_length': number(TINY_CONTEXT),
  'llama.embedding_length': number(WIDTH),
  'llama.block_count': number(LAYERS),
  'llama.feed_forward_length': number(FEED_FORWARD),
  'llama.attention.head_count': number(HEADS),
  'llama.attention.head_count_kv': number(KEY_VALUE_HEADS),
  'llama.attention.layer_norm_rms_epsilon': { type: 'float32', value: 1e-5 },
  'llama.rope.dimension_count': number(WIDTH / HEADS),
  'llama.vocab_size': number(VOCABULARY.length),
  'tokenizer.ggml.model': { type: 'string', value: 'llama' },
  'tokenizer.ggml.tokens': { type: 'array', of: 'string', value: VOCABULARY.map(({ text }) => text) },
  'tokenizer.ggml.scores': { type: 'array', of: 'float32', value: VOCABULARY.map(() => 0) },
  'tokenizer.ggml.token_type': { type: 'array', of: 'int32', value: VOCABULARY.map(({ type }) => type) },
  'tokenizer.ggml.bos_token_id': number(START_ID),
  'tokenizer.ggml.eos_token_id': number(END_ID),
  'tokenizer.ggml.unknown_token_id': number(UNKNOWN_ID),
  'tokenizer.ggml.add_bos_token': { type: 'boolean', value: true },
  'tokenizer.ggml.add_eos_token': { type: 'boolean', value: false },
  'tokenizer.ggml.add_space_prefix': { type: 'boolean', value: false },
  'tokenizer.chat_template': { type: 'string', value: CHAT_TEMPLATE },
};

function tensors(): GgufTensor[] {
  const random = normalNumbers(SEED);
  const matrix = (name: string, inner: number, outer: number): GgufTensor => ({
    name: `${name}.weight`,
    shape: [inner, outer],
    values: Float32Array.from({ length: inner * outer }, () => random() / Math.sqrt(inner)),
  });
  const ones = (name: string): GgufTensor => ({
    name: `${name}.weight`,
    shape: [WIDTH],
    values: new Float32Array(WIDTH).fill(1),
  });
  const shared = (WIDTH / HEADS) * KEY_VALUE_HEADS;
  const layer = (i: number): GgufTensor[] => [
    ones(`blk.${i}.attn_norm`),
    matrix(`blk.${i}.attn_q`, WIDTH, WIDTH),
    matrix(`blk.${i}.attn_k`, WIDTH, shared),
    matrix(`blk.${i}.attn_v`, WIDTH, shared),
    matrix(`blk.${i}.attn_output`, WIDTH, WIDTH),
    ones(`blk.${i}.ffn_norm`),
    matrix(`blk.${i}.ffn_gate`, WIDTH, FEED_FORWARD),
    matrix(`blk.${i}.ffn_up`, WIDTH, FEED_FORWARD),
    matrix(`blk.${i}.ffn_down`, FEED_FORWARD, WIDTH),
  ];
  return [
    matrix('token_embd', WIDTH, VOCABULARY.length),
    ...Array.from({ length: LAYERS }, (_, i) => layer(i)).flat(),
    ones('output_norm'),
    wordsOnly(matrix('output', WIDTH, VOCABULARY.length)),
  ];
}

/** Bytes get no rows and thus average likelihood, so it writes words: single bytes are rarely text. */
function wordsOnly(output: GgufTensor): GgufTensor {
  VOCABULARY.forEach(({ type }, id) => {
    if (type !== NORMAL) output.values.fill(0, id * WIDTH, (id + 1) * WIDTH);
  });
  return output;
}

/** Yields standard normal numbers, deterministic for a seed (mulberry32, Box–Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
