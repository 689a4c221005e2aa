import pg from 'pg';
import type { Logger } from 'pino';
import { endsWithin } from '../../../console/lib/endsWithin';
import { LOG_LEVEL_CHANNEL } from '../platform/logLevel';
import { ACCESS_CHANNEL, type AccessChange } from '../teams/access';

/** The LISTEN payload for a new event row; subscribers read the row itself from the database. */
interface EventNotice {
  id: number;
  team_id: number;
  cvm_id: number | null;
}

type EventListener = (notice: EventNotice | 'reconnected' | 'stopped') => void;

type AccessListener = (change: AccessChange) => void;

/** LISTEN channel for new event rows; a trigger writes to it. */
const EVENT_CHANNEL = 'teehouse_events';

/** LISTEN channel for users whose notifications changed; a trigger in 0013_notifications writes to it. */
const NOTIFICATION_CHANNEL = 'teehouse_notifications';

/**
 * LISTEN channel for announcements that went live, changed or ended; a trigger in 0022_announcements writes
 * to it.
 */
const ANNOUNCEMENT_CHANNEL = 'teehouse_announcements';

/** LISTEN channel for jobs to start; `jobs/core/queue.ts` writes to it. */
export const JOB_CHANNEL = 'teehouse_jobs';

/**
 * A row to process: an outbox row, or an operation by its correlation ID, for one worker or null for any but the
 * one that was too full to start it.
 */
export type JobNotice = { mail: number } | { operation: string; worker: string | null; full?: string };

export interface EventBus {
  /**
   * Calls back for every event of the team, whichever process wrote it, with `reconnected` when notices may have been
   * lost (after a lost connection, and in a worker before its first reader), and with `stopped` when this process
   * drains: no more events follow, and another process serves the reader better.
   */
  subscribe(team_id: number, listener: EventListener): () => void;
  /** Calls back when the user's notifications change, and after a lost connection, when they may have. */
  onNotification(user_id: number, listener: () => void): () => void;
  /**
   * Calls back when announcements change, and after a lost connection. The reader checks which concern its
   * user.
   */
  onAnnouncement(listener: () => void): () => void;
  /**
   * Calls back for every right that may have been lost, and after a lost connection with `{}`: any may have
   * been.
   */
  onAccess(listener: AccessListener): () => void;
  /** Calls back for every job to start. The workers' sweeps find those missed during a lost connection. */
  onJob(listener: (notice: JobNotice) => void): () => void;
  /** Calls back when the log level changed, and after a lost connection. */
  onLogLevel(listener: () => void): () => void;
  stop(): Promise<void>;
}

/** How often PostgreSQL must answer on the connection, and how long it may take. */
const CHECK_MS = 15_000;

/**
 * One LISTEN connection per process, reopened when it drops or no longer answers; readers catch up from the table by
 * ID.
 * @param options.serves whether readers of events are expected; otherwise it listens to them from the first one on
 */
export function createEventBus(
  poolConfig: pg.PoolConfig,
  log: Logger,
  { check_ms = CHECK_MS, serves = true }: { check_ms?: number; serves?: boolean } = {},
): EventBus {
  const listeners = new Map<number, Set<EventListener>>();
  const accessListeners = new Set<AccessListener>();
  const announcementListeners = new Set<() => void>();
  const jobListeners = new Set<(notice: JobNotice) => void>();
  const logLevelListeners = new Set<() => void>();
  const notificationListeners = new Map<number, Set<() => void>>();
  let client: pg.Client | null = null;
  /** Whether it listens. */
  let isOpen = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let check: NodeJS.Timeout | undefined;

  /** By channel; receive its payloads. */
  const readers = new Map<string, (payload: string) => void>([
    [
      EVENT_CHANNEL,
      (payload) => {
        const notice = JSON.parse(payload) as EventNotice;
        for (const listener of listeners.get(notice.team_id) ?? []) listener(notice);
      },
    ],
    [
      ACCESS_CHANNEL,
      (payload) => {
        const change = JSON.parse(payload) as AccessChange;
        for (const listener of accessListeners) listener(change);
      },
    ],
    [
      NOTIFICATION_CHANNEL,
      (payload) => {
        const { user_id } = JSON.parse(payload) as { user_id: number };
        for (const listener of notificationListeners.get(user_id) ?? []) listener();
      },
    ],
    [ANNOUNCEMENT_CHANNEL, () => announcementListeners.forEach((listener) => listener())],
    [
      JOB_CHANNEL,
      (payload) => {
        const job = JSON.parse(payload) as JobNotice;
        for (const listener of jobListeners) listener(job);
      },
    ],
    [LOG_LEVEL_CHANNEL, () => logLevelListeners.forEach((listener) => listener())],
  ]);

  /** Channels listened to. Most notices are events, which workers don't read, and jobs, which only they read. */
  const channels = new Set(readers.keys());
  channels.delete(JOB_CHANNEL);
  if (!serves) channels.delete(EVENT_CHANNEL);

  /** Listens to a channel from its first reader on. @param missed notices may have been lost until this call */
  const listenTo = (channel: string, missed: () => void) => {
    if (channels.has(channel)) return;
    channels.add(channel);
    // A connection being opened listens to all of them.
    if (isOpen) client?.query(`listen ${channel}`).then(missed, () => undefined);
  };

  const behind = () => {
    for (const set of listeners.values()) for (const listener of set) listener('reconnected');
  };

  /** @param again whether notices may have been lost since an earlier connection */
  const connect = async (again: boolean): Promise<void> => {
    if (stopped) return;
    const next = new pg.Client({
      ...poolConfig,
      application_name: 'teehouse-events',
      connectionTimeoutMillis: 10_000,
    });
    next.on('error', () => lost(next));
    next.on('end', () => lost(next));
    next.on('notification', ({ channel, payload }) => {
      if (payload) readers.get(channel)?.(payload);
    });
    client = next;
    isOpen = false;
    await next.connect();
    watch(next);
    for (const channel of channels) await next.query(`listen ${channel}`);
    isOpen = client === next;
    if (!again) return;
    behind();
    for (const listener of accessListeners) listener({});
    for (const set of notificationListeners.values()) for (const listener of set) listener();
    for (const listener of announcementListeners) listener();
    for (const listener of logLevelListeners) listener();
  };

  /**
   * The connection only listens: if the other machine or a firewall between drops it without a word, TCP reports that
   * after hours, and until then no page, reader or worker of this process would notice.
   */
  const watch = (which: pg.Client) => {
    clearTimeout(check);
    check = setTimeout(async () => {
      if (client !== which) return;
      // An error has also ended the connection.
      const answers = await endsWithin(
        which.query('select 1').catch(() => undefined),
        check_ms,
      );
      if (client !== which) return;
      if (answers) return watch(which);
      log.warn('the event connection does not respond; reopening it');
      lost(which);
    }, check_ms);
    check.unref();
  };

  const lost = (which: pg.Client) => {
    if (stopped || client !== which) return;
    client = null;
    isOpen = false;
    clearTimeout(check);
    // Still open if a standby refused to listen: connections left behind would use up those of the next primary.
    which.end().catch(() => undefined);
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect(true).catch((error: unknown) => {
        log.warn({ err: error }, "couldn't reopen the event connection; retrying");
        if (client) lost(client);
      });
    }, 500);
  };

  connect(false).catch((error: unknown) => {
    log.warn({ err: error }, "couldn't open the event connection; retrying");
    if (client) lost(client);
  });

  return {
    subscribe(team_id, listener) {
      if (stopped) {
        queueMicrotask(() => listener('stopped'));
        return () => undefined;
      }
      const set = listeners.get(team_id) ?? new Set();
      listeners.set(team_id, set);
      set.add(listener);
      listenTo(EVENT_CHANNEL, behind);
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(team_id);
      };
    },
    onNotification(user_id, listener) {
      const set = notificationListeners.get(user_id) ?? new Set();
      notificationListeners.set(user_id, set);
      set.add(listener);
      return () => {
        set.delete(listener);
        if (set.size === 0) notificationListeners.delete(user_id);
      };
    },
    onAnnouncement(listener) {
      announcementListeners.add(listener);
      return () => void announcementListeners.delete(listener);
    },
    onAccess(listener) {
      accessListeners.add(listener);
      return () => void accessListeners.delete(listener);
    },
    onJob(listener) {
      jobListeners.add(listener);
      listenTo(JOB_CHANNEL, () => undefined);
      return () => void jobListeners.delete(listener);
    },
    onLogLevel(listener) {
      logLevelListeners.add(listener);
      return () => void logLevelListeners.delete(listener);
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      clearTimeout(check);
      for (const set of listeners.values()) for (const listener of set) listener('stopped');
      await client?.end().catch(() => undefined);
    },
  };
}
