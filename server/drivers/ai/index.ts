import type { AiError } from '../../domain/ai/aiError';
import type { ModelRequest } from '../../domain/ai/modelRequest';
import type { CountedUsage } from '../../domain/ai/usage';

export interface AiCall {
  /** `id` of the answer, if the upstream leaves that to the gateway. */
  id: string;
  request: ModelRequest;
  /** The bytes to send, in parts. */
  body: readonly Buffer[];
  /** Whether `body` requests a stream's usage although the client didn't. */
  adds_usage: boolean;
  /**
   * Counts answer bytes kept in memory until the answer has ended. @throws {AiError} if there is no room for
   * them
   */
  keep: (bytes: number) => void;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

export interface AiReply {
  status: number;
  content_type: string;
  /** The answer's bytes except the last, to be passed on unchanged as they arrive. */
  body: AsyncIterable<Uint8Array>;
  /** The last bytes, without which clients consider the answer incomplete; known once `body` has ended. */
  end(): Uint8Array;
  /** `id` in the answer; null if it has none. */
  id(): string | null;
  /** Tokens used so far; final once `body` has ended. */
  usage(): CountedUsage;
}

/** An upstream gave no answer. Another one may; otherwise the client gets `answer`. */
export class UpstreamFailure extends Error {
  constructor(
    readonly answer: AiError,
    options?: ErrorOptions,
  ) {
    super(answer.message, options);
  }
}

/** A model server. */
export interface AiUpstream {
  /**
   * Resolves with the first part of an answer.
   * @throws {AiError} if it refuses the request
   * @throws {UpstreamFailure} if another upstream may answer it
   */
  complete(call: AiCall): Promise<AiReply>;
}

/** Address of an OpenAI-compatible server, and how to call it. */
export interface AiServer {
  /** Base URL of its API. */
  url: string;
  api_key: string | null;
  timeout_ms: number;
}

/** Clients of model servers. */
export interface AiServers {
  at(server: AiServer): AiUpstream;
  /**
   * Requests a server's models, which shows whether it responds and accepts the key. @returns the problem; null
   * for none
   */
  check(server: AiServer): Promise<string | null>;
  /**
   * Has a chat model write one token. Unlike the list of models, which llama.cpp gives to anyone, this requires
   * the key.
   * @returns the problem; null for none
   */
  tryModel(server: AiServer, model: string, signal?: AbortSignal): Promise<ModelFault | null>;
}

export interface ModelFault {
  /** Whether the server rejects the key. */
  is_key: boolean;
  message: string;
}

/** The body of an answer that consists only of its end. */
export async function* nothing(): AsyncGenerator<Uint8Array> {}
