import type { Db } from '../../db/core/client';
import type { EventBus } from '../../db/core/eventBus';
import { readLogLevel } from '../../db/platform/logLevel';
import {
  LOG_LEVEL_MINUTES,
  RUNTIME_LOG_LEVELS,
  type TemporaryLogLevel,
} from '../../domain/platform/logLevel';
import type { ServerLog } from '../../log';

export interface LogLevelFollower {
  /** Applies the level that `look` resolves to, unless a read that started later has been applied. */
  read(look: () => Promise<TemporaryLogLevel | null>): Promise<void>;
  stop(): void;
}

/** The longest duration of any level; timers have a limit. */
const MAX_MS = LOG_LEVEL_MINUTES.max * 60_000;

interface Options {
  db: Db;
  events: Pick<EventBus, 'onLogLevel'>;
  log: ServerLog;
}

/**
 * Keeps this process at the log level that administrators set for all processes: a change arrives as a
 * notification, heartbeats repeat it, and a timer ends it, even without the database.
 */
export function followLogLevel({ db, events, log }: Options): LogLevelFollower {
  const { threshold } = log;
  let started = 0;
  let applied = 0;
  let end: NodeJS.Timeout | undefined;

  const apply = (set: TemporaryLogLevel | null) => {
    clearTimeout(end);
    end = set ? setTimeout(apply, Math.min(set.left_ms, MAX_MS), null).unref() : undefined;
    const before = threshold.level;
    const after = set?.level ?? threshold.configured;
    if (before === after) return;
    const note = () =>
      log.info(
        {
          level_before: before,
          level_after: after,
          ...(set ? { minutes: Math.ceil(set.left_ms / 60_000) } : {}),
        },
        'log level changed',
      );
    // Logged at the more detailed of both levels, because the other one may hide it.
    const isQuieter = detail(after) < detail(before);
    if (isQuieter) note();
    threshold.override(set?.level ?? null);
    if (!isQuieter) note();
  };

  const read = async (look: () => Promise<TemporaryLogLevel | null>) => {
    const turn = ++started;
    const set = await look();
    // The answer to an earlier read may arrive later, when it is out of date.
    if (turn < applied) return;
    applied = turn;
    apply(set);
  };

  const leave = events.onLogLevel(() => {
    read(() => readLogLevel(db)).catch((error: unknown) =>
      log.warn({ err: error }, "couldn't read the log level; the next heartbeat retries"),
    );
  });

  return {
    read,
    stop() {
      leave();
      clearTimeout(end);
    },
  };
}

/** `fatal` and `silent`, which only LOG_LEVEL can have, write least. */
const detail = (level: string) => RUNTIME_LOG_LEVELS.findIndex((one) => one === level);
