import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { OperationId, OperationTypes } from '../../generated/api/operations.gen';
import type { Config } from '../config';
import type { AccessSubject } from '../db/access';
import type { Database, Json } from '../db/schema';
import type { Caller } from '../domain/caller';
import type { EventBus } from '../db/eventBus';
import type { MailOutbox } from '../jobs/mailOutbox';
import type { JobQueue } from '../jobs/queue';
import type { ChainDriver } from '../drivers/chain';
import type { ChatDriver } from '../drivers/chat';
import type { CollateralDriver } from '../drivers/collateral';
import type { DnsDriver } from '../drivers/dns';
import type { GithubDriver } from '../drivers/github';
import type { KmsClients } from '../drivers/kms';
import type { Outbound } from '../drivers/net';
import type { OidcDriver } from '../drivers/oidc';
import type { Probe } from '../drivers/probe';
import type { VmmRegistry } from '../drivers/vmm';
import type { Seal } from '../domain/seal';

/** What the process offers every handler. */
export interface Services {
  readonly config: Config;
  readonly db: Kysely<Database>;
  readonly jobs: JobQueue;
  readonly mail: MailOutbox;
  readonly vmm: VmmRegistry;
  readonly kms: KmsClients;
  readonly chain: ChainDriver;
  /** The service of the chat bot; what is said with it is its token's. */
  readonly chat: ChatDriver;
  readonly oidc: OidcDriver;
  readonly github: GithubDriver;
  readonly dns: DnsDriver;
  /** Null where the operator enabled no service. */
  readonly collateral: CollateralDriver | null;
  /** Tries addresses of gateways. */
  readonly probe: Probe;
  /** For the addresses of webhooks. */
  readonly webhookNet: Outbound;
  readonly events: EventBus;
  /** Signs and seals with the server's own key: log URLs, host credentials. */
  readonly seal: Seal;
  readonly log: Logger;
}

export interface AuditEntry {
  action: string;
  target_kind?: string;
  target_id?: string;
  team_id?: number | null;
  actor_user_id?: number;
  /** Where it is not what the caller is. */
  actor_kind?: 'user';
  /** Staff who acted for the actor; who looks as somebody is named by itself. */
  on_behalf_of_user_id?: number;
  before?: Json;
  after?: Json;
}

/** A write in progress: one transaction that must leave at least one audit row. */
export interface Write {
  readonly trx: Transaction<Database>;
  audit(entry: AuditEntry): Promise<void>;
}

export interface Context extends Services {
  readonly request_id: string;
  readonly caller: Caller;
  readonly ip: string;
  readonly user_agent: string;
  /** The few request headers an operation may look at, lower case. */
  readonly headers: Readonly<
    Partial<
      Record<
        'x-prepare-only' | 'x-compose-hash' | 'x-transaction-hash' | 'if-match' | 'last-event-id' | 'accept',
        string
      >
    >
  >;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Session token of the request, for signing out. */
  readonly session_token: string | null;
  /** A cookie of the request: those that bind a sign-in to its browser. */
  cookie(name: string): string | null;
  /**
   * Runs `work` in one transaction with its audit rows; with an Idempotency-Key the reply is stored in the same
   * transaction, so that a repeat answers it again. A write without an audit row is a programming error and rolls back.
   */
  write<T>(work: (write: Write) => Promise<T>): Promise<T>;
}

type Data<K extends OperationId> = OperationTypes[K]['data'];

/** One validated request. Types come from the document; nothing here needs checking again. */
export interface Call<K extends OperationId> {
  readonly path: NonNullable<Data<K>['path']>;
  readonly query: NonNullable<Data<K>['query']>;
  readonly body: NonNullable<Data<K>['body']>;
  readonly ctx: Context;
}

interface ReplyExtras {
  headers?: Record<string, string | string[]>;
}

type BodyOf<B> = [B] extends [void]
  ? { body?: undefined }
  : unknown extends B
    ? { body?: unknown }
    : { body: B };

/** A stream of text (logs, server-sent events): written as it comes, with backpressure, until it or the client ends. */
export interface StreamReply extends ReplyExtras {
  status: 200;
  content_type: string;
  stream: AsyncIterable<string | Uint8Array>;
  /** By whose right it is read, when that is not the caller's: a log address carries its own. */
  reader?: StreamReader;
}

export interface StreamReader {
  subject: AccessSubject;
  /** Asked again when something changed that concerns the subject. */
  stillAllowed(): Promise<boolean>;
}

/** What an operation may answer: only statuses and bodies the document names. */
export type Reply<K extends OperationId> =
  | {
      [S in keyof OperationTypes[K]['replies']]: { status: S } & BodyOf<OperationTypes[K]['replies'][S]> &
        ReplyExtras;
    }[keyof OperationTypes[K]['replies']]
  | StreamReply;

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<Reply<K>>;

/** Every operation of the document, no more and no less: a missing handler fails the type check. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };
