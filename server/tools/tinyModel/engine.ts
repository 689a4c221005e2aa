import { getLlama, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp';

/**
 * llama.cpp with one model, loaded on this machine's processor. Nothing is downloaded or compiled: package.json
 * skips the package's install script, and replaces the GPU binaries, which are hundreds of megabytes, with a
 * package that only macOS installs.
 */
export interface Engine {
  /** Tokens of one request, including its answer. */
  contextLength: number;
  /** Returns a text's tokens, including the start token. */
  read(text: string): Token[];
  /** @returns null if the maximum of concurrent answers is being written */
  start(): Writer | null;
  close(): Promise<void>;
}

interface Writer {
  /** Yields tokens until the model ends its answer or the caller stops reading. */
  write(prompt: readonly Token[], options: Sampling): AsyncGenerator<Token, void>;
  /** Returns the text of tokens. A partial character at the end becomes `�`. */
  textOf(tokens: readonly Token[]): string;
  end(): Promise<void>;
}

interface Sampling {
  /** 0 always picks the likeliest token. */
  temperature: number;
  seed?: number | undefined;
}

interface Options {
  contextLength: number;
  /** Concurrent answers. */
  parallel: number;
  /** From 0 to 1. */
  onProgress?: (loaded: number) => void;
}

export async function loadEngine(
  modelPath: string,
  { contextLength, parallel, onProgress }: Options,
): Promise<Engine> {
  // `never` and `skipDownload`: use the packaged binary or fail.
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // On an overloaded machine, threads that wait for each other take a thousand times as long.
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
