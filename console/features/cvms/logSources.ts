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
const RESUME_LINES = 20_000;

/**
 * The address to read from, on this page's own origin: the server names itself by its public address, which need not be
 * the one this browser uses. Null when the source is not there.
 */
export function logUrl(
  source: LogSource,
  cvm: CvmDetail,
  composition: CvmComposition | undefined,
  query: ResumeQuery,
): string | null {
  const signed =
    source.kind === 'vm'
      ? (cvm.logs?.[source.id as 'serial'] ?? null)
      : containerUrl(source.id, cvm, composition);
  if (signed === null) return null;
  const url = new URL(signed, 'http://console.invalid');
  url.searchParams.set('follow', 'true');
  url.searchParams.set('ansi', 'true');
  if (source.kind === 'container') url.searchParams.set('timestamps', 'true');
  const resumes = query.since !== undefined || query.tail !== undefined;
  url.searchParams.set('tail', String(query.tail ?? (resumes ? RESUME_LINES : FIRST_LINES)));
  if (query.since !== undefined && source.kind === 'container') url.searchParams.set('since', query.since);
  return url.pathname + url.search;
}

function containerUrl(name: string, cvm: CvmDetail, composition: CvmComposition | undefined): string | null {
  const found = composition?.containers?.find((container) => containerName(container) === name);
  return (
    found?.log_endpoint ??
    cvm.logs?.container_log_base?.replace('{container}', encodeURIComponent(name)) ??
    null
  );
}
