import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { parseServer } from './exchange';
import { decodeMessage, encodeQuery, MalformedDns } from './message';
import { createDnsDriver } from './resolver';

let server: TestDns;
const dns = () => createDnsDriver([server.address]);
beforeAll(async () => {
  server = await startDnsServer();
});
beforeEach(() => {
  for (const known of [server.zone, server.txt, server.broken, server.mute]) known.clear();
  Object.assign(server, { silent: false, recurses: true, truncate: false, forge: false, asked: [] });
});
afterAll(() => server.close());

describe('a reply', () => {
  it('has the records with their TTLs and the CNAME chain', async () => {
    server.set('www.corp.test', { type: 'CNAME', value: 'Edge.Gw.TEST.', ttl: 60 });
    server.set(
      'edge.gw.test',
      { type: 'A', value: '192.0.2.7', ttl: 30 },
      { type: 'A', value: '192.0.2.8', ttl: 90 },
    );
    expect(await dns().lookup('WWW.corp.test.', 'A')).toMatchObject({
      name: 'www.corp.test',
      outcome: 'records',
      chain: [{ name: 'www.corp.test', value: 'edge.gw.test', ttl: 60 }],
      records: [{ value: '192.0.2.7' }, { value: '192.0.2.8' }],
      ttl: 30,
    });
    expect((await dns().lookup('www.corp.test', 'CNAME')).records).toMatchObject([{ value: 'edge.gw.test' }]);
  });

  it('reads every kind of record', async () => {
    server.set(
      'corp.test',
      { type: 'AAAA', value: '2001:db8::1:0' },
      { type: 'CAA', value: [128, 'ISSUE', 'letsencrypt.org; validationmethods=dns-01'] },
      { type: 'SOA', value: 17 },
    );
    server.txt.set('corp.test', [['one ', 'two'], ['äö']]);
    expect((await dns().lookup('corp.test', 'AAAA')).records[0]?.value).toBe('2001:db8::1:0');
    expect((await dns().lookup('corp.test', 'CAA')).records[0]).toMatchObject({
      value: '128 issue "letsencrypt.org; validationmethods=dns-01"',
      caa: { critical: true, tag: 'issue', value: 'letsencrypt.org; validationmethods=dns-01' },
    });
    expect(
      (await dns().lookup('corp.test', 'TXT')).records.map(({ value, parts }) => [value, parts]),
    ).toEqual([
      ['one two', ['one ', 'two']],
      ['äö', ['äö']],
    ]);
    expect((await dns().lookup('corp.test', 'SOA')).records[0]?.name).toBe('corp.test');
  });

  it('distinguishes a missing name from one without such records, and how long that is cached', async () => {
    server.set('corp.test', { type: 'SOA', value: 900, ttl: 3600 });
    server.set('a.corp.test', { type: 'A', value: '192.0.2.1' });
    expect(await dns().lookup('b.corp.test', 'A')).toMatchObject({ outcome: 'no_name', ttl: 900 });
    expect(await dns().lookup('a.corp.test', 'TXT')).toMatchObject({ outcome: 'none', ttl: 900 });
  });

  it('too long for a packet arrives over TCP', async () => {
    server.txt.set(
      'long.test',
      Array.from({ length: 40 }, (_, i) => [`${i}`.padStart(200, 'x')]),
    );
    server.truncate = true;
    expect((await dns().lookup('long.test', 'TXT')).records).toHaveLength(40);
    expect(server.asked).toEqual(['long.test TXT', 'long.test TXT']);
  });

  it('with another ID is ignored', async () => {
    server.set('corp.test', { type: 'A', value: '192.0.2.1' });
    server.forge = true;
    expect((await dns().lookup('corp.test', 'A')).outcome).toBe('records');
  });
});

