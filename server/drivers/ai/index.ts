import type { ChatRequest } from '../../domain/ai/chatRequest';
import type { TokenUsage } from '../../domain/ai/usage';

export interface AiCall {
  /** `id` of the answer, if the upstream leaves that to the gateway. */
  id: string;
  request: ChatRequest;
  /** The request's bytes as they came. */
  body: Buffer;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

export interface AiReply {
  status: number;
  content_type: string;
  /** The answer's bytes, to be passed on unchanged. */
  body: AsyncIterable<Uint8Array>;
  /** Tokens used so far; final once `body` has ended. */
  usage(): TokenUsage;
}

/** A model server. */
export interface AiUpstream {
  /** @throws {AiError} if it refuses the request */
  complete(call: AiCall): Promise<AiReply>;
}
