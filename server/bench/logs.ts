import { setTimeout as wait } from 'node:timers/promises';
import { LogSession } from '../../console/features/logs/logSession';
import { logUrl } from '../../console/features/logs/logSources';
import type { CvmComposition, CvmDetail } from '../../generated/api/types.gen';
import { createDb } from '../db/core/client';
import { readInBrowser } from './logBrowser';
import { rssMb, startLogHost, type LogHost } from './logHost';
import type { Options, Part, Row } from './report';
import { register } from './seed';
import { cpuMs, removeDir, startServerProcess, temporaryDir, type Started } from './serverProcess';

const RATE = 5_000;

/**
 * A container that writes 5,000 lines per second: what arrives over a connection that keeps breaking, and the cost of
 * showing it.
 */
export async function logs(options: Options): Promise<Part> {
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
    const database = await server.database();
    const { session, slug } = await register(server.url);
    const host = await startLogHost(createDb(database.pool));
    try {
      const seconds = options.quick ? 15 : 120;
      const rows = [
        ...(await readWithBreaks(server, host, session, slug, seconds, options)),
        ...(await readInBrowser({ server, host, session, slug, options, seconds })),
      ];
      return {
        title: 'Logs',
        how: `One container that writes ${RATE.toLocaleString('en')} lines per second of about 100 characters, through the real server (guest agent's framing, Docker's times). Breaks: a reader for ${seconds} s whose connection is cut every few seconds; lines are numbered, so lost and duplicate lines are counted. Browser: the logs page in Chromium at that rate, then filled to a million lines; frame times are those of requestAnimationFrame, heap after a collection.`,
        rows,
      };
    } finally {
      await host.stop();
      await database.stop();
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

/** Runs the console's own session in this process, with its connection cut repeatedly at any point. */
async function readWithBreaks(
  server: Started,
  host: LogHost,
  session: string,
  slug: string,
  seconds: number,
  { say }: Options,
): Promise<Row[]> {
  const headers = { cookie: session, 'x-workspace': slug };
  const get = async <T>(path: string) =>
    (await (await fetch(`${server.url}/api/v1${path}`, { headers })).json()) as T;
  const cvm = await get<CvmDetail>(`/cvms/${host.vm_uuids[0]}`);
  const composition = await get<CvmComposition>(`/cvms/${host.vm_uuids[0]}/composition`);
  let cut: AbortController | null = null;
  const reader = new LogSession({
    timestamps: true,
    over: () => null,
    open(query, _fresh, signal) {
      const url = logUrl({ id: 'web', label: 'web', kind: 'container' }, cvm, composition, query);
      cut = new AbortController();
      return fetch(server.url + url, { signal: AbortSignal.any([signal, cut.signal]) });
    },
  });
  // Read on arrival, so that nothing has to be stored.
  let next = -1;
  const seen = { lines: 0, gaps: 0, lost: 0, doubled: 0 };
  let read = 0;
  reader.subscribe(() => {
    const log = reader.getSnapshot();
    for (; read < log.end; read++) {
      if (log.kind(read) === 'gap') {
        seen.gaps++;
        next = -1;
        continue;
      }
      const number = Number(/line (\d+) /.exec(log.text(read))?.[1]);
      if (next >= 0 && number > next) seen.lost += number - next;
      if (next >= 0 && number < next) seen.doubled++;
      next = Math.max(next, number + 1);
      seen.lines++;
    }
  });
  const before = { cpu: cpuMs(server.pid), rss: rssMb(server.pid) };
  const began = Date.now();
  let breaks = 0;
  let highest = before.rss;
  reader.start();
  while (Date.now() - began < seconds * 1000) {
    await wait(500 + Math.random() * 4_000);
    highest = Math.max(highest, rssMb(server.pid));
    (cut as AbortController | null)?.abort();
    breaks++;
  }
  await wait(2_500);
  const written = await host.written();
  reader.stop();
  const took = (Date.now() - began) / 1000;
  say(`${seen.lines} lines over ${breaks} breaks`);
  return [
    {
      what: `lines read in ${took.toFixed(0)} s over ${breaks} breaks`,
      figures: `${seen.lines}, ${seen.lost} lost, ${seen.doubled} doubled, ${seen.gaps} marked gaps, ${written - next} behind`,
      aim: '0 lost, 0 doubled unmarked',
    },
    {
      what: 'server while streaming',
      figures: `${((cpuMs(server.pid) - before.cpu) / 10 / took).toFixed(0)} % of a core, RSS ${before.rss.toFixed(0)} MB, at most ${highest.toFixed(0)} MB`,
      aim: 'flat',
    },
  ];
}
