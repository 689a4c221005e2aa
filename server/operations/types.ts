import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { SiteContent } from '../../console/lib/public/siteContent';
import type { OperationId, OperationTypes } from '../../generated/api/operations.gen';
import type { Config } from '../config';
import type { AccessSubject } from '../db/teams/access';
import type { Database } from '../db/core/schema';
import type { Json } from '../db/core/json';
import type { InTurn } from '../db/core/turns';
import type { Caller } from '../domain/core/caller';
import type { EventBus } from '../db/core/eventBus';
import type { MailOutbox } from '../jobs/notifications/mailOutbox';
import type { AuditOutlets } from '../jobs/audit/deliverEntries';
import type { JobQueue } from '../jobs/core/queue';
import type { AgentChat } from '../drivers/agents';
import type { McpClient } from '../drivers/mcp';
import type { AiServers } from '../drivers/ai';
import type { ChainDriver } from '../drivers/chain';
import type { ChatDriver } from '../drivers/chat';
import type { CollateralDriver } from '../drivers/collateral';
import type { ComposeAnalyzer } from '../drivers/compose';
import type { DnsDriver } from '../drivers/dns';
import type { GithubDriver } from '../drivers/github';
import type { GatewayClients } from '../drivers/gateway';
import type { KmsClients } from '../drivers/kms';
import type { Outbound } from '../drivers/net';
import type { OidcDriver } from '../drivers/oidc';
import type { CardPayments } from '../drivers/payments';
import type { Probe } from '../drivers/probe';
import type { Templates } from '../db/catalog/offeredTemplates';
import type { VmmRegistry } from '../drivers/vmm';
import type { Seal } from '../domain/core/seal';

/** Services of the process, available to every handler. */
export interface Services {
  readonly config: Config;
  readonly db: Kysely<Database>;
  /** Queues a team's writes, by its ID, without holding a database connection. Used by `Context.write`. */
  readonly teamTurns: InTurn<number>;
  readonly jobs: JobQueue;
  readonly mail: MailOutbox;
  /** Null if the server takes no cards. */
  readonly cards: CardPayments | null;
  readonly vmm: VmmRegistry;
  readonly kms: KmsClients;
  readonly gateways: GatewayClients;
  readonly chain: ChainDriver;
  /** Client of the chat service; the bot's token identifies it in each call. */
  readonly chat: ChatDriver;
  readonly oidc: OidcDriver;
  readonly github: GithubDriver;
  readonly dns: DnsDriver;
  readonly compose: ComposeAnalyzer;
  readonly templates: Templates;
  /** The operator's texts on public pages. */
  readonly site: SiteContent;
  /** Null if the operator configured no collateral service. */
  readonly collateral: CollateralDriver | null;
  /** Probes gateway addresses. */
  readonly probe: Probe;
  readonly ai: AiServers;
  /** Talks to agents in CVMs, at the addresses of their gateways. */
  readonly agents: AgentChat;
  /** Reaches MCP servers in CVMs, at the addresses of their gateways. */
  readonly mcp: McpClient;
  /** Checks and connects to webhook URLs, and to domains that visitors name. */
  readonly webhookNet: Outbound;
  /** The same for addresses that visitors without an account name. */
  readonly visitorNet: Outbound;
  /** Deliver the audit log to addresses that administrators enter. */
  readonly auditOutlets: Pick<AuditOutlets, 'net' | 'syslog'>;
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
  /** Overrides the kind derived from the caller. */
  actor_kind?: 'user';
  /** Staff who acted for the actor; when staff view as a user, this is recorded automatically. */
  on_behalf_of_user_id?: number;
  before?: Json;
  after?: Json;
}

/** A write in progress: one transaction that must leave at least one audit row. */
export interface Write {
  readonly trx: Transaction<Database>;
  audit(entry: AuditEntry): Promise<void>;
}

/** Write methods reserved for the handler itself. */
export interface OwnWrite extends Write {
  /** Return this if there is nothing to change: the transaction rolls back and needs no audit row. */
  unchanged<T>(result: T): Unchanged<T>;
}

/** The result of a write that found nothing to change. */
export interface Unchanged<T> extends Error {
  readonly result: T;
}

export interface Context extends Services {
  readonly request_id: string;
  readonly caller: Caller;
  readonly ip: string;
  readonly user_agent: string;
  /** The request headers that operations may read, in lower case. */
  readonly headers: Readonly<
    Partial<
      Record<
        | 'idempotency-key'
        | 'x-prepare-only'
        | 'x-compose-hash'
        | 'x-transaction-hash'
        | 'if-match'
        | 'last-event-id'
        | 'accept',
        string
      >
    >
  >;
  /** The finance action that this request approves and completes. */
  readonly approves?: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The request's session token, for signing out. */
  readonly session_token: string | null;
  /** Returns a cookie of the request, for those that bind a sign-in to its browser. */
  cookie(name: string): string | null;
  /**
   * Runs `work` in one transaction with its audit rows; with an Idempotency-Key the reply is stored in the same
   * transaction, so that a repeated request returns it again. A write without an audit row is a programming error and rolls back.
   */
  write<T>(work: (write: OwnWrite) => Promise<T | Unchanged<T>>): Promise<T>;
  /** Runs `work` in one transaction without an audit row, for reading marks and the like. Not idempotent by key. */
  writeUnaudited<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
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

/** A text stream (logs, server-sent events), written with backpressure until it ends or the client disconnects. */
export interface StreamReply extends ReplyExtras {
  status: 200;
  content_type: string;
  stream: AsyncIterable<string | Uint8Array>;
  /** Aborting it cuts the connection: the reader's time is up. */
  until?: AbortSignal;
  /** Whose access it requires, if not the caller's: a log URL names its own reader. */
  reader?: StreamReader;
}

export interface StreamReader {
  subject: AccessSubject;
  /** Called again whenever a change affects the subject. */
  stillAllowed(): Promise<boolean>;
}

/** An operation's possible replies: the statuses and bodies in the document. */
type Reply<K extends OperationId> =
  | {
      [S in keyof OperationTypes[K]['replies']]: { status: S } & BodyOf<OperationTypes[K]['replies'][S]> &
        ReplyExtras;
    }[keyof OperationTypes[K]['replies']]
  | StreamReply;

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<Reply<K>>;

/** Exactly the operations of the document: a missing handler fails the type check. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };
