import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startFakeVmm } from '../drivers/vmm/fake';

/**
 * A host whose only container writes lines at a steady rate, in a separate process. Line n is a function of n, so any
 * part of the log can be requested again, and a reader can detect lost and duplicate lines. Times and framing are
 * Docker's and the guest agent's. IPC messages: `{ rate }` changes the rate, `{ instance_id }` names the VM.
 */
const NEEDLE_EVERY = 1_000;
const TICK_MS = 20;

/** Periods with their rates: start time, first line, lines per second. */
const pieces = [{ ms: Date.now() - 1_000, line: 0, rate: 5_000 }];
const last = () => pieces.at(-1)!;
const linesAt = (ms: number) => {
  const piece = pieces.findLast((one) => one.ms <= ms) ?? pieces[0]!;
  return Math.max(0, piece.line + Math.floor(((ms - piece.ms) * piece.rate) / 1_000));
};
function timeOf(line: number): string {
  const piece = pieces.findLast((one) => one.line <= line) ?? pieces[0]!;
  const micros = Math.round(((line - piece.line) * 1e6) / piece.rate);
  const ms = Math.floor(piece.ms + micros / 1_000);
  const nanos = String(((micros + piece.ms * 1_000) % 1_000) * 1_000).padStart(6, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${nanos}Z`;
}
function textOf(line: number): string {
  const level = line % 50 === 0 ? '\u001b[33mWARN\u001b[0m' : 'INFO';
  const needle = line % NEEDLE_EVERY === 0 ? ' needle' : '';
  return `${level} line ${line} GET /api/v1/things/${line % 977}?page=${line % 13} 200 ${line % 89} ms request=${(line * 2654435761) % 4294967296}${needle}`;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '', 'http://x').searchParams;
  const stamped = query.has('timestamps');
  const now = linesAt(Date.now());
  const since = query.get('since');
  const tail = query.get('tail');
  let from = since === null ? 0 : linesAt(Date.parse(since));
  // Date parses milliseconds only; the remaining digits are compared here.
  while (since !== null && timeOf(from) < since) from++;
  if (tail !== null) from = Math.max(from, now - Number(tail));
  response.writeHead(200, { 'content-type': 'text/plain' });
  let gone = false;
  let taken: () => void = () => undefined;
  response.on('close', () => {
    gone = true;
    taken();
  });
  response.on('drain', () => taken());
  for (let line = from; !gone;) {
    const end = Math.min(linesAt(Date.now()), line + 2_000);
    let out = '';
    for (; line < end; line++) {
      const message = Buffer.from(`${stamped ? `${timeOf(line)} ` : ''}${textOf(line)}\n`).toString('base64');
      out += `{"channel":"stdout","message":"${message}"}\n`;
    }
    if (out !== '' && !response.write(out) && !gone) await new Promise<void>((resolve) => (taken = resolve));
    if (line < linesAt(Date.now())) continue;
    if (!query.has('follow')) break;
    await wait(TICK_MS);
  }
  response.end();
}

const fake = await startFakeVmm();
process.on('message', ({ rate, instance_id, ask }: { rate?: number; instance_id?: string; ask?: true }) => {
  if (rate !== undefined) {
    const ms = Date.now();
    pieces.push({ ms, line: linesAt(ms), rate });
    if (last().line === pieces.at(-2)!.line) pieces.splice(-2, 1);
  }
  if (instance_id !== undefined)
    fake.on(`/agent/${instance_id}/logs/web`, (request, response) => void serve(request, response));
  if (ask) process.send?.({ lines: linesAt(Date.now()) });
});
process.send?.({ url: fake.url });
