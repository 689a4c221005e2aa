import Bowser from 'bowser';

const UNKNOWN = 'Unknown';
/** Clients other than browsers, by their header's prefix. */
const CLIENTS: readonly [RegExp, string][] = [
  [/^phala(?:-cli)?\/(\d[\w.-]{0,30})/i, 'phala CLI'],
  [/^curl\/(\d[\w.-]{0,30})/i, 'curl'],
  [/^wget\/(\d[\w.-]{0,30})/i, 'Wget'],
  [/^python-requests\/(\d[\w.-]{0,30})/i, 'Python requests'],
  [/^(?:python-)?httpx\/(\d[\w.-]{0,30})/i, 'Python httpx'],
  [/^go-http-client\/(\d[\w.-]{0,30})/i, 'Go'],
  [/^axios\/(\d[\w.-]{0,30})/i, 'axios'],
  // The published command line and SDK send the runtime's own header.
  [/^(?:node|undici)(?:$|[/ ])/i, 'phala CLI or Node.js'],
];

/**
 * Returns a readable form of a `User-Agent`: "Firefox on Linux", "phala CLI 1.1.18", "curl 8.1". Any client
 * can send any header: it helps users recognize their own devices and proves nothing.
 */
export function deviceOf(user_agent: string): string {
  const text = user_agent.trim().slice(0, 400);
  if (text === '') return UNKNOWN;
  for (const [pattern, name] of CLIENTS) {
    const match = pattern.exec(text);
    if (match) return match[1] ? `${name} ${match[1]}` : name;
  }
  if (text.startsWith('Mozilla/')) {
    const { browser, os } = Bowser.parse(text);
    if (browser.name) return os.name ? `${browser.name} on ${os.name}` : browser.name;
    return os.name ? `A browser on ${os.name}` : 'A browser';
  }
  // Another program: its name and version, which RFC 9110 §10.1.5 puts first.
  return /^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?/.exec(text)?.[0].replace('/', ' ') ?? UNKNOWN;
}
