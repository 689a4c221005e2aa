import { describe, expect, it } from 'vitest';
import { contentUrls } from './contentUrls';
import { parseModelRequest } from './modelRequest';

const chat = (...content: object[]) =>
  parseModelRequest(
    'chat.completions',
    Buffer.from(JSON.stringify({ model: 'a', messages: [{ role: 'user', content }] })),
  );
const responses = (...input: object[]) =>
  parseModelRequest('responses', Buffer.from(JSON.stringify({ model: 'a', input })));
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const found = (request: Parameters<typeof contentUrls>[0]) => contentUrls(request).map(({ url }) => url.href);

describe('the URLs of a request', () => {
  it.each([
    image('https://a.test/1'),
    { type: 'image_url', image_url: 'https://a.test/1' },
    { type: 'image_url', IMAGE_URL: { Url: 'https://a.test/1' } },
    { type: 'video_url', video_url: { url: 'https://a.test/1' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'https://a.test/1' } },
    { type: 'input_audio', input_audio: { format: 'wav', data: 'https://a.test/1' } },
    { type: 'image', image: 'https://a.test/1' },
    { type: 'video', video: ['https://a.test/1'] },
    { type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: 'https://a.test/1' } }] },
    // Some model servers decide by the member, not by the type.
    { type: 'text', text: 'Hi', image_url: 'https://a.test/1' },
  ])('include what a model server would fetch for %j', (part) => {
    expect(found(chat(part))).toEqual(['https://a.test/1']);
    expect(contentUrls(chat({ type: 'text', text: 'Hi' }, part))[0]?.param).toBe('messages[0].content[1]');
  });

  it('include those of responses, in messages and in results of tools', () => {
    const file = { type: 'input_file', file_url: 'https://b.test/2' };
    const request = responses(
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.test/1' }] },
      { type: 'function_call_output', call_id: 'c', output: [file] },
    );
    expect(contentUrls(request).map(({ url, param }) => [url.href, param])).toEqual([
      ['https://a.test/1', 'input[0].content[0]'],
      ['https://b.test/2', 'input[1].output[0]'],
    ]);
  });

  it.each([
    image('data:image/png;base64,AA=='),
    image('DATA:image/png;base64,AA=='),
    { type: 'file', file: { filename: 'http://a.test', file_data: 'JVBERi0xLjc=' } },
    { type: 'input_audio', input_audio: { format: 'wav', data: 'UklGRg==' } },
    { type: 'text', text: 'http://127.0.0.1/' },
    { type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation', url: 'http://127.0.0.1/' }] },
    { type: 'tool_result', content: [{ json: { home_url: '/about' } }] },
    { type: 'tool_use', name: 'open', input: { url: 'http://127.0.0.1/' } },
  ])('include nothing of %j, which is in the request', (part) => {
    expect(found(chat(part))).toEqual([]);
  });

  it.each([
    // Parsers disagree about the host of each.
    'https://a.test\\@10.0.0.1/',
    'https://a.test@10.0.0.1/',
    'https://010.8.8.8/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://１０.0.0.1/',
    'https://a.test%2f@10.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'ht\ttps://10.0.0.1/',
    ' https://10.0.0.1/',
    // These aren't fetched over HTTP, but read from the model server's own files.
    'file:///etc/passwd',
    '/srv/private.png',
    'gopher://10.0.0.1/',
    `https://a.test/${'x'.repeat(9000)}`,
  ])('may not be %s', (url) => {
    expect(() => contentUrls(chat(image(url)))).toThrow(
      'messages[0].content[0]: Send the content itself as a data: URL, or an https:// URL.',
    );
  });

  it('may contain any characters after the host', () => {
    expect(found(chat(image('https://A.test:8443/Größe (1).png?at=10:00@home')))).toHaveLength(1);
    expect(found(chat(image('https://[2001:4860:4860::8888]/')))).toHaveLength(1);
  });

  it('are looked up once per host, and have few hosts', () => {
    const many = (hosts: number) =>
      chat(...Array.from({ length: 40 }, (_, i) => image(`https://h${i % hosts}.test/${i}`)));
    expect(contentUrls(many(10))).toHaveLength(10);
    expect(() => contentUrls(many(11))).toThrow('The URLs of a request can have up to 10 hosts.');
  });
});

it('reads nothing from a member that another parser could read differently', () => {
  for (const message of [
    '{"role":"user","content":[{"type":"image_url","image_url":"https://10.0.0.1","image_url":"data:,"}]}',
    '{"role":"user","content":[{"type":"image_url","image_url":"https://10.0.0.1"}],"content":"Hi"}',
    '{"role":"user","content":"Hi","Content":[{"type":"image_url","image_url":"https://10.0.0.1"}]}',
  ])
    expect(() =>
      parseModelRequest('chat.completions', Buffer.from(`{"model":"a","messages":[${message}]}`)),
    ).toThrow(/twice|lowercase/);
});
