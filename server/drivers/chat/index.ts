/** A chat service that this server's bot uses. */

export interface ChatIdentity {
  id: string;
  username: string;
  name: string;
}

/** A message typed to the bot. */
export interface ChatUpdate {
  /** Ascending. The service forgets updates below the next requested number. */
  number: number;
  /** Null if the bot doesn't handle its kind; its number counts anyway. */
  message: {
    chat_ref: string;
    title: string;
    kind: 'person' | 'group' | 'channel';
    from: string;
    text: string;
  } | null;
}

/** One session with the service, as the token's bot. */
export interface ChatClient {
  /** @throws ChatError */
  identify(): Promise<ChatIdentity>;
  /** Waits up to `seconds` for updates from number `from` on. @throws ChatError */
  updates(from: number, seconds: number, signal: AbortSignal): Promise<ChatUpdate[]>;
  /** @returns the service's ID of the message. @throws ChatError */
  send(chat_ref: string, text: string): Promise<string>;
  /** Edits a sent message; an unchanged text is not an error. @throws ChatError */
  edit(chat_ref: string, message_ref: string, text: string): Promise<void>;
}

export interface ChatDriver {
  /** The service's display name. */
  readonly name: string;
  connect(token: string): ChatClient;
  close(): Promise<void>;
}

/**
 * `token`: unknown to the service. `chat`: this chat can't be written to (any more). `gone`: the message to edit no
 * longer exists. `busy`: rate limited, wait. `down`: no response, or one that makes no sense.
 */
export type ChatFailure = 'token' | 'chat' | 'gone' | 'busy' | 'down';

/** The message never contains the token, which is part of the service's URLs. */
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
