import type { CvmComposition, CvmDetail } from '../../../generated/api/types.gen';
import type { ResumeQuery } from '../../lib/logs/resume';
import { containerName } from './containerName';

/** One thing whose log can be read. `id` stands in the address. */
export interface LogSource {
  id: string;
  label: string;
  kind: 'container' | 'vm';
  /** Why it cannot be read, if so. */
  closed?: string;
}

const VM_LOGS: readonly LogSource[] = [
  { id: 'serial', label: 'Serial console', kind: 'vm' },
  { id: 'stdout', label: 'VM process, stdout', kind: 'vm' },
  { id: 'stderr', label: 'VM process, stderr', kind: 'vm' },
];

/** Containers first: they are what people look for. */
export function logSources(cvm: CvmDetail, composition: CvmComposition | undefined): LogSource[] {
  const containers = (composition?.containers ?? []).map((container): LogSource => {
    const name = containerName(container);
    return {
      id: name,
      label: name,
      kind: 'container',
      ...(container.log_endpoint === null
        ? { closed: cvm.public_logs ? 'The guest offers no log of it.' : PRIVATE }
        : {}),
    };
  });
  return [...containers, ...VM_LOGS];
}

export const PRIVATE =
  'Container logs are off: the app was deployed with “public logs” off, so nobody outside the CVM can read them.';

/** The one asked for, also when it is not there now (a container between two starts); else the first that can be read. */
export function chosenSource(sources: readonly LogSource[], asked: string | undefined): LogSource {
  const found = sources.find(({ id }) => id === asked);
  if (found) return found;
  if (asked !== undefined) return { id: asked, label: asked, kind: 'container' };
  return sources.find(({ closed }) => closed === undefined) ?? VM_LOGS[0]!;
}

/** Lines asked for at first, and when a log is taken up again. */
const FIRST_LINES = 1_000;
/** The most there may be: 20 s of a container that writes 5,000 lines a second. */
const RESUME_LINES = 100_000;

/** The log around a moment instead of its end. */
export interface LogWindow {
  since: string;
  /** Null: that is now, so the log is followed. */
  until: string | null;
}

const BEFORE_MS = 30_000;
const AFTER_MS = 10 * 60_000;

export function windowAround(moment: string, now = Date.now()): LogWindow {
  const at = Date.parse(moment);
  const iso = (ms: number) => new Date(ms).toISOString();
  return { since: iso(at - BEFORE_MS), until: at + AFTER_MS < now ? iso(at + AFTER_MS) : null };
}

/**
 * The address to read from, on this page's own origin: the server names itself by its public address, which need not be
 * the one this browser uses. Null when the source is not there.
 */
export function logUrl(
  source: LogSource,
  cvm: CvmDetail,
  composition: CvmComposition | undefined,
  query: ResumeQuery,
  window: LogWindow | null = null,
): string | null {
  const url = signedUrl(source, cvm, composition);
  if (url === null) return null;
  const container = source.kind === 'container';
  const { since = window?.since } = query;
  const whole = since !== undefined || query.tail !== undefined;
  if (!container || !window?.until) url.searchParams.set('follow', 'true');
  url.searchParams.set('ansi', 'true');
  if (container) url.searchParams.set('timestamps', 'true');
  url.searchParams.set('tail', String(query.tail ?? (whole ? RESUME_LINES : FIRST_LINES)));
  if (since !== undefined && container) url.searchParams.set('since', since);
  if (window?.until && container) url.searchParams.set('until', window.until);
  return url.pathname + url.search;
}

/** For a file of the lines before that time, as many as are given out at once. */
export function olderUrl(
  source: LogSource,
  cvm: CvmDetail,
  composition: CvmComposition | undefined,
  before: string | null,
): string | null {
  const url = source.kind === 'container' ? signedUrl(source, cvm, composition) : null;
  if (url === null) return null;
  for (const flag of ['text', 'bare', 'timestamps']) url.searchParams.set(flag, 'true');
  url.searchParams.set('tail', String(RESUME_LINES));
  if (before !== null) url.searchParams.set('until', before);
  return url.pathname + url.search;
}

function signedUrl(source: LogSource, cvm: CvmDetail, composition: CvmComposition | undefined): URL | null {
  const signed =
    source.kind === 'vm'
      ? (cvm.logs?.[source.id as 'serial'] ?? null)
      : containerUrl(source.id, cvm, composition);
  return signed === null ? null : new URL(signed, 'http://console.invalid');
}

function containerUrl(name: string, cvm: CvmDetail, composition: CvmComposition | undefined): string | null {
  const found = composition?.containers?.find((container) => containerName(container) === name);
  return (
    found?.log_endpoint ??
    cvm.logs?.container_log_base?.replace('{container}', encodeURIComponent(name)) ??
    null
  );
}
