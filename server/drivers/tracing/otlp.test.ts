import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseTraceparent } from '../../domain/core/traceparent';
import { createLogger } from '../../log';
import { startOtlpReceiver, type OtlpReceiver } from '../../testing/otlpReceiver';
import { selfSigned } from '../../testing/certificate';
import { eventually } from '../../testing/server';
import { currentSpan, inSpan, type Tracing } from './index';
import { createOtlpTracing } from './otlp';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const LIMITS = { queue: 100, batch: 10, delay_ms: 20, export_ms: 500, stop_ms: 1_000 };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function receiver(): Promise<OtlpReceiver> {
  const started = await startOtlpReceiver();
  closing.push(() => started.close());
  return started;
}

interface More {
  ratio?: number;
  certificate?: string;
  limits?: Partial<typeof LIMITS>;
}

function tracingTo(endpoint: string, more: More = {}) {
  const lines: string[] = [];
  const tracing = createOtlpTracing(
    {
      endpoint,
      headers: { 'x-api-key': 'collector-key' },
      certificate: more.certificate ?? null,
      service: 'teehouse-test',
      ratio: more.ratio ?? 1,
      version: '1.2.3',
      environment: 'test',
      role: 'web',
      log: createLogger('info', { write: (line: string) => void lines.push(line) }),
    },
    { ...LIMITS, ...more.limits },
  );
  closing.push(() => tracing.stop());
  return { tracing, lines };
}

const send = (tracing: Tracing, name: string) => tracing.start(name, { kind: 'server' }).end();

describe('spans', () => {
  it('reach the collector with their process, parents and attributes when the process stops', async () => {
    const collector = await receiver();
    const { tracing } = tracingTo(collector.endpoint);
    const request = tracing.start('GET', {
      kind: 'server',
      parent: `00-${TRACE}-${SPAN}-01`,
      attributes: { one: 1, none: undefined },
    });
    expect(request.trace_id).toBe(TRACE);
    const call = request.child('dstack-vmm/Status', 'client');
    call.end({ is_error: true });
    request.end({ name: 'GET /cvms', attributes: { yes: true } });
    await tracing.stop();

    const [child, parent] = collector.spans();
    expect(parent).toMatchObject({
      name: 'GET /cvms',
      trace_id: TRACE,
      parent_id: SPAN,
      kind: 2,
      is_error: false,
      resource: { 'service.name': 'teehouse-test', 'service.version': '1.2.3', 'teehouse.role': 'web' },
    });
    expect(parent?.attributes).toEqual({ one: 1, yes: true });
    expect(child).toMatchObject({ trace_id: TRACE, parent_id: parent?.span_id, kind: 3, is_error: true });
    expect(parseTraceparent(request.traceparent)).toMatchObject({ span_id: parent?.span_id });
    expect(collector.received[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-api-key': 'collector-key' },
    });
    expect(tracing.counts()).toEqual({ exported: 2, failed: 0, dropped: 0 });
  });

  it('reach a collector with a certificate of a private authority', async () => {
    const { key, cert } = selfSigned('127.0.0.1');
    const collector = createServer({ key, cert }, (_request, res) => void res.end('{}'));
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    closing.push(async () => collector.close());
    const dir = await mkdtemp(path.join(tmpdir(), 'teehouse-traces-'));
    closing.push(() => rm(dir, { recursive: true }));
    const certificate = path.join(dir, 'ca.pem');
    await writeFile(certificate, cert);
    const endpoint = `https://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    for (const [more, counts] of [
      [{}, { exported: 0, failed: 1 }],
      [{ certificate }, { exported: 1, failed: 0 }],
    ] as const) {
      const { tracing } = tracingTo(endpoint, more);
      send(tracing, 'one');
      await tracing.stop();
      expect(tracing.counts()).toMatchObject(counts);
    }
  });

  it('belong to the span of the running code', async () => {
    const { tracing } = tracingTo((await receiver()).endpoint);
    const span = tracing.start('a', { kind: 'server' });
    expect(currentSpan()).toBeUndefined();
    await inSpan(span, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(currentSpan()).toBe(span);
    });
    expect(currentSpan()).toBeUndefined();
    expect(inSpan(undefined, () => 7)).toBe(7);
  });

  it('are recorded by the flag of the trace they continue, or by the ratio for a new trace', async () => {
    const collector = await receiver();
    const { tracing } = tracingTo(collector.endpoint, { ratio: 0 });
    const start = (name: string, parent?: string) => {
      const span = tracing.start(name, { kind: 'server', parent });
      span.child(`below ${name}`, 'client').end();
      span.end();
      return parseTraceparent(span.traceparent)?.is_sampled;
    };
    expect(start('own')).toBe(false);
    expect(start('unsampled', `00-${TRACE}-${SPAN}-00`)).toBe(false);
    expect(start('invalid', `00-${TRACE}-hello-01`)).toBe(false);
    expect(start('sampled', `00-${TRACE}-${SPAN}-01`)).toBe(true);
    await tracing.stop();
    expect(collector.spans().map(({ name }) => name)).toEqual(['below sampled', 'sampled']);
  });
});

describe('a collector that does not accept spans', () => {
  it('is logged once per outage, without its reply and its key', async () => {
    const collector = await receiver();
    const accept = collector.answer;
    collector.answer = (_request, res) => void res.writeHead(401).end('canary-reply');
    const { tracing, lines } = tracingTo(collector.endpoint);
    for (const name of ['first', 'second', 'third']) {
      send(tracing, name);
      await eventually(`${name} was refused`, async () =>
        collector.spans().some((span) => span.name === name),
      );
    }
    await eventually('three are lost', async () => tracing.counts().failed === 3);
    collector.answer = accept;
    send(tracing, 'fourth');
    await eventually('the fourth arrives', async () => tracing.counts().exported === 1);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toMatchObject([
      { level: 40, reason: 'status 401' },
      { level: 30, lost_spans: 3, msg: 'trace export recovered' },
    ]);
    expect(lines.join('')).not.toMatch(/canary-reply|collector-key/);
  });

  it("that hangs drops what exceeds the queue, and does not delay the process's exit", async () => {
    const collector = await receiver();
    collector.answer = () => undefined;
    const { tracing, lines } = tracingTo(collector.endpoint, {
      limits: { queue: 25, export_ms: 600_000, stop_ms: 50 },
    });
    for (let i = 0; i < 40; i++) send(tracing, `span ${i}`);
    expect(tracing.counts()).toEqual({ exported: 0, failed: 0, dropped: 15 });
    await tracing.stop();
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ level: 40, spans: 25 });
  });

  it('gives up a hanging export, so that later spans can follow', async () => {
    const collector = await receiver();
    collector.answer = (_request, res) => void res.writeHead(200).write('{');
    const { tracing } = tracingTo(collector.endpoint, { limits: { export_ms: 50 } });
    send(tracing, 'lost');
    await eventually('it is given up', async () => tracing.counts().failed === 1);
    collector.answer = (_request, res) => void res.writeHead(200).end('{}');
    send(tracing, 'kept');
    await eventually('the next one arrives', async () => tracing.counts().exported === 1);
  });

  it('that is missing loses only spans', async () => {
    const gone = await startOtlpReceiver();
    await gone.close();
    const { tracing, lines } = tracingTo(gone.endpoint);
    send(tracing, 'one');
    send(tracing, 'two');
    await eventually('they are lost', async () => tracing.counts().failed === 2);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ reason: 'ECONNREFUSED' }]);
  });
});
