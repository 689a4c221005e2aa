import { getLlama, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp';

/**
 * llama.cpp with one model, loaded on this machine's processor. Nothing is downloaded or compiled: package.json doesn't run
 * the package's install script, and puts a package that only macOS installs in place of the binaries for GPUs, which are
 * hundreds of megabytes.
 */
export interface Engine {
  /** Tokens of one request, its answer included. */
  contextLength: number;
  /** Returns the tokens of a text, with those that start one. */
  read(text: string): Token[];
  /** @returns null if as many answers as it can write at a time are being written */
  start(): Writer | null;
  close(): Promise<void>;
}

interface Writer {
  /** Yields one token after the other, until the model ends its answer or the caller stops reading. */
  write(prompt: readonly Token[], options: Sampling): AsyncGenerator<Token, void>;
  /** Returns the text of tokens. Part of a character at the end is `�`. */
  textOf(tokens: readonly Token[]): string;
  end(): Promise<void>;
}

interface Sampling {
  /** 0: the likeliest token each time. */
  temperature: number;
  seed?: number | undefined;
}

interface Options {
  contextLength: number;
  /** Answers at a time. */
  parallel: number;
  /** From 0 to 1. */
  onProgress?: (loaded: number) => void;
}

export async function loadEngine(
  modelPath: string,
  { contextLength, parallel, onProgress }: Options,
): Promise<Engine> {
  // `never` and `skipDownload`: only the binary in the package, or an error.
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // Threads that wait for each other take a thousand times as long on a machine that is full.
    maxThreads: 1,
  });
  const model = await llama.loadModel({ modelPath, ...(onProgress ? { onLoadProgress: onProgress } : {}) });
  const context = await model.createContext({ contextSize: contextLength, sequences: parallel, threads: 1 });
  return {
    contextLength,
    read: (text) => [...(model.tokens.bos === null ? [] : [model.tokens.bos]), ...model.tokenize(text)],
    start: () => (context.sequencesLeft === 0 ? null : writerOf(model, context.getSequence())),
    close: () => llama.dispose(),
  };
}

const writerOf = (model: LlamaModel, sequence: LlamaContextSequence): Writer => ({
  write: (prompt, { temperature, seed }) =>
    sequence.evaluate([...prompt], { temperature, ...(seed === undefined ? {} : { seed }) }),
  textOf: (tokens) => model.detokenize(tokens),
  end: () => sequence.dispose(),
});
