/** A chat service that a bot of this server speaks through. */

export interface ChatIdentity {
  id: string;
  username: string;
  name: string;
}

/** Something typed to the bot. */
export interface ChatUpdate {
  /** Ascending. The service forgets updates below the number that is asked for next. */
  number: number;
  /** Null when it is of a kind the bot has no use for; its number counts all the same. */
  message: {
    chat_ref: string;
    title: string;
    kind: 'person' | 'group' | 'channel';
    from: string;
    text: string;
  } | null;
}

/** One conversation with the service, as the bot the token belongs to. */
export interface ChatClient {
  /** @throws ChatError */
  identify(): Promise<ChatIdentity>;
  /** Waits up to `seconds` for something from number `from` on. @throws ChatError */
  updates(from: number, seconds: number, signal: AbortSignal): Promise<ChatUpdate[]>;
  /** @returns how the service names what was sent. @throws ChatError */
  send(chat_ref: string, text: string): Promise<string>;
  /** Writes anew what was sent; that it says so already is no mistake. @throws ChatError */
  edit(chat_ref: string, message_ref: string, text: string): Promise<void>;
}

export interface ChatDriver {
  /** What people call the service. */
  readonly name: string;
  connect(token: string): ChatClient;
  close(): Promise<void>;
}

/**
 * `token`: the service does not know it. `chat`: this chat cannot be written to (any more). `gone`: what was to be
 * edited is not there. `busy`: asked too often, wait. `down`: no answer, or one that makes no sense.
 */
export type ChatFailure = 'token' | 'chat' | 'gone' | 'busy' | 'down';

/** Its message never holds the token, which is part of the service's addresses. */
export class ChatError extends Error {
  constructor(
    readonly failure: ChatFailure,
    message: string,
    /** With `busy`: seconds to wait. */
    readonly retryAfter = 0,
  ) {
    super(message);
    this.name = 'ChatError';
  }
}
