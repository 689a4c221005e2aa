import type { CvmComposition, CvmDetail } from '../../../generated/api/types.gen';
import type { ResumeQuery } from '../../lib/logs/resume';
import { containerName } from '../cvms/containerName';

/** One log source. `id` appears in the URL. */
export interface LogSource {
  id: string;
  label: string;
  kind: 'container' | 'vm';
  /** Why the log isn't available, if so. */
  closed?: string;
}

const VM_LOGS: readonly LogSource[] = [
  { id: 'serial', label: 'Serial console', kind: 'vm' },
  { id: 'stdout', label: 'VM process, stdout', kind: 'vm' },
  { id: 'stderr', label: 'VM process, stderr', kind: 'vm' },
];

/** Containers come first, as the most common choice. */
export function logSources(cvm: CvmDetail, composition: CvmComposition | undefined): LogSource[] {
  const containers = (composition?.containers ?? []).map((container): LogSource => {
    const name = containerName(container);
    return {
      id: name,
      label: name,
      kind: 'container',
      ...(container.log_endpoint === null
        ? { closed: hidesLogs(cvm) ? PRIVATE : 'The guest provides no log for this container.' }
        : {}),
    };
  });
  return [...containers, ...VM_LOGS];
}

export const PRIVATE =
  'Public logs are off for this app, so container logs can’t be read from outside the CVM.';

/** Whether its container logs stay inside. A local teepod, which has no TEE, always shows them to the team. */
export const hidesLogs = ({ public_logs, trust }: Pick<CvmDetail, 'public_logs' | 'trust'>): boolean =>
  !public_logs && trust !== 'simulated';

/** Returns the requested source, even if it's absent between two starts, or else the first readable one. */
export function chosenSource(sources: readonly LogSource[], asked: string | undefined): LogSource {
  const found = sources.find(({ id }) => id === asked);
  if (found) return found;
  if (asked !== undefined) return { id: asked, label: asked, kind: 'container' };
  return sources.find(({ closed }) => closed === undefined) ?? VM_LOGS[0]!;
}

/**
 * Whether no container or log of a running CVM has the requested name. While the guest lists no containers, the name
 * may be right.
 */
export const isUnknown = (
  sources: readonly LogSource[],
  source: LogSource,
  composition: Pick<CvmComposition, 'containers'> | undefined,
): boolean => (composition?.containers ?? []).length > 0 && !sources.some(({ id }) => id === source.id);

/** Number of lines requested initially and on resume. */
const FIRST_LINES = 1_000;
/** The maximum: 20 s of a container that writes 5,000 lines per second. */
const RESUME_LINES = 100_000;

/** A part of the log around this time instead of its end. */
export interface LogWindow {
  since: string;
  /** Null follows the log. */
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
 * Returns the log URL on this page's origin, because the server's public URL may differ from the one this browser
 * uses. Null if the source is absent.
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

/** Returns the URL for downloading the lines before that time, up to the server's limit. */
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
    source.kind === 'vm' ? cvm.logs[source.id as 'serial'] : containerUrl(source.id, cvm, composition);
  return signed === null ? null : new URL(signed, 'http://console.invalid');
}

function containerUrl(name: string, cvm: CvmDetail, composition: CvmComposition | undefined): string | null {
  const found = composition?.containers?.find((container) => containerName(container) === name);
  return (
    found?.log_endpoint ??
    cvm.logs.container_log_base?.replace('{container}', encodeURIComponent(name)) ??
    null
  );
}
