/** An agent's API address, and how to call it. */
export interface AgentAddress {
  /** Without a path. */
  url: string;
  /** Sent instead of the URL's host name. */
  host?: string | undefined;
  api_key: string | null;
}

export interface AgentMessage {
  text: string;
  /** The conversation to continue; null for a new one. */
  session_id: string | null;
  /** UUID of its author. */
  author_id: string;
  signal: AbortSignal;
}

export interface AgentAnswer {
  session_id: string;
  /** Null if the agent chose not to answer. */
  text: string | null;
}

export type AgentErrorKind =
  /** Nothing accepts connections there. */
  | 'unreachable'
  /** It took too long. */
  | 'timeout'
  /** This server's outbound rules don't allow the address. */
  | 'refused'
  | 'key'
  /** It isn't the agent's API. */
  | 'other_api'
  /** The agent's framework is too old. */
  | 'outdated'
  | 'failed';

/** No answer. `message` is a sentence for the user. */
export class AgentError extends Error {
  constructor(
    readonly kind: AgentErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'AgentError';
  }
}

export interface AgentChat {
  /** Sends one message and waits for its answer. A conversation that has ended continues as a new one. @throws AgentError */
  say(address: AgentAddress, message: AgentMessage): Promise<AgentAnswer>;
}