describe('a failure', () => {
  it('is reported with its cause', async () => {
    server.broken.add('bad.test');
    expect(await dns().lookup('bad.test', 'A')).toMatchObject({ outcome: 'failed', failure: 'servfail' });
    expect(server.asked).toHaveLength(1);
    const nobody = createDnsDriver(['127.0.0.1:1']);
    expect(await nobody.lookup('corp.test', 'A')).toMatchObject({ outcome: 'failed', failure: 'timeout' });
  });

  it('of one server moves on to the next', async () => {
    server.set('corp.test', { type: 'A', value: '192.0.2.1' });
    const two = createDnsDriver(['127.0.0.1:1', server.address]);
    expect((await two.lookup('corp.test', 'A')).outcome).toBe('records');
  });

  it('ends when the caller cancels', async () => {
    server.silent = true;
    // Without the cancellation it would resolve with the failure "timeout".
    await expect(dns().lookup('corp.test', 'A', AbortSignal.timeout(100))).rejects.toThrow();
  });

  it.each([
    [['a.test', 'b.test'], 'a loop of two'],
    [['a.test'], 'itself'],
    [Array.from({ length: 11 }, (_, i) => `n${i}.test`), 'a long one'],
  ])('results from a CNAME that leads nowhere: %s', async (names) => {
    names.forEach((name, i) => server.set(name, { type: 'CNAME', value: names[(i + 1) % names.length]! }));
    expect(await dns().lookup(names[0]!, 'A')).toMatchObject({ outcome: 'failed', failure: 'loop' });
  });
});

it('follows a chain that the server returns link by link', async () => {
  server.recurses = false;
  server.set('a.test', { type: 'CNAME', value: 'b.test' });
  server.set('b.test', { type: 'CNAME', value: 'c.test' });
  server.set('c.test', { type: 'A', value: '192.0.2.3' });
  const found = await dns().lookup('a.test', 'A');
  expect(found.chain.map(({ value }) => value)).toEqual(['b.test', 'c.test']);
  expect(found.records[0]?.value).toBe('192.0.2.3');
  expect(server.asked).toEqual(['a.test A', 'b.test A', 'c.test A']);
});

it('follows a CNAME to the root, or to a name with unusual bytes', async () => {
  server.recurses = false;
  server.set('root.test', { type: 'CNAME', value: '.' });
  expect(await dns().lookup('root.test', 'A')).toMatchObject({ outcome: 'no_name', chain: [{ value: '' }] });
  const spaces = `${' '.repeat(20)}.test`;
  server.set('odd.test', { type: 'CNAME', value: spaces });
  server.set(spaces, { type: 'A', value: '192.0.2.4' });
  expect(await dns().lookup('odd.test', 'A')).toMatchObject({
    outcome: 'records',
    records: [{ name: spaces.replaceAll(' ', '\\032'), value: '192.0.2.4' }],
  });
});

describe('network input', () => {
  const query = encodeQuery(7, 'corp.test', 'A');
  const answerOf = (rest: Buffer) => {
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 6);
    head.writeUInt16BE(0, 10);
    return Buffer.concat([head, query.subarray(12, 12 + 11 + 4), rest]);
  };
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a header without records', Buffer.alloc(3)],
    ['a pointer to itself', Buffer.from([0xc0, 27, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])],
    ['a forward pointer', Buffer.from([0xc0, 0xff, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4])],
    ['a length beyond the end', Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0xff, 0xff])],
    ['half an address', Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 2, 1, 2])],
    [
      'half an address, followed by more data',
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 2, 1, 2, 3, 4]),
    ],
    ['a text longer than its record', Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, 2, 9, 65])],
    ['a CAA tag longer than its record', Buffer.from([0xc0, 12, 1, 1, 0, 1, 0, 0, 0, 0, 0, 2, 0, 200])],
  ])('is rejected if malformed: %s', (_what, rest) => {
    expect(() => decodeMessage(answerOf(rest))).toThrow(MalformedDns);
  });

  it('survives noise', () => {
    const noise = answerOf(Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, 3, 2, 65, 66]));
    for (let at = 0; at < noise.length; at += 1)
      for (const value of [0, 1, 63, 64, 0xc0, 0xff]) {
        const spoilt = Buffer.from(noise);
        spoilt[at] = value;
        try {
          decodeMessage(spoilt);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedDns);
        }
      }
  });

  it('may contain any byte in a name, which is escaped as in zone files', () => {
    const record = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 5, 3, 0x2e, 0x20, 0x61, 0]);
    expect(decodeMessage(answerOf(record)).answers[0]?.value).toBe('\\046\\032a');
  });
});

it('parses server addresses as configured', () => {
  expect(['1.1.1.1', '1.1.1.1:5353', '::1', '[::1]', '[::1]:53053'].map(parseServer)).toEqual([
    { host: '1.1.1.1', port: 53 },
    { host: '1.1.1.1', port: 5353 },
    { host: '::1', port: 53 },
    { host: '::1', port: 53 },
    { host: '::1', port: 53053 },
  ]);
});
