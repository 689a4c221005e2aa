import { describe, expect, it } from 'vitest';
import { readAll } from './contract';
import { driverTo, failure, host, pair, setUpTestHosts, spec } from './testHosts';

setUpTestHosts();

describe('logs', () => {
  it('removes heartbeats and preserves characters split across chunks', async () => {
    const { vmm, driver } = await pair();
    vmm.on('/logs', (_, response) => {
      const emoji = Buffer.from('🚀\n');
      response.write('one\n[vmm heart');
      setTimeout(() => response.write('beat]\n'), 5);
      setTimeout(() => response.write(emoji.subarray(0, 2)), 10);
      setTimeout(
        () => response.end(Buffer.concat([emoji.subarray(2), Buffer.from('[vmm heartbeat]\nend')])),
        20,
      );
    });
    expect(await readAll(await driver.logs({ id: 'x', follow: true }))).toBe('one\n🚀\nend');
  });

  it('sends the channel and flags explicitly', async () => {
    const { vmm, driver } = await pair();
    const id = await driver.createVm(spec);
    await readAll(await driver.logs({ id, channel: 'stderr', lines: 5 }));
    expect(vmm.requests.at(-1)).toBe(`/logs?id=${id}&ch=stderr&follow=false&ansi=false&lines=5`);
  });

  it('explains why there is no log', async () => {
    const vmm = await host({ token: 't' });
    const denied = driverTo({ url: vmm.url, credential: { type: 'bearer', token: 'wrong' } });
    expect((await failure(denied.logs({ id: 'x' }))).kind).toBe('unauthorized');
    const driver = driverTo({ url: vmm.url, credential: { type: 'bearer', token: 't' } });
    expect((await failure(driver.logs({ id: 'x' }))).kind).toBe('not_found');
    vmm.on('/logs', (_, response) => response.writeHead(400).end('Unknown channel'));
    expect(await failure(driver.logs({ id: 'x' }))).toMatchObject({
      kind: 'rejected',
      host_text: 'Unknown channel',
    });
  });

  it('treats a silent stream as broken, and a broken one as an error', async () => {
    const { vmm, driver } = await pair({}, { log_silence_ms: 1000 });
    vmm.on('/logs', (_, response) => response.write('begin\n'));
    expect(await failure(readAll(await driver.logs({ id: 'x', follow: true })))).toMatchObject({
      kind: 'timeout',
      retryable: true,
    });
    vmm.on('/logs', (_, response) => response.write('begin\n', () => response.destroy()));
    expect(await failure(readAll(await driver.logs({ id: 'x', follow: true })))).toMatchObject({
      kind: 'unreachable',
      retryable: true,
    });
  });

  it('disconnects and frees the slot when the reader leaves, aborts or never comes', async () => {
    const { vmm, driver } = await pair({}, { streams: 1 });
    let gone: () => void = () => {};
    vmm.on('/logs', (_, response) => {
      response.write('begin\n');
      response.on('close', () => gone());
    });
    for (const leave of ['break', 'abort', 'unread'] as const) {
      const closed = new Promise<void>((resolve) => (gone = resolve));
      const stop = new AbortController();
      const stream = await driver.logs({ id: 'x', follow: true, signal: stop.signal });
      expect(await failure(driver.logs({ id: 'x' }))).toMatchObject({ kind: 'unreachable', retryable: true });
      if (leave === 'unread') stop.abort();
      else
        for await (const _ of stream) {
          if (leave === 'break') break;
          stop.abort();
        }
      await closed;
    }
  });
});
